import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests spoken words, built-in tones, messages and missing recordings.
  @Suite struct Speaking {
    static let hasVoice = access("/usr/bin/espeak-ng", X_OK) == 0

    private func spoken(_ home: TestHome) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: home.state + "/speech")
    }

    @Test(.enabled(if: Speaking.hasVoice, "needs espeak-ng"))
    func `the label of an alarm without a recording is spoken in its ring`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Lunch is ready in the kitchen", "--schedule", "in 4 seconds", "--rings", "1")
        try await home.until("the words are spoken", seconds: 20) { try spoken(home).count == 1 }
        try await home.until("the ring is over", seconds: 30) {
          try await home.events("ring_ended").count == 1
        }
        let file = try #require(spoken(home).first)
        let words = try Data(contentsOf: URL(filePath: "\(home.state)/speech/\(file)")).count - 44
        // The parts of the ring are the lead-in, the chime, half a second of silence, the words,
        // two seconds of silence, and the words again. A frame of the file has 2 bytes. Therefore,
        // the file has as many bytes as two copies of the words have frames.
        let expected = 48 * (150 + 1_800 + 500 + 2_000) + words
        let frames = try await home.events("ring_ended")[0]["payload"]?["frames"]?.integer
        #expect(frames == Int64(expected))
        #expect(try await home.events("audio_fallback").isEmpty)
      }
    }

    @Test func `without text to speech the built-in tone sounds, and there is no problem`()
      async throws
    {
      try await TestHome.with(config: "speech = false") { home in
        _ = try await home.ask("add", "Lunch", "--schedule", "in 1 seconds", "--rings", "1")
        try await home.until("the ring is over", seconds: 30) {
          try await home.events("ring_ended").count == 1
        }
        // The parts of the ring are the lead-in, the three pulses of the built-in tone, two seconds
        // of silence, and the three pulses again.
        let frames = try await home.events("ring_ended")[0]["payload"]?["frames"]?.integer
        #expect(frames == Int64(48 * (150 + 850 + 2_000 + 850)))
        #expect(try await home.events("audio_fallback").isEmpty)
        #expect(try spoken(home).isEmpty)
      }
    }

    @Test(.enabled(if: Speaking.hasVoice, "needs espeak-ng"), arguments: [false, true])
    func `an early reminder speaks the time of its event before the words or the recording`(
      isRecorded: Bool
    ) async throws {
      try await TestHome.with { home in
        let file = TestHome.fixtures.appending(path: "sound/warble.mp3").path(percentEncoded: false)
        _ = try await home.ask("tone", "add", "dad", file)
        let added = try await home.run(
          ["add", "Lunch", "--schedule", "in 66 seconds and 1 minute before", "--rings", "1"]
            + (isRecorded ? ["--tone", "dad"] : []))
        #expect(added.code == 0 && added.output.contains("reminder for"), "\(added)")
        let prompt = try #require(try await home.prompts().first)
        #expect(prompt["leads_to_utc"]?.string != nil, "\(prompt)")
        #expect(try await home.run("next").output.contains("reminder for"))
        try await home.until("the ring is over", seconds: 40) {
          try await home.events("ring_ended").count == 1
        }
        let sounds = try spoken(home).map { "\(home.state)/speech/\($0)" }
        #expect(sounds.count == (isRecorded ? 1 : 2))
        var bytes = 0
        let tones = try FileManager.default.contentsOfDirectory(atPath: home.state + "/tones")
          .map { "\(home.state)/tones/\($0)" }
        for path in sounds + (isRecorded ? tones : []) {
          bytes += try Data(contentsOf: URL(filePath: path)).count - 44
        }
        // The parts of the ring are the lead-in, the chime, half a second of silence, the time, a
        // pause, the words, and two seconds of silence. Then the time, the pause and the words come
        // again.
        let expected = 48 * (150 + 1_800 + 500 + 300 + 2_000 + 300) + bytes
        let frames = try await home.events("ring_ended")[0]["payload"]?["frames"]?.integer
        #expect(frames == Int64(expected))
        #expect(try await home.events("audio_fallback").isEmpty)
        let put = try await home.run("delay", "2h", try #require(prompt["id"]?.string))
        #expect(put.code == 0, "\(put)")
        let now = try #require(try await home.prompts().first { $0["id"] == prompt["id"] })
        #expect(now["next_step_utc"] == now["leads_to_utc"], "\(now)")
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `without text to speech an early reminder plays its recording`() async throws {
      try await TestHome.with(config: "speech = false") { home in
        let file = TestHome.fixtures.appending(path: "sound/warble.mp3").path(percentEncoded: false)
        _ = try await home.ask("tone", "add", "dad", file)
        _ = try await home.ask(
          "add", "Lunch", "--schedule", "in 62 seconds and 1 minute before", "--rings", "1",
          "--tone", "dad")
        try await home.until("the ring is over", seconds: 40) {
          try await home.events("ring_ended").count == 1
        }
        #expect(try await home.events("audio_fallback").isEmpty)
        let frames = try await home.events("ring_ended")[0]["payload"]?["frames"]?.integer ?? 0
        #expect(frames > 48 * (150 + 1_800 + 500 + 2_000))
      }
    }

    @Test(.enabled(if: Speaking.hasVoice, "needs espeak-ng"))
    func `say speaks once, reports that it sounded, and ends when it is acknowledged`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("people", "add", "anna", "--name", "Anna")
        let said = try await home.run("say", "Lunch is ready", "--person", "Anna")
        #expect(said.code == 0 && said.output.contains("It was played."), "\(said)")
        let prompt = try #require(try await home.prompts().first)
        #expect(prompt["label"]?.string == "Lunch is ready")
        #expect(prompt["person"]?.string == "anna")
        #expect(prompt["delivery"]?.string == "sounded" && prompt["announcement"]?.bool == true)
        // A message is not a task, so the daemon counts no waiting, current or due task.
        #expect(try await home.ask("status")["waiting"]?.integer == 0)
        #expect(try await home.ask("prompts", "--current")["prompts"]?.array?.isEmpty == true)
        #expect(try await home.ask("progress")["people"]?.array?.isEmpty == true)
        let heard = try await home.ask("ack")
        #expect(heard["delivery"]?.string == "heard" && heard["label"]?.string == "Lunch is ready")
        #expect(try await home.ask("list")["alarms"]?.array?.isEmpty == true)
        #expect(try spoken(home).count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a recording is renamed, played, fetched and replaced`() async throws {
      try await TestHome.with(config: "speech = false") { home in
        let file = TestHome.fixtures.appending(path: "sound/warble.mp3")
          .path(percentEncoded: false)
        _ = try await home.ask("tone", "add", "dad", file)
        _ = try await home.ask("tone", "add", "mum", file)
        _ = try await home.ask("add", "Lunch", "--schedule", "every day 12:00", "--tone", "dad")
        #expect(
          try await home.ask("tone", "rename", "dad", "father")["tone"]?["name"]?.string == "father"
        )
        #expect(try await home.run("tone", "remove", "father").code == 1)
        let played = try await home.ask("tone", "play", "father")
        #expect(played["device"]?.string == "rings" && played["stopped"]?.bool == false)
        let length = try await home.ask("tone", "list")["tones"]?.array?.first?["duration_ms"]?
          .integer
        #expect(played["duration_ms"]?.integer == 150 + 1_800 + 500 + (length ?? 0))
        let tried = try await home.run("tone", "test")
        #expect(tried.output.hasPrefix("Played 3.3 s on rings"), "\(tried)")
        #expect(try await home.events("test_ring").count == 2)
        #expect(try home.captured().count == 2)
        #expect(try await home.run("tone", "remove", "father", "--replace-with", "mum").code == 0)
        let alarm = try await home.ask("list")["alarms"]?.array?.first
        #expect(alarm?["tone"]?.string == "mum" && alarm?["version"]?.integer == 3)
        let speaker = try await home.curl("POST", "/v1/speaker/check")
        #expect(speaker.status == 200 && speaker.body["usable"]?.bool == true)
        #expect(speaker.body["devices"]?.array?.first?["name"]?.string == "rings")
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a missing recording is reported in the record and in the status`() async throws {
      try await TestHome.with(config: "speech = false") { home in
        let file = TestHome.fixtures.appending(path: "sound/warble.mp3")
          .path(percentEncoded: false)
        let tone = try await home.ask("tone", "add", "dad", file)
        let digest = try #require(tone["tone"]?["sha256"]?.string)
        unlink("\(home.state)/tones/\(digest).wav")
        _ = try await home.ask(
          "add", "Lunch", "--schedule", "in 1 seconds", "--rings", "2", "--spacing", "8s",
          "--tone", "dad")
        try await home.heard(1)
        let fallback = try #require(try await home.events("audio_fallback").first)
        #expect(fallback["prompt_id"]?.string != nil)
        let status = try await home.ask("status")
        #expect(status["state"]?.string == "degraded")
        #expect(
          status["problems"]?.array?.contains {
            $0["detail"]?.string?.hasPrefix(
              "normal was used instead of the recording \"dad\" at ") == true
          } == true, "\(status)")
        #expect(status["speaker"]?["fallbacks"]?.array?.first?["to"]?.string == "normal")
        #expect(status["speaker"]?["usable"]?.bool == true)

        // The caretaker adds the recording again. The next ring needs no fallback, and the daemon
        // no longer reports the problem.
        _ = try await home.ask("tone", "add", "dad", file, "--replace")
        try await home.until("the second ring is over", seconds: 40) {
          try await home.events("ring_ended").count == 2
        }
        #expect(try await home.events("audio_fallback").count == 1)
        let later = try await home.ask("status")
        #expect(later["speaker"]?["fallbacks"]?.array?.isEmpty == true)
        #expect(later["speaker"]?["device"]?.string == "rings")
        #expect(later["speaker"]?["last_heard_utc"]?.string != nil)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }
  }
}
