import CivilTime
import FileSystem
import Glibc

/// The changes on this machine that wait until their homes can be reached.
///
/// Each change is one private file in a private directory. The command line writes the file of a
/// change to the disk before it sends the request of this change.
///
/// There are two locks. A process holds `lock` for the short time in which it reads or writes the
/// files. A process holds `delivery` while it delivers the waiting changes. Therefore, the changes
/// arrive in the right order, even if several processes want to deliver changes at the same time.
package struct Outbox: Sendable {
  package let directory: String

  /// The maximum number of changes. If the outbox contains this number of changes, it accepts no
  /// more changes. More changes are probably the result of an error.
  package static let most = 1_000

  /// Returns the outbox in the directory `$PROMPTER_OUTBOX`. If this variable is not set, the
  /// outbox is in `prompter/outbox` in the state directory of this user (XDG).
  package static func ofThisUser() throws -> Outbox {
    if let directory = ProcessEnvironment.value("PROMPTER_OUTBOX") {
      return Outbox(directory: directory)
    }
    if let state = ProcessEnvironment.value("XDG_STATE_HOME"), state.hasPrefix("/") {
      return Outbox(directory: state + "/prompter/outbox")
    }
    guard let home = ProcessEnvironment.value("HOME") else {
      throw Failure.badUsage(
        "cannot find the outbox: $HOME is not set; set $PROMPTER_OUTBOX to a directory")
    }
    return Outbox(directory: home + "/.local/state/prompter/outbox")
  }

  // MARK: Changes

  /// Returns all changes, oldest first.
  package func changes() throws -> [QueuedChange] { try locked("lock") { _ in try read() } }

  /// Stores a change. When the function returns, the change is on the disk.
  package func add(_ make: (_ number: Int) -> QueuedChange) throws -> QueuedChange {
    try locked("lock") { lock in
      let known = try read()
      guard known.count < Self.most else {
        throw failure("it already holds \(Self.most) changes; see: prompter outbox")
      }
      // The lock file contains the number of the newest change. Therefore, the outbox never uses
      // the number of a removed change again.
      var text = [UInt8](repeating: 0, count: 32)
      let count = max(0, pread(lock, &text, text.count, 0))
      let last = Int(String(decoding: text[..<count], as: UTF8.self)) ?? 0
      let change = make(max(last, known.last?.number ?? 0) + 1)
      let digits = Array(String(change.number).utf8)
      guard ftruncate(lock, 0) == 0, pwrite(lock, digits, digits.count, 0) == digits.count else {
        throw failure(String(cString: strerror(errno)))
      }
      try write(change)
      return change
    }
  }

  /// Stores the new state of a change. If the outbox no longer contains the change, the function
  /// does nothing.
  package func update(_ change: QueuedChange) throws {
    try locked("lock") { _ in
      if access(path(change.number), F_OK) == 0 { try write(change) }
    }
  }

  /// Removes a change.
  ///
  /// - Returns: true if the outbox contained the change.
  @discardableResult package func remove(_ number: Int) throws -> Bool {
    try locked("lock") { _ in
      guard unlink(path(number)) == 0 else {
        if errno == ENOENT { return false }
        throw failure(String(cString: strerror(errno)))
      }
      do throws(SystemError) { try synchronise(directory) } catch { throw failure("\(error)") }
      return true
    }
  }

  /// Runs `body` while this process holds the delivery lock. Only the process with this lock
  /// delivers changes. If a different process holds the lock, the function first waits until the
  /// lock is free.
  package func whileDelivering<Result>(_ body: () throws -> Result) throws -> Result {
    try locked("delivery") { _ in try body() }
  }

  // MARK: Files

  private func path(_ number: Int) -> String {
    let digits = String(number)
    return "\(directory)/\(String(repeating: "0", count: max(0, 8 - digits.count)))\(digits).change"
  }

  private func read() throws -> [QueuedChange] {
    let names = ((try? fileNames(in: directory)) ?? []).filter { $0.hasSuffix(".change") }.sorted()
    return try names.map { name in
      let bytes = try Files.read("\(directory)/\(name)", atMost: 64 << 20)
      guard let number = Int(name.prefix { $0.isNumber }),
        let change = QueuedChange(number: number, bytes: bytes)
      else {
        throw failure("\(name) is not a stored change; look at it and move it away")
      }
      return change
    }
  }

  private func write(_ change: QueuedChange) throws {
    let final = path(change.number)
    do throws(SystemError) {
      try DurableFile.write(change.bytes, to: final, temporary: "\(final).new")
    } catch {
      throw failure("\(error)")
    }
  }

  /// Locks the file `name` while `body` runs. The argument of `body` is the descriptor of the
  /// locked file.
  private func locked<Result>(_ name: String, _ body: (Int32) throws -> Result) throws -> Result {
    try makeDirectory()
    let lock = open("\(directory)/\(name)", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(String(cString: strerror(errno))) }
    }
    return try body(lock)
  }

  private func makeDirectory() throws {
    var built = directory.hasPrefix("/") ? "" : "."
    for part in directory.split(separator: "/") {
      built += "/" + part
      if mkdir(built, 0o700) != 0, errno != EEXIST {
        throw failure(String(cString: strerror(errno)))
      }
    }
    var info = stat()
    guard stat(directory, &info) == 0, info.st_uid == geteuid(), info.st_mode & 0o077 == 0 else {
      throw failure(
        "it must belong to this user, and only this user may open it; run \"chmod 700\" on it")
    }
  }

  private func failure(_ why: String) -> Failure {
    .badUsage("cannot use the outbox \(directory): \(why)")
  }
}
