import Alarms
import CivilTime
import JSONValue
import Sentences

@testable import Pages

/// Each screen, with texts as in a real home. The browser tests show these screens, and make the
/// pictures for SCREEN.md from them.
struct ScreenGallery {
  struct Entry {
    var name: String
    var state: ScreenState
    var isNight = false
    var hasCamera = false
    /// The time that the clock of the screen shows.
    var now = ScreenGallery.now
  }

  var language: Language

  /// The present time: the morning of Thursday 26 November 2026.
  private static let now = "2026-11-26T08:01:00.000Z"
  /// The id of a picture that the server of the tests can send.
  static let picture = String(repeating: "0123456789abcdef", count: 4)

  private struct Texts {
    var pills: String
    var instructions: String
    var walk: String
    var washing: String
    var message: String
    var wish: String
    /// A text of 200 characters that consists of long words.
    var long: String
  }

  private var texts: Texts {
    switch language {
    case .english:
      Texts(
        pills: "Take the morning pills", instructions: "The two white ones, with a glass of water.",
        walk: "Walk in the garden", washing: "Bring in the washing",
        message: "Sofia comes at four o'clock and brings a cake.",
        wish: "Shall Sofia come for coffee today?",
        long: "Take the pills from the blue box beside the bread. ")
    case .german:
      Texts(
        pills: "Morgentabletten nehmen",
        instructions: "Die zwei weißen Tabletten, mit einem Glas Wasser.",
        walk: "Spaziergang im Garten", washing: "Wäsche hereinholen",
        message: "Sofia kommt um vier Uhr und bringt einen Kuchen mit.",
        wish: "Soll Sofia heute zum Kaffee kommen?",
        long: "Donaudampfschifffahrtsgesellschaftskapitän ")
    case .vietnamese:
      Texts(
        pills: "Uống thuốc buổi sáng", instructions: "Hai viên màu trắng, với một cốc nước.",
        walk: "Đi dạo trong vườn", washing: "Cất quần áo đã phơi",
        message: "Sofia đến lúc bốn giờ và mang theo một chiếc bánh.",
        wish: "Hôm nay Sofia đến uống cà phê nhé?",
        long: "Uống những viên thuốc trong chiếc hộp màu xanh cạnh ổ bánh mì. ")
    }
  }

  var html: ScreenHTML { ScreenHTML(language: language, labelLanguage: nil) }

  func entries() throws -> [Entry] {
    let texts = texts
    let morning = try ClockTime(hour: 8, minute: 0)
    let later = try ClockTime(hour: 8, minute: 16)
    let progress = DayProgress(done: 2, planned: 5)
    func fact(_ label: String, _ hour: Int, isTomorrow: Bool = false) throws -> IdleScreen.TimedTask
    {
      .init(label: label, time: try ClockTime(hour: hour, minute: 30), isTomorrow: isTomorrow)
    }
    func task(
      _ label: String, _ right: TrackEnds.Right = .done, hasLater: Bool = true,
      instructions: String = "", image: String? = nil, again: ClockTime? = nil
    ) -> TaskScreen {
      TaskScreen(
        promptID: "gallery", label: label, instructions: instructions, image: image, due: morning,
        ends: TrackEnds(hasLater: hasLater, right: right), again: again,
        canBeSaidAgain: again == nil)
    }
    func answered(_ label: String, _ kind: AnsweredScreen.Kind) -> ScreenState {
      .answered(AnsweredScreen(promptID: "gallery", label: label, kind: kind))
    }
    let idle = IdleScreen(
      last: try fact(texts.pills, 7), next: try fact(texts.walk, 10), progress: progress)
    let evening = IdleScreen(
      last: try fact(texts.washing, 19), next: try fact(texts.pills, 8, isTomorrow: true),
      progress: DayProgress(done: 5, planned: 5))
    let empty = IdleScreen(last: nil, next: nil, progress: DayProgress(done: 0, planned: 0))
    let pills = task(texts.pills, instructions: texts.instructions, image: Self.picture)
    let questions = try GalleryQuestions(language: language).screens().map {
      Entry(name: "question-\($0.name)", state: .question($0.screen))
    }
    let long = String(String(repeating: texts.long, count: 5).prefix(200))
    return [
      Entry(name: "idle", state: .idle(idle)),
      Entry(name: "nothing", state: .idle(empty)),
      Entry(name: "night", state: .idle(evening), isNight: true, now: "2026-11-27T01:59:00.000Z"),
      Entry(name: "calling", state: .calling(pills)),
      Entry(
        name: "calling-first",
        state: .calling(task(texts.washing, .onMyWay, instructions: texts.instructions))),
      Entry(name: "calling-last", state: .calling(task(texts.walk, hasLater: false))),
      Entry(name: "message", state: .calling(task(texts.message, .heard, hasLater: false))),
      Entry(name: "on-my-way", state: .onMyWay(task(texts.washing, again: later))),
      Entry(name: "done", state: answered(texts.pills, .done(progress))),
      Entry(name: "later", state: answered(texts.pills, .later(again: later))),
      Entry(name: "reward", state: allDone(texts.walk)),
      Entry(name: "done-camera", state: answered(texts.pills, .done(progress)), hasCamera: true),
      Entry(name: "yes-or-no", state: .calling(task(texts.wish, .yes, hasLater: false))),
      Entry(name: "not-connected", state: .notConnected),
      Entry(
        name: "not-connected-night", state: .notConnected, isNight: true,
        now: "2026-11-27T01:59:00.000Z"),
      Entry(
        name: "long",
        state: .calling(
          task(long, .onMyWay, instructions: texts.instructions, image: Self.picture))),
      Entry(name: "long-done", state: answered(long, .done(progress))),
    ] + questions + answeredMessages()
  }

  /// Returns the screens that follow the answers to a message.
  private func answeredMessages() -> [Entry] {
    let answers: [(name: String, words: String, isYes: Bool?)] = [
      ("said-yes", texts.wish, true), ("said-no", texts.wish, false), ("heard", texts.message, nil),
    ]
    return answers.map {
      Entry(
        name: $0.name,
        state: .answered(
          AnsweredScreen(
            promptID: "gallery", label: $0.words, kind: .message(isYes: $0.isYes))))
    }
  }

  /// Returns the screen that follows the last task of the day.
  private func allDone(_ label: String) -> ScreenState {
    .answered(
      AnsweredScreen(
        promptID: "gallery", label: label, kind: .done(DayProgress(done: 5, planned: 5)),
        reward: Self.picture))
  }

  /// The sentences that a screen shows for refused answers.
  var refusals: [String] {
    let kinds = Refusal.Kind.allCases.map { RefusedAnswer.sentence(kind: $0.rawValue, field: nil) }
    return Set(kinds.map { $0.text(in: language) }).sorted()
  }

  /// Returns the line that the page server would send to the page for this screen.
  func line(_ entry: Entry) throws -> String {
    let clock = ClockFace(now: try Instant(parsing: entry.now), zone: .utc, language: language)
    var html = html
    html.hasCamera = entry.hasCamera
    return ScreenUpdate.screen(entry.state, isNight: entry.isNight, html, clock: clock)
  }
}
