import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests three alarms that are due at the same time.
  ///
  /// The speaker plays one sound for all three prompts, but each prompt needs its own answer.
  @Suite struct MergedRing {
    private static let labels = ["Morning pills", "Water the flowers", "Eye drops"]

    /// Adds three alarms that are due in the same second.
    private func addThree(_ home: TestHome, inSeconds seconds: Double) async throws {
      let form = DateFormatter()
      form.locale = Locale(identifier: "en_US_POSIX")
      form.timeZone = TimeZone(identifier: "UTC")
      form.dateFormat = "yyyy-MM-dd HH:mm:ss"
      let due = form.string(from: Date().addingTimeInterval(seconds))
      for label in Self.labels {
        _ = try await home.ask(
          "add", label, "--schedule", due, "--zone", "UTC", "--rings", "1")
      }
    }

    @Test(.enabled(if: Speaking.hasVoice, "needs espeak-ng"))
    func `three alarms at one time make one recording in the captured sound`() async throws {
      try await TestHome.with { home in
        try await addThree(home, inSeconds: 12)
        // The daemon stores five speech files: the three labels, "Two things:" and "Three things:".
        let speech = home.state + "/speech"
        try await home.until("the words are spoken", seconds: 10) {
          try FileManager.default.contentsOfDirectory(atPath: speech).count == 5
        }
        try await home.until("the ring is over", seconds: 60) {
          try await home.events("ring_ended").count == 3
        }
        #expect(try home.captured().count == 1)
        let intents = try await home.events("ring_intent")
        let leading = Set(intents.compactMap { $0["payload"]?["leading_prompt"]?.string })
        #expect(leading.count == 1 && intents.count == 3, "\(intents)")
        #expect(intents.contains { $0["prompt_id"]?.string == leading.first })
        let frames = try await home.events("ring_ended")[0]["payload"]?["frames"]?.integer ?? 0
        // The ring contains the pauses, and each speech file twice, except the file "Two things:".
        // A frame of a speech file has 2 bytes. Therefore, a file has as many bytes as two copies
        // of the file have frames.
        let bytes = try FileManager.default.contentsOfDirectory(atPath: speech).map {
          try Data(contentsOf: URL(filePath: "\(speech)/\($0)")).count - 44
        }
        let pauses = 48 * (150 + 1_800 + 500 + 2_000 + 2 * (300 + 700 + 700))
        #expect(bytes.contains { Int(frames) == pauses + bytes.reduce(0, +) - $0 }, "\(frames)")
        #expect(try await home.events("audio_fallback").isEmpty)

        // Each prompt needs its own answer.
        let first = try await home.run("done")
        #expect(first.output.contains("Still open:"), "\(first)")
        let second = try await home.ask("done")
        #expect(second["still_open"]?.array?.count == 1, "\(second)")
        let third = try await home.ask("done")
        #expect(third["still_open"] == nil, "\(third)")
        #expect(try await home.events("completed").count == 3)
        let fourth = try await home.run("done")
        #expect(fourth.code != 0, "\(fourth)")
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `an answer in the ring stops it, and the other two stay open`() async throws {
      try await TestHome.with(config: "speech = false") { home in
        try await addThree(home, inSeconds: 6)
        try await home.heard(1)
        let done = try await home.ask("done")
        #expect(done["rings"]?["sounding"]?.bool == true, "\(done)")
        #expect(done["still_open"]?.array?.count == 2, "\(done)")
        try await home.until("the ring is over", seconds: 10) {
          try await home.events("ring_ended").count == 3
        }
        let open = try await home.prompts().filter { $0["outcome"] == .null }
        #expect(open.count == 2 && open.allSatisfy { $0["state"]?.string == "waiting" }, "\(open)")
      }
    }

    @Test func `with merge_rings = false each alarm has its own ring`() async throws {
      try await TestHome.with(config: "speech = false\nmerge_rings = false") { home in
        try await addThree(home, inSeconds: 6)
        try await home.until("three rings are over", seconds: 60) {
          try await home.events("ring_ended").count == 3
        }
        #expect(try home.captured().count == 3)
        let intents = try await home.events("ring_intent")
        #expect(intents.allSatisfy { $0["payload"]?["leading_prompt"] == nil }, "\(intents)")
      }
    }
  }
}
