import Sentences
import StudyExport

/// The HTML of the screens.
///
/// Every text that a person wrote goes through `HTMLText.escaped`. The page contains no style
/// attribute and no script, because the Content-Security-Policy forbids both.
public struct ScreenHTML: Sendable {
  /// The language of the sentences.
  public var language: Language
  /// The language of the labels as a BCP 47 tag; nil if the labels have the same language as the
  /// sentences.
  public var labelLanguage: String?
  /// The name of the person whose screen a caretaker has opened; nil on the screen of a patient.
  public var personName: String?
  /// True if the person can take a photo of a finished task.
  public var hasCamera: Bool

  public init(language: Language, labelLanguage: String?, hasCamera: Bool = false) {
    self.language = language
    self.labelLanguage = labelLanguage
    self.hasCamera = hasCamera
  }

  func screen(_ state: ScreenState) -> String {
    switch state {
    case .idle(let idle): self.idle(idle)
    case .calling(let task): self.task(task, heading: heading(task), isCalling: true)
    case .onMyWay(let task): self.task(task, heading: say(.onMyWayHeading), isCalling: false)
    case .question(let question): self.question(question)
    case .answered(let answered): self.answered(answered)
    case .notConnected: notConnected
    }
  }

  // MARK: Screens

  private func idle(_ idle: IdleScreen) -> String {
    """
    <section class="idle">
    <h1 class="day" data-clock="day"></h1>
    <p class="time" data-clock="time"></p>
    <p class="date" data-clock="date"></p>
    <div class="facts">
    \(idle.last.map { fact(.lastDone, $0) } ?? "")\(next(idle.next))</div>
    \(progress(idle.progress))</section>
    """
  }

  private func next(_ fact: IdleScreen.TimedTask?) -> String {
    guard let fact else { return "<p class=\"nothing\">\(say(.nothingMore))</p>\n" }
    return self.fact(fact.isTomorrow ? .nextTomorrow : .nextTask, fact)
  }

  private func fact(_ heading: Sentence, _ fact: IdleScreen.TimedTask) -> String {
    """
    <div class="fact"><h2>\(say(heading)) \(DateWords.time(fact.time))</h2>
    <p>\(label(Self.shortened(fact.label)))</p></div>

    """
  }

  private func progress(_ progress: DayProgress) -> String {
    guard progress.planned > 0 else { return "" }
    let text = say(.progress(done: progress.done, count: progress.planned))
    return """
      <div class="progress"><p id="progress">\(text)</p>
      <progress aria-labelledby="progress" value="\(progress.done)" max="\(progress.planned)"></progress></div>

      """
  }

  private func heading(_ task: TaskScreen) -> String {
    let time = DateWords.time(task.due)
    return say(
      [.heard, .yes].contains(task.ends.right)
        ? .messageHeading(time: time) : .callingHeading(time: time))
  }

  private func task(_ task: TaskScreen, heading: String, isCalling: Bool) -> String {
    let seen =
      isCalling && task.isReported
      ? " data-seen=\"\(HTMLText.escaped(task.promptID))\"" : ""
    let picture =
      task.image.map {
        "<img class=\"picture\" src=\"/picture/\(HTMLText.escaped($0))\" "
          + "alt=\"\(say(.hintPicture))\">\n"
      } ?? ""
    let instructions =
      task.instructions.isEmpty ? "" : "<p class=\"more\">\(label(task.instructions))</p>"
    let again =
      task.again.map { "<p class=\"again\">\(say(.againAt(time: DateWords.time($0))))</p>\n" } ?? ""
    return """
      <section class="task"\(seen)>
      <header><p>\(heading)</p><p data-clock="time"></p></header>
      <div class="what" data-fit="0">
      \(picture)<div class="words"><h1>\(label(task.label))</h1>
      \(instructions)</div>
      </div>
      \(again)\(track(task))\(sayAgain(task))</section>
      """
  }

  private func track(_ task: TaskScreen) -> String {
    if task.ends.right == .yes { return yesOrNo(task) }
    let left =
      task.ends.hasLater
      ? end(.delay, .answerLater, task.promptID, sign: "←", isLeft: true) : ""
    let word: Sentence =
      switch task.ends.right {
      case .done: .answerDone
      case .onMyWay: .answerOnMyWay
      case .heard: .answerHeard
      case .yes: .answerYes
      }
    let right = end(task.ends.rightAnswer, word, task.promptID, sign: "✓", isLeft: false)
    return """
      <div class="track" role="group" aria-label="\(say(.answerHelp))">
      \(left)<div class="thumb" data-thumb></div>
      \(right)</div>
      \(failed)
      """
  }

  private func end(
    _ answer: ScreenAnswer, _ word: Sentence, _ promptID: String, sign: String, isLeft: Bool
  ) -> String {
    let sign = "<span class=\"sign\" aria-hidden=\"true\">\(sign)</span>"
    let text = isLeft ? "\(sign) \(say(word))" : "\(say(word)) \(sign)"
    return """
      <button class="end \(isLeft ? "left" : "right")" data-answer="\(answer.rawValue)" \
      data-prompt="\(HTMLText.escaped(promptID))">\(text)</button>

      """
  }

  private func answered(_ answered: AnsweredScreen) -> String {
    let (heading, rest): (String, String) =
      switch answered.kind {
      case .done(let progress):
        (say(progress.isComplete ? .allDoneHeading : .doneHeading), self.progress(progress))
      case .later(let again):
        (
          say(.laterHeading),
          again.map { "<p class=\"again\">\(say(.againAt(time: DateWords.time($0))))</p>\n" } ?? ""
        )
      case .message(true?): (say(.saidYesHeading), "")
      case .message(false?): (say(.saidNoHeading), "")
      case .message(nil): (say(.heardHeading), "")
      }
    return """
      <section class="task answered">
      <header><p role="heading" aria-level="1">\(heading)</p><p data-clock="time"></p></header>
      <div class="what" data-fit="0">\(reward(answered))<div class="words"><h1>\(label(answered.label))</h1></div></div>
      \(rest)<div class="after">\(answered.canUndo ? undo(answered.promptID) : "")\(photoButton(answered))</div>
      \(failed)\(camera(answered))
      </section>
      """
  }

  private func undo(_ promptID: String) -> String {
    """
    <button class="undo" data-answer="undo" data-prompt="\(HTMLText.escaped(promptID))">\
    <span class="sign" aria-hidden="true">↶</span> \(say(.answerUndo))</button>
    """
  }

  private var notConnected: String {
    """
    <section class="idle">
    <h1 class="day" data-clock="day"></h1>
    <p class="time" data-clock="time"></p>
    <p class="date" data-clock="date"></p>
    <p class="trouble">\(say(.notConnected))</p>
    <p>\(say(.notConnectedHelp))</p>
    </section>
    """
  }

  var failed: String {
    "<p class=\"failed\" role=\"alert\" data-failed hidden>\(say(.answerFailed))</p>"
  }

  // MARK: Texts

  /// The maximum number of characters of a label on the screen without a task. The screen with the
  /// task shows the whole label.
  static let factCharacters = 24

  /// Shortens a label to at most `factCharacters` characters. The cut is after a whole word.
  static func shortened(_ label: String) -> String {
    guard label.count > factCharacters else { return label }
    let head = label.prefix(factCharacters - 1)
    let words = head.split(separator: " ", omittingEmptySubsequences: false).dropLast()
    let whole = words.joined(separator: " ")
    return (whole.isEmpty ? String(head) : whole) + "…"
  }

  func label(_ text: String) -> String {
    let mark = labelLanguage.map { " lang=\"\(HTMLText.escaped($0))\"" } ?? ""
    return "<span\(mark) dir=\"auto\">\(HTMLText.escaped(text))</span>"
  }

  func say(_ sentence: Sentence) -> String {
    HTMLText.escaped(sentence.text(in: language))
  }
}

extension ScreenHTML {
  /// Returns the whole page with its first screen.
  ///
  /// The page contains the screen "not connected" as a template, because the page must show this
  /// screen while the page server cannot be reached.
  public func page(first: ScreenState) -> String {
    """
    <!DOCTYPE html>
    <html lang="\(language.rawValue)" data-theme="day">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Prompter</title>
    <link rel="stylesheet" href="/screen.css">
    <link rel="stylesheet" href="/question.css">
    <link rel="icon" href="data:,">
    <script type="module" src="/main.js"></script>
    </head>
    <body>
    <main id="screen" aria-live="polite">
    \(fragment(first))
    </main>
    <div id="refusal" role="alert" hidden><p></p></div>
    <template id="not-connected">
    \(fragment(.notConnected))
    </template>
    </body>
    </html>

    """
  }
}
