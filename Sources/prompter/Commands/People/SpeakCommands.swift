import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue

/// `prompter say`: announces a text once, now or at the end of quiet hours.
struct SayCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Announce something once, and report whether it was played.",
    discussion: """
      In the person's quiet hours, the words wait until the quiet hours end. With --now they are \
      spoken at once.

      With --answer, the message is repeated until the person answers with the button or with "prompter \
      done", or until it expires (--expires, default: 30m). To yes_no, the person answers with "prompter \
      answer answer=yes --done"; the button then only says that the message was heard. prompter messages \
      shows the answer.

      Examples:
      prompter say "Lunch is ready"
      prompter say "Please open the door" --person anna --now
      prompter say "Shall I come at six?" --answer yes_no --expires 2h --repeat 4
      """)

  /// The maximum time that the command waits for a result, in seconds. Another ring can sound
  /// before the announcement, and a ring can last 30 s.
  private static let longestWait = 90

  @Argument(help: "The words, for example \"Lunch is ready\".")
  var text: String

  @Option(help: "Announce it to this person (needed if the home has several people).")
  var person: String?

  @Option(help: "Play this recording instead of the words.")
  var tone: String?

  @Option(
    help: ArgumentHelp(
      "Wait for an answer: heard, or yes_no (default: wait for no answer).",
      valueName: "heard|yes_no"))
  var answer: String?

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "With --answer: speak at most this many times, 1 to 10 (default: 3).", valueName: "n"))
  var repetitions: Int?

  @Flag(help: "Speak now, also in quiet hours.")
  var now = false

  @Flag(help: "Do not wait until it was played.")
  var noWait = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if answer == nil, repetitions != nil { throw ValidationError("--repeat needs --answer.") }
    if answer == nil, connection.expires != nil, !connection.queue {
      throw ValidationError("--expires needs --answer or --queue.")
    }
  }

  func run() throws {
    let expires = answer == nil ? nil : connection.expires?.seconds
    let request = Request(.say).with([
      ("text", .string(text)), ("person", person.map(JSON.string)),
      ("tone", tone.map(JSON.string)), ("in_quiet_hours", now ? .string("ring") : nil),
      ("answer", answer.map(JSON.string)), ("expires", expires.map { .string("\($0)s") }),
      ("repeat", repetitions.map { .integer(Int64($0)) }),
    ])
    var delivery = "accepted"
    var id = ""
    var isHeldBack = false
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      id = document["prompt"]?.text("id") ?? ""
      let chime = document["voice"]?.string.map { "; only a chime will sound: \($0)" } ?? ""
      let next = document["next"] ?? .null
      isHeldBack = next["suppressed_by"] != nil
      let hint = answer == nil ? "" : "\nTo see the answer: prompter messages"
      return "Accepted as \(id)\(chime)." + Self.waiting(next) + hint
    }
    // With `--json`, the command prints only the reply of the daemon. A program that reads this
    // reply can itself ask for the state of the prompt.
    if noWait || isHeldBack || connection.json { return }
    for _ in 0..<Self.longestWait where delivery == "accepted" {
      sleep(1)
      let reply = try connection.client.send(Request(.showPrompt, ["id": id]))
      delivery = try reply.document().text("delivery")
    }
    Terminal.print(Self.words(delivery))
    if delivery == "failed" { throw ExitCode(1) }
  }

  /// Returns the reason why the words do not sound now. The text is empty if the words sound now.
  private static func waiting(_ next: JSON) -> String {
    guard next["suppressed_by"] != nil else { return "" }
    guard let local = next["rings_local"]?.string else {
      return "\nThe words will not sound: \(PromptText.suppressionText(next))."
    }
    return "\nIt is quiet time: the words will sound at \(TextFormat.local(local)) "
      + "(\(TextFormat.distance(next.text("rings_utc")))). To speak now, add --now."
  }

  private static func words(_ delivery: String) -> String {
    switch delivery {
    case "accepted": "It has not been played yet."
    case "sounded": "It was played."
    case "heard": "It was answered."
    case "failed": "It was not played; run \"prompter doctor\" to find the cause."
    default: "It was \(delivery)."
    }
  }
}

/// `prompter tone play`: plays a recording in the home or on this machine.
struct TonePlay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a recording on the home's speaker, or on this machine (--here).")

  @Argument(help: "The recording's name.")
  var name: String

  @Flag(help: "Play it on this machine, with aplay.")
  var here = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard here else {
      return try connection.carryOut(Request(.playTone, ["name": name]), describe: ToneTest.words)
    }
    let reply = try connection.client.send(Request(.toneSound, ["name": name]))
    try LocalSound.play(reply.body)
  }
}

/// `prompter tone test`: tests the speaker.
struct ToneTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Play the chime and the built-in tone once on the home's speaker.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.testRing), describe: Self.words)
  }

  static func words(_ reply: HTTPReply) throws -> String {
    let played = try reply.document()
    if played["stopped"]?.bool == true { return "An alarm interrupted the sound." }
    let tenths = (played.count("duration_ms") + 50) / 100
    var text = "Played \(tenths / 10).\(tenths % 10) s on \(played.text("device"))"
    if let found = played["level_percent"]?.integer {
      let muted = played["muted"]?.bool == true ? ", muted" : ""
      let set = played["ring_level_percent"]?.integer.map { ", set to \($0) %" } ?? ""
      text += " (the card was at \(found) %\(muted)\(set))"
    }
    return text + "."
  }
}

/// `prompter tone rename`: renames a recording, and changes its name in all alarms.
struct ToneRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Rename a recording. Its alarms use the new name.")

  @Argument(help: "The recording's name.")
  var name: String

  @Argument(help: "Its new name.")
  var new: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let (name, new) = (name, new)
    let request = Request(.renameTone, ["name": name]).with([("name", .string(new))])
    try connection.carryOut(request) { _ in "Renamed \"\(name)\" to \"\(new)\"." }
  }
}
