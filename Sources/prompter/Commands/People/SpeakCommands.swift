import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue

/// `prompter say`: one prompt, now.
struct SayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Say something once, now, and tell what became of it.")

  /// From being accepted to being heard of: an alarm may be sounding, and a ring lasts 30 s.
  private static let longestWait = 90

  @Argument(help: "What is to be said, for example \"Lunch is ready\".")
  var text: String

  @Option(help: "For whom.")
  var person: String?

  @Option(help: "A recording, in place of the voice.")
  var tone: String?

  @Flag(help: "Do not wait until it has sounded.")
  var noWait = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.say).with([
      ("text", .string(text)), ("person", person.map(JSON.string)),
      ("tone", tone.map(JSON.string)),
    ])
    var delivery = "accepted"
    var id = ""
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      id = document["prompt"]?.text("id") ?? ""
      let chime = document["voice"]?.string.map { "; a chime only: \($0)" } ?? ""
      return "Accepted as \(id)\(chime)."
    }
    // With --json the answer is the daemon's alone; its prompt can be asked for.
    if noWait || connection.json { return }
    for _ in 0..<Self.longestWait where delivery == "accepted" {
      sleep(1)
      let reply = try connection.client.send(Request(.showPrompt, ["id": id]))
      delivery = try reply.document().text("delivery")
    }
    Terminal.print(delivery == "accepted" ? "It has not sounded yet." : "It was \(delivery).")
    if delivery == "failed" { throw ExitCode(1) }
  }
}

/// `prompter tone play`: a recording on the home's speaker or here.
struct TonePlay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play", abstract: "Play a recording on the home's speaker, or here with aplay.")

  @Argument(help: "The recording's name.")
  var name: String

  @Flag(help: "Play it on this machine.")
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

/// `prompter tone test`: a try of the speaker.
struct ToneTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Sound the chime and the built-in tone once on the home's speaker.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.testRing), describe: Self.words)
  }

  static func words(_ reply: HTTPReply) throws -> String {
    let played = try reply.document()
    if played["stopped"]?.bool == true { return "An alarm came first; it was cut short." }
    let tenths = (played.count("duration_ms") + 50) / 100
    var text = "Played \(tenths / 10).\(tenths % 10) s on \(played.text("device"))"
    if let found = played["level_percent"]?.integer {
      let muted = played["muted"]?.bool == true ? ", muted" : ""
      let set = played["ring_level_percent"]?.integer.map { ", set to \($0) %" } ?? ""
      text += " (card found at \(found) %\(muted)\(set))"
    }
    return text + "."
  }
}

/// `prompter tone rename`: another name, in the alarms too.
struct ToneRename: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a recording another name; its alarms follow.")

  @Argument(help: "The recording's name.")
  var name: String

  @Argument(help: "Its new name.")
  var new: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let (name, new) = (name, new)
    let request = Request(.renameTone, ["name": name]).with([("name", .string(new))])
    try connection.carryOut(request) { _ in "\"\(name)\" is \"\(new)\" now." }
  }
}
