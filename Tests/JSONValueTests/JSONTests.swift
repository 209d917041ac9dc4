import Alarms
import JSONValue
import Testing

@Suite struct JSONTests {
  static func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
    Array(
      (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
  }

  @Test(arguments: [("[", "]"), ("{\"a\":", "}")])
  func `nesting of 32 levels is read, and deeper nesting is refused`(
    open: String, close: String
  ) throws {
    let deepest = Self.nested(32, open, close)
    #expect(try JSON(parsing: deepest).description == String(decoding: deepest, as: UTF8.self))
    #expect(
      throws: Refusal(.malformed, "cannot read the body: it has more than 32 levels")
    ) { try JSON(parsing: Self.nested(33, open, close)) }
  }

  @Test func `brackets in strings do not count as nesting`() throws {
    let text = String(repeating: "[", count: 100)
    let bytes = Array("{\"a\":\"\(text)\",\"b\":\"\\\"\(text)\\\\\",\"c\":[[1]]}".utf8)
    #expect(try JSON(parsing: bytes)["b"]?.string == "\"\(text)\\")
  }

  @Test func `extra closing brackets do not allow deeper nesting`() {
    let bytes = Array("]]]]]]]]]]".utf8) + Self.nested(40, "[", "]")
    #expect(throws: Refusal.self) { try JSON(parsing: bytes) }
  }

  @Test func `only UTF-8 is read`() {
    let wide = "[\"\u{2241}\"]".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    #expect(throws: Refusal(.malformed, "cannot read the body: it is not UTF-8")) {
      try JSON(parsing: wide)
    }
  }
}
