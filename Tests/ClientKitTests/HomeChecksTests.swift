import API
import CivilTime
import JSONValue
import Testing

@testable import ClientKit

@Suite struct `The checks of doctor` {
  private func findings(_ status: String) throws -> [Finding] {
    HomeChecks(
      status: try JSON(parsing: Array(status.utf8)), now: Instant(seconds: 1_800_000_000)
    ).findings
  }

  /// The check decides by the kind of a problem, and ignores the words of the problem.
  @Test(arguments: StatusProblem.Kind.allCases)
  func `decide by the kind of a problem`(kind: StatusProblem.Kind) throws {
    func kinds(_ problems: String) throws -> [String] {
      try findings("{\"problems\":[\(problems)]}").map(\.kind).sorted()
    }
    let without = try kinds("")
    let one = try kinds("{\"kind\":\"\(kind.rawValue)\",\"detail\":\"x\"}")
    let other = try kinds("{\"kind\":\"\(kind.rawValue)\",\"detail\":\"the clock is not\"}")
    #expect(one == other)
    switch kind {
    case .recordNotWritable, .speakerUnusable, .clockUnsynced, .diskLow, .recordingsMissing:
      #expect(one == without)
    default: #expect(one.count == without.count + 1)
    }
  }

  @Test func `show a kind that they do not know`() throws {
    let found = try findings("{\"problems\":[{\"kind\":\"new\",\"detail\":\"the moon is full\"}]}")
    #expect(found.contains { $0.kind == "home" && $0.text == "the moon is full" })
  }

  @Test func `name each cause that silences an alarm`() throws {
    let found = try findings(
      """
      {"clock":{"state":"unset"},"speaker":{"usable":false,"trouble":"gone"},
       "record":{"writable":false},"machine":{"free_bytes":1000000,"state_directory":"/x"}}
      """)
    #expect(found.filter { $0.grade == .silent }.map(\.kind).sorted() == ["clock", "speaker"])
    #expect(found.filter { $0.grade == .problem }.map(\.kind).sorted() == ["disk", "record"])
    #expect(found.filter { $0.grade > .note }.allSatisfy { $0.fix != nil })
  }

  @Test func `name a language without a voice, and a language without sentences`() throws {
    func languages(_ rows: String) throws -> [Finding] {
      try findings(#"{"language":"de","languages":[\#(rows)]}"#).filter { $0.kind == "language" }
    }
    let good = #"{"person":"a","language":"de-AT","voice":true,"sentences":"de-AT"}"#
    let untried = #"{"person":"a","language":"vi","voice":null,"sentences":"vi"}"#
    #expect(try languages(good).isEmpty && languages(untried).isEmpty)
    let french = #"{"person":"anna","language":"fr","voice":true,"sentences":"de"}"#
    let note = try languages(french)
    #expect(note.map(\.grade) == [.note])
    #expect(note.first?.text.contains(#"are German, with the voice "de""#) == true)
    let klingon = #"{"person":"anna","language":"tlh","voice":false,"sentences":"de"}"#
    let found = try languages(klingon)
    #expect(found.map(\.grade) == [.warning, .note] && found.first?.fix != nil)
    #expect(found.first?.text.contains(#"the voice "de" speaks them"#) == true)
    let own = #"{"person":"anna","language":"de","voice":false,"sentences":"de"}"#
    #expect(try languages(own).first?.text.contains("a sound plays instead") == true)
  }

  @Test func `show a wrong configuration as a problem with its line`() throws {
    let detail = "cannot use the configuration: line 3: no"
    let found = try findings(
      "{\"problems\":[{\"kind\":\"configuration\",\"detail\":\"\(detail)\"}]}")
    let finding = try #require(found.first { $0.kind == "configuration" })
    #expect(finding.grade == .problem && finding.text == detail)
    #expect(finding.fix?.contains("--check-config") == true)
  }
}
