import API
import Alarms
import ArgumentParser
import ClientKit
import EventCoding
import JSONValue

/// `prompter next`: shows the next due times.
struct Next: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the next due times.",
    discussion: "Example: prompter next --limit 5 --person anna")

  @Option(help: ArgumentHelp("Show at most this many (default: 20).", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Show only the due times of this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.agenda, query: [("limit", limit.map(String.init)), ("person", person)])
    try connection.carryOut(request) { try PromptText.agenda($0.document()) }
  }
}

/// The argument of a command that answers a prompt: the name of this prompt.
struct PromptArgument: ParsableArguments {
  @Argument(
    help: """
      The prompt's id, its first 4 or more characters, or the label of its alarm (default: the prompt \
      that rings or rang last).
      """)
  var prompt: String?

  /// Returns the parameters for the path of a request: the id of the prompt that the user named. If
  /// the user named no prompt, the parameter is the text `current`.
  func parameters(
    _ connection: ConnectionOptions, _ range: PromptNames.Range = .waiting
  ) throws -> [String: String] {
    ["id": try PromptNames(range: range, connection: connection).id(prompt)]
  }
}

/// `prompter ack`: answers "on my way".
struct Acknowledge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract:
      "Answer \"on my way\": stop the sound. It rings again if the task is not done in time.",
    discussion: "Example: prompter ack")

  @OptionGroup var target: PromptArgument
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.acknowledge, target.parameters(connection)).with([])) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter done`: completes a prompt.
struct Done: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer \"done\": stop the sound and all further rings.",
    discussion: "Example: prompter done --photo empty-pill-box.jpg")

  @OptionGroup var target: PromptArgument

  @Option(
    help: ArgumentHelp(
      "Attach a picture of the finished task: a file, or a stored picture's id.",
      valueName: "picture"),
    completion: .file())
  var photo: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let shown = try photo.map { try Images.stored($0, connection) }
    let request = try Request(.complete, target.parameters(connection))
      .with([("photo", shown.map(JSON.string))])
    try connection.carryOut(request) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter delay`: answers "later".
struct Delay: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer \"later\": stop the sound and ring again after a time.",
    usage: "prompter delay [<duration>] [<prompt>]",
    discussion: "Example: prompter delay 10m")

  @Argument(
    help: ArgumentHelp(
      "A duration such as 10m (default: the alarm's), and the prompt: its id, the first 4 or more "
        + "characters of its id, or the label of its alarm (default: the prompt that rings or rang "
        + "last). Both in any order."))
  var durationOrPrompt: [String] = []

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    _ = try parts()
  }

  func run() throws {
    let parts = try parts()
    let id = try PromptNames(range: .waiting, connection: connection).id(parts.prompt)
    let request = Request(.delay, ["id": id]).with([("for", parts.duration.map { .string($0) })])
    try connection.carryOut(request) { try PromptText.answered($0.document()) }
  }

  /// Returns two parts of the typed words: the duration, and the name of the prompt.
  ///
  /// A word that is not a duration names the prompt. The function refuses a number without a unit,
  /// because the user probably meant a duration.
  func parts() throws -> (duration: String?, prompt: String?) {
    var parts: (duration: String?, prompt: String?) = (nil, nil)
    for word in durationOrPrompt {
      if DurationText.seconds(word) != nil {
        guard parts.duration == nil else { throw ValidationError("Give only one duration.") }
        parts.duration = word
      } else if word.allSatisfy(\.isNumber) {
        throw ValidationError("\"\(word)\" has no unit; write for example \(word)m or \(word)s.")
      } else {
        guard parts.prompt == nil else { throw ValidationError("Give only one prompt.") }
        parts.prompt = word
      }
    }
    return parts
  }
}

/// `prompter decline`: answers "no".
struct Decline: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Answer \"no\": end the prompt without doing the task.",
    discussion: "Example: prompter decline --reason unwell")

  @OptionGroup var target: PromptArgument
  @OptionGroup var reason: ReasonOption
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = try Request(.decline, target.parameters(connection)).with([
      ("reason", reason.json)
    ])
    try connection.carryOut(request) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter cancel`: a caretaker ends a prompt.
struct Cancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cancel a prompt, as a caretaker.",
    discussion: "Example: prompter cancel 9pttkm9b1zcn@2026-12-01T08:00:00 --reason away")

  @OptionGroup var target: PromptArgument
  @OptionGroup var reason: ReasonOption
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = try Request(.cancel, target.parameters(connection, .waitingOrPlanned))
      .with([("reason", reason.json)])
    try connection.carryOut(request) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter undo`: undoes the last answer.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Undo the last answer, within 60 seconds of it.",
    discussion: """
      The prompt continues as if nobody had answered: it rings again, or it is still delayed. \
      The record keeps the answer and the undo.

      Example: prompter undo
      """)

  @Argument(
    help: """
      The prompt's id, its first 4 or more characters, or the label of its alarm (default: the prompt \
      that was answered last).
      """)
  var prompt: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let id = try PromptNames(range: .answered, connection: connection).id(prompt)
    try connection.carryOut(Request(.undo, ["id": id]).with([])) {
      try PromptText.takenBack($0.document())
    }
  }
}

/// A reason from the fixed list of reason codes.
struct ReasonOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give a reason: \(ReasonCode.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "reason"))
  var reason: String?

  var json: JSON? { reason.map { .string($0) } }
}
