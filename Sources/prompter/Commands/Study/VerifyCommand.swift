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
    try package?.check()
    let file = try archive.map { try verifiedArchive($0, holding: head ?? package?.head) }
    // The archive proves the hash chain up to the last event of the archive. The daemon must check
    // that the record also contains this last event. If so, the later events of the record continue
    // the hash chain of the archive.
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

  /// The sentence about the share of time in which the home was monitored.
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

/// The manifest of an export, and the files that it lists.
struct ExportManifest {
  let directory: String
  let files: [(name: String, sha256: String)]
  /// The sequence number and the hash of the newest event in the export.
  let head: String
  /// The SHA-256 of the manifest, in lower-case hex.
  let sha256: String
  /// The names of the files that are in the directory, but not in the manifest.
  let added: [String]

  /// The maximum size of a manifest in bytes. The largest possible manifest is far smaller than the
  /// limit.
  private static let limitBytes = 1 << 20

  /// Reads the file `MANIFEST.json`.
  ///
  /// - Throws: `Failure.badUsage` if the file cannot be read or is not a manifest.
  init(directory: String) throws {
    let path = "\(directory)/MANIFEST.json"
    let bytes = try Files.read(path, atMost: Self.limitBytes)
    guard let manifest = try? JSON(parsing: bytes), let head = manifest["head"],
      let sequence = head["seq"]?.integer, let hash = head["hash"]?.string
    else { throw Failure.badUsage("cannot read \(path): it is not a manifest of an export") }
    self.directory = directory
    self.head = "\(sequence)-\(hash)"
    files = try manifest.list("files").map { file in
      let (name, sha256) = (file.text("name"), file.text("sha256"))
      guard !name.isEmpty, !name.utf8.contains(where: "/\\\n\0".utf8.contains),
        sha256.utf8.count == 64
      else {
        throw Failure.badUsage(
          "cannot read \(path): \"\(name)\" is not the name and digest of an exported file")
      }
      return (name, sha256)
    }
    sha256 = SHA256Digest.hex(bytes)
    let known = Set(files.map(\.name) + ["MANIFEST.json"])
    added = try Files.names(in: directory).filter { !known.contains($0) }.sorted()
  }

  /// Checks that the record says that this export was made.
  ///
  /// A person who changes a file of the export can also change the digest in the manifest. But the
  /// record contains the digest of the manifest.
  ///
  /// - Throws: `Failure.refused` if the record does not know the manifest.
  func checkRecorded(_ verdict: JSON) throws {
    guard verdict["export_seq"]?.integer == nil else { return }
    throw Failure.refused(
      "cannot verify \(directory): the record contains no export with this MANIFEST.json. Either the "
        + "file was changed after the export, or the export is from another device.")
  }

  private static func digest(ofFile path: String) throws -> String {
    var digest = SHA256Digest()
    try Files.stream(path) { digest.update($0) }
    return hexadecimal(digest.finish())
  }

  /// Checks the digest of every file in the manifest.
  ///
  /// - Throws: `Failure.refused` with the names of the changed or missing files.
  func check() throws {
    // If a file is missing or cannot be read, treat the file as changed.
    let wrong = files.filter { (try? Self.digest(ofFile: "\(directory)/\($0.name)")) != $0.sha256 }
      .map(\.name)
    guard wrong.isEmpty else {
      throw Failure.refused(
        "cannot verify \(directory): changed or missing since the export: "
          + wrong.joined(separator: ", "))
    }
  }
}
