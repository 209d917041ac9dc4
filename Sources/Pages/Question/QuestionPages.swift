import Alarms
import Sentences

/// The choices of a question, distributed over one or more pages.
enum QuestionPages {
  /// The maximum number of characters of a choice that fits into a column on a 7 inch display.
  static let columnCharacters = 24

  static func keys(
    _ choices: [Choice], _ selected: Set<String>, page: Int, _ given: Response.Value?
  ) -> (QuestionScreen.Layout, [QuestionKey]) {
    let none = QuestionKey(
      .pick("none"), .sentence(.questionNone),
      isChosen: selected.isEmpty && given == .choices([]))
    let all =
      choices.map {
        QuestionKey(.toggle($0.name), .text($0.text), isChosen: selected.contains($0.name))
      } + [none]
    let isShort = choices.allSatisfy { $0.text.count <= columnCharacters }
    let layout = isShort ? QuestionScreen.Layout.columns : .rows
    let most = isShort ? 6 : 3
    if all.count <= most { return (layout, all) }
    // On each page, one key is necessary to show the next page.
    let pages = (all.count + most - 2) / (most - 1)
    let start = page % pages * (most - 1)
    let keys = Array(all[start..<min(start + most - 1, all.count)])
    return (layout, keys + [QuestionKey(.more, .sentence(.questionMore))])
  }
}
