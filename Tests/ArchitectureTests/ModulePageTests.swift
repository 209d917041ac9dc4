import Testing

@Suite struct ModulePageTests {
  private static let page = Architecture.files(under: "docs/internals", endingIn: "MODULES.md")
    .first.map(ModulePage.init)
  private static let code = CodeIndex(
    Architecture.swift(under: "Sources") + Architecture.files(under: "Sources/C"))

  @Test func `each row of the table names a function or type of its file`() throws {
    let page = try #require(Self.page)
    #expect(page.rowCount >= 100)
    #expect(page.findings == [])
    #expect(ModulePage.check(page.decisions, against: Self.code) == [])
  }

  @Test func `each section names files, folders and types of its module`() throws {
    let page = try #require(Self.page)
    #expect(page.descriptions.count > 150)
    #expect(ModulePage.check(page.descriptions, against: Self.code) == [])
  }

  @Test func `each module with Swift code has a section`() throws {
    let page = try #require(Self.page)
    let places = page.descriptions.flatMap(\.places)
    let described = Set(places.compactMap { $0.split(separator: "/").first.map(String.init) })
    #expect(Architecture.modules.map(\.name).filter { !described.contains($0) } == [])
  }
}

/// Tests each check with two samples. One sample breaks the rule and must give a finding. The other
/// sample keeps the rule and must give no finding.
@Suite struct ModulePageCheckTests {
  private let code = CodeIndex([
    SourceFile(
      path: "Sources/A/Model/Alarm.swift",
      text: """
        struct Alarm {
          static let all = 1
          func rings(at time: Int) -> Bool {
            let hidden = 2
            return hidden == 2  // func spoken()
          }
        }
        extension Home.Entry {}
        """),
    SourceFile(path: "Sources/C/S/s.c", text: "static int few_calls(void) {\n  load(1);\n}\n"),
  ])

  private func findings(_ text: String) -> [String] {
    let page = ModulePage(SourceFile(path: ModulePage.path, text: text))
    return
      (page.findings
      + ModulePage.check(page.decisions + page.descriptions, against: code)).map(\.what)
  }

  private func row(_ file: String, _ names: String) -> [String] {
    findings("## Where is it decided that …?\n\n| … it rings? | `\(file)` | \(names) |\n")
  }

  private func section(_ text: String) -> [String] {
    findings("## Pure domain\n\n### A and B\n\n\(text)\n")
  }

  @Test(arguments: ["`Alarm`", "`rings(at:)`, `Alarm.all`", "`Entry`", "the order of `rings`"])
  func `a row with names of its file is accepted`(names: String) {
    #expect(row("A/Model/Alarm.swift", names) == [])
  }

  @Test(arguments: ["`alarm`", "`hidden`", "`spoken`", "`Alarm`, `rung`"])
  func `a row with a name that its file does not define is found`(names: String) {
    #expect(row("A/Model/Alarm.swift", names).count == 1)
  }

  @Test func `a row without a file that exists, or without a name, is found`() {
    #expect(row("A/Alarm.swift", "`Alarm`") == ["there is no A/Alarm.swift"])
    #expect(row("A/Model/Alarm.swift", "the rules").count == 1)
  }

  @Test func `a function of C is found by its definition and not by its use`() {
    #expect(row("C/S/s.c", "`few_calls`") == [])
    #expect(row("C/S/s.c", "`load`").count == 1)
  }

  @Test(arguments: [
    "- Main types: `Model/`: `Alarm`,\n  `rings`.", "- Start with: `Alarm.rings`.",
    "It is never `async`, and has `identified`.", "- `Model/`: `Alarm.swift` has the alarm.",
    "- Look at `C/S/s.c` and `C/S`.", "- Read `docs/Missing.md`, `prompter List`.",
  ])
  func `a section with names of its module is accepted`(text: String) {
    #expect(section(text) == [])
  }

  @Test(arguments: [
    "- Main types: `Alarms`.", "- Main types: `Step/`: the rest.", "A `Person` is here.",
    "- Start with: `ring`.", "- `Model/`: `Person.swift` has the person.", "Look at `C/T`.",
  ])
  func `a section with a name of another module is found`(text: String) {
    #expect(section(text).count == 1)
  }
}
