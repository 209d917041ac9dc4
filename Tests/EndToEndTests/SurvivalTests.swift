import Foundation
import JSONValue
import TestRandom
import Testing

extension EndToEnd {
  /// Tests SIGKILL at random moments. After a kill, the record still contains every acknowledged
  /// change.
  ///
  /// The tests cover the end of a process. They do not cover a power failure, because the kernel
  /// keeps the writes of a killed process.
  @Suite struct Survival {
    @Test func `a daemon killed during a ring continues the burst and rings at most once more`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Take the pills", "--schedule", "in 1 seconds", "--rings", "3", "--spacing", "6s",
          "--late-window", "20s")
        try await home.ring(1)
        try await Task.sleep(for: .milliseconds(500))
        await home.kill()
        try await home.start()
        try await home.until("it is over", seconds: 60) {
          try await home.prompts().first?["state"]?.string == "closed"
        }
        try await expectTrueRecord(in: home)
        #expect(try await home.prompts().first?["outcome"]?.string == "missed_no_response")
        // The killed daemon did not record the end of the ring. The new daemon records the ring as
        // uncertain.
        #expect(try await home.events("ring_uncertain").count == 1)
        let sounds = try home.captured().count
        #expect((3...4).contains(sounds), "\(sounds) sounds of 3 rings")
        #expect(try await home.events("gap").count == 1)
      }
    }

    @Test func `a prompt answered before a kill stays answered and silent`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "A", "--schedule", "in 1 seconds", "--spacing", "2s")
        try await home.ring(1)
        _ = try await home.ask("done")
        await home.kill()
        let before = try home.captured().count
        try await home.start()
        try await Task.sleep(for: .seconds(4))
        #expect(try await home.prompts().first?["outcome"]?.string == "completed")
        #expect(try home.captured().count == before)
        try await expectTrueRecord(in: home)
      }
    }

    @Test func `a daemon killed twenty times at random moments loses no acknowledged change`()
      async throws
    {
      var dice = Dice(seed: UInt64(Date().timeIntervalSince1970))
      let seed = dice.seed
      try await TestHome.with(config: "[limits]\nrings_per_hour = 1000\n") { home in
        var promised: Set<String> = []
        var completed: Set<String> = []
        for _ in 0..<20 {
          let work = Task {
            try await Self.live(in: home)
          }
          try await Task.sleep(for: .milliseconds(dice.roll(60...1_400)))
          await home.kill()
          let kept = try await work.value
          promised.formUnion(kept.added)
          completed.formUnion(kept.completed)
          try await home.start()
        }
        #expect(!promised.isEmpty && !completed.isEmpty, "seed \(seed)")
        // The test answers all open prompts. Without an answer, each prompt would ring to the end
        // of its burst, and all bursts together would take minutes.
        try await home.until("every prompt is closed", seconds: 60) {
          let done = try await home.run("done")
          let open = try await home.ask("prompts", "--state", "open")["prompts"]?.array
          return done.code == 1 && open?.isEmpty == true
        }
        let alarms = try #require(try await home.ask("list")["alarms"]?.array)
        #expect(promised.isSubset(of: Set(alarms.compactMap { $0["id"]?.string })), "seed \(seed)")
        let done = try await home.events("completed").compactMap { $0["prompt_id"]?.string }
        #expect(completed.isSubset(of: Set(done)), "seed \(seed)")
        try await expectTrueRecord(in: home, "seed \(seed)")
        #expect(try await home.events("service_start").count == 21, "seed \(seed)")
      }
    }

    @Test func `a daemon that is told to stop ends in good order without an error`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "A", "--schedule", "every day 08:00")
        let finished = try #require(await home.stop())
        #expect(finished.code == 0, "\(finished)")
        try await home.start()
        #expect(try await home.events("service_stop").count == 1)
        #expect(try await home.ask("list")["alarms"]?.array?.count == 1)
        try await expectTrueRecord(in: home)
      }
    }

    /// The changes that the daemon acknowledged before the kill.
    struct Kept: Sendable {
      var added: Set<String> = []
      var completed: Set<String> = []
    }

    /// Adds alarms and answers prompts until the daemon no longer responds.
    private static func live(in home: TestHome) async throws -> Kept {
      var kept = Kept()
      while true {
        let added = try await home.run(
          "--json", "add", "A", "--schedule", "in 1 seconds", "--rings", "2", "--spacing", "1s",
          "--late-window", "2s")
        guard added.code == 0 else { return kept }
        let document = try JSON(parsing: Array(added.output.utf8))
        if let id = document["alarm"]?["id"]?.string { kept.added.insert(id) }
        let done = try await home.run("--json", "done")
        if done.code == 0 {
          let prompt = try JSON(parsing: Array(done.output.utf8))
          if let id = prompt["id"]?.string { kept.completed.insert(id) }
        } else if done.code == 3 {
          return kept
        }
      }
    }

    /// Checks the record after one or more kills.
    ///
    /// The record must be valid, and no number of an event may be missing. Each closed prompt must
    /// have one outcome. Each ring that sounded must have a ring intent. Each kill may cause at
    /// most one extra ring.
    private func expectTrueRecord(
      in home: TestHome, _ comment: Comment? = nil
    ) async throws {
      let verdict = try await home.ask("verify")
      #expect(verdict["ok"]?.bool == true, "\(verdict) \(comment ?? "")")
      let events = try await home.events()
      #expect(events.map { $0["seq"]?.integer } == (1...Int64(events.count)).map { $0 }, comment)

      let ends: Set = ["completed", "declined", "missed", "suppressed", "cancelled", "superseded"]
      var outcomes: [String: Int] = [:]
      var intents: [String: Int] = [:]
      var sounds: [String: Int] = [:]
      for event in events {
        guard let prompt = event["prompt_id"]?.string, let type = event["type"]?.string else {
          continue
        }
        if ends.contains(type) { outcomes[prompt, default: 0] += 1 }
        let ring = "\(prompt) ring \(event["ring_no"] ?? .null)"
        if type == "ring_intent" { intents[ring, default: 0] += 1 }
        if type == "ring_started" {
          sounds[ring, default: 0] += 1
          #expect(intents[ring] != nil, "\(ring) sounded without an intent")
        }
      }
      for prompt in try await home.ask("prompts", "--state", "closed")["prompts"]?.array ?? [] {
        let id = prompt["id"]?.string ?? ""
        #expect(outcomes[id] == 1, "\(id) has \(outcomes[id] ?? 0) outcomes")
      }
      #expect(outcomes.values.allSatisfy { $0 == 1 }, comment)
      let crashes = events.count { $0["type"]?.string == "service_start" } - 1
      let extra = sounds.values.map { $0 - 1 }.reduce(0, +)
      #expect(extra <= crashes, "\(extra) extra rings after \(crashes) crashes")
    }

    /// A source of random numbers that gives the same numbers for the same seed.
    struct Dice {
      let seed: UInt64
      private var random: SeededGenerator

      init(seed: UInt64) {
        self.seed = seed
        random = SeededGenerator(seed: seed)
      }

      mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    }
  }
}
