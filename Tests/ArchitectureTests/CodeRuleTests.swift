import Testing

@Suite struct CodeRuleTests {
  @Test func `no file is longer than 400 lines and no function longer than 60`() {
    #expect(Architecture.swift.count > 100)
    // Nobody edits a generated table of sentences. Therefore, such a table may be longer than 400
    // lines.
    let written = Architecture.swift.filter { !$0.isGenerated }
    #expect(Architecture.swift.count - written.count == 12)
    let findings = written.flatMap { $0.oversize(fileLines: 400, functionLines: 60) }
    #expect(findings == [])
  }

  @Test func `no folder of Sources holds more than 25 Swift files`() {
    let folders = Dictionary(grouping: Architecture.swift(under: "Sources")) {
      $0.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    #expect(folders.count > 30)
    #expect(folders.filter { $0.value.count > 25 }.keys.sorted() == [])
  }

  @Test func `nothing is forced without a comment that proves it`() {
    let findings = Architecture.swift(under: "Sources").flatMap { $0.unproven() }
    #expect(findings == [])
  }

  @Test func `no error is ignored silently`() {
    // The module ArchitectureTests contains the search pattern itself. Therefore, the check leaves
    // this module out.
    let files = Architecture.swift.filter { $0.module != "ArchitectureTests" }
    let findings = files.flatMap { $0.silentCatches() }
    #expect(findings == [])
  }

  @Test func `no file contains a path of the machine on which it was written`() throws {
    let rest = ["demo", "docs", "units", "sounds", ".ci", "Tests", "Benchmarks"].flatMap {
      Architecture.files(under: $0)
    }
    let atTheRoot = try Architecture.rootFiles()
    #expect(atTheRoot.contains { $0.path == "Makefile" })
    let findings = (Architecture.swift + rest + atTheRoot).flatMap { $0.machinePaths() }
    #expect(findings == [])
  }
}

/// Tests each check with two samples. One sample breaks the rule and must give a finding. The other
/// sample keeps the rule and must give no finding.
@Suite struct CodeRuleCheckTests {
  private func sample(_ text: String) -> SourceFile {
    SourceFile(path: "Sources/X/X.swift", text: text)
  }

  private func function(bodyLines: Int) -> String {
    "struct S {\n  func f(\n    a: Int\n  ) -> Int {\n"
      + String(repeating: "    a + 1\n", count: bodyLines) + "  }\n}\n"
  }

  @Test func `a long file and a long function are found`() {
    let long = sample(String(repeating: "let a = 1\n", count: 400))
    #expect(long.oversize(fileLines: 400, functionLines: 60).map(\.line) == [1])
    let found = sample(function(bodyLines: 57)).oversize(fileLines: 400, functionLines: 60)
    #expect(found.map(\.line) == [2])
    #expect(found.first?.what == "a function of 61 lines; 60 at most")
  }

  @Test func `a function of 60 lines is not too long, nor is one without a body`() {
    #expect(sample(function(bodyLines: 56)).oversize(fileLines: 400, functionLines: 60) == [])
    let bare = "protocol P {\n  func f()\n  func g()\n" + String(repeating: "\n", count: 70) + "}\n"
    #expect(sample(bare).oversize(fileLines: 400, functionLines: 60) == [])
  }

  @Test(arguments: [
    "let a = try! f()", "fatalError(\"no\")", "let b = c as! D", "let e = list.first!", "f(x)!.g()",
    "a[0]! + 1",
  ])
  func `a forced operation without a proof is found`(line: String) {
    #expect(sample("let z = 1\n\(line)\n").unproven().map(\.line) == [2])
  }

  @Test(arguments: [
    "if a != b {}", "if !isOpen {}", "let a = \"stop!\"",
    "// The list is never empty.\nlist.first!",
    "list.first!  // never empty: see above", "let c = !(a && b)",
  ])
  func `a forced operation with a proof is accepted`(text: String) {
    #expect(sample(text).unproven() == [])
  }

  @Test func `an empty catch is found, and one with content is not`() {
    let empty = "do {\n  try f()\n} catch {\n}\n"
    #expect(sample(empty).silentCatches().map(\.line) == [3])
    #expect(sample("do { try f() } catch { report(error) }").silentCatches() == [])
  }

  @Test(arguments: ["root", "home", "work", "Users"])
  func `a path of one machine is found`(first: String) {
    #expect(sample("let a = \"/\(first)/" + "prompter\"").machinePaths().count == 1)
  }

  @Test(arguments: ["/usr/bin/env", "http://home/v1/log", "Sources/work/x", "/run/prompter"])
  func `a path that every machine has is accepted`(path: String) {
    #expect(sample("let a = \"\(path)\"").machinePaths() == [])
  }
}
