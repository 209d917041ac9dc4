import Alarms
import Testing

@testable import StudyExport

@Suite struct `A reader of comma-separated values` {
  private func texts(_ text: String) throws -> [[String]] {
    try CSV.rows(Array(text.utf8)).map { $0.map(\.text) }
  }

  @Test func `ends a line at LF, CRLF or CR, and leaves out empty lines`() throws {
    #expect(try texts("a,b\n\nc,\r\n\r,d\re") == [["a", "b"], ["c", ""], ["", "d"], ["e"]])
    #expect(try texts("\"\"\n\"\"") == [] && texts("") == [] && texts(",") == [["", ""]])
  }

  @Test func `keeps commas, quotation marks and line ends of a quoted cell`() throws {
    let rows = try CSV.rows(Array("\"a,\"\"\r\nb\",c\n\"\",d".utf8))
    #expect(rows.map { $0.map(\.text) } == [["a,\"\r\nb", "c"], ["", "d"]])
    #expect(rows.map { $0.map(\.line) } == [[1, 2], [3, 3]])
    #expect(rows.map { $0.map(\.column) } == [[1, 4], [1, 4]])
  }

  @Test func `counts columns by character, not by byte, and without a byte-order mark`() throws {
    let rows = try CSV.rows(Array("\u{FEFF}ü,€\u{301},x".utf8))
    #expect(rows.first?.map(\.column) == [1, 3, 6] && rows.first?.first?.text == "ü")
    // The reader removes only a complete byte-order mark at the beginning of the file.
    #expect(try texts("\u{FEFE}a\n\u{FEFF}b") == [["\u{FEFE}a"], ["\u{FEFF}b"]])
  }

  @Test(arguments: [
    ("a\"b", "line 1, column 2: a quotation mark is in a cell"),
    ("a\n\"b\"c", "line 2, column 4: there is text after"),
    ("a,\"b\n\nc", "line 1, column 3: a quotation mark is not closed"),
  ])
  func `refuses what is not comma-separated values, with the position`(
    text: String, words: String
  ) {
    let refusal = #expect(throws: Refusal.self) { try texts(text) }
    #expect(refusal?.detail.hasPrefix(words) == true, "\(refusal?.detail ?? "")")
  }

  @Test func `reads a table in pieces of any size`() throws {
    let text = "a,b\n\"x, \"\"y\"\"\n\",2\n,\n"
    for size in 1...text.utf8.count {
      var reader = CSVTableReader()
      var found: [[String?]] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        try reader.feed(Array(bytes[start..<min(start + size, bytes.count)])) { line in
          found.append([line["a"], line["b"], line["c"]])
        }
      }
      #expect(found == [["x, \"y\"\n", "2", nil], [nil, nil, nil]])
    }
  }

  @Test func `a row can have fewer cells than the header, and knows the columns`() throws {
    var reader = CSVTableReader()
    #expect(reader.columns == [])
    var found: [String] = []
    try reader.feed(Array("a,b,c\n1,2\n1,2,3\n".utf8)) { line in
      let cells = ["a", "b", "c", "d"].map { line[$0] ?? "-" }.joined()
      found.append(cells + " \(["a", "c", "d"].map { line.has($0) })")
    }
    #expect(found == ["12-- [true, true, false]", "123- [true, true, false]"])
    #expect(reader.columns == ["a", "b", "c"])
  }

  @Test func `the position of each cell counts from line 1 and column 1`() throws {
    let rows = try CSV.rows(Array("a,bc,d\r\n\r\n,\"e\nf\",g\rh".utf8))
    #expect(
      rows.map { $0.map { "\($0.text) \($0.line):\($0.column)" } } == [
        ["a 1:1", "bc 1:3", "d 1:6"], [" 3:1", "e\nf 3:2", "g 4:4"], ["h 5:1"],
      ])
    let refusal = #expect(throws: Refusal.self) { try CSV.rows(Array("a,b\"".utf8)) }
    #expect(refusal?.detail.hasPrefix("line 1, column 4:") == true)
  }

  @Test func `takes the first of two columns with one name, and leaves out a half row`() throws {
    var reader = CSVTableReader()
    var found: [String?] = []
    try reader.feed(Array("a,a\n1,2\n,3\n4,5".utf8)) { found.append($0["a"]) }
    #expect(found == ["1", nil])
    #expect(reader.columns == ["a", "a"])
    #expect(throws: Refusal.self) { try reader.feed(Array("\"6\"7\n".utf8)) { _ in } }
  }
}
