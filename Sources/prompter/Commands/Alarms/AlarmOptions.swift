import API
import Alarms
import ArgumentParser
import ClientKit
import EventCoding
import JSONValue

/// The command line options that set the fields of an alarm.
///
/// If the user does not give an option, a new alarm has the default value of the field, and an
/// edited alarm keeps the present value.
struct AlarmOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Use this time zone (default: the home's).", valueName: "zone"))
  var zone: String?

  @Option(
    help: ArgumentHelp(
      "Set the alarm for this person (needed if the home has several people).", valueName: "person")
  )
  var person: String?

  @Option(
    name: .customLong("in-quiet-hours"),
    help: ArgumentHelp(
      "Choose what happens in the person's quiet hours: ring, hold until they end, or suppress "
        + "(default: the person's policy).", valueName: "choice"))
  var quietHours: String?

  @Option(help: ArgumentHelp("Play this recording.", valueName: "name"))
  var tone: String?

  @Option(
    help: ArgumentHelp(
      "Show this picture: a file, a stored picture's id, or \"none\".", valueName: "picture"))
  var image: String?

  @Option(help: ArgumentHelp("Ring this many times (default: 5).", valueName: "n"))
  var rings: Int?

  @Option(
    help: ArgumentHelp(
      "Wait this long from one ring to the next (default: 1m).", valueName: "duration"),
    transform: DurationArgument.init)
  var spacing: DurationArgument?

  @Option(
    name: .customLong("step"),
    help: ArgumentHelp(
      "Ring a burst, such as \"3 rings every 1m, louder, tone dad, urgent\". Repeat the option for "
        + "more bursts, in order; a later burst can say \"after 5m\". Use it instead of --rings, "
        + "--spacing and --gains.",
      valueName: "words"))
  var steps: [String] = []

  @Option(
    help: ArgumentHelp(
      "Notify these contacts if nobody answers, such as \"anna after 10m, then bob after 15m\"; "
        + "\"none\" notifies nobody. The daemon's configuration defines the contacts.",
      valueName: "people"))
  var tell: String?

  @Option(
    help: ArgumentHelp(
      "Ring again this long after \"on my way\" if the task is not done (default: 10m).",
      valueName: "duration"), transform: DurationArgument.init)
  var completeBy: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Ring this burst at the time of --complete-by, in words as for --step; \"none\" repeats all "
        + "bursts (default: none).",
      valueName: "words"))
  var completeStep: String?

  @Option(
    help: ArgumentHelp(
      "Let a prompt ring late, and count an answer as in time, for this long after the due time "
        + "(default: 30m).",
      valueName: "duration"), transform: DurationArgument.init)
  var lateWindow: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Ring again this long after the answer \"later\" (default: 5m).", valueName: "duration"),
    transform: DurationArgument.init)
  var delay: DurationArgument?

  @Option(
    help: ArgumentHelp("Allow the answer \"later\" this many times (default: 3).", valueName: "n"))
  var delayLimit: Int?

  @Option(
    help: ArgumentHelp(
      "Set the loudness of each ring in dB, at most 0, as --gains=-12,-9,-6. The last value "
        + "repeats.",
      valueName: "list"))
  var gains: GainList?

  @Option(
    name: .customLong("ask"),
    help: ArgumentHelp(
      "Ask this question with each prompt, such as \"pain=scale How bad is the pain?\" or "
        + "\"weight=number(kg, 30..200) What do you weigh?\". Repeat the option for more "
        + "questions, in order. Kinds: number, scale, temperature, choices, mood, yes_no, text.",
      valueName: "question"))
  var asks: [String] = []

  @Option(
    help: ArgumentHelp(
      "Ask the questions in a JSON file: a list of objects as \"prompter show --json\" prints "
        + "them; [] removes all questions.", valueName: "file"), transform: QuestionFile.init)
  var questions: QuestionFile?

  @Option(
    help: ArgumentHelp(
      "Refuse to complete a prompt until its required questions are answered: yes or no "
        + "(default: no).", valueName: "yes-no"))
  var answersRequired: YesOrNo?

  @Option(
    help: ArgumentHelp(
      "Take from this supply when a prompt is completed, such as Donepezil or Donepezil=2 (default: "
        + "1). Repeat the option for more supplies; \"none\" removes all supplies.",
      valueName: "supply"))
  var uses: [String] = []

  @Option(help: ArgumentHelp("Explain the task in more words.", valueName: "text"))
  var instructions: String?

  func validate() throws {
    if !asks.isEmpty, questions != nil {
      throw ValidationError("Use --ask or --questions, not both.")
    }
  }

  private var questionList: JSON? {
    questions?.list ?? (asks.isEmpty ? nil : .array(asks.map(JSON.string)))
  }

  /// Returns the members of the request body. If the picture is a file, the function first stores
  /// this file in the home.
  func members(_ connection: ConnectionOptions) throws -> [(String, JSON?)] {
    guard let image else { return members }
    let id = image == "none" ? "" : try Images.stored(image, connection)
    return members.filter { $0.0 != "image" } + [("image", .string(id))]
  }

  /// The members of the request body that these options set. The member `image` contains the text
  /// that the user typed, for example the path of a picture file.
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
      (
        "uses",
        uses.isEmpty
          ? nil : uses == ["none"] ? .string("none") : .array(uses.map(JSON.string))
      ),
      ("questions", questionList), ("answers_required", answersRequired.map { .bool($0 == .yes) }),
    ]
  }
}

enum YesOrNo: String, ExpressibleByArgument { case yes, no }

/// The questions that the program reads from a JSON file.
struct QuestionFile: Sendable {
  let list: JSON

  init(_ path: String) throws {
    do {
      let json = try JSON(parsing: try Files.read(path, atMost: Route.smallBody))
      guard json.array != nil else {
        throw ValidationError("\(path) must contain a list of questions.")
      }
      list = json
    } catch let refusal as Refusal {
      throw ValidationError("Cannot read \(path): \(refusal.detail)")
    } catch let failure as Failure {
      throw ValidationError(failure.sentence)
    }
  }
}

/// A list of gains in decibels, separated by commas.
struct GainList: ExpressibleByArgument {
  let decibels: [Double]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    decibels = parts.compactMap { Double($0) }
    guard decibels.count == parts.count else { return nil }
  }
}
