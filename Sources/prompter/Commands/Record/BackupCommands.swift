import API
import ArgumentParser
import ClientKit
import Glibc
import JSONValue
import StudyExport

/// `prompter backup`: writes the record, the recordings and the pictures of the home into one file.
struct Backup: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy the record, the recordings and the pictures into one file.",
    discussion: """
      The daemon keeps running and verifies the copy before it sends it. With --move the home moves to \
      another device: as soon as the file is safe, this device stops ringing permanently. On the other \
      device, run "prompter restore".

      Examples:
        prompter backup home-2026-12-01.tar
        prompter --host ssh://anna@home backup home.tar --move
      """)

  @Argument(help: "The backup file. It must not exist.", completion: .file())
  var file: String

  @Flag(help: "Move the home: this device never rings again.")
  var move = false

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let head = try fetch()
    if move { try retire(head) }
    if connection.json {
      return Terminal.print(
        json: .object([
          ("file", .string(file)), ("head", .string(head)), ("retired", .bool(move)),
        ]))
    }
    Terminal.print(
      "Wrote \(file). The last hash of its record begins with \(head.prefix(12))."
        + (move ? " This device never rings again." : ""))
  }

  /// Retires the device, and adds a note about the retirement to the backup file.
  ///
  /// If the daemon refuses the request, the device is not retired, and the daemon continues to
  /// record events. These later events are not in the backup. Therefore the function deletes the
  /// backup file, so that nobody moves the home with an incomplete backup. If the request fails for
  /// another reason, the device may already be retired. In this case, the function keeps the backup
  /// file, because the file can be the complete copy of the home.
  private func retire(_ head: String) throws {
    do {
      _ = try connection.client.send(Request(.retire).with([("head", .string(head))]))
    } catch let failure as Failure {
      guard failure.leavesRequestUndone else {
        throw Failure.unreachable(
          "cannot tell if this device has retired: \(failure.sentence); \(file) is kept. Run \"prompter status\" on "
            + "this device. If it says that the home has moved, restore \(file) with --old-device-is-gone. "
            + "Otherwise delete \(file) and run \"prompter backup --move\" again")
      }
      unlink(file)
      throw failure
    }
    do {
      try BackupFile.markRetired(file, head: head)
    } catch let failure as Failure {
      throw Failure.badUsage(
        "\(failure.sentence); this device has retired, and \(file) is kept. Restore it with --old-device-is-gone"
      )
    }
  }

  /// Downloads the backup, and writes each part into the file as soon as the part arrives.
  ///
  /// The file has a temporary name until it is complete and synced to the disk.
  private func fetch() throws -> String {
    let download = try Download(file)
    var request = Request(.backup)
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let activity = ProgressLine("copying", ask: connection.progress(of: .backup))
    defer { activity.end() }
    let reply = try connection.client.send(
      request,
      consume: { bytes in
        activity.add(bytes: bytes.count)
        try download.write(bytes)
      }, begin: { activity.expect(bytes: $0.archiveBytes) })
    activity.end()
    guard let head = reply.recordHead else {
      throw Failure.unreachable(
        "cannot finish the backup: the daemon did not send the head of the record")
    }
    try download.commit()
    return head
  }
}

/// `prompter restore`: replaces the home of this device by the home in a backup.
struct Restore: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Restore a backup as the home of this device. Run it as root on this device.",
    discussion: """
      First, a process of the user who owns the home verifies the backup. A backup with unexpected content \
      is refused, and so is a backup of a device that may still ring. The former home of this device is \
      moved to another directory, not deleted. The device gets a new name in the record.

      Example: sudo prompter restore home-2026-12-01.tar --old-device-is-gone
      """)

  @Argument(help: "The backup file.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The state directory of the home.", valueName: "directory"))
  var state = "/var/lib/prompter"

  @Flag(help: "Confirm that the device of the backup is broken or erased and never rings again.")
  var oldDeviceIsGone = false

  func run() throws {
    guard access(file, R_OK) == 0 else {
      throw Failure.badUsage("cannot read \(file): \(String(cString: strerror(errno)))")
    }
    let isService = state == "/var/lib/prompter" && access("/run/systemd/system", F_OK) == 0
    if isService { try run(["systemctl", "stop", "prompterd.socket", "prompterd.service"]) }
    // At its start, `prompterd --adopt` has the rights of the user of this command, so it can read
    // the file. Then it drops these rights and continues as the owner of the state directory. Only
    // `prompterd` changes the state directory.
    var words = ["prompterd", "--adopt", file, "--state", state]
    if oldDeviceIsGone { words.append("--old-device-is-gone") }
    let result = Result { try run(words, or: "nothing was changed") }
    // Start the daemon even if the restore failed, because no alarm rings while the daemon is
    // stopped.
    if isService { try run(["systemctl", "start", "prompterd.socket", "prompterd.service"]) }
    try result.get()
  }

  private func run(_ words: [String], or consequence: String? = nil) throws {
    let code = Program.wait(try Program.start(words))
    guard code == 0 else {
      throw Failure.refused(
        "\(words[0]) failed with exit code \(code)" + (consequence.map { "; \($0)" } ?? ""))
    }
  }
}

/// A backup file, which is a tar archive.
enum BackupFile {
  /// Adds a note to the backup file. The note says that the device of this backup will never ring
  /// again.
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
    // A tar archive ends with two empty blocks. Write `member` over these two blocks, because
    // `member` contains the note and two new empty blocks.
    guard lseek(descriptor, -off_t(TarHeader.end.count), SEEK_END) >= 0,
      member.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == member.count,
      fsync(descriptor) == 0
    else { throw failure() }
  }
}
