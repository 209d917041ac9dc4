import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

@Suite struct `If a file is damaged, the record` {
  private let directory = TemporaryDirectory()
  private static let now: Int64 = 1_800_000_000_000
  private var aside: String { "\(directory.path)/damaged-\(Self.now)" }

  private func open() throws -> OpenedRecord {
    try Logbook.opening(directory: directory.path, refuge: nil, now: Self.now)
  }

  /// Makes a record and closes it. The replica contains only the first part of the record. Returns
  /// the head of the record.
  private func lived(_ history: inout History, copied: Int, more: Int) throws -> Logbook.Head {
    let logbook = try Logbook.open(directory)
    try history.playAtOnce(copied, into: logbook)
    try logbook.updateReplica(directory: directory.path)
    try history.playAtOnce(more, into: logbook)
    let head = logbook.head
    try logbook.close()
    return head
  }

  private func isDamaged(_ error: any Error) -> Bool {
    if case LogbookError.corrupt = error { return true }
    return false
  }

  @Test func `opens as usual if there is no damage`() throws {
    var history = History(seed: 1)
    let head = try lived(&history, copied: 40, more: 40)
    let opened = try open()
    #expect(opened.notices == [])
    #expect(opened.logbook.head == head)
    try expect(opened.snapshot, equals: history.replay)
  }

  @Test(arguments: [0, 4_096, 20_000]) func `continues without a loss after its file was damaged`(
    keeping bytes: Int
  ) throws {
    var history = History(seed: 2)
    let head = try lived(&history, copied: 60, more: 0)
    // The first bytes of the file stay correct. All other bytes become noise.
    var file = readFile(directory.record)
    for index in bytes..<file.count { file[index] = UInt8(truncatingIfNeeded: index &* 31) }
    writeFile(file, to: directory.record)
    let opened = try open()
    #expect(opened.notices.count == 1)
    #expect(opened.notices.first?.contains("continues after event \(head.sequence)") == true)
    #expect(opened.logbook.head == head)
    #expect(try opened.logbook.verify(anchor: head).isOK)
    try expect(opened.snapshot, equals: history.replay)
    #expect(readFile("\(aside)/record.sqlite") == file)
    #expect(Logbook.damagedRecords(in: directory.path).count == 1)
  }

  @Test func `continues without a loss after its file was lost`() throws {
    var history = History(seed: 3)
    let head = try lived(&history, copied: 60, more: 0)
    unlink(directory.record)
    let opened = try open()
    #expect(opened.logbook.head == head)
    try expect(opened.snapshot, equals: history.replay)
  }

  /// Makes a database look as if a process was killed in the middle of a transaction.
  private func cutShort(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    var files: [String: [UInt8]] = [:]
    try queue.writeWithoutTransaction { db in
      // With these settings, SQLite writes to the file before the commit.
      try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA cache_size = 5; PRAGMA cache_spill = 1")
      try db.execute(sql: "BEGIN IMMEDIATE; CREATE TABLE filler (bytes BLOB)")
      for _ in 0..<50 { try db.execute(sql: "INSERT INTO filler VALUES (zeroblob(3000))") }
      for name in ["", "-journal"] { files[path + name] = readFile(path + name) }
      try db.execute(sql: "ROLLBACK")
    }
    try queue.close()
    for (path, bytes) in files { writeFile(bytes, to: path) }
    #expect(files.values.allSatisfy { $0.count >= 512 })
  }

  @Test(arguments: [false, true])
  func `starts again if its first write was cut off`(hasRefuge: Bool) throws {
    try cutShort(directory.record)
    let refuge = TemporaryDirectory()
    let opened = try Logbook.opening(
      directory: directory.path, refuge: hasRefuge ? refuge.path : nil, now: Self.now)
    #expect(opened.notices == [])
    var history = History(seed: 5)
    try history.playAtOnce(20, into: opened.logbook)
    #expect(try opened.logbook.verify().isOK)
  }

  @Test func `starts again wherever its creation was cut off`() throws {
    let source = TemporaryDirectory()
    _ = try DatabaseQueue(path: source.record).inDatabase { db in
      try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    }
    try copyFile(source.record, directory.record)
    let opened = try open()
    #expect(opened.notices == [] && opened.logbook.head.sequence == 0)
    try opened.logbook.close()
    // The logbook does not change a database of another program.
    unlink(directory.record)
    _ = try DatabaseQueue(path: source.record).inDatabase { db in
      try db.execute(sql: "CREATE TABLE recipes (name TEXT)")
    }
    try copyFile(source.record, directory.record)
    #expect(throws: LogbookError.self) { try open() }
  }

  @Test func `continues without a loss if the replica was cut off, too`() throws {
    var history = History(seed: 6)
    let head = try lived(&history, copied: 60, more: 0)
    try cutShort(Replica.path(in: directory.path))
    writeFile([UInt8](repeating: 31, count: 20_000), to: directory.record)
    let opened = try open()
    #expect(opened.logbook.head == head)
    #expect(try opened.logbook.verify(anchor: head).isOK)
    try expect(opened.snapshot, equals: history.replay)
  }

  @Test func `is read from a copy if it was cut off and the disk cannot be written`() throws {
    var history = History(seed: 7)
    let head = try lived(&history, copied: 60, more: 0)
    try cutShort(Replica.path(in: directory.path))
    writeFile([UInt8](repeating: 31, count: 20_000), to: directory.record)
    let refuge = TemporaryDirectory()
    let opened = try Logbook.openCopyInMemory(
      directory.path, "\(refuge.path)/adrift", Self.now, because: .full(doing: "open the record"))
    #expect(opened.logbook.head == head)
    try expect(opened.snapshot, equals: history.replay)
  }

  @Test func `takes the rows after the end of its replica from the damaged file`() throws {
    var history = History(seed: 4)
    let head = try lived(&history, copied: 40, more: 40)
    // One value of a projection does not follow from the events. If the daemon finds this fault
    // during its work, it marks the record as damaged.
    try tamper(directory.record) { db in
      try db.execute(sql: "UPDATE prompts SET due_ms = due_ms + 60000")
    }
    try Logbook.markDamaged(directory: directory.path, because: "a prompt does not follow")
    let opened = try open()
    #expect(opened.notices.count == 1)
    #expect(opened.logbook.head == head)
    #expect(try opened.logbook.verify(anchor: head).isOK)
    try expect(opened.snapshot, equals: history.replay)
    // Only the first start after the damage gives the notice.
    try opened.logbook.close()
    #expect(try open().notices == [])
  }

  @Test func `continues without a replica from its own rows up to the damage`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    try history.playAtOnce(80, into: logbook)
    let events = logbook.head.sequence
    try logbook.close()
    try tamper(directory.record) { db in
      try db.execute(
        sql: "UPDATE " + "events SET payload = payload || ' ' WHERE seq = ?",
        arguments: [events / 2])
    }
    try Logbook.markDamaged(directory: directory.path, because: "a row was changed")
    let opened = try open()
    #expect(opened.logbook.head.sequence == events / 2 - 1)
    #expect(try opened.logbook.verify().isOK)
  }

  @Test func `reports at the start that its end was cut off`() throws {
    var history = History(seed: 6)
    let head = try lived(&history, copied: 60, more: 0)
    try tamper(directory.record) { db in
      for table in ["contents", "events"] {
        try db.execute(sql: "DELETE " + "FROM \(table) WHERE seq > \(head.sequence - 5)")
      }
    }
    let opened = try open()
    #expect(opened.notices.first?.contains("ends before event \(head.sequence)") == true)
    #expect(opened.logbook.head == head)
  }

  @Test func `has a replica that drops erased words and copies no damage`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 7)
    history.word = "canary"
    try history.playAtOnce(60, into: logbook)
    try logbook.updateReplica(directory: directory.path)
    let copy = Replica.path(in: directory.path)
    func holds(_ word: String) -> Bool {
      String(decoding: readFile(copy).map { $0 < 128 ? $0 : 32 }, as: UTF8.self).contains(word)
    }
    #expect(holds("canary"))
    try tamper(directory.record) { db in
      try db.execute(sql: "DELETE FROM contents; DELETE FROM tones; DELETE FROM people")
    }
    try logbook.updateReplica(directory: directory.path)
    #expect(!holds("canary"))

    let head = logbook.head
    try history.playAtOnce(5, into: logbook)
    try tamper(directory.record) { db in
      try db.execute(
        sql: "UPDATE " + "events SET source = 'x' WHERE seq = ?", arguments: [head.sequence + 1])
    }
    let error = #expect(throws: LogbookError.self) {
      try logbook.updateReplica(directory: directory.path)
    }
    #expect(error.map(isDamaged) == true)
    #expect(Replica.head(in: directory.path).map { $0 == head } == true)
  }

  @Test func `gets a new replica if the replica is damaged`() throws {
    var history = History(seed: 7)
    let head = try lived(&history, copied: 40, more: 20)
    let copy = Replica.path(in: directory.path)
    writeFile(readFile(copy).map { _ in 7 }, to: copy)
    let opened = try open()
    #expect(opened.notices == [])
    try opened.logbook.updateReplica(directory: directory.path)
    #expect(Replica.head(in: directory.path).map { $0 == head } == true)
  }

  @Test func `is read from a copy while it cannot be written, and continues when it can`() throws {
    var history = History(seed: 8)
    let head = try lived(&history, copied: 40, more: 20)
    let refuge = TemporaryDirectory()
    let opened = try Logbook.openCopyInMemory(
      directory.path, "\(refuge.path)/adrift", Self.now,
      because: .unwritable(doing: "open the record", reason: "Read-only file system"))
    let logbook = opened.logbook
    #expect(logbook.isDetached && opened.notices.count == 1)
    try expect(opened.snapshot, equals: history.replay)

    // The record is missing. The logbook then cannot write, as on a read-only disk.
    rename(directory.record, directory.record + ".away")
    let record = history.record(.heartbeat)
    let error = #expect(throws: LogbookError.self) { try logbook.record([record], StateDelta()) }
    #expect(error?.kind == "unwritable")
    #expect(logbook.head == head)
    // A different record is now in the place of the missing record. The logbook adds no rows to the
    // different record.
    let stranger = try Logbook.open(directory, seed: 3)
    var other = History(seed: 12)
    try other.playAtOnce(5, into: stranger)
    let strange = stranger.head
    try stranger.close()
    #expect(throws: LogbookError.self) { try logbook.record([record], StateDelta()) }
    #expect(logbook.isDetached && logbook.head == head)
    let untouched = try Logbook.open(directory)
    #expect(untouched.head == strange)
    try untouched.close()
    for suffix in ["-wal", "-shm"] { unlink(directory.record + suffix) }
    rename(directory.record + ".away", directory.record)
    try logbook.record([record], StateDelta())
    #expect(!logbook.isDetached)
    #expect(logbook.head.sequence == head.sequence + 1)
    try logbook.close()
    #expect(try Logbook.open(directory).head.sequence == head.sequence + 1)
  }

  @Test func `survives a power cut at every step of a replacement`() throws {
    struct PowerCut: Error {}
    var steps: [String] = []
    try exchange { steps.append($0) }
    #expect(steps.count == 7)
    for step in steps {
      #expect(throws: PowerCut.self) { try exchange { if $0 == step { throw PowerCut() } } }
      try AtomicReplace.resume(directory.path)
      let logbook = try Logbook.open(directory)
      let isNew = logbook.head.sequence > 0
      #expect(isNew == !["keep", "promise"].contains(step), "\(step)")
      #expect(try logbook.verify().isOK, "\(step)")
      try logbook.close()
      #expect(access("\(directory.path)/replacing", F_OK) != 0, "\(step)")
    }
  }

  @Test func `is not mixed with the write-ahead log of the record that it replaces`() throws {
    let live = TemporaryDirectory()
    let old = try Logbook.open(live)
    var history = History(seed: 10)
    try history.playAtOnce(20, into: old)
    // After a process is killed, the record and its write-ahead log look like these copies.
    for suffix in ["", "-wal"] {
      writeFile(readFile(live.record + suffix), to: directory.record + suffix)
    }
    #expect(!readFile(directory.record + "-wal").isEmpty)
    let replacement = try AtomicReplace(of: directory.path)
    let new = try Logbook(directory: replacement.workDirectory)
    var other = History(seed: 11)
    try other.playAtOnce(10, into: new)
    let head = new.head
    try new.close()
    try replacement.commit(aside: "old")
    let logbook = try Logbook.open(directory)
    #expect(logbook.head == head)
    #expect(try logbook.verify(anchor: head).isOK)
    let kept = try Logbook(directory: "\(directory.path)/old")
    #expect(kept.head == old.head)
  }

  /// Replaces an empty record with a full record. The same directory contains a file with
  /// the name of a write-ahead log of this record, but this file does not belong to the record.
  private func exchange(_ step: (String) throws -> Void) throws {
    for name in TemporaryDirectory.list(directory.path) {
      TemporaryDirectory.remove("\(directory.path)/\(name)")
      unlink("\(directory.path)/\(name)")
    }
    try Logbook.open(directory).close()
    writeFile([1, 2, 3], to: directory.record + "-wal")
    let replacement = try AtomicReplace(of: directory.path)
    let new = try Logbook(directory: replacement.workDirectory)
    var history = History(seed: 9)
    try history.playAtOnce(10, into: new)
    try new.close()
    try replacement.commit(aside: "old", step: step)
  }
}
