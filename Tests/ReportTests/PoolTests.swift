import JSONValue
import StudyExport
import Testing

@testable import Report

@Suite struct `A pool of exports` {
  private func export(
    _ home: String, site: String = "", device: String? = nil, profile: String = "limited"
  ) -> PooledExport {
    var export = PooledExport(
      site: site, home: home, directory: "dir/\(home)", profile: profile, headCode: "7-x",
      manifestSHA256: "sha-\(home)")
    export.device = device ?? "D-\(home)"
    export.headers = [
      "prompts.csv": ["prompt_id", "study_id", "person", "due_local"],
      "gaps.csv": ["seq", "cause"],
    ]
    return export
  }

  private func pooled(_ export: PooledExport, _ file: String, _ text: String, step: Int) -> (
    text: String, table: PooledTable
  ) {
    var table = PooledTable(export, file: file)
    var output: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      table.feed(Array(bytes[start..<min(start + step, bytes.count)]), into: &output)
    }
    return (String(decoding: output, as: UTF8.self), table)
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `adds its columns to each row, wherever the bytes are cut`(step: Int) {
    let text = "seq,cause\n1,off\n2,\"a \"\"b\"\"\nc,d\"\n3,\n"
    let (output, table) = pooled(export("h1", site: "oslo"), "gaps.csv", text, step: step)
    #expect(
      output == "oslo,h1,D-h1,1,off\noslo,h1,D-h1,2,\"a \"\"b\"\"\nc,d\"\noslo,h1,D-h1,3,\n")
    #expect(table.rows == 3 && !table.isCut)
    #expect(pooled(export("h1"), "gaps.csv", String(text.dropLast()), step: step).table.isCut)
    #expect(pooled(export("h1"), "gaps.csv", "", step: step).table.isCut)
  }

  @Test func `counts the study day from the newest enrolment in the same study`() throws {
    var export = export("h1")
    var reader = CSVTableReader()
    let participants = """
      person,participant,study_id,from_local
      P-1,A-1,t,2026-12-01T10:00:00.000
      P-1,A-1,t,2026-12-10T10:00:00.000
      P-2,A-2,u,2026-12-01T10:00:00.000

      """
    try reader.feed(Array(participants.utf8)) { export.add(participant: $0) }
    let prompts = """
      prompt_id,study_id,person,due_local
      a,t,P-1,2026-12-01T08:00:00.000
      b,t,P-1,2026-12-09T23:59:00.000
      c,t,P-1,2026-12-10T00:00:00.000
      d,,P-1,2026-12-10T00:00:00.000
      e,t,P-2,2026-12-10T00:00:00.000
      f,t,P-1,2026-11-30T00:00:00.000

      """
    let (output, table) = pooled(export, "prompts.csv", prompts, step: 5)
    let days = output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)[3]
    }
    #expect(days == ["1", "9", "1", "", "", ""])
    #expect(table.promptIDs == ["a", "b", "c", "d", "e", "f"])
  }

  @Test func `refuses exports that do not belong together`() throws {
    func refusal(_ exports: [PooledExport]) -> String? {
      do {
        try PoolRules.check(exports)
        return nil
      } catch {
        return error.description
      }
    }
    let (one, two) = (export("h1"), export("h2"))
    #expect(refusal([one, two]) == nil)
    #expect(refusal([]) == "there is no export to pool")
    #expect(
      refusal([one, export("h2", profile: "safe_harbor")])?.contains("with the same profile")
        == true)
    #expect(refusal([one, one]) == "dir/h1 and dir/h1 have the same home (h1)")
    #expect(
      refusal([one, export("h2", device: "D-h1")])
        == "dir/h1 and dir/h2 are from the same device; give only the newest (D-h1)")
    var other = two
    other.headers["gaps.csv"] = ["seq", "reason"]
    #expect(refusal([one, other])?.contains("gaps.csv of dir/h2 has other columns") == true)
    other = two
    other.headers["gaps.csv"] = nil
    #expect(refusal([one, other])?.contains("gaps.csv of dir/h2 has other columns") == true)
    var (left, right) = (one, two)
    left.enrolments = ["P-1": [.init(study: "t", code: "A-1")]]
    right.enrolments = ["P-2": [.init(study: "t", code: "A-1")]]
    #expect(
      refusal([left, right]) == "the participant A-1 of the study t is in dir/h1 and in dir/h2")
    right.enrolments = ["P-2": [.init(study: "u", code: "A-1")]]
    #expect(refusal([left, right]) == nil)
    right.enrolments = ["P-1": [.init(study: "u", code: "")]]
    #expect(refusal([left, right]) == "the person P-1 is in dir/h1 and in dir/h2")
  }

  @Test func `begins its keys with the home`() throws {
    let description = PoolDescription(
      [export("h1"), export("h2")], version: "0.2.0", madeAt: "2026-12-24T12:00:00.000Z")
    let one = try JSON(
      parsing: Array(
        """
        {"resources":[{"path":"gaps.csv","schema":{"fields":[{"name":"seq"}],"primaryKey":["seq"],
        "foreignKeys":[{"fields":"seq","reference":{"resource":"events","fields":"seq"}}]}},
        {"path":"other.csv","schema":{}}]}
        """.utf8))
    let file = ExportedFile(name: "gaps.csv", sha256: "00", bytes: 5, rows: 1)
    let package = description.dataPackage(one, [file])
    let resources = try #require(package["resources"]?.array)
    #expect(resources.count == 1)
    let schema = try #require(resources[0]["schema"])
    #expect(
      schema["fields"]?.array?.map { $0["name"]?.string } == ["site", "home", "device", "seq"])
    #expect(schema["primaryKey"]?.array?.map(\.string) == ["home", "seq"])
    #expect(
      schema["foreignKeys"]?.description
        == #"[{"fields":["home","seq"],"reference":{"resource":"events","fields":["home","seq"]}}]"#
    )
    #expect(package["version"]?.string == "0.2.0" && package["created"]?.string != nil)
  }

  @Test(arguments: [
    ("h1", true), ("Berlin_2.a-b", true), ("", false), (".", false), ("-x", false), ("a/b", false),
    ("ä", false), ("a b", false), (String(repeating: "a", count: 41), false),
  ])
  func `has plain names for sites and homes`(name: String, isName: Bool) {
    #expect(PoolRules.isName(name) == isName)
  }
}
