import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Tests the records of earlier versions. The fixtures contain these records as SQL text. The
/// fixture of a released version never changes.
///
/// To add the record of a new version, run `PROMPTER_FIXTURE=record-v2.sql swift test --filter
/// Migrating` with the name of a new file.
@Suite struct `Migrating` {
  private let directory = TemporaryDirectory()

  private static let releases: [(file: String, head: Logbook.Head)] = [
    (
      "record-v1.sql",
      (53, "9d45e3b79e8ad7b398928e92c27cfb518f4f5b3c4d0821dc6b872de8b76505e8")
    ),
    // This record contains the event types of the versions before 0.2.0.
    (
      "record-v2.sql",
      (523, "670ca96d072b96ae6749ea087e639b93ed21f5bd53e52e45d8cfc0e1d9762b90")
    ),
    // Version 0.2.0 wrote this record.
    (
      "record-v3.sql",
      (523, "9bb5a7c54b069ef851d7e4e012fdfe2f471bbe3b78ff6e8cb2ffcc1f9b64b6f0")
    ),
  ]

  @Test func `a record of every release opens complete and unchanged, and can be continued`() throws
  {
    for (file, head) in Self.releases {
      let directory = TemporaryDirectory()
      let queue = try DatabaseQueue(path: directory.record)
      let dump = String(decoding: readFile("\(fixtures)/\(file)"), as: UTF8.self)
      try queue.writeWithoutTransaction { db in try db.execute(sql: dump) }
      try queue.close()

      let logbook = try Logbook.open(directory)
      #expect(logbook.head == head, "\(file)")
      let found = try logbook.verify(anchor: head)
      #expect(found.isOK, "\(file): \(found)")
      let snapshot = try logbook.restore()
      #expect(!snapshot.alarms.isEmpty && !snapshot.openPrompts.isEmpty, "\(file)")

      var history = History(seed: 2)
      try logbook.record([history.record(.heartbeat)], .init())
      #expect(try logbook.verify(anchor: head).isOK)
      #expect(logbook.head.sequence == head.sequence + 1)
    }
  }

  @Test(.enabled(if: run("sqlite3 -version").status == 0))
  func `opening a record twice migrates it once`() throws {
    func contents() -> String { run("sqlite3 \(directory.record) .dump").output }
    try Logbook.open(directory).close()
    let before = contents()
    try Logbook.open(directory, seed: 2).close()
    let isUnchanged = contents() == before
    #expect(isUnchanged && before.contains("CREATE TABLE events"))
  }

  /// Set PROMPTER_FIXTURE to the name of a new file. The test then writes the record of this
  /// version to this file in `Tests/Fixtures/logbook`.
  @Test func `a record that was written as SQL and read again is complete`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try history.play(240, into: logbook)
    let head = logbook.head
    try logbook.close()
    let dump =
      getenv("PROMPTER_FIXTURE").map { "\(fixtures)/\(String(cString: $0))" }
      ?? "\(directory.path)/record.sql"
    let written = run(
      "(echo 'PRAGMA application_id = \(Schema.applicationID);'; sqlite3 \(directory.record) .dump)"
        + " > \(dump)")
    #expect(written.status == 0, "\(written.output)")
    if getenv("PROMPTER_FIXTURE") != nil { print("head", head) }
    let other = TemporaryDirectory()
    let read = run("mkdir -p $(dirname \(other.record)); sqlite3 \(other.record) < \(dump)")
    #expect(read.status == 0, "\(read.output)")
    let again = try Logbook.open(other)
    #expect(again.head == head)
    #expect(try again.verify(anchor: head).isOK)
  }
}
