import API
import GRDB
import Glibc
import Testing

@testable import Logbook

/// Tests the progress of long operations, and the errors that they throw.
@Suite struct `A long operation` {
  private struct Bug: Error {}

  @Test func `is listed with its progress until it ends, the oldest first`() throws {
    let tracker = ProgressTracker()
    #expect(tracker.underWay == [])
    func nest(_ depth: Int64) {
      tracker.during(.export) { progress in
        #expect(tracker.underWay.last == LongWork(.export, done: 0, total: 0))
        progress(depth, 20)
        #expect(
          tracker.underWay
            == [LongWork(.verify, done: 0, total: 0)]
            + (1...depth).map { LongWork(.export, done: $0, total: 20) })
        if depth < 12 { nest(depth + 1) }
      }
    }
    let result = tracker.during(.verify) { progress in
      nest(1)
      progress(3, 9)
      #expect(tracker.underWay == [LongWork(.verify, done: 3, total: 9)])
      return 7
    }
    #expect(result == 7 && tracker.underWay == [])
    #expect(throws: Bug.self) { try tracker.during(.backup) { _ throws(Bug) in throw Bug() } }
    #expect(tracker.underWay == [])
  }

  @Test(
    arguments: [
      (.cannotOpen(path: "p", reason: "r"), "cannot_open", "cannot open the record \"p\": r"),
      (
        .newer(path: "p"), "newer",
        "cannot open the record \"p\": a newer version of this program wrote it; "
          + "install that version"
      ),
      (
        .corrupt(doing: "d", reason: "r"), "corrupt", "cannot d: the record is damaged (r)"
      ),
      (.full(doing: "d"), "full", "cannot d: no space is left on the disk"),
      (.unwritable(doing: "d", reason: "r"), "unwritable", "cannot d: r"),
      (.invalid(doing: "d", reason: "r"), "invalid", "cannot d: r"),
      (.notFound("w"), "not_found", "there is no w"),
      (.failed(doing: "d", reason: "r"), "failed", "cannot d: r"),
    ] as [(LogbookError, String, String)])
  func `throws an error with a kind and a sentence`(
    error: LogbookError, kind: String, sentence: String
  ) {
    #expect(error.kind == kind && error.description == sentence)
    #expect(LogbookError(error, doing: "something else") == error)
  }

  @Test func `explains each error of SQLite`() {
    func found(_ code: ResultCode, _ message: String? = "m") -> LogbookError {
      LogbookError(DatabaseError(resultCode: code, message: message), doing: "d")
    }
    for code: ResultCode in [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR] {
      #expect(found(code) == .corrupt(doing: "d", reason: "m"))
    }
    #expect(found(.SQLITE_FULL) == .full(doing: "d"))
    for code: ResultCode in [
      .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH,
    ] { #expect(found(code) == .unwritable(doing: "d", reason: "m")) }
    for code: ResultCode in [.SQLITE_BUSY, .SQLITE_CONSTRAINT, .SQLITE_MISUSE] {
      #expect(found(code) == .failed(doing: "d", reason: "m"))
    }
    #expect(LogbookError(Bug(), doing: "d") == .failed(doing: "d", reason: "Bug()"))
    #expect(throws: LogbookError.full(doing: "w")) {
      try explaining("w") { throw DatabaseError(resultCode: .SQLITE_FULL) }
    }
  }

  @Test(arguments: [
    (ENOSPC, LogbookError.full(doing: "d")), (EDQUOT, .full(doing: "d")),
    (EIO, .unwritable(doing: "d", reason: "Input/output error")),
    (EACCES, .unwritable(doing: "d", reason: "Permission denied")),
  ])
  func `explains each error of the system`(code: Int32, error: LogbookError) {
    #expect(ExportFile.failure("d", code) == error)
  }
}
