import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests silent prompts, delay limits, and prompts of two people.
  @Suite struct PromptSuppression {
    @Test func `an alarm in quiet hours with the policy refuse is refused with field and reason`()
      async throws
    {
      try await TestHome.with(config: "zone = \"UTC\"\n") { home in
        let quiet = Quiet()
        _ = try await home.ask(
          "people", "change", "patient", "--quiet-hours", quiet.hours, "--quiet-policy", "refuse")
        let standing = try await home.standing()
        let refused = try await home.run("add", "Tea", "--schedule", "every day \(quiet.within)")
        #expect(refused.code == 1, "\(refused)")
        for text in ["schedule", quiet.hours, "\"Tea\" is due on"] {
          #expect(refused.complaint.contains(text), "\(text): \(refused)")
        }
        let reply = try await home.curl(
          "POST", "/v1/alarms", body: #"{"label":"Tea","schedule":"every day \#(quiet.within)"}"#)
        #expect(reply.status == 422 && reply.body["field"]?.string == "schedule", "\(reply)")
        #expect(try await home.standing() == standing)
        let outside = try await home.run("add", "Tea", "--schedule", "every day \(quiet.without)")
        #expect(outside.code == 0, "\(outside)")
      }
    }

    @Test func `in quiet hours one alarm is held back, one suppressed, and one breaks through`()
      async throws
    {
      try await TestHome.with(config: "zone = \"UTC\"\n") { home in
        _ = try await home.ask(
          "people", "change", "patient", "--quiet-hours", Quiet().hours, "--quiet-policy", "hold")
        _ = try await home.ask("add", "Held", "--schedule", "in 1 seconds")
        _ = try await home.ask(
          "add", "Suppressed", "--schedule", "in 1 seconds", "--in-quiet-hours", "suppress")
        _ = try await home.ask(
          "add", "Urgent", "--schedule", "in 2 seconds", "--in-quiet-hours", "ring", "--step",
          "1 ring, urgent")
        try await home.heard(1)
        let held = try await home.prompt("Held")
        #expect(held["state"]?.string == "held" && held["held"]?.string == "quiet_hours", "\(held)")
        #expect(try await home.prompt("Suppressed")["outcome"]?.string == "suppressed_quiet_hours")
        let urgent = try await home.prompt("Urgent")
        let rings = try await home.events("ring_started")
        #expect(rings.map { $0["prompt_id"] } == [urgent["id"]], "\(rings)")
        _ = try await home.ask("done", try #require(held["id"]?.string))
        #expect(try await home.prompt("Held")["outcome"]?.string == "completed")
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `new quiet hours keep what they hold back, and the reply names rings too close`()
      async throws
    {
      try await TestHome.with(config: "zone = \"UTC\"\n") { home in
        let quiet = Quiet()
        _ = try await home.ask("people", "change", "patient", "--quiet-hours", quiet.hours)
        _ = try await home.ask("add", "Held", "--schedule", "in 1 seconds")
        try await home.until("it is held back", seconds: 20) {
          try await home.prompt("Held")["state"]?.string == "held"
        }
        _ = try await home.ask("people", "add", "guest", "--quiet-hours", "22:00-07:00")
        let drops = try await home.run(
          "add", "Drops", "--schedule", "every day 00:00, 08:00 and 16:00", "--person", "guest")
        #expect(drops.code == 0 && drops.output.contains("WARNING: \"Drops\""), "\(drops)")
        #expect(drops.output.contains("1 hour later instead of 8 hours"), "\(drops)")
        let changed = try await home.run(
          "people", "change", "patient", "--quiet-policy", "suppress")
        #expect(changed.code == 0 && changed.output.contains("\"Held\""), "\(changed)")
        #expect(changed.output.contains("stays open: it rings at"), "\(changed)")
        let reply = try await home.curl(
          "PUT", "/v1/people/patient", body: #"{"quiet_policy":"hold"}"#)
        let kinds = reply.body["warnings"]?.array?.compactMap { $0["kind"]?.string }
        #expect(kinds?.contains("keeps_prompt") == true, "\(reply)")
        #expect(try await home.prompt("Held")["state"]?.string == "held")
        let freed = try await home.run("people", "change", "patient", "--quiet-hours", "none")
        #expect(freed.output.contains("it rings now"), "\(freed)")
        try await home.heard(1)
      }
    }

    @Test func `words said in quiet hours wait, and the reply says for how long`() async throws {
      try await TestHome.with(config: "zone = \"UTC\"\n") { home in
        let quiet = Quiet()
        _ = try await home.ask(
          "people", "change", "patient", "--quiet-hours", quiet.hours, "--quiet-policy", "refuse")
        let said = try await home.run("say", "Good night")
        #expect(said.code == 0 && said.output.contains("--now"), "\(said)")
        #expect(said.output.contains("will sound at"), "\(said)")
        let reply = try await home.curl("POST", "/v1/say", body: #"{"text":"Good night"}"#)
        #expect(reply.body["next"]?["suppressed_by"]?.string == "quiet_hours", "\(reply)")
        #expect(reply.body["next"]?["rings_utc"]?.string != nil, "\(reply)")
        let wrong = try await home.curl(
          "POST", "/v1/say", body: #"{"text":"x","in_quiet_hours":"suppress"}"#)
        #expect(wrong.body["field"]?.string == "in_quiet_hours", "\(wrong)")
        let now = try await home.run("say", "Fire", "--now")
        #expect(now.code == 0 && now.output.contains("It was played."), "\(now)")
        #expect(try await home.events("ring_started").count == 1)
        let waiting = try await home.prompts().filter { $0["held"]?.string == "quiet_hours" }
        #expect(waiting.count == 2)
      }
    }

    @Test func `a full hour holds a repetition back, also after a kill`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask("people", "change", "patient", "--rings-per-hour", "2")
        let greedy = try await home.run(
          "add", "Tea", "--schedule", "every day 08:00", "--rings", "3")
        #expect(greedy.code == 1 && greedy.complaint.contains("rings"), "\(greedy)")
        func rung(_ count: Int) async throws {
          try await home.until("\(count) rings have begun", seconds: 30) {
            try await home.events("ring_started").count >= count
          }
        }
        // The first ring of each prompt sounds. The hourly limit allows two repetitions. Therefore,
        // the daemon holds back the second ring of the third prompt. `rings` is the total number of
        // rings that have begun, including the rings of the earlier prompts.
        for (label, rings) in [("First", 2), ("Second", 4), ("Third", 5)] {
          let added = try await home.ask(
            "add", label, "--schedule", "in 1 seconds", "--rings", "2", "--spacing", "1s")
          let warnings = added["warnings"]?.array?.compactMap { $0["kind"]?.string } ?? []
          #expect(!warnings.contains("full_hour"), "\(added)")
          try await rung(rings)
        }
        try await home.until("the repetition of the third one is held", seconds: 30) {
          try await home.prompt("Third")["held"]?.string?.hasPrefix("cap") == true
        }
        await home.kill()
        try await home.start()
        let third = try await home.prompt("Third")
        #expect(third["state"]?.string == "held", "\(third)")
        #expect(try await home.events("ring_started").count == 5)
        // With a higher hourly limit, the prompt that was held back rings.
        _ = try await home.ask("people", "change", "patient", "--rings-per-hour", "20")
        try await rung(6)
        _ = try await home.ask("done", try #require(third["id"]?.string))
        #expect(try await home.prompt("Third")["outcome"]?.string == "completed")
        for hour in 0..<3 {
          _ = try await home.ask("add", "Pills \(hour)", "--schedule", "every day 08:0\(hour)")
        }
        _ = try await home.ask("people", "change", "patient", "--rings-per-hour", "10")
        let problems = try await home.problems()
        #expect(
          problems.contains { $0.contains("Pills 0") && $0.contains("12 times") }, "\(problems)")
      }
    }

    @Test func `a paused alarm does not ring, and the record says that it was paused`() async throws
    {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Tea", "--schedule", "in 4 seconds")
        _ = try await home.ask(
          "pause", try #require(added["alarm"]?["id"]?.string), "--until", "2100-01-01")
        try await home.until("its time is over", seconds: 10) {
          try await home.prompt("Tea")["state"]?.string == "closed"
        }
        #expect(try await home.prompt("Tea")["outcome"]?.string == "suppressed_paused")
        let suppressed = try #require(try await home.events("suppressed").first)
        #expect(suppressed["payload"]?["outcome"]?.string == "suppressed_paused", "\(suppressed)")
        #expect(try await home.events("ring_intent").isEmpty)
      }
    }

    private static let berlin = "zone = \"Europe/Berlin\"\n"

    @Test func `a paused person hears nothing, and every reply says it`() async throws {
      try await TestHome.with(config: Self.berlin) { home in
        _ = try await home.ask("people", "add", "mum")
        let ringing = try await home.ask(
          "add", "Tea", "--person", "mum", "--schedule", "in 1 seconds", "--rings", "3")
        try await home.heard(1)
        let pills = try await home.ask(
          "add", "Pills", "--person", "mum", "--schedule", "every day 08:00")
        let id = try #require(pills["alarm"]?["id"]?.string)
        let paused = try await home.ask("pause", "--person", "mum", "--until", "2099-12-27")
        #expect(
          paused["people"]?.array?.first?["pause"]?["until_local"]?.string == "2099-12-28T00:00:00")
        #expect(
          paused["first_rings"]?.array?.first?["local"]?.string == "2099-12-28T08:00:00",
          "\(paused)")
        #expect(paused["prompts"]?.array?.first?["outcome"]?.string == "cancelled_while_ringing")
        #expect(try await home.prompt("Tea")["state"]?.string == "closed")
        _ = try await home.ask("add", "Walk", "--person", "mum", "--schedule", "in 1 seconds")
        try await home.until("the walk is over", seconds: 10) {
          try await home.prompt("Walk")["outcome"]?.string == "suppressed_paused"
        }
        await home.kill()
        try await home.start(config: Self.berlin)
        for command in [["list"], ["show", id], ["people"], ["status"], ["doctor"]] {
          let shown = try await home.run(command).output
          #expect(shown.contains("until the end of Sun 27 Dec 2099"), "\(command): \(shown)")
        }
        #expect(try await home.run("next").output.contains("silent, paused"))
        let why = try await home.run("why", id, "--at", "tomorrow 08:00").output
        #expect(why.contains("mum is paused until the end of 2099-12-27"), "\(why)")
        let edited = try await home.run("edit", id, "--label", "Tablets").output
        #expect(edited.contains("prompter resume --person mum"), "\(edited)")
        let resumed = try await home.run("resume", "--all").output
        #expect(resumed.contains("mum is not paused any more"), "\(resumed)")
        let next = try await home.ask("show", id)["next"]?.array?.first?["local"]?.string
        #expect(next?.hasPrefix("2099") == false)
        #expect(try await home.events("person_paused").count == 1)
        #expect(try await home.events("person_resumed").count == 1)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
        #expect(ringing["alarm"]?["person"]?.string == "mum")
      }
    }

    @Test func `a pause of people is refused for patients, unknown people and a wrong time`()
      async throws
    {
      try await TestHome.with { home in
        let refusals: [([String], Int32, String)] = [
          (["pause", "--person", "eve"], 1, "there is no person"),
          (["pause", "--person", "patient", "--until", "2001-01-01"], 1, "in the past"),
          (["pause", "--all", "--next", "2"], 2, "need an alarm"),
          (["pause", "--all", "--person", "patient"], 2, "one of the three"),
          (["pause"], 2, "Name an alarm"), (["resume"], 2, "Name an alarm"),
          (["resume", "--all", "--days"], 2, "needs an alarm"),
        ]
        for (command, code, words) in refusals {
          let refused = try await home.run(command)
          #expect(refused.code == code && refused.complaint.contains(words), "\(refused)")
        }
        let odd = try await home.curl("PUT", "/v1/pause", body: #"{"to":"2099-01-01"}"#)
        #expect(odd.status == 422 || odd.status == 400, "\(odd)")
        #expect(try await home.events("person_paused").isEmpty)
      }
    }

    @Test func `in a control phase a prompt is listed and answered, and makes no sound`()
      async throws
    {
      try await TestHome.with { home in
        let phases = try await home.ask("study", "phase", "set", "patient", "control")
        #expect(phases["phases"]?.array?.first?["kind"]?.string == "control")
        _ = try await home.ask("add", "Tea", "--schedule", "in 1 seconds", "--spacing", "1s")
        try await home.until("it is due", seconds: 10) {
          try await home.prompt("Tea")["held"]?.string == "control_phase"
        }
        try await Task.sleep(for: .seconds(2))
        #expect(try await home.run("prompts", "--current").output.contains("Tea"))
        let tea = try #require(try await home.prompt("Tea")["id"]?.string)
        #expect(try await home.ask("done", tea)["outcome"]?.string == "completed")
        #expect(try await home.events("ring_intent").isEmpty)
        let completed = try #require(try await home.events("completed").first)
        #expect(completed["phase"]?.string == "control", "\(completed)")
      }
    }

    @Test func `prompts of two people due together share one alert and are answered separately`()
      async throws
    {
      try await TestHome.with { home in
        _ = try await home.ask("people", "add", "bob", "--name", "Bob")
        _ = try await home.ask(
          "add", "Her pills", "--schedule", "in 2 seconds", "--rings", "1", "--person", "patient")
        _ = try await home.ask(
          "add", "His pills", "--schedule", "in 2 seconds", "--rings", "1", "--person", "bob")
        try await home.until("both rang", seconds: 30) {
          try await home.events("ring_started").count == 2
        }
        let intents = try await home.events("ring_intent")
        #expect(Set(intents.map { "\($0["prompt_id"] ?? .null)" }).count == 2)
        #expect(intents.map { $0["payload"]?["alert"]?.bool } == [true, false], "\(intents)")
        let his = try await home.prompt("His pills")
        let her = try await home.prompt("Her pills")
        #expect(his["person"]?.string == "bob" && her["person"]?.string == "patient")
        _ = try await home.ask("done", try #require(his["id"]?.string))
        #expect(try await home.prompt("Her pills")["outcome"] == .null)
        _ = try await home.ask("decline", try #require(her["id"]?.string), "--reason", "busy")
        #expect(try await home.prompt("His pills")["outcome"]?.string == "completed")
        #expect(try await home.prompt("Her pills")["outcome"]?.string == "declined")
      }
    }

    @Test func `a delay above the alarm's limit is refused with the reason`() async throws {
      try await TestHome.with { home in
        _ = try await home.ask(
          "add", "Tea", "--schedule", "in 1 seconds", "--delay", "1m", "--delay-limit", "1")
        try await home.ring(1)
        let delayed = try await home.ask("delay")
        #expect(delayed["state"]?.string == "delayed", "\(delayed)")
        let id = try #require(delayed["id"]?.string)
        let standing = try await home.standing()
        let refused = try await home.run("delay", id)
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.complaint.contains("it was delayed once"), "\(refused)")
        let reply = try await home.curl("POST", "/v1/prompts/\(id)/delay")
        #expect(reply.status == 409 && reply.body["kind"]?.string == "delay_limit", "\(reply)")
        #expect(try await home.standing() == standing)
        #expect(try await home.ask("done", id)["outcome"]?.string == "completed")
      }
    }
  }
}

/// Four quiet hours around the present time, in UTC.
private struct Quiet {
  private let hour = Int(Date().timeIntervalSince1970) / 3_600 % 24

  var hours: String { "\(clock(hour - 2))-\(clock(hour + 2))" }
  /// A time of day in the quiet hours. `without` is a time of day outside of the quiet hours.
  var within: String { clock(hour + 1) }
  var without: String { clock(hour + 12) }

  private func clock(_ hour: Int) -> String {
    String(format: "%02d:00", (hour + 24) % 24)
  }
}

extension TestHome {
  /// Returns the only prompt with this label.
  fileprivate func prompt(_ label: String) async throws -> JSON {
    try #require(try await prompts().first { $0["label"]?.string == label })
  }
}
