import API
import Alarms
import ArgumentParser
import ClientKit
import EventCoding
import JSONValue

/// `prompter next`: what is due.
struct Next: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what is due next.",
    discussion: "Example: prompter next --limit 5 --person anna")

  @Option(help: ArgumentHelp("At most so many.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Only what is due for this person.", valueName: "person"))
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.agenda, query: [("limit", limit.map(String.init)), ("person", person)])
    try connection.carryOut(request) { try PromptText.agenda($0.document()) }
  }
}

/// Which prompt an answer is for.
struct PromptArgument: ParsableArguments {
  @Argument(help: "The prompt's id (default: the one that calls).")
  var prompt: String?

  var parameters: [String: String] { ["id": prompt ?? "current"] }
}

/// `prompter ack`: on my way.
struct Acknowledge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ack",
    abstract: "On my way: stop the sound; it comes back unless the task gets done.",
    discussion: "Example: prompter ack")

  @OptionGroup var target: PromptArgument
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.acknowledge, target.parameters).with([])) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter done`: the task is completed.
struct Done: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The task is done: stop the sound and every ring to come.",
    discussion: "Example: prompter done --photo empty-pill-box.jpg")

  @OptionGroup var target: PromptArgument

  @Option(
    help: ArgumentHelp(
      "A picture that shows it done: a file, or a stored picture's id.", valueName: "picture"),
    completion: .file())
  var photo: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let shown = try photo.map { try Images.stored($0, connection) }
    let request = Request(.complete, target.parameters).with([("photo", shown.map(JSON.string))])
    try connection.carryOut(request) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter delay`: later.
struct Delay: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Later: stop the sound and ring again after a while.",
    usage: "prompter delay [<duration>] [<prompt>]",
    discussion: "Example: prompter delay 10m")

  @Argument(
    help: "A duration such as 10m and the prompt's id, in any order; both may be left out.")
  var durationOrPrompt: [String] = []

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    _ = try parts()
  }

  func run() throws {
    let parts = try parts()
    let request = Request(.delay, ["id": parts.prompt ?? "current"]).with([
      ("for", parts.duration.map { .string($0) })
    ])
    try connection.carryOut(request) { try PromptText.answered($0.document()) }
  }

  /// Tells a duration from a prompt by the `@` that every prompt's id holds.
  func parts() throws -> (duration: String?, prompt: String?) {
    var parts: (duration: String?, prompt: String?) = (nil, nil)
    for word in durationOrPrompt {
      if word.contains("@") || word == "current" {
        guard parts.prompt == nil else { throw ValidationError("Name one prompt, not two.") }
        parts.prompt = word
      } else {
        guard DurationText.seconds(word) != nil else {
          throw ValidationError(
            "\"\(word)\" is neither a duration such as 10m nor a prompt's id.")
        }
        guard parts.duration == nil else { throw ValidationError("Name one duration, not two.") }
        parts.duration = word
      }
    }
    return parts
  }
}

/// `prompter decline`: not now and not later.
struct Decline: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Not now and not later.",
    discussion: "Example: prompter decline --reason unwell")

  @OptionGroup var target: PromptArgument
  @OptionGroup var reason: ReasonOption
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.decline, target.parameters).with([("reason", reason.json)])) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter cancel`: the caretaker calls it off.
struct Cancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Call a prompt off, as a caretaker.",
    discussion: "Example: prompter cancel 9pttkm9b1zcn@2026-12-01T08:00:00 --reason away")

  @OptionGroup var target: PromptArgument
  @OptionGroup var reason: ReasonOption
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.cancel, target.parameters).with([("reason", reason.json)])) {
      try PromptText.answered($0.document())
    }
  }
}

/// `prompter undo`: it was a slip of the finger.
struct Undo: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take the last answer back, within 60 seconds of it.",
    discussion: """
      The prompt goes on where it was: it rings again, or is still put off. The record keeps both the
      answer and that it was taken back.

      Example: prompter undo
      """)

  @Argument(help: "The prompt's id (default: the one that was answered last).")
  var prompt: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.undo, ["id": prompt ?? "current"]).with([])) {
      try PromptText.takenBack($0.document())
    }
  }
}

/// Why, out of the researcher's closed list.
struct ReasonOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Why: \(ReasonCode.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "reason"))
  var reason: String?

  var json: JSON? { reason.map { .string($0) } }
}
