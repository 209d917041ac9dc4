import Foundation
import JSONValue
import Testing

/// Tests the built programs as a home uses them.
///
/// The tests run one at a time, because each test compares sound with the clock and the build
/// machine has only two cores.
@Suite(.serialized) enum EndToEnd {}

extension EndToEnd {
  @Suite struct Answering {
    /// The maximum time from an answer to the end of the sound, in milliseconds.
    ///
    /// The time counts from the instant at which the daemon recorded the answer.
    static let stopBudget: Int64 = 300

    @Test func `done during ring 2 stops it within 300 ms, and rings 3 to 5 never sound`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--spacing", "7s")
        try await home.heard(2)
        let answer = try await home.ask("done")

        #expect(answer["outcome"]?.string == "completed")
        #expect(answer["rings"]?["stopped"]?.integer == 3)
        #expect(answer["rings"]?["sounding"]?.bool == true)
        #expect(answer["rings"]?["sounded"]?.integer == 2)

        // In 15 s, rings 3 and 4 would sound if the daemon still played them.
        try await Task.sleep(for: .seconds(15))
        let rings = try home.captured()
        #expect(rings.count == 2)
        #expect(try await home.events("ring_started").count == 2)
        #expect(try await home.events("ring_intent").count == 2)
        try await expectStopped(ring: 2, by: "completed", in: home)
        // The first ring sounded to its end. The answer stopped the second ring.
        #expect(rings[0].soundSeconds > 2 * rings[1].soundSeconds)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `the home names the calling prompt and says if an acknowledgement comes first`()
      async throws
    {
      try await TestHome.with { home in
        func calling() async throws -> JSON? {
          try await home.ask("prompts", "--current", "--limit", "1")["calling"]
        }
        func id(_ added: JSON) throws -> String { try #require(added["alarm"]?["id"]?.string) }
        #expect(try await calling() == .null)
        let tea = try await home.ask(
          "add", "Tea", "--schedule", "in 1 second", "--rings", "2", "--spacing", "10s")
        let walk = try await home.ask(
          "add", "Walk", "--schedule", "in 3 seconds", "--rings", "1", "--complete-by", "5m")
        try await home.until("the later one has rung, and the older one after it", seconds: 60) {
          try await home.events("ring_ended").count == 3
        }
        let older = try #require(try await calling())
        #expect(older["id"]?.string?.hasPrefix(try id(tea)) == true, "\(older)")
        #expect(older["rings_sounded"]?.integer == 2)
        #expect(older["acknowledge_first"]?.bool == false)
        _ = try await home.ask("done")
        let later = try #require(try await calling())
        #expect(later["id"]?.string?.hasPrefix(try id(walk)) == true, "\(later)")
        #expect(later["acknowledge_first"]?.bool == true)
        _ = try await home.ask("ack")
        // An acknowledged prompt does not call, so an answer must contain the id of the prompt.
        #expect(try await calling() == .null)
        let nameless = try await home.run("done")
        #expect(
          nameless.code == 1 && nameless.complaint.contains("nothing rings now"), "\(nameless)")
        _ = try await home.ask("done", try #require(later["id"]?.string))
        #expect(try await home.ask("prompts", "--state", "open")["prompts"]?.array == [])
      }
    }

    @Test func `the record of a ring agrees with the sound that the loudspeaker got`() async throws
    {
      try await TestHome.with { home in
        let started = ContinuousClock.now
        _ = try await home.ask(
          "add", "Listen", "--schedule", "in 2 seconds", "--rings", "2", "--spacing", "8s",
          "--gains=-12,0")
        try await home.until("both rings are over", seconds: 40) {
          try await home.events("ring_ended").count == 2
        }
        _ = try await home.ask("done")
        let ended = try await home.events("ring_ended")
        let rings = try home.captured()
        try #require(rings.count == 2)
        #expect(rings.map { Int64($0.frames) } == ended.map { $0["payload"]?["frames"]?.integer })
        // The gain of the second ring is 12 dB higher than the gain of the first ring, so the
        // amplitude of the second ring is four times as large.
        #expect(abs(rings[1].peak / rings[0].peak - 4) < 0.2)
        #expect(rings[1].peak > 0.1)
        // The first ring of a burst has a lead-in of 150 ms and then fades in over half a second.
        // The second ring starts at its full level. Both rings start with the same chime.
        let fade = [200, 400, 600, 900].map {
          4 * rings[0].peak(atMilliseconds: $0) / rings[1].peak(atMilliseconds: $0)
        }
        for (found, expected) in zip(fade, [0.1, 0.5, 0.9, 1]) {
          #expect(abs(found - expected) < 0.08, "\(fade)")
        }
        // The second ring intent is 8 s later than the first ring intent. Each ring starts at most
        // 0.5 s after its ring intent.
        let starts = try await home.events("ring_started").compactMap { $0["wall_utc_ms"]?.integer }
        let intents = try await home.events("ring_intent").compactMap { $0["wall_utc_ms"]?.integer }
        #expect((7_900...8_200).contains(intents[1] - intents[0]))
        #expect(zip(starts, intents).allSatisfy { (0...500).contains($0 - $1) })
        #expect(ContinuousClock.now - started < .seconds(40))
      }
    }

    @Test func `a delay stops the sound, and a new burst begins at its end`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Drink", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "10s")
        try await home.heard(1)
        let answer = try await home.ask("delay", "3s")
        #expect(answer["state"]?.string == "delayed")
        #expect(answer["delays"]?.integer == 1)
        #expect(answer["rings"]?["stopped"]?.integer == 2)
        try await expectStopped(ring: 1, by: "delayed", in: home)

        try await home.ring(2)
        let delayed = try #require(try await home.events("delayed").first)
        let again = try #require(try await home.events("ring_intent").last)
        let pause =
          try #require(again["wall_utc_ms"]?.integer) - (delayed["wall_utc_ms"]?.integer ?? 0)
        #expect((3_000...3_500).contains(pause))
        try await home.heard(2)
        // The ring index starts again at 0. The first ring of the new burst is therefore as soft as
        // the first ring of the prompt.
        #expect(again["payload"]?["index"]?.integer == 0)
        let done = try await home.ask("done", answer["id"]?.string ?? "")
        #expect(done["rings"]?["sounded"]?.integer == 2)
        try await expectStopped(ring: 2, by: "completed", in: home)
      }
    }

    @Test func `an acknowledgement stops the sound and keeps the prompt open`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Walk", "--schedule", "in 1 seconds")
        try await home.heard(1)
        let answer = try await home.ask("ack")
        #expect(answer["state"]?.string == "acknowledged")
        #expect(answer["outcome"] == .null)
        #expect(answer["next_step_utc"]?.string != nil)
        try await expectStopped(ring: 1, by: "acknowledged", in: home)
        #expect(try await home.ask("prompts", "--state", "open")["prompts"]?.array?.count == 1)
        _ = try await home.ask(
          "decline", try #require(answer["id"]?.string), "--reason", "busy")
        let prompt = try #require(try await home.prompts().first)
        #expect(prompt["outcome"]?.string == "declined")
        #expect(prompt["reason"]?.string == "busy")
      }
    }

    @Test(arguments: [
      (["cancel"], "cancelled", "cancelled_while_ringing"),
      (["remove"], "cancelled", "cancelled_while_ringing"),
      (["edit", "--schedule", "every day 08:00"], "superseded", "superseded_by_edit"),
    ])
    func `a caretaker stops a ringing prompt`(
      command: [String], event: String, outcome: String
    ) async throws {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Call", "--schedule", "in 1 seconds")
        try await home.heard(1)
        let alarm = try #require(added["alarm"]?["id"]?.string)
        let arguments = command == ["cancel"] ? command : [command[0], alarm] + command.dropFirst()
        let finished = try await home.run(arguments)
        #expect(finished.code == 0, "\(finished)")
        try await expectStopped(ring: 1, by: event, in: home)
        let closed = try await home.ask("prompts", "--state", "closed")["prompts"]?.array
        #expect(closed?.map { $0["outcome"]?.string } == [outcome])
        try await Task.sleep(for: .seconds(1))
        #expect(try await home.events("ring_started").count == 1)
      }
    }

    @Test func `a burst without an answer is missed, which is recorded once`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Eat", "--schedule", "in 1 seconds", "--rings", "2", "--spacing", "7s",
          "--late-window", "10s")
        try await home.until("it is over", seconds: 40) {
          try await home.prompts().first?["state"]?.string == "closed"
        }
        let prompt = try #require(try await home.prompts().first)
        #expect(prompt["outcome"]?.string == "missed_no_response")
        #expect(prompt["rings_sounded"]?.integer == 2)
        #expect(try await home.events("missed").count == 1)
        #expect(try home.captured().count == 2)
      }
    }

    /// Checks that a ring stopped at most 300 ms after a person answered it.
    ///
    /// The record contains the time of the answer and the start time of the ring. The end of the
    /// sound is the start time plus the length of the sound. The test computes this length from the
    /// number of frames in the file that replaces the loudspeaker.
    private func expectStopped(ring number: Int, by event: String, in home: TestHome) async throws {
      try await home.until("ring \(number) has ended", seconds: 5) {
        try await home.events("ring_ended").contains { $0["ring_no"]?.integer == Int64(number) }
      }
      func wall(_ type: String, _ ring: Int64?) async throws -> Int64 {
        let events = try await home.events(type)
        let found = events.first { ring == nil || $0["ring_no"]?.integer == ring }
        return try #require(found?["wall_utc_ms"]?.integer, "\(type) is not on record")
      }
      let answered = try await wall(event, nil)
      let reported = try await wall("ring_ended", Int64(number))
      #expect(reported - answered <= Self.stopBudget)
      let started = try await wall("ring_started", Int64(number))
      let captured = try home.captured()
      try #require(captured.count >= number)
      let silent = started + Int64(captured[number - 1].lastSoundSeconds * 1_000)
      #expect(silent - answered <= Self.stopBudget)
    }
  }
}
