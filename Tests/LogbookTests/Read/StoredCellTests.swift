import GRDB
import Testing

@testable import Logbook

/// Tests two ways to read a value. The logbook reads a cell of SQLite, or finds a value in a
/// payload without a JSON parser.
@Suite struct `A stored cell` {
  private func scan<Value>(_ text: String, _ read: (PayloadScan) -> Value) -> Value {
    Array(text.utf8).withUnsafeBytes { read(PayloadScan(bytes: $0)) }
  }

  @Test(
    arguments: [
      (#"{"n":5}"#, 5), (#"{"n":-7,"m":1}"#, -7), (#"{"m":1,"n":12}"#, 12),
      (#"{"a":[{"n":3}],"n":4}"#, 3), (#"{"a":[1],"n":4}"#, 4), (#"[1,{"n":3]"#, 3),
      (#"{"n":[1]}"#, nil), (#"{"n":"5"}"#, nil), (#"{"n":null}"#, nil), (#"{"n":1.5}"#, nil),
      (#"{"nn":1}"#, nil), (#"{"m":"n"}"#, nil), ("{}", nil), ("", nil), (#"{"n":}"#, nil),
      (#"{"n":"#, nil), (#"{"n""#, nil), (#"{"n"#, nil), (#"{"n":7"#, 7), (#""n":8"#, 8),
      (#"{"n";1,"n":2}"#, 2), (#"{"n:1,"n":2}"#, 2), (#"{n":1,"n":2}"#, 2),
      (#"{"x":1,"y":2,"n":3}"#, 3),
    ] as [(String, Int64?)])
  func `of a payload gives the first integer of a name`(payload: String, value: Int64?) {
    #expect(scan(payload) { $0.integer("n") } == value)
    #expect(
      scan(payload) { $0.double("n") } == (payload.contains("1.5") ? 1.5 : value.map(Double.init)))
  }

  @Test(
    arguments: [
      (#"{"n":true}"#, true, nil), (#"{"n":false}"#, false, nil), (#"{"n":null}"#, nil, nil),
      (#"{"n":"abc","m":"d"}"#, nil, "abc"), (#"{"n":""}"#, nil, ""), (#"{"n":5}"#, nil, nil),
      (#"{"n":5,"m":"x"}"#, nil, nil),
      (#"{"n":"ab"#, nil, nil), (#"{"n":"#, nil, nil), ("{}", nil, nil), ("", nil, nil),
      (#"{"long name":"x","n":"y"}"#, nil, "y"), (#"{"a":true,"n":false}"#, false, nil),
    ] as [(String, Bool?, String?)])
  func `of a payload gives the first flag or word of a name`(
    payload: String, flag: Bool?, word: String?
  ) {
    #expect(scan(payload) { $0.bool("n") } == flag)
    #expect(scan(payload) { $0.word("n") } == word)
  }

  @Test func `is read without a conversion, and a failed query throws the error of SQLite`() throws
  {
    try DatabaseQueue().read { db in
      let rows = try RawRows(
        db, sql: "SELECT 7, NULL, 'ä', ?, -2 UNION ALL SELECT 8, 0, '', 'y', NULL",
        arguments: ["x"])
      let next = try rows.next()
      let row = try #require(next)
      #expect((0..<5).map { row.isNull($0) } == [false, true, false, false, false])
      #expect((0..<5).map { row.string($0) } == ["7", nil, "ä", "x", "-2"])
      #expect((0..<5).map { row.integer($0) } == [7, 0, 0, 0, -2])
      #expect([0, 1, 4].map { row.optionalInteger($0) } == [7, nil, -2])
      #expect(row.text(2).map { Array($0) } == Array("ä".utf8) && row.text(1) == nil)
      let second = try rows.next()
      #expect((0..<5).map { second?.string($0) } == ["8", "0", "", "y", nil])
      let end = try rows.next()
      #expect(end == nil)
      let failing = try RawRows(db, sql: "SELECT abs(-9223372036854775807 - 1)")
      let error = #expect(throws: DatabaseError.self) { _ = try failing.next() }
      #expect(error?.resultCode == .SQLITE_ERROR && error?.message == "integer overflow")
    }
  }

  @Test func `with a wrong type is reported with its table and column`() throws {
    let row = try DatabaseQueue().read {
      try Row.fetchOne($0, sql: "SELECT 7, NULL, 'a', 1.5, x'00'")
    }
    let cells = RowReader(try #require(row), of: "things")
    func damage(_ column: Int) -> LogbookError {
      .corrupt(
        doing: "read the record",
        reason: "a row of the table things has a wrong value in column \(column)")
    }
    #expect(try cells.integer(0) == 7 && cells.optionalInteger(0) == 7)
    #expect(try cells.optionalInteger(1) == nil && cells.optionalText(1) == nil)
    #expect(try cells.text(2) == "a" && cells.optionalText(2) == "a")
    #expect(try cells.double(0) == 7 && cells.double(3) == 1.5)
    for column in [1, 2, 3, 4] {
      #expect(throws: damage(column)) { _ = try cells.integer(column) }
    }
    for column in [2, 3, 4] {
      #expect(throws: damage(column)) { _ = try cells.optionalInteger(column) }
    }
    for column in [0, 1, 3, 4] { #expect(throws: damage(column)) { _ = try cells.text(column) } }
    for column in [0, 3, 4] {
      #expect(throws: damage(column)) { _ = try cells.optionalText(column) }
    }
    for column in [1, 2, 4] { #expect(throws: damage(column)) { _ = try cells.double(column) } }
  }
}
