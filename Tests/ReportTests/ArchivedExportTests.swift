import StudyExport
import Testing

@testable import Report

@Suite struct `An export in an archive` {
  private static let manifest =
    #"{"profile": "limited", "head": {"seq": 7, "hash": "a", "code": "B-C"}}"#
  private static let prompts = "prompt_id,study_id\nk3@1,trial-1\nk3@2,trial-1\n"

  private func archive(_ files: [(String, String)]) -> [UInt8] {
    files.flatMap { name, text in
      let bytes = Array(text.utf8)
      return TarHeader.bytes(name: name, size: bytes.count) + bytes
        + TarHeader.padding(size: bytes.count)
    } + [UInt8](repeating: 0, count: 1_024)
  }

  private func read(_ bytes: [UInt8], piece: Int) throws -> (study: Study, source: String) {
    var export = ArchivedExport()
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try export.read(Array(bytes[start..<min(start + piece, bytes.count)]))
    }
    return try export.finish()
  }

  @Test(arguments: [1, 100, 513, 100_000])
  func `gives its rows and its source, in pieces of each size`(piece: Int) throws {
    let bytes = archive([
      ("README.md", "prompt_id\nx\n"), ("prompts.csv", Self.prompts),
      ("MANIFEST.json", Self.manifest),
    ])
    var (study, source) = try read(bytes, piece: piece)
    try study.select(.study("trial-1"))
    #expect(study.prompts.map(\.id) == ["k3@1", "k3@2"])
    #expect(source == "the record up to event 7, head B-C, profile limited")
    let words = ExportSource.introduction(source, study)
    #expect(words.hasPrefix("Source: the record up to event 7") && words.contains("Counted: 2"))
  }

  @Test func `without a head in its manifest has only a profile`() throws {
    let bytes = archive([("MANIFEST.json", #"{"profile": "safe_harbor", "head": null}"#)])
    #expect(try read(bytes, piece: 4_096).source == "an export with the profile safe_harbor")
  }

  @Test func `is refused if it is incomplete, damaged or has no manifest`() {
    let whole = archive([("prompts.csv", Self.prompts), ("MANIFEST.json", Self.manifest)])
    for bytes in [
      Array(whole.prefix(whole.count - 512)), Array(whole.prefix(700)), [],
      [1] + whole.dropFirst(), archive([("prompts.csv", Self.prompts)]),
      archive([("MANIFEST.json", "{")]),
    ] {
      #expect(throws: ExportReadError.self, "\(bytes.count) bytes") {
        try read(bytes, piece: 4_096)
      }
    }
  }
}
