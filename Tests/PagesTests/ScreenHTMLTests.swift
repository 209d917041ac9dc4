import CivilTime
import Sentences
import Testing

@testable import Pages

@Suite struct ScreenHTMLTests {
  private let html = ScreenHTML(language: .english, labelLanguage: "de-AT")
  private static let markup = "<img src=x onerror=alert(1)>\"'&"

  private func calling(_ label: String, instructions: String = "") throws -> ScreenState {
    .calling(
      TaskScreen(
        promptID: label, label: label, instructions: instructions, image: nil,
        due: try ClockTime(hour: 8, minute: 0),
        ends: TrackEnds(hasLater: true, right: .done)))
  }

  @Test func `markup in a label, an id and instructions stays text`() throws {
    let text = html.fragment(try calling(Self.markup, instructions: Self.markup))
    #expect(!text.contains("<img"))
    #expect(text.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"))
    let fact = IdleScreen.TimedTask(label: Self.markup, time: try ClockTime(hour: 8, minute: 0))
    let idle = ScreenState.idle(
      IdleScreen(last: fact, next: fact, progress: DayProgress(done: 0, planned: 0)))
    #expect(!html.fragment(idle).contains("<img"))
    let answered = ScreenState.answered(
      AnsweredScreen(promptID: Self.markup, label: Self.markup, kind: .later(again: nil)))
    #expect(!html.fragment(answered).contains("<img"))
  }

  @Test func `a label is marked with its language`() throws {
    #expect(html.fragment(try calling("Tee")).contains("<span lang=\"de-AT\" dir=\"auto\">Tee"))
    let same = ScreenHTML(language: .german, labelLanguage: nil)
    #expect(!same.fragment(try calling("Tee")).contains("lang="))
  }

  @Test func `no page contains a style attribute or a script of its own`() throws {
    for language in Language.allCases {
      let page = ScreenHTML(language: language, labelLanguage: nil)
        .page(first: try calling("Tea", instructions: "With milk"))
      #expect(!page.contains("style=\""))
      #expect(page.ranges(of: "<script").count == 1)
      #expect(page.contains("<html lang=\"\(language.rawValue)\""))
    }
  }

  @Test func `a long label is shortened after a whole word`() {
    #expect(ScreenHTML.shortened("Take the pills") == "Take the pills")
    let long = "Take the small white pills from the blue box beside the bread"
    #expect(ScreenHTML.shortened(long) == "Take the small white…")
    let word = String(repeating: "x", count: 60)
    #expect(ScreenHTML.shortened(word) == String(repeating: "x", count: 23) + "…")
  }

  @Test func `only a task that calls is reported as painted`() throws {
    guard case .calling(let task) = try calling("a") else { return }
    #expect(html.fragment(.calling(task)).contains("data-seen=\"a\""))
    #expect(!html.fragment(.onMyWay(task)).contains("data-seen"))
    #expect(ScreenState.calling(task).reports("a"))
    #expect(!ScreenState.calling(task).reports("b"))
    #expect(!ScreenState.onMyWay(task).reports("a"))
  }

  @Test func `only the shown answers are offered`() throws {
    let state = try calling("a")
    #expect(ScreenAnswer.allCases.filter { state.offers($0, to: "a") } == [.complete, .delay])
    #expect(ScreenAnswer.allCases.filter { state.offers($0, to: "b") } == [])
    #expect(ScreenAnswer.allCases.filter { ScreenState.notConnected.offers($0, to: "a") } == [])
  }

  @Test func `all files of the page together have at most 100 KB`() {
    let sizes = ScreenFile.allCases.map(\.bytes.count)
    #expect(sizes.allSatisfy { $0 > 100 })
    #expect(sizes.reduce(0, +) < 100_000)
  }
}
