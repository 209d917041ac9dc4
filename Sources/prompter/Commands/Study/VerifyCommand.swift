import API
import ArgumentParser
import ClientKit
import EventCoding
import Glibc
import JSONValue
import MessageDigest

/// `prompter verify`: checks that the record is complete and unchanged.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check that the study record is complete and unchanged; exit code 1 if it is not.",
    discussion: """
      The record alone cannot show that its end was cut off or that all of it was replaced. Write down the \
      code of its head, keep it away from the device, and give it later with --head. Or keep an export and \
      give its directory with --manifest. Then the files of the export are compared with its manifest, and \
      the manifest is compared with the record.

      Examples:
        prompter verify --head 1204-7k3m-9x2p-4qwz-8h1v
        prompter verify --manifest study-2026-12
        prompter verify --head 1204-7k3m-9x2p-4qwz-8h1v --archive record-2026.jsonl
      """)

  @Option(
    help: ArgumentHelp("The code of an earlier head.", valueName: "code"))
  var head: String?

  @Option(
    help: ArgumentHelp(
      "The directory of an export: check its files and its manifest.",
      valueName: "dir"),
    completion: .directory)
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "The archive of a purge: check it, and check that the record continues after it.",
      valueName: "file"),
    completion: .file())
  var archive: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard head == nil || manifest == nil else {
      throw Failure.badUsage(
        "cannot use both --head and --manifest: the manifest contains a head; give one of them")
    }
    let package = try manifest.map { try ExportManifest(directory: $0) }
    try package?.requireExport("verify")
    try package?.check()
    let file = try archive.map { try verifiedArchive($0, holding: head ?? package?.head) }
    // The file proves the hash chain only up to the last event of the file. The daemon must check
    // that the record contains this last event. If so, the later events of the record continue the
    // hash chain of the file.
    let anchor = file.map { "\($0.through)" } ?? head ?? package?.head
    var request = Request(.verify, query: [("head", anchor), ("manifest", package?.sha256)])
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let reply = try ProgressLine.during("verifying", ask: connection.progress(of: .verify)) {
      try connection.client.send(request)
    }
    let verdict = try reply.document()
    if connection.json { Terminal.write(json: reply.body) }
    let events = TextFormat.counted(verdict.count("events"), "event")
    guard verdict["ok"]?.bool == true else {
      let place = verdict["first_bad_seq"]?.integer.map { " at event \($0)" } ?? ""
      let why = verdict["problem"]?.string ?? "the daemon gave no reason"
      throw Failure.refused("the record of \(events) is damaged or was changed\(place): \(why)")
    }
    try package?.checkRecorded(verdict)
    if connection.json { return }
    Terminal.print(
      "\(Emphasis.good("The record is complete and unchanged")): \(events), "
        + "head \(verdict.text("head")).")
    Self.printPurged(verdict)
    if let file, let archive {
      Terminal.print(
        "The archive \(archive) is unchanged (\(TextFormat.counted(Int(file.rows), "event"))), and "
          + "the record continues after it.")
    }
    if let package {
      Terminal.print(
        "The export \(package.directory) is unchanged "
          + "(\(TextFormat.counted(package.files.count, "file"))), and the record says that it "
          + "was made.")
      if !package.added.isEmpty {
        Terminal.print(
          "Not part of the export, and not checked: \(package.added.joined(separator: ", ")).")
      }
    }
    Terminal.print(Self.watch(verdict))
    Terminal.print(
      "Write down this code and keep it away from the device: \(verdict.text("code"))")
  }

  /// Reads and verifies an archive. If `text` is a head code, the archive must contain the event
  /// that this head code names.
  private func verifiedArchive(_ path: String, holding text: String?) throws -> ArchiveFile {
    let code = try text.map { text in
      guard let code = HeadCode(text) else {
        throw Failure.badUsage("\"\(text)\" is not a head code; check for typing errors")
      }
      return code
    }
    return try ProgressLine.during("reading the archive", counting: .bytes) {
      try ArchiveFile(path, holding: code)
    }
  }

  private static func printPurged(_ verdict: JSON) {
    guard let until = verdict["purged_through_utc"]?.string else { return }
    Terminal.print(
      "\(verdict.count("purged_events")) of these events, up to \(until), were purged. "
        + "They are in the archive of the purge.")
  }

  /// Returns a sentence about three shares of the time: monitored, in gaps with a known cause, and
  /// unexplained.
  static func watch(_ verdict: JSON) -> String {
    let elapsed = verdict["elapsed_ms"]?.integer ?? 0
    let gaps = verdict["gaps_ms"]?.integer ?? 0
    let unexplained = verdict["unexplained_ms"]?.integer ?? 0
    func share(_ part: Int64) -> String {
      let thousandths = elapsed > 0 ? (part * 1_000 + elapsed / 2) / elapsed : 0
      return "\(thousandths / 10).\(thousandths % 10) %"
    }
    let monitored = max(0, elapsed - gaps - unexplained)
    return
      "Of \(TextFormat.span(elapsed / 1_000)), \(share(monitored)) was monitored, \(share(gaps)) is "
      + "in gaps with a known cause, and \(share(unexplained)) is unexplained."
  }
}
