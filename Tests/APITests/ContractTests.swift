import Alarms
import Foundation
import Glibc
import JSONValue
import StudyExport
import Testing

@testable import API

/// Compares the table of routes with three other sources. These are the request readers, the
/// documents and the pages in the repository.
@Suite struct ContractTests {
  static let docs = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/reference")

  /// To update the pages in the repository, run `PROMPTER_WRITE_DOCS=1 swift test --filter "the
  /// committed pages"`.
  @Test(arguments: ["openapi.json", "API.md", "LOG.md"])
  func `the committed pages equal the generated pages`(name: String) throws {
    let text =
      switch name {
      case "API.md": APIPage.text
      case "LOG.md": LogPage.text
      default: OpenAPI.document.indented
      }
    let file = Self.docs.appending(path: name)
    if getenv("PROMPTER_WRITE_DOCS") != nil { try Data(text.utf8).write(to: file) }
    let committed = try String(contentsOf: file, encoding: .utf8)
    let isSame = committed == text
    #expect(isSame, "docs/reference/\(name) is not the generated page; see the comment above")
  }

  @Test func `each reference of the document exists, and each schema name has one meaning`() {
    let text = OpenAPI.document.description
    let names = Set(text.matches(of: /#\/components\/schemas\/([A-Za-z]+)/).map { String($0.1) })
    #expect(names.count > 10)
    for name in names {
      #expect(OpenAPI.document["components"]?["schemas"]?[name] != nil, "\(name)")
    }
    var meant: [String: JSONSchema] = [:]
    for route in Route.all {
      for content in [route.takes, route.answers] {
        for (name, shape) in content?.shape?.names ?? [] {
          #expect(meant[name] == nil || meant[name] == shape, "\(name) of \(route.operation)")
          meant[name] = shape
        }
      }
    }
  }

  @Test func `a request reader accepts the fields of its schema`() {
    func known(_ read: ([UInt8]) throws -> Void) -> [String] {
      do {
        try read(Array(#"{"no such field":1}"#.utf8))
        return []
      } catch {
        let detail = (error as? Refusal)?.detail ?? "\(error)"
        let list = detail.split(separator: "known fields: ").last.map(String.init) ?? ""
        return list.split(separator: ", ").map(String.init)
      }
    }
    func names(_ shape: JSONSchema) -> [String] { shape.fields.map(\.name).sorted() }
    #expect(known { _ = try AlarmForm(body: $0) } == names(.alarmForm))
    #expect(known { _ = try Answer(.delay, body: $0) } == names(.delayForm))
    #expect(known { _ = try Answer(.decline, body: $0) } == names(.reasonForm))
    #expect(known { _ = try Answer(.cancel, body: $0) } == names(.reasonForm))
  }
}

@Suite struct StrictJSONTests {
  @Test(arguments: [
    (#"{"a":1,"a":2}"#, "twice"), (#"{"x":{"b":1,"b":1}}"#, "twice"),
    (#"{"a":01}"#, "without an end"), (#"{"a":+1}"#, "a value"), (#"{"a":1.}"#, "a value"),
    (#"{"a":.5}"#, "a value"), (#"{"a":1e}"#, "a value"), (#"{"a":NaN}"#, "a value"),
    (#"{"a":1e999}"#, "too large"), (#"{"a":"\ud800"}"#, "surrogate"),
    (#"{"a":"\udc00\ud800"}"#, "surrogate"), (#"{"a":"\ud800\u0041"}"#, "surrogate"),
    (#"{"a":"\x"}"#, "escape"), (#"{"a":"\u00g0"}"#, "digits"), ("{\"a\":\"\n\"}", "control"),
    (#"{"a":1,}"#, "name"), (#"[1,]"#, "a value"), (#"{"a" 1}"#, "without a value"),
    (#"{"a":1} {}"#, "more than one"), (#"{'a':1}"#, "name"), ("{a:1}", "name"), ("", "end at"),
    (#"{"a":tru}"#, "a value"), (#"{"a":1"#, "without an end"), ("-", "unexpected end"),
  ])
  func `text that is not strict JSON is refused with the reason`(text: String, why: String) {
    #expect {
      try JSON(parsing: Array(text.utf8))
    } throws: {
      ($0 as? Refusal)?.kind == .malformed && "\($0)".contains(why)
    }
  }

  @Test func `a member that comes twice is named in the refusal`() {
    #expect(
      throws: Refusal(
        .malformed, field: "label", "cannot read the body: it contains this member twice")
    ) { try AlarmForm(body: Array(#"{"label":"a","l\u0061bel":"b"}"#.utf8)) }
  }

  @Test func `spaces, escapes, surrogate pairs and numbers are read`() throws {
    let text =
      " {\t\"a\" : [ -0 , 1.5e2, 9223372036854775807, 9223372036854775808 ] ,\r\n"
      + #""b" : "\ud83d\udc8a\/\b\f\u00e9" } "#
    let read = try JSON(parsing: Array(text.utf8))
    #expect(
      read["a"]
        == .array([
          .integer(0), .number(150), .integer(.max), .number(9_223_372_036_854_775_808),
        ]))
    #expect(read["b"]?.string == "💊/\u{8}\u{c}é")
  }

  @Test func `5 and 5.0 are the same integer`() throws {
    #expect(try AlarmForm(body: Array(#"{"rings":5.0}"#.utf8)).rings == 5)
  }
}
