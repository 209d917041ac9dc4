import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter pause`: an alarm stays silent for a while.
struct Pause: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let an alarm be silent for a while; what it would have rung is recorded as paused.",
    discussion: """
      Examples:
      prompter pause 9pttkm9b1zcn --until 2026-12-27
      prompter pause 9pttkm9b1zcn --next 2
      prompter pause 9pttkm9b1zcn --on 2026-12-24/2026-12-26
      """)

  @Argument(help: "The alarm's id, as \"prompter list\" prints it, or its label.")
  var alarm: String

  @Option(
    help: ArgumentHelp(
      "Until this day, or this day and time, in the alarm's zone.", valueName: "time"))
  var until: String?

  @Option(help: ArgumentHelp("The next so many times.", valueName: "n"))
  var next: Int?

  @Option(help: ArgumentHelp("On this day, or from one day to another.", valueName: "days"))
  var on: [String] = []

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if until == nil, next == nil, on.isEmpty {
      throw ValidationError("Say how long: --until 2026-12-27, --next 2 or --on 2026-12-24.")
    }
    if let next, next < 1 { throw ValidationError("--next is at least 1.") }
  }

  func run() throws {
    var members: [(String, JSON?)] = [
      ("paused_until", until.map { .string($0) }),
      ("skip_next", next.map { .integer(Int64($0)) }),
    ]
    let id = try AlarmNames.id(alarm, connection)
    var version: String?
    if !on.isEmpty {
      // Days are added to those that are set; a list that somebody else has changed meanwhile is refused.
      let shown = try connection.client.send(Request(.showAlarm, ["id": id])).document()["alarm"]
      let known = shown?.list("exclude").compactMap(\.string) ?? []
      members.append(
        ("exclude", .array((known + on.filter { !known.contains($0) }).map(JSON.string))))
      version = shown?.text("version")
    }
    var request = Request(.editAlarm, ["id": id]).with(members)
    if let version { request.headers.append(("If-Match", "\"\(version)\"")) }
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Paused") }
  }
}

/// `prompter resume`: a paused alarm rings again.
struct Resume: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End an alarm's pause; it rings again from now on.",
    discussion: "Example: prompter resume 9pttkm9b1zcn")

  @Argument(help: "The alarm's id, as \"prompter list\" prints it, or its label.")
  var alarm: String

  @Flag(help: "Ring again on the days that were excluded as well.")
  var days = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.editAlarm, ["id": try AlarmNames.id(alarm, connection)]).with([
      ("paused_until", .string("")), ("skip_next", .integer(0)),
      ("exclude", days ? .array([]) : nil),
    ])
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Resumed") }
  }
}
