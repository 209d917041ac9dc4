import Foundation
import MessageDigest
import Testing

extension EndToEnd {
  /// Tests exports that somebody changed after they were written.
  @Suite struct ExportForgery {
    @Test func `a changed table is found, also with a new digest in the manifest`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Take the pills", "--schedule", "every day at 08:00")
        let study = home.path("study")
        #expect(try await home.run("export", study).code == 0)
        let whole = try await home.run("verify", "--manifest", study)
        #expect(whole.code == 0 && !whole.output.contains("Not part"), "\(whole)")

        // The manifest does not list the file `notes.txt`. The command reports this file, but the
        // verification succeeds.
        try "my notes".write(toFile: "\(study)/notes.txt", atomically: true, encoding: .utf8)
        let noted = try await home.run("verify", "--manifest", study)
        #expect(noted.code == 0 && noted.output.contains("not checked: notes.txt"), "\(noted)")

        let before = try digest("\(study)/alarms.csv")
        try change("\(study)/alarms.csv", "08:00", to: "09:00")
        let changed = try await home.run("verify", "--manifest", study)
        #expect(changed.code == 1 && changed.complaint.contains("alarms.csv"), "\(changed)")

        try change("\(study)/MANIFEST.json", before, to: try digest("\(study)/alarms.csv"))
        let forged = try await home.run("verify", "--manifest", study)
        #expect(
          forged.code == 1 && forged.complaint.contains("no export with this MANIFEST.json"),
          "\(forged)")
      }
    }

    private func digest(_ path: String) throws -> String {
      SHA256Digest.hex(Array(try Data(contentsOf: URL(filePath: path))))
    }

    private func change(_ path: String, _ old: String, to new: String) throws {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try #require(text.contains(old))
      try text.replacing(old, with: new).write(toFile: path, atomically: true, encoding: .utf8)
    }
  }
}
