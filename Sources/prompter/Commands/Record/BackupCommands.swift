import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue
import StudyExport

/// `prompter backup`: the whole home in one file.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the record, the recordings and the pictures into one file.",
    discussion: """
      The daemon goes on meanwhile, and proves the copy before it sends it. With --move this device stops \
      ringing for good as soon as the file is safe: the home goes to another one, by "prompter restore".

      Examples:
        prompter backup home-2026-12-01.tar
        prompter --host ssh://anna@home backup home.tar --move
      """)

  @Argument(help: "The file; it must not exist.", completion: .file())
  var file: String

  @Flag(help: "The home moves: this device rings no more.")
  var move = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let head = try fetch()
    if move {
      do {
        _ = try connection.client.send(Request(.retire).with([("head", .string(head))]))
        try BackupFile.markRetired(file, head: head)
      } catch {
        // The next one has what has happened meanwhile; this one must not be taken for it.
        unlink(file)
        throw error
      }
    }
    if connection.json {
      return Terminal.print(
        json: .object([
          ("file", .string(file)), ("head", .string(head)), ("retired", .bool(move)),
        ]))
    }
    Terminal.print(
      "Wrote \(file); the record ends with \(head.prefix(12))."
        + (move ? " This device rings no more." : ""))
  }

  /// Streams the backup into the file, which has its name only when it is whole and on the disk.
  private func fetch() throws -> String {
    @Sendable func failure(_ what: String) -> Failure {
      .badUsage("cannot write \(what): \(String(cString: strerror(errno)))")
    }
    guard access(file, F_OK) != 0 else { throw Failure.badUsage("\(file) exists already") }
    let partial = "\(file).partial-\(getpid())"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(file) }
    defer {
      close(descriptor)
      unlink(partial)
    }
    var request = Request(.backup)
    request.silenceSeconds = Request.recordSilenceSeconds
    let file = file
    let activity = ProgressLine("copying", ask: connection.asking("backup"))
    defer { activity.end() }
    let reply = try connection.client.send(
      request,
      consume: { bytes in
        activity.add(bytes: bytes.count)
        guard Files.write(bytes, to: descriptor) else { throw failure(file) }
      }, begin: { activity.expect(bytes: $0.archiveBytes) })
    activity.end()
    guard let head = reply.recordHead else {
      throw Failure.unreachable("the daemon did not say what the backup ends with")
    }
    guard fsync(descriptor) == 0, rename(partial, file) == 0 else { throw failure(file) }
    return head
  }
}

/// `prompter restore`: a backup becomes this device's home.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a backup this device's home. Run it as root, on the device itself.",
    discussion: """
      The backup is proven first, by a process of the user to whom the home belongs, and anything in it that \
      no backup has is refused. What was here is put aside, not removed. The device gets a new name in the \
      record, and a backup of a device that may still ring is refused.

      Example: sudo prompter restore home-2026-12-01.tar --old-device-is-gone
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The home's directory.", valueName: "directory"))
  var state = "/var/lib/prompter"

  @Flag(help: "The device that it came from is broken or erased: it will never ring again.")
  var oldDeviceIsGone = false

  func run() throws {
    guard access(file, R_OK) == 0 else {
      throw Failure.badUsage("cannot read \(file): \(String(cString: strerror(errno)))")
    }
    let isService = state == "/var/lib/prompter" && access("/run/systemd/system", F_OK) == 0
    if isService { try run(["systemctl", "stop", "prompterd.socket", "prompterd.service"]) }
    // It reads the file as whoever we are and then goes on as the user to whom the directory belongs: we
    // touch nothing in there.
    var words = ["prompterd", "--adopt", file, "--state", state]
    if oldDeviceIsGone { words.append("--old-device-is-gone") }
    let result = Result { try run(words, or: "nothing was changed") }
    // Whatever became of it: a home without a daemon would be silent.
    if isService { try run(["systemctl", "start", "prompterd.socket", "prompterd.service"]) }
    try result.get()
  }

  private func run(_ words: [String], or consequence: String? = nil) throws {
    let code = Program.wait(try Program.start(words))
    guard code == 0 else {
      throw Failure.refused(
        "\(words[0]) ended with \(code)" + (consequence.map { "; \($0)" } ?? ""))
    }
  }
}

/// The archive that a backup is.
enum BackupFile {
  /// Adds to it that its device rings no more.
  static func markRetired(_ path: String, head: String) throws {
    func failure() -> Failure {
      .badUsage("cannot complete \(path): \(String(cString: strerror(errno)))")
    }
    let note = Array("\(JSON.object([("head", .string(head))]))\n".utf8)
    let member =
      TarHeader.bytes(name: "retired.json", size: note.count) + note
      + TarHeader.padding(size: note.count) + TarHeader.end
    let descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    // In the place of the two empty blocks that end an archive.
    guard lseek(descriptor, -off_t(TarHeader.end.count), SEEK_END) >= 0,
      member.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == member.count,
      fsync(descriptor) == 0
    else { throw failure() }
  }
}
