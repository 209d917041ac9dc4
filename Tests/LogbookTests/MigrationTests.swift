import Alarms
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Records of each released version, as SQL text. They never change.
///
/// Add the record of a new version with `PROMPTER_FIXTURE=record-v2.sql swift test --filter
/// Migrating`.
@Suite struct `Migrating` {
  private let directory = TemporaryDirectory()

  private static let releases: [(file: String, head: Logbook.Head)] = [
    (
      "record-v1.sql",
      (53, "9d45e3b79e8ad7b398928e92c27cfb518f4f5b3c4d0821dc6b872de8b76505e8")
    ),
    // With the event types of before version 0.2.0.
    (
      "record-v2.sql",
      (523, "670ca96d072b96ae6749ea087e639b93ed21f5bd53e52e45d8cfc0e1d9762b90")
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

  @Test(.enabled(if: getenv("PROMPTER_FIXTURE") != nil))
  func `writes the fixture of this version if PROMPTER_FIXTURE is set`() throws {
    let name = String(cString: getenv("PROMPTER_FIXTURE"))
    let logbook = try Logbook.open(directory)
    var history = History(seed: 1)
    try history.play(240, into: logbook)
    print("head", logbook.head)
    try logbook.close()
    let result = run(
      "(echo 'PRAGMA application_id = \(Schema.applicationID);'; sqlite3 \(directory.record) .dump)"
        + " > \(fixtures)/\(name)")
    #expect(result.status == 0, "\(result.output)")
  }
}
