import API
import ArgumentParser
import ClientKit
import JSONValue

/// The options that say what a pause silences: one alarm, one person or all people.
struct PausedOptions: ParsableArguments {
  @Argument(
    help: """
      The alarm: its id, as \"prompter list\" prints it, its first 4 or more characters, or its label.
      """)
  var alarm: String?

  @Option(help: ArgumentHelp("All alarms of this person.", valueName: "person"))
  var person: String?

  @Flag(help: "All alarms of all people.")
  var all = false

  func check() throws {
    if [alarm != nil, person != nil, all].count(where: { $0 }) != 1 {
      throw ValidationError(
        "Name an alarm, or a person with --person, or everybody with --all; one of the three.")
    }
  }
}

/// `prompter pause`: silences an alarm, a person or everybody until the pause ends.
struct Pause: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Silence an alarm, a person or everybody for a time.",
    discussion: """
      The prompts are recorded as paused. A pause until a day includes the whole of this day.

      Examples:
      prompter pause 9pttkm9b1zcn --until 2026-12-27
      prompter pause 9pttkm9b1zcn --next 2
      prompter pause 9pttkm9b1zcn --on 2026-12-24/2026-12-26
      prompter pause --person mum --until 2026-12-27
      prompter pause --all --until "tomorrow 12:00"
      """)

  @OptionGroup var paused: PausedOptions

  @Option(
    help: ArgumentHelp(
      "Pause until the end of this day, or until this day and time. A pause of a person may have "
        + "no end.", valueName: "time"))
  var until: String?

  @Option(help: ArgumentHelp("Skip this many of the alarm's next due times.", valueName: "n"))
  var next: Int?

  @Option(
    help: ArgumentHelp(
      "Pause the alarm on this day, or from one day to another.", valueName: "days"))
  var on: [String] = []

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    try paused.check()
    guard paused.alarm != nil else {
      if next != nil || !on.isEmpty {
        throw ValidationError("--next and --on need an alarm; for people, give --until.")
      }
      return
    }
    if until == nil, next == nil, on.isEmpty {
      throw ValidationError(
        "Give the time of the pause: --until 2026-12-27, --next 2 or --on 2026-12-24.")
    }
    if let next, next < 1 { throw ValidationError("--next must be at least 1.") }
  }

  func run() throws {
    if let alarm = paused.alarm { return try pause(alarm: alarm) }
    let request =
      paused.person.map { Request(.pausePerson, ["id": $0]) } ?? Request(.pauseEverybody)
    try connection.carryOut(request.with([("until", until.map { .string($0) })])) {
      PauseText.reply(try $0.document())
    }
  }

  private func pause(alarm: String) throws {
    var members: [(String, JSON?)] = [
      ("paused_until", until.map { .string($0) }),
      ("skip_next", next.map { .integer(Int64($0)) }),
    ]
    let id = try AlarmNames.id(alarm, connection)
    var version: String?
    if !on.isEmpty {
      // The command adds the new days to the excluded days of the alarm. If another person edits
      // the alarm after this command has read the excluded days, the daemon refuses the change that
      // this command sends.
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

/// `prompter resume`: ends the pause of an alarm, a person or everybody.
struct Resume: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "End the pause of an alarm, a person or everybody.",
    discussion: """
      The end of the pause of a person leaves the pauses of single alarms as they are. The reply lists \
      them.

      Examples:
      prompter resume 9pttkm9b1zcn
      prompter resume --person mum
      prompter resume --all
      """)

  @OptionGroup var paused: PausedOptions

  @Flag(help: "Let the alarm ring on its excluded days, too.")
  var days = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    try paused.check()
    if days, paused.alarm == nil { throw ValidationError("--days needs an alarm.") }
  }

  func run() throws {
    if let alarm = paused.alarm { return try resume(alarm: alarm) }
    let request =
      paused.person.map { Request(.resumePerson, ["id": $0]) } ?? Request(.resumeEverybody)
    try connection.carryOut(request) { PauseText.reply(try $0.document()) }
  }

  private func resume(alarm: String) throws {
    let request = Request(.editAlarm, ["id": try AlarmNames.id(alarm, connection)]).with([
      ("paused_until", .string("")), ("skip_next", .integer(0)),
      ("exclude", days ? .array([]) : nil),
    ])
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      let alarm = document["alarm"] ?? .null
      let excluded = alarm.list("exclude").compactMap(\.string).joined(separator: ", ")
      let stays =
        excluded.isEmpty
        ? ""
        : "\nNote: it stays silent on \(excluded). To let it ring on these days: prompter resume "
          + "\(alarm.text("id")) --days"
      return AlarmText.saved(document, verb: "Resumed") + stays
    }
  }
}
