import CivilTime
import Glibc

/// The changes that wait on this machine for homes that could not be reached: one private file each, in
/// a private directory, written durably before anything is sent.
///
/// Two locks: `lock` for a moment, around each look and each change of a file, and `delivery` for as
/// long as somebody delivers, so that the order holds whoever does it.
package struct Outbox: Sendable {
  package let directory: String

  /// More than that is no outbox but a fault.
  package static let most = 1_000

  /// `$PROMPTER_OUTBOX`, else `prompter/outbox` where this user's programs keep their state.
  package static func ofThisUser() throws -> Outbox {
    if let directory = ProcessEnvironment.value("PROMPTER_OUTBOX") {
      return Outbox(directory: directory)
    }
    if let state = ProcessEnvironment.value("XDG_STATE_HOME"), state.hasPrefix("/") {
      return Outbox(directory: state + "/prompter/outbox")
    }
    guard let home = ProcessEnvironment.value("HOME") else {
      throw Failure.badUsage("there is no $HOME to keep an outbox in; name one by $PROMPTER_OUTBOX")
    }
    return Outbox(directory: home + "/.local/state/prompter/outbox")
  }

  // MARK: Changes

  /// All that is kept, oldest first.
  package func changes() throws -> [QueuedChange] { try locked("lock") { _ in try read() } }

  /// Keeps a change, durably before it returns.
  package func add(_ make: (_ number: Int) -> QueuedChange) throws -> QueuedChange {
    try locked("lock") { lock in
      let known = try read()
      guard known.count < Self.most else {
        throw failure("\(Self.most) changes wait already; see: prompter outbox")
      }
      // The lock's file holds the last number: one that is gone must not come again.
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

  /// Keeps what has become of a change; nothing where it was dropped meanwhile.
  package func update(_ change: QueuedChange) throws {
    try locked("lock") { _ in
      if access(path(change.number), F_OK) == 0 { try write(change) }
    }
  }

  /// - Returns: whether it was there.
  @discardableResult package func remove(_ number: Int) throws -> Bool {
    try locked("lock") { _ in
      guard unlink(path(number)) == 0 else {
        if errno == ENOENT { return false }
        throw failure(String(cString: strerror(errno)))
      }
      try sync(directory)
      return true
    }
  }

  /// Runs `body` while nobody else delivers; waits for whoever does.
  package func whileDelivering<Result>(_ body: () throws -> Result) throws -> Result {
    try locked("delivery") { _ in try body() }
  }

  // MARK: Files

  private func path(_ number: Int) -> String {
    let digits = String(number)
    return "\(directory)/\(String(repeating: "0", count: max(0, 8 - digits.count)))\(digits).change"
  }

  private func read() throws -> [QueuedChange] {
    let names = (Files.entries(of: directory) ?? []).filter { $0.hasSuffix(".change") }.sorted()
    return try names.map { name in
      let bytes = try Files.read("\(directory)/\(name)", atMost: 64 << 20)
      guard let number = Int(name.prefix { $0.isNumber }),
        let change = QueuedChange(number: number, bytes: bytes)
      else {
        throw failure("\(name) there is no change of ours; look at it and move it away")
      }
      return change
    }
  }

  private func write(_ change: QueuedChange) throws {
    let final = path(change.number)
    let descriptor = open(
      "\(final).new", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    var rest = change.bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
    }
    let isWhole = rest.isEmpty && fsync(descriptor) == 0
    let code = errno
    close(descriptor)
    guard isWhole, rename("\(final).new", final) == 0 else {
      let why = String(cString: strerror(isWhole ? errno : code))
      unlink("\(final).new")
      throw failure(why)
    }
    try sync(directory)
  }

  private func sync(_ directory: String) throws {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw failure(String(cString: strerror(errno))) }
  }

  /// Holds a lock, and hands over the descriptor of its file.
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
      throw failure("it must be this user's and closed to others (chmod 700)")
    }
  }

  private func failure(_ why: String) -> Failure {
    .badUsage("cannot use the outbox \(directory): \(why)")
  }
}
