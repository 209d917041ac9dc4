import API
import ArgumentParser
import ClientKit
import EventCoding
import JSONValue

/// `prompter log`: prints or purges the record.
struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the study record, or move its beginning into a file.",
    discussion: """
      Examples:
        prompter log | jq 'select(.type == "missed")'
        prompter log purge --before 2027-01-01 --dry-run
        prompter log purge --keep 365 --archive record-2026.jsonl --yes
      """,
    subcommands: [LogPrint.self, LogPurge.self], defaultSubcommand: LogPrint.self)
}

/// `prompter log purge`: moves the oldest part of the record into a file.
struct LogPurge: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Move the beginning of the record into a file, and delete it from the device.",
    discussion: """
      Only events that an export of the whole record has contained are purged, and only while no study is \
      open. Events that alarms, people and open prompts depend on are kept, and so are answers to \
      questions and diary entries.

      The file contains every event with its texts. It is verified before anything is deleted. Keep it in \
      a safe place: a head from before the purge can be checked only with this file.

      Examples:
        prompter log purge --before 2027-01-01 --dry-run
        prompter log purge --keep 365 --archive record-2026.jsonl --yes
        prompter verify --head 1204-7k3m-9x2p-4qwz-8h1v --archive record-2026.jsonl
      """)

  @Option(help: ArgumentHelp("Purge events from before this day.", valueName: "date"))
  var before: String?

  @Option(help: ArgumentHelp("Purge all events except those of the last N days.", valueName: "n"))
  var keep: Int?

  @Option(
    help: ArgumentHelp("The archive file. It must not exist.", valueName: "file"),
    completion: .file())
  var archive: String?

  @Flag(help: "Only show what would be purged.")
  var dryRun = false

  @Flag(help: "Confirm the purge: afterwards the events are only in the file.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    guard (before == nil) != (keep == nil) else {
      throw ValidationError("Give either --before or --keep.")
    }
    if dryRun { return }
    if archive == nil {
      throw ValidationError("Name a file for the purged events: --archive FILE.")
    }
    if !yes {
      throw ValidationError("Purged events are only in the file; add --yes to confirm the purge.")
    }
  }

  func run() throws {
    var request = Request(
      .planPurge, query: [("before", before), ("keep", keep.map(String.init))])
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let reply = try connection.client.send(request)
    let plan = try reply.document()
    if dryRun {
      if connection.json { return Terminal.write(json: reply.body) }
      return Terminal.print(Self.text(plan))
    }
    if let refusal = plan["refusal"]?.string { throw Failure.refused("cannot purge: \(refusal)") }
    guard let archive else { return }
    let through = plan.count("through_seq")
    let file = try fetch(through, into: archive)
    guard file.through.sequence == Int64(through) else {
      throw Failure.refused(
        "cannot purge: \(archive) ends with event \(file.through.sequence) instead of \(through); "
          + "nothing was purged")
    }
    try purge(through, file)
  }

  private func purge(_ through: Int, _ file: ArchiveFile) throws {
    var request = Request(.purge).with([
      ("through_seq", .integer(Int64(through))), ("archive_sha256", .string(file.sha256)),
    ])
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let done = try ProgressLine.during("purging") { try connection.client.send(request) }
    if connection.json { return Terminal.write(json: done.body) }
    let result = try done.document()
    Terminal.print(
      "Purged \(TextFormat.counted(result.count("events"), "event")) up to number \(through). "
        + "\(result.count("kept")) up to there are still needed and were kept. "
        + "\(archive ?? "") contains all \(TextFormat.counted(Int(file.rows), "event")) and is "
        + "verified: keep it."
    )
  }

  static func text(_ plan: JSON) -> String {
    var lines: [String] = []
    if let refusal = plan["refusal"]?.string {
      lines.append("Cannot purge now: \(refusal).")
    }
    if let until = plan["through_utc"]?.string {
      lines.append(
        "Would purge \(TextFormat.counted(plan.count("events"), "event")) up to number "
          + "\(plan.count("through_seq")) of \(until). \(plan.count("kept")) up to there would be "
          + "kept.")
    }
    return lines.joined(separator: "\n")
  }

  /// Downloads the archive, and writes each part into the file as soon as the part arrives.
  ///
  /// The file has a temporary name until it is complete, verified and synced to the disk.
  private func fetch(_ through: Int, into file: String) throws -> ArchiveFile {
    let download = try Download(file)
    var request = Request(.archive, query: [("through", String(through))])
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let activity = ProgressLine("archiving", counting: .bytes)
    defer { activity.end() }
    _ = try connection.client.send(
      request,
      consume: { bytes in
        activity.add(bytes: bytes.count)
        try download.write(bytes)
      })
    try download.flush()
    let proven = try ArchiveFile(download.partial)
    // After the daemon has removed the events from the record, this file is their only copy.
    // Therefore `commit` must sync the file with its final name to the disk before the daemon
    // removes the events.
    try download.commit()
    return proven
  }
}
