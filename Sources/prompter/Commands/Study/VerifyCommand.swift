import API
import ArgumentParser
import ClientKit
import EventCoding
import Glibc
import JSONValue
import MessageDigest

/// `prompter verify`: whether the record is whole and true.
struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check that the study record is whole and true; exit code 1 if it is not.",
    discussion: """
      A record cannot show by itself that its end was cut off or that all of it was written anew. Write
      the code of its head down, away from the device, and give it with --head later; or keep an export,
      and give its directory with --manifest: its files are then checked too.

      Examples:
        prompter verify --head 1204-7k3m-9x2p-4qwz-8h1v
        prompter verify --manifest study-2026-12
        prompter verify --head 1204-7k3m-9x2p-4qwz-8h1v --archive record-2026.jsonl
      """)

  @Option(
    help: ArgumentHelp("The code of a head that was kept elsewhere.", valueName: "code"))
  var head: String?

  @Option(
    help: ArgumentHelp("An export: its files, and the head in its manifest.", valueName: "dir"),
    completion: .directory)
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "What was purged: the file is proven, and the record must go on from it.", valueName: "file"),
    completion: .file())
  var archive: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard head == nil || manifest == nil else {
      throw Failure.badUsage("give --head or --manifest: a manifest has its own head")
    }
    let package = try manifest.map { try ExportManifest(directory: $0) }
    try package?.check()
    let file = try archive.map { try proven($0, holding: head ?? package?.head) }
    // What is in the archive leads to its last event, and that one the record still has.
    let anchor = file.map { "\($0.through)" } ?? head ?? package?.head
    var request = Request(.verify, query: [("head", anchor)])
    request.silenceSeconds = Request.recordSilenceSeconds
    let reply = try ProgressLine.during("verifying", ask: connection.asking("verify")) {
      try connection.client.send(request)
    }
    let verdict = try reply.document()
    if connection.json { Terminal.write(json: reply.body) }
    let events = TextFormat.counted(verdict.count("events"), "event")
    guard verdict["ok"]?.bool == true else {
      let place = verdict["first_bad_seq"]?.integer.map { " at event \($0)" } ?? ""
      let why = verdict["problem"]?.string ?? "no reason was given"
      throw Failure.refused("the record of \(events) is not whole\(place): \(why)")
    }
    if connection.json { return }
    Terminal.print(
      "\(Emphasis.good("The record is whole")): \(events), head \(verdict.text("head")).")
    Self.tellPurged(verdict)
    if let file, let archive {
      Terminal.print(
        "The \(TextFormat.counted(Int(file.rows), "event")) of \(archive) are as they were written, and the "
          + "record goes on from them.")
    }
    if let package {
      Terminal.print(
        "The \(TextFormat.counted(package.files.count, "file")) of \(package.directory) are as they were "
          + "written, and the record holds what they were made of.")
    }
    Terminal.print(Self.watch(verdict))
    Terminal.print("Write this down, away from the device: \(verdict.text("code"))")
  }

  private func proven(_ path: String, holding text: String?) throws -> ArchiveFile {
    let code = try text.map { text in
      guard let code = HeadCode(text) else {
        throw Failure.badUsage("\"\(text)\" is no code of a head; is there a slip in it?")
      }
      return code
    }
    return try ProgressLine.during("reading the archive", counting: .bytes) {
      try ArchiveFile(path, holding: code)
    }
  }

  private static func tellPurged(_ verdict: JSON) {
    guard let until = verdict["purged_through_utc"]?.string else { return }
    Terminal.print(
      "\(verdict.count("purged_events")) of these, up to \(until), were purged and are in an archive."
    )
  }

  /// How much of its time was watched.
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
      "Of \(TextFormat.span(elapsed / 1_000)), \(share(monitored)) was monitored, \(share(gaps)) is in "
      + "gaps with a cause, and \(share(unexplained)) is not explained."
  }
}

/// The manifest of an export, and the files that it lists.
struct ExportManifest {
  let directory: String
  let files: [(name: String, sha256: String)]
  /// The number of the newest event in it, and its hash.
  let head: String

  /// The largest manifest there could be is far smaller.
  private static let limitBytes = 1 << 20

  /// Reads `MANIFEST.json`.
  ///
  /// - Throws: `Failure.badUsage` where it cannot be read, or is no manifest.
  init(directory: String) throws {
    let path = "\(directory)/MANIFEST.json"
    let bytes = try Files.read(path, atMost: Self.limitBytes)
    guard let manifest = try? JSON(parsing: bytes), let head = manifest["head"],
      let sequence = head["seq"]?.integer, let hash = head["hash"]?.string
    else { throw Failure.badUsage("cannot read \(path): it is no manifest of an export") }
    self.directory = directory
    self.head = "\(sequence)-\(hash)"
    files = try manifest.list("files").map { file in
      let (name, sha256) = (file.text("name"), file.text("sha256"))
      guard !name.isEmpty, !name.utf8.contains(where: "/\\\n\0".utf8.contains),
        sha256.utf8.count == 64
      else { throw Failure.badUsage("cannot read \(path): \"\(name)\" is no file of an export") }
      return (name, sha256)
    }
  }

  private static func digest(ofFile path: String) throws -> String {
    var digest = SHA256Digest()
    try Files.stream(path) { digest.update($0) }
    return hexadecimal(digest.finish())
  }

  /// Checks every file against its digest.
  ///
  /// - Throws: `Failure.refused` with the names of those that are not as they were written.
  func check() throws {
    // One that is not there is not as it was written either.
    let wrong = files.filter { (try? Self.digest(ofFile: "\(directory)/\($0.name)")) != $0.sha256 }
      .map(\.name)
    guard wrong.isEmpty else {
      throw Failure.refused(
        "not as the export wrote it in \(directory): \(wrong.joined(separator: ", "))")
    }
  }
}
