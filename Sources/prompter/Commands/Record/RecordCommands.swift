import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter log print`: prints the rows of the record unchanged.
struct LogPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print the study record, one JSON event a line, oldest first.",
    discussion: "Example: prompter log | jq 'select(.type == \"missed\")'")

  @Option(help: ArgumentHelp("Only events after this number.", valueName: "seq"))
  var after: Int?

  @Option(help: ArgumentHelp("The maximum number of events.", valueName: "n"))
  var limit: Int?

  @OptionGroup var connection: ConnectionOptions

  /// The maximum number of events in one reply of the daemon.
  static let pageEvents = 10_000

  func run() throws {
    var (seen, left) = (after, limit ?? .max)
    while left > 0 {
      let page = min(left, Self.pageEvents)
      let request = Request(
        .log, query: [("after", seen.map(String.init)), ("limit", String(page))])
      let reply = try connection.client.send(request)
      Terminal.write(json: reply.body)
      let lines = reply.body.split(separator: UInt8(ascii: "\n"))
      // New events can be recorded during the download, so the command cannot know the number of
      // pages in advance. The command stops after the first page that is not full.
      guard lines.count == page, let last = lines.last else { return }
      seen = try Int(JSON(parsing: Array(last))["seq"]?.integer ?? .max)
      left -= lines.count
    }
  }
}

/// `prompter status`: shows whether alarms can ring.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show whether alarms ring: the state of the clock, the speaker and the record.",
    discussion: "Example: prompter status --json | jq .problems")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.status)) { Self.text(try $0.document()) }
  }

  private static func text(_ status: JSON) -> String {
    var table = Table()
    func line(_ name: String, _ value: String, _ emphasis: Emphasis? = nil) {
      if !value.isEmpty { table.add(.init(name, .faint), .init(value, emphasis)) }
    }
    let problems = status.list("problems")
    let gravities = problems.map {
      Finding.Grade($0["kind"]?.string.flatMap(StatusProblem.Kind.init(rawValue:)))
    }
    let state = state(status, gravities)
    line("state", state.words, state.emphasis)
    for (problem, gravity) in zip(problems, gravities) {
      let isWarning = gravity == .warning
      line(
        isWarning ? "warning" : "problem", problem.text("detail"), isWarning ? .attention : .bad)
    }
    line("alarms", "\(status.text("alarms")) set")
    line("prompts", "\(status.text("open_prompts")) planned or open")
    if let waiting = status["waiting"]?.integer { line("waiting", "\(waiting) for an answer") }
    for inactive in status.list("inactive") {
      let notified = inactive.count("notified")
      line(
        "inactive",
        "\(inactive.text("person")) has answered nothing since a ring "
          + TextFormat.distance(inactive.text("since_utc"))
          + (notified > 0 ? "; \(TextFormat.counted(notified, "contact")) notified" : ""),
        notified > 0 ? .bad : nil
      )
    }
    for paused in PauseText.paused(status) { line("paused", paused, .attention) }
    line("sounding", status["sounding"]?.bool == true ? "yes" : status.text("sounding"))
    line("next", TextFormat.distance(status.text("next_utc")))
    let clock = status["clock"] ?? .null
    let error = clock["error_ms"]?.double.map { ", within \(Int($0.rounded(.up))) ms" } ?? ""
    line("clock", clock.text("state") + error)
    line("zone", "\(status.text("zone")), tzdata \(status.text("tzdata"))")
    let speaker = status["speaker"] ?? .null
    let isUsable = speaker["usable"]?.bool
    line(
      "speaker",
      isUsable.map { $0 ? speaker["device"]?.string ?? "usable" : "not usable" } ?? "not yet tried",
      isUsable == false ? .bad : nil)
    let record = status["record"] ?? .null
    line(
      "record",
      (record["events"] == nil ? "is kept" : TextFormat.counted(record.count("events"), "event"))
        + (record["writable"]?.bool == false ? ", cannot be written" : ""),
      record["writable"]?.bool == false ? .bad : nil)
    if let link = status["archive_link"] {
      line("archive", archive(link), link["state"]?.string == "collecting" ? nil : .attention)
    }
    line("version", status.text("version"))
    return table.text
  }

  /// Returns a text that says whether alarms can ring.
  private static func state(
    _ status: JSON, _ gravities: [Finding.Grade]
  ) -> (words: String, emphasis: Emphasis) {
    if gravities.contains(.silent) { return ("alarms cannot be heard", .bad) }
    let grave = gravities.count { $0 == .problem }
    let counts = [(grave, "problem"), (gravities.count { $0 == .warning }, "warning")]
      .filter { $0.0 > 0 }.map { TextFormat.counted($0.0, $0.1) }
    if !counts.isEmpty {
      let words = counts.joined(separator: " and ")
      return ("rings, with \(words)", grave > 0 ? .bad : .attention)
    }
    return (status.text("state"), status["state"]?.string == "ok" ? .good : .bad)
  }

  /// Returns a text about the archive of the study: the state of the connection, and the number of
  /// missing events.
  private static func archive(_ link: JSON) -> String {
    let backlog = link.count("backlog")
    return "study \(link.text("study")): \(link.text("state")), "
      + (backlog == 0 ? "has every event" : "lacks \(TextFormat.counted(backlog, "event"))")
      + (link["contact_utc"]?.string.map { ", last contact \(TextFormat.distance($0))" } ?? "")
  }
}
