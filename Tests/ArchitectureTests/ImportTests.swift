import Testing

@Suite struct ImportTests {
  @Test func `the table lists each module`() {
    let found = Set(Architecture.swift(under: "Sources").map(\.module))
    #expect(found == Set(Architecture.modules.map(\.name)))
  }

  @Test(arguments: Architecture.modules.map(\.name))
  func `a module imports only what the table allows`(name: String) throws {
    let module = try #require(Architecture.modules.first { $0.name == name })
    let findings = Architecture.swift(under: "Sources/\(name)").flatMap {
      $0.forbiddenImports(in: module)
    }
    #expect(findings == [])
  }

  @Test(arguments: Architecture.modules.map(\.name))
  func `a module contains no banned word`(name: String) throws {
    let module = try #require(Architecture.modules.first { $0.name == name })
    let findings = Architecture.swift(under: "Sources/\(name)").flatMap { $0.banned(in: module) }
    #expect(findings == [])
  }

  @Test func `only Processes starts programs`() {
    let others = Module(
      "Others",
      banned: ["posix_spawn", "posix_spawnp"].map { ($0, "ChildProcess starts programs") })
    let findings = Architecture.swift.filter { $0.module != "Processes" }
      .flatMap { $0.banned(in: others) }
    #expect(findings == [])
  }

  /// The archive of a study stores copies of rows on a server. The archive must be able to erase
  /// the content of these rows. Only one file of the module StudyArchive may do this.
  @Test func `no statement changes old events of the record`() {
    let findings = Architecture.swift(under: "Sources").flatMap { $0.rewritesOfHistory() }
    let others = findings.filter { $0.path != "Sources/StudyArchive/Homes/Erasure.swift" }
    #expect(others == [])
    #expect(findings.count == others.count + 1)
  }
}

/// Tests each check with two samples. One sample breaks the rule and must give a finding. The other
/// sample keeps the rule and must give no finding.
@Suite struct ImportCheckTests {
  private let alarms = Architecture.modules[1]

  private func sample(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/Alarms/X.swift", text: text)
  }

  @Test(arguments: [
    "import Foundation", "@preconcurrency import Glibc", "public import GRDB",
    "  internal import struct Foundation.Date", "@testable import API",
  ])
  func `an import that is not in the table is found`(line: String) {
    #expect(sample("// why\n\(line)\n").forbiddenImports(in: alarms).map(\.line) == [2])
  }

  @Test func `an import in a comment or a text is not counted`() {
    let text = "import CivilTime\n// import Foundation\nlet a = \"\"\"\n  import Glibc\n  \"\"\"\n"
    #expect(sample(text).forbiddenImports(in: alarms) == [])
  }

  @Test(arguments: [
    "let now = Date()", "clock_gettime(CLOCK_REALTIME, &t)", "let f = fopen(path, \"r\")",
    "func f() async {", "let n = Int.random(in: 0..<3)", "let x = \"\\(Date())\"", "print(1)",
    "sqlite3_open(path)",
  ])
  func `a word that the module must not contain is found`(line: String) {
    #expect(!sample(line).banned(in: alarms).isEmpty)
  }

  @Test(arguments: [
    "let date = CivilDate(dayNumber: 1)", "// Date() is banned", "let text = \"print(1)\"",
    "cursor.read(4)", "private mutating func read() throws {", "let isAsynchronous = true",
    "sprint(1)",
  ])
  func `a word within another word, in a comment or in a text is not counted`(line: String) {
    #expect(sample(line).banned(in: alarms) == [])
  }

  @Test(arguments: [
    "UPDATE " + "events SET a = 1", "delete  from " + "events", "DROP TABLE " + "\"events\"",
  ])
  func `a statement that changes old events is found`(statement: String) {
    #expect(sample("try db.execute(sql: \"\(statement)\")").rewritesOfHistory().count == 1)
  }

  @Test func `a trigger that protects old events is not counted`() {
    #expect(sample("CREATE TRIGGER t BEFORE UPDATE ON events").rewritesOfHistory() == [])
  }
}
