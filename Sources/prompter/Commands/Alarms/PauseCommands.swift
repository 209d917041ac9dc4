import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter pause`: silences an alarm until the pause ends.
struct Pause: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Silence an alarm for a time. Its prompts are recorded as paused.",
    discussion: """
      Examples:
      prompter pause 9pttkm9b1zcn --until 2026-12-27
      prompter pause 9pttkm9b1zcn --next 2
      prompter pause 9pttkm9b1zcn --on 2026-12-24/2026-12-26
      """)

  @OptionGroup var target: AlarmArgument

  @Option(
    help: ArgumentHelp(
      "Pause until this day, or this day and time, in the alarm's zone.", valueName: "time"))
  var until: String?

  @Option(help: ArgumentHelp("Skip this many of the next due times.", valueName: "n"))
  var next: Int?

  @Option(help: ArgumentHelp("Pause on this day, or from one day to another.", valueName: "days"))
  var on: [String] = []

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if until == nil, next == nil, on.isEmpty {
      throw ValidationError(
        "Give the time of the pause: --until 2026-12-27, --next 2 or --on 2026-12-24.")
    }
    if let next, next < 1 { throw ValidationError("--next must be at least 1.") }
  }

  func run() throws {
    var members: [(String, JSON?)] = [
      ("paused_until", until.map { .string($0) }),
      ("skip_next", next.map { .integer(Int64($0)) }),
    ]
    let id = try target.id(connection)
    var version: String?
    if !on.isEmpty {
      // The command adds the new days to the excluded days of the alarm. If another person changes
      // the list in the meantime, the daemon refuses the new list.
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

/// `prompter resume`: ends the pause of an alarm.
struct Resume: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End the pause of an alarm. It rings again from now on.",
    discussion: "Example: prompter resume 9pttkm9b1zcn")

  @OptionGroup var target: AlarmArgument

  @Flag(help: "Ring on the excluded days, too.")
  var days = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.editAlarm, ["id": try target.id(connection)]).with([
      ("paused_until", .string("")), ("skip_next", .integer(0)),
      ("exclude", days ? .array([]) : nil),
    ])
    try connection.carryOut(request) { try AlarmText.saved($0.document(), verb: "Resumed") }
  }
}
