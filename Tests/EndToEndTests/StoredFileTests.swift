import Foundation
import JSONValue
import Testing

extension EndToEnd {
  @Suite(.timeLimit(.minutes(2))) struct `A stored recording` {
    @Test func `that another program replaced or removed is found by verify`() async throws {
      try await TestHome.with { home in
        let voice = TestHome.fixtures.appending(path: "sound/warble.flac").path(
          percentEncoded: false)
        let tone = try #require(try await home.ask("tone", "add", "dad", voice)["tone"])
        let sha256 = try #require(tone["sha256"]?.string)
        #expect(try await home.ask("verify")["ok"]?.bool == true)

        let file = "\(home.state)/tones/\(sha256).wav"
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: file))
        let changed = try await home.run("verify")
        #expect(changed.code == 1, "\(changed)")
        #expect(
          changed.complaint.contains("the recording \"dad\" was changed after it was stored"),
          "\(changed)")

        try FileManager.default.removeItem(atPath: file)
        let missing = try await home.run("verify")
        #expect(
          missing.code == 1
            && missing.complaint.contains("the recording \"dad\" is missing or cannot be read"),
          "\(missing)")
      }
    }
  }
}
