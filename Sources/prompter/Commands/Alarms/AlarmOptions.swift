import API
import Alarms
import ArgumentParser
import ClientKit
import EventCoding
import JSONValue

/// What an alarm says, as options; what is left out keeps its default, or its value when editing.
struct AlarmOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The zone of the times (default: the home's).", valueName: "zone"))
  var zone: String?

  @Option(help: ArgumentHelp("Whom it is for.", valueName: "person"))
  var person: String?

  @Option(
    name: .customLong("in-quiet-hours"),
    help: ArgumentHelp(
      "In the person's quiet hours: ring all the same, hold, or suppress "
        + "(default: what the person wants).", valueName: "choice"))
  var quietHours: String?

  @Option(help: ArgumentHelp("The recording to play, by its name.", valueName: "name"))
  var tone: String?

  @Option(
    help: ArgumentHelp(
      "The picture to show: a file, a stored picture's id, or \"none\".", valueName: "picture"))
  var image: String?

  @Option(help: ArgumentHelp("How often it rings (default: 5).", valueName: "n"))
  var rings: Int?

  @Option(
    help: ArgumentHelp("From one ring to the next (default: 1m).", valueName: "duration"),
    transform: DurationArgument.init)
  var spacing: DurationArgument?

  @Option(
    name: .customLong("step"),
    help: ArgumentHelp(
      "A burst in words, such as \"3 rings every 1m, louder, tone dad, urgent\"; give several, in "
        + "order, instead of --rings, --spacing and --gains. A later one may say \"after 5m\".",
      valueName: "words"))
  var steps: [String] = []

  @Option(
    help: ArgumentHelp(
      "Who is told while nobody answers, such as \"anna after 10m, then bob after 15m\"; \"none\" "
        + "tells nobody. Contacts are in the daemon's configuration.",
      valueName: "people"))
  var tell: String?

  @Option(
    help: ArgumentHelp(
      "How long after \"on my way\" the task is to be done; it rings again then (default: 10m).",
      valueName: "duration"), transform: DurationArgument.init)
  var completeBy: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "What rings then, as for --step (default, and \"none\": everything again).",
      valueName: "words"))
  var completeStep: String?

  @Option(
    help: ArgumentHelp(
      "How long after its time it may still ring or be answered (default: 30m).",
      valueName: "duration"), transform: DurationArgument.init)
  var lateWindow: DurationArgument?

  @Option(
    help: ArgumentHelp("How long \"delay\" puts it off (default: 5m).", valueName: "duration"),
    transform: DurationArgument.init)
  var delay: DurationArgument?

  @Option(help: ArgumentHelp("How often it may be put off (default: 3).", valueName: "n"))
  var delayLimit: Int?

  @Option(
    help: ArgumentHelp(
      "Loudness of each ring in dB below full, as --gains=-12,-9,-6; the last one stays.",
      valueName: "list"))
  var gains: GainList?

  @Option(
    name: .customLong("ask"),
    help: ArgumentHelp(
      "A question to ask with each prompt, such as \"pain=scale How bad is the pain?\" or "
        + "\"weight=number(kg, 30..200) What do you weigh?\"; give several, in order. Kinds: "
        + "number, scale, temperature, choices, mood, yes_no, text.",
      valueName: "question"))
  var asks: [String] = []

  @Option(
    help: ArgumentHelp(
      "The questions from a JSON file: a list of objects as \"prompter show --json\" prints them; [] "
        + "takes them away.", valueName: "file"), transform: QuestionFile.init)
  var questions: QuestionFile?

  @Option(
    help: ArgumentHelp(
      "Whether it can only be completed once its required questions are answered (yes or no; "
        + "default: no).", valueName: "yes-no"))
  var answersRequired: YesOrNo?

  @Option(help: ArgumentHelp("What to do, in more words.", valueName: "text"))
  var instructions: String?

  func validate() throws {
    if !asks.isEmpty, questions != nil {
      throw ValidationError("Ask with --ask or with --questions, not with both.")
    }
  }

  private var questionList: JSON? {
    questions?.list ?? (asks.isEmpty ? nil : .array(asks.map(JSON.string)))
  }

  /// The members of the request's body, with a picture in a file stored on the way.
  func members(_ connection: ConnectionOptions) throws -> [(String, JSON?)] {
    guard let image else { return members }
    let id = image == "none" ? "" : try Images.stored(image, connection)
    return members.filter { $0.0 != "image" } + [("image", .string(id))]
  }

  /// The members of the request's body; a picture as it was named.
  var members: [(String, JSON?)] {
    [
      ("instructions", instructions.map { .string($0) }), ("zone", zone.map { .string($0) }),
      ("person", person.map { .string($0) }), ("tone", tone.map { .string($0) }),
      ("quiet_hours", quietHours.map { .string($0) }),
      ("rings", rings.map { .integer(Int64($0)) }), ("spacing", spacing?.json),
      ("steps", steps.isEmpty ? nil : .array(steps.map(JSON.string))),
      ("tell", tell.map { .string($0) }), ("complete_by", completeBy?.json),
      ("complete_step", completeStep.map { .string($0) }),
      ("late_window", lateWindow?.json), ("delay", delay?.json),
      ("delay_limit", delayLimit.map { .integer(Int64($0)) }),
      ("image", image.map { .string($0) }),
      ("gains", gains.map { .array($0.decibels.map(JSON.number)) }),
      ("questions", questionList), ("answers_required", answersRequired.map { .bool($0 == .yes) }),
    ]
  }
}

enum YesOrNo: String, ExpressibleByArgument { case yes, no }

/// Questions out of a file.
struct QuestionFile: Sendable {
  let list: JSON

  init(_ path: String) throws {
    do {
      let json = try JSON(parsing: try Files.read(path, atMost: Route.smallBody))
      guard json.array != nil else {
        throw ValidationError("\(path) must hold a list of questions.")
      }
      list = json
    } catch let refusal as Refusal {
      throw ValidationError("Cannot read \(path): \(refusal.detail)")
    } catch let failure as Failure {
      throw ValidationError(failure.sentence)
    }
  }
}

/// Decibels separated by commas.
struct GainList: ExpressibleByArgument {
  let decibels: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    decibels = parts.compactMap { Double($0) }
    guard decibels.count == parts.count else { return nil }
  }
}
