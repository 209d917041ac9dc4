import API
import ArgumentParser
import ClientKit
import EventCoding
import Glibc
import JSONValue

/// `prompter log`: the study record.
struct Log: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the study record, or take its beginning away.",
    discussion: """
      Examples:
        prompter log | jq 'select(.type == "missed")'
        prompter log purge --before 2027-01-01 --dry-run
        prompter log purge --keep 365 --archive record-2026.jsonl --yes
      """,
    subcommands: [LogPrint.self, LogPurge.self], defaultSubcommand: LogPrint.self)
}

/// `prompter log purge`: the beginning of the record goes into a file.
struct LogPurge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Put the beginning of the record into a file, and take it away from the device.",
    discussion: """
      Only what an export of the whole record has handed out can go, and nothing goes while a study is open. \
      What alarms, people and open prompts are made of stays, and so do answers to questions and diaries. The \
      file holds every event with its words, and is proven before anything is taken away: keep it where it is \
      safe, for a head of the record that was noted before can be checked against nothing else.

      Examples:
        prompter log purge --before 2027-01-01 --dry-run
        prompter log purge --keep 365 --archive record-2026.jsonl --yes
        prompter verify --head 1204-7k3m-9x2p-4qwz-8h1v --archive record-2026.jsonl
      """)

  @Option(help: ArgumentHelp("What was written before this day.", valueName: "date"))
  var before: String?

  @Option(help: ArgumentHelp("All but the last so many days.", valueName: "days"))
  var keep: Int?

  @Option(
    help: ArgumentHelp("The file; it must not exist.", valueName: "file"), completion: .file())
  var archive: String?

  @Flag(help: "Only say what would go.")
  var dryRun = false

  @Flag(help: "Yes, for good: it is in the file then, and nowhere else.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (before == nil) != (keep == nil) else {
      throw ValidationError("Say --before or --keep, one of them.")
    }
    if dryRun { return }
    if archive == nil { throw ValidationError("Say where what goes is kept: --archive FILE.") }
    if !yes { throw ValidationError("What goes is only in the file then; say --yes.") }
  }

  func run() throws {
    var request = Request(
      .planPurge, query: [("before", before), ("keep", keep.map(String.init))])
    request.silenceSeconds = Request.recordSilenceSeconds
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
      throw Failure.refused("\(archive) ends with event \(file.through.sequence), not \(through)")
    }
    try purge(through, file)
  }

  private func purge(_ through: Int, _ file: ArchiveFile) throws {
    var request = Request(.purge).with([
      ("through_seq", .integer(Int64(through))), ("archive_sha256", .string(file.sha256)),
    ])
    request.silenceSeconds = Request.recordSilenceSeconds
    let done = try ProgressLine.during("purging") { try connection.client.send(request) }
    if connection.json { return Terminal.write(json: done.body) }
    let result = try done.document()
    Terminal.print(
      "\(TextFormat.counted(result.count("events"), "event")) up to number \(through) are gone; "
        + "\(result.count("kept")) up to there are still needed and stay. All "
        + "\(TextFormat.counted(Int(file.rows), "event")) are in \(archive ?? ""), proven: keep it."
    )
  }

  static func text(_ plan: JSON) -> String {
    var lines: [String] = []
    if let refusal = plan["refusal"]?.string {
      lines.append("Nothing can be purged now: \(refusal).")
    }
    if let until = plan["through_utc"]?.string {
      lines.append(
        "\(TextFormat.counted(plan.count("events"), "event")) would go, up to number "
          + "\(plan.count("through_seq")) of \(until); \(plan.count("kept")) up to there would stay."
      )
    }
    return lines.joined(separator: "\n")
  }

  /// Streams the archive into the file, which has its name only when it is whole, proven and on the disk.
  private func fetch(_ through: Int, into file: String) throws -> ArchiveFile {
    @Sendable func failure() -> Failure {
      .badUsage("cannot write \(file): \(String(cString: strerror(errno)))")
    }
    guard access(file, F_OK) != 0 else { throw Failure.badUsage("\(file) exists already") }
    let partial = "\(file).partial-\(getpid())"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    defer {
      close(descriptor)
      unlink(partial)
    }
    var request = Request(.archive, query: [("through", String(through))])
    request.silenceSeconds = Request.recordSilenceSeconds
    let activity = ProgressLine("archiving", counting: .bytes)
    defer { activity.end() }
    _ = try connection.client.send(
      request,
      consume: { bytes in
        activity.add(bytes: bytes.count)
        guard Files.write(bytes, to: descriptor) else { throw failure() }
      })
    guard fsync(descriptor) == 0 else { throw failure() }
    let proven = try ArchiveFile(partial)
    guard rename(partial, file) == 0, Self.syncDirectory(of: file) else { throw failure() }
    return proven
  }

  /// The name must be on the disk before what it stands for is anywhere else no more.
  private static func syncDirectory(of file: String) -> Bool {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let directory = parts.isEmpty ? "." : parts == [""] ? "/" : parts.joined(separator: "/")
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
