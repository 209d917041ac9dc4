import Sentences
import StudyExport

// The screen with one question, and the track of a message that asks for "yes" or "no".
extension ScreenHTML {
  func question(_ question: QuestionScreen) -> String {
    """
    <section class="question\(question.isLong ? " long" : "")" data-layout="\(question.layout.rawValue)">
    <div class="what" data-fit="0">
    \(left(question))<div class="words"><p class="count">\(count(question))</p>
    <h1>\(label(question.text))</h1>
    \(question.draft.map(draft) ?? "")</div>
    \(question.right.map { key($0, of: question, named: "key side") } ?? "<span class=\"side\"></span>\n")</div>
    \(keys(question))\(failed)
    </section>
    """
  }

  private func count(_ question: QuestionScreen) -> String {
    say(.questionCount(done: question.number, count: question.count))
  }

  private func left(_ question: QuestionScreen) -> String {
    switch question.left {
    case nil: return "<span class=\"side\"></span>\n"
    case .back:
      return key(QuestionKey(.back, .sentence(.questionBack)), of: question, named: "key side")
    case .undo:
      let prompt = HTMLText.escaped(question.promptID)
      return """
        <button class="key side" data-answer="undo" data-prompt="\(prompt)">\(say(.answerUndo))</button>

        """
    }
  }

  private func keys(_ question: QuestionScreen) -> String {
    if question.keys.isEmpty { return "" }
    let keys = question.keys.map { key($0, of: question, named: "key") }.joined()
    return """
      <div class="keys" role="group" aria-label="\(say(.answerHelp))">
      \(keys)</div>

      """
  }

  private func key(_ key: QuestionKey, of question: QuestionScreen, named name: String) -> String {
    let pressed = key.isChosen.map { " aria-pressed=\"\($0)\"" } ?? ""
    let wide = key.width > 1 ? " wide\(key.width)" : ""
    return """
      <button class="\(name)\(wide)" data-prompt="\(HTMLText.escaped(question.promptID))" \
      data-question="\(HTMLText.escaped(question.name))" \
      data-answer="\(HTMLText.escaped(key.input.text))"\(pressed)\(key.isOffered ? "" : " disabled")>\
      \(word(key.word))</button>

      """
  }

  private func word(_ word: QuestionKey.Word) -> String {
    switch word {
    case .sentence(let sentence): say(sentence)
    case .text(let text): label(text)
    case .sign(let sign): HTMLText.escaped(sign)
    case .decimalSign: language.decimalSign
    case .face(let face): self.face(face)
    }
  }

  /// Returns a drawing of a face, with a word below the drawing. The page does not use the face
  /// characters of fonts, because fonts draw faces differently, and some fonts contain no faces.
  private func face(_ face: QuestionKey.Face) -> String {
    let (sentence, mouth): (Sentence, String) =
      switch face {
      case .bad: (.moodBad, "M7 17.5 Q12 12.5 17 17.5")
      case .fair: (.moodFair, "M7 16 H17")
      case .good: (.moodGood, "M7 14.5 Q12 19.5 17 14.5")
      }
    return """
      <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10.5" fill="none" \
      stroke="currentColor" stroke-width="1.5"/><circle cx="8.5" cy="9.5" r="1.4" fill="currentColor"/>\
      <circle cx="15.5" cy="9.5" r="1.4" fill="currentColor"/>\
      <path d="\(mouth)" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg>\
      <span>\(say(sentence))</span>
      """
  }

  private func draft(_ draft: QuestionScreen.TypedText) -> String {
    var text = draft.text
    if draft.isNumber {
      text = number(text)
    } else if text.count > Self.shownCharacters {
      text = "…" + text.suffix(Self.shownCharacters)
    }
    if !draft.unit.isEmpty { text += " \(draft.unit)" }
    let range = draft.range.map { range in
      "<p class=\"range\">"
        + say(
          .questionRange(
            low: number(QuestionNumber.text(range.lowerBound)),
            high: number(QuestionNumber.text(range.upperBound)))) + "</p>\n"
    }
    // The mark shows the position of the next character.
    let mark = "<span class=\"mark\" aria-hidden=\"true\"></span>"
    let at =
      draft.unit.isEmpty
      ? text.endIndex : text.index(text.endIndex, offsetBy: -draft.unit.count - 1)
    return """
      <p class="draft">\(HTMLText.escaped(String(text[..<at])))\(mark)\(HTMLText.escaped(String(text[at...])))</p>
      \(range ?? "")
      """
  }

  /// The maximum number of characters that a person sees while typing a text.
  private static let shownCharacters = 32

  /// Returns a number with the decimal sign of the language.
  private func number(_ text: String) -> String {
    let sides = text.split(separator: ".", omittingEmptySubsequences: false)
    let joined = sides.joined(separator: language.decimalSign)
    return joined.hasPrefix("-") ? "−" + joined.dropFirst() : joined
  }

  /// Returns the track of a message that asks for "yes" or "no". The track does not use the colours
  /// red and green, because these colours mean "later" and "done".
  func yesOrNo(_ task: TaskScreen) -> String {
    func end(_ value: String, _ word: Sentence, _ side: String) -> String {
      """
      <button class="end choice \(side)" data-answer="pick \(value)" data-question="\(TrackEnds.question)" \
      data-prompt="\(HTMLText.escaped(task.promptID))">\(say(word))</button>

      """
    }
    return """
      <div class="track" role="group" aria-label="\(say(.answerHelp))">
      \(end("no", .answerNo, "left"))<div class="thumb" data-thumb></div>
      \(end("yes", .answerYes, "right"))</div>
      \(failed)
      """
  }
}
