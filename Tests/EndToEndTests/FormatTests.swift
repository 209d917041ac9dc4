import Foundation
import JSONValue
import Testing

/// Tests recordings in the formats of telephones, browsers and computers.
@Suite struct Formats {
  private static func made(in home: TestHome) async throws -> URL {
    let directory = home.directory.appending(path: "recordings")
    let script = TestHome.fixtures.appending(path: "sound/make-formats").path(percentEncoded: false)
    let made = try await Running(
      "/bin/bash", [script, directory.path(percentEncoded: false)], in: home.directory
    ).finished()
    try #require(made.code == 0, "\(made)")
    return directory
  }

  private static func files(_ directory: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: nil)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  @Test
  func
    `recordings of telephones and browsers are stored whole, and cut or damaged ones are refused`()
    async throws
  {
    try await TestHome.with { home in
      let directory = try await Self.made(in: home)
      let whole = try Self.files(directory.appending(path: "whole"))
      #expect(whole.count == 27)
      for (number, file) in whole.enumerated() {
        let name = "tone\(number)"
        let added = try await home.run("tone", "add", name, file.path(percentEncoded: false))
        #expect(added.code == 0, "\(file.lastPathComponent): \(added)")
      }
      let tones = try #require(try await home.ask("tone", "list")["tones"]?.array)
      #expect(tones.count == whole.count)
      for tone in tones {
        let name = tone["name"]?.string ?? ""
        let file = Int(name.dropFirst(4)).map { whole[$0].lastPathComponent } ?? name
        // Each recording lasts 3 s. An encoder adds up to 0.1 s of silence at each end of a
        // recording.
        #expect((2_900...3_100).contains(tone["duration_ms"]?.integer ?? 0), "\(file): \(tone)")
        #expect(abs((tone["loudness_lufs"]?.double ?? 0) + 16) < 0.3, "\(file): \(tone)")
      }
      let cut = try Self.files(directory.appending(path: "cut"))
      #expect(cut.count == 19)
      for file in cut {
        let refused = try await home.run("tone", "add", "cut", file.path(percentEncoded: false))
        #expect(refused.code == 1, "\(file.lastPathComponent): \(refused)")
        #expect(
          refused.complaint.contains("the file is incomplete"),
          "\(file.lastPathComponent): \(refused)")
      }
      #expect(try await home.ask("tone", "list")["tones"]?.array?.count == whole.count)
      // The daemon refuses or stores each damaged file, and continues to run.
      for file in whole {
        var bytes = [UInt8](try Data(contentsOf: file))
        for at in stride(from: 40, to: bytes.count, by: 97) { bytes[at] ^= 0x5a }
        let damaged = home.directory.appending(path: "damaged")
        try Data(bytes).write(to: damaged)
        let reply = try await home.run(
          "tone", "add", "damaged", damaged.path(percentEncoded: false), "--replace")
        #expect(reply.code <= 1, "\(file.lastPathComponent): \(reply)")
        #expect(!reply.complaint.contains("signal"), "\(file.lastPathComponent): \(reply)")
      }
    }
  }
}
