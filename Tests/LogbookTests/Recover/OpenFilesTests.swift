import Alarms
import CivilTime
import GRDB
import Glibc
import StudyExport
import Testing

@testable import Logbook

/// Tests that no file of the logbook stays open after an operation, and how a file is opened.
@Suite struct `A file of the logbook` {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path }

  /// Returns the names of the files in the directory of the test that this process has open.
  private func openFiles() -> [String] {
    TemporaryDirectory.list("/proc/self/fd").compactMap { number in
      var target = [CChar](repeating: 0, count: 4_096)
      guard readlink("/proc/self/fd/\(number)", &target, target.count - 1) > 0 else { return nil }
      let name = target.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      return name.hasPrefix(path) ? String(name.dropFirst(path.utf8.count)) : nil
    }
  }

  private func record(_ count: Int) throws -> Logbook {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 3)
    try history.playAtOnce(count, into: logbook)
    return logbook
  }

  @Test func `is closed after the record is closed`() throws {
    let logbook = try record(5)
    try logbook.updateReplica(directory: path)
    #expect(Set(openFiles()).isSuperset(of: ["/record.sqlite", "/snapshot/record.sqlite"]))
    try logbook.close()
    #expect(openFiles() == [])
    let again = try Logbook.open(directory)
    try again.updateReplica(directory: path)
    try again.abandon()
    #expect(openFiles() == [])
    #expect(Replica.head(in: path)?.sequence == again.head.sequence && openFiles() == [])
  }

  @Test func `is closed after a copy, a digest and a directory`() throws {
    let (source, target) = ("\(path)/source", "\(path)/target")
    writeFile([1, 2, 3], to: source)
    try copyFile(source, target)
    #expect(openFiles() == [])
    #expect(throws: LogbookError.self) { try copyFile(source, target) }
    #expect(openFiles() == [])
    #expect(try Logbook.digest(ofFile: source).1 == 3)
    #expect(openFiles() == [])
    mkdir("\(path)/empty", 0o700)
    let isNew = try Logbook.prepare("\(path)/empty")
    #expect(!isNew && openFiles() == [])
    #expect(throws: LogbookError.self) { try Logbook.prepare(path) }
    #expect(openFiles() == [])
  }

  @Test func `of an export is closed after the export, and if nobody reads it to the end`() throws {
    let logbook = try record(5)
    _ = try logbook.writeExport(to: "\(path)/out", profile: .limited)
    try logbook.close()
    #expect(openFiles() == [])
    do {
      _ = try ExportFile(directory: path, name: "a.csv", writer: ExportFileWriter())
    }
    #expect(openFiles() == [])
    mkdir("\(path)/archive", 0o700)
    for name in ["a", "b"] { writeFile([1], to: "\(path)/archive/\(name)") }
    do {
      let reader = ArchiveReader(directory: "\(path)/archive", names: ["a", "b"])
      for _ in 0..<4 { _ = try reader.next() }
      #expect(openFiles() == ["/archive/b"])
    }
    #expect(openFiles() == [] && access("\(path)/archive", F_OK) != 0)
  }

  @Test func `is closed after a recovery and after an upgrade`() throws {
    let logbook = try record(5)
    try logbook.updateReplica(directory: path)
    try logbook.close()
    try Logbook.markDamaged(directory: path, because: "a page")
    let opened = try Logbook.opening(directory: path, refuge: nil, now: 9)
    try opened.logbook.close()
    #expect(openFiles() == [])
    var migrator = Schema.migrator
    migrator.registerMigration("next") {
      try $0.execute(sql: "CREATE TABLE moods (name TEXT) STRICT")
    }
    _ = try Upgrade.run(path, migrator)
    #expect(openFiles() == [])
  }

  private static let pragmas = [
    "auto_vacuum", "busy_timeout", "cache_size", "cell_size_check", "foreign_keys",
    "secure_delete", "synchronous", "trusted_schema",
  ]

  private func settings(_ db: Database) throws -> [Int] {
    try Self.pragmas.map { try Int.fetchOne(db, sql: "PRAGMA \($0)") ?? -1 }
  }

  @Test func `has settings that keep erased texts away and do not trust the schema`() throws {
    let logbook = try record(1)
    var found = try logbook.pool.writeWithoutTransaction(settings)
    #expect(found == [2, 5_000, -256, 1, 1, 1, 2, 0])
    #expect(try logbook.pragma("journal_size_limit") == "\(16 << 20)")
    let copy = try Replica.open(path)
    found = try copy.writeWithoutTransaction(settings)
    #expect(found == [2, 5_000, -256, 1, 0, 1, 2, 0])
    try copy.close()
    try logbook.close()
    let looked = try looking(into: directory.record, settings)
    #expect([looked[1], looked[3], looked[7]] == [5_000, 1, 0])
  }

  @Test func `can be changed by a reader only if a journal is beside the file`() throws {
    try record(1).close()
    let isReader = try looking(into: directory.record) { $0.configuration.readonly }
    writeFile([0], to: "\(directory.record)-journal")
    let isStillReader = try looking(into: directory.record) { $0.configuration.readonly }
    #expect(isReader && !isStillReader && openFiles() == [])
  }
}
