import Alarms
import CivilTime
import Foundation
import JSONValue
import Logbook
import Testing

extension EndToEnd {
  /// Tests a person who answers nothing for hours.
  ///
  /// A test cannot wait for hours. The test therefore writes the record that a daemon would have
  /// written in these hours, and then starts the daemon.
  @Suite struct Inactivity {
    private static func config(_ home: TestHome) -> String {
      let said = home.path("said")
      return """
        zone = "UTC"
        [contacts.anna]
        command = ["/bin/sh", "-c", "exit 3"]
        [contacts.bob]
        command = [
          "/bin/sh", "-c",
          'echo "$PROMPTER_PERSON,$PROMPTER_REASON,$PROMPTER_INACTIVE_HOURS,$PROMPTER_LABEL,$PROMPTER_PROMPT_ID,$PROMPTER_ALARM_ID,$PROMPTER_SCHEDULED" >> "$1"',
          "sh", "\(said)",
        ]
        """
    }

    private static let caretaker = Actor(role: .caretaker, id: "uid:1000", source: "socket")

    /// Writes the record of a ring that nobody answered, `hours` hours ago.
    ///
    /// The record ends soon after the beginning of the ring, as after a power cut.
    private static func writePast(_ home: TestHome, hours: Int64) throws {
      try FileManager.default.createDirectory(
        atPath: home.state, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      let logbook = try Logbook(directory: home.state)
      var environment = Environment(homeZone: .utc, tzdataVersion: "test") {
        $0 == "UTC" ? .utc : nil
      }
      environment.contacts = ["anna", "bob"]
      var now = ClockReading(
        wall: Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
          .adding(seconds: -hours * 3_600),
        bootNanoseconds: 60_000_000_000, bootID: "before-the-cut", clockState: .synced)
      var living = HomeState(
        snapshot: try logbook.restore(), limits: .standard, environment: environment)
      func handle(_ input: Input) throws -> Decision {
        let decision = try step(living, input, at: now, in: environment)
        try logbook.record(decision.records, decision.changes)
        living.merge(decision, environment: environment)
        return decision
      }
      _ = try handle(.started(Start(version: "before")))
      var person = PersonForm()
      person.inactivityHours = 1
      person.inactivityNotifySteps = [
        NotifyStep(contact: "anna", afterSeconds: 0), NotifyStep(contact: "bob", afterSeconds: 60),
      ]
      _ = try handle(.command(.changePerson(.patient, ifVersion: nil, person), Self.caretaker))
      var alarm = AlarmForm()
      alarm.label = "Pills"
      alarm.schedule = "in 2 seconds"
      alarm.rings = 1
      _ = try handle(.command(.add(AlarmID("pills0000001"), alarm), Self.caretaker))
      now.wall = now.wall.adding(seconds: 3)
      now.bootNanoseconds += 3_000_000_000
      for effect in try handle(.woke).effects {
        guard case .play(let order) = effect else { continue }
        _ = try handle(.sound(.started(order.prompt, ring: order.ring, device: "speaker")))
      }
      try logbook.close()
    }

    private func said(_ home: TestHome) -> [Substring] {
      ((try? String(contentsOfFile: home.path("said"), encoding: .utf8)) ?? "")
        .split(separator: "\n")
    }

    @Test func `a real command notifies a contact once of a person who answered nothing for hours`()
      async throws
    {
      let home = try TestHome()
      do {
        try Self.writePast(home, hours: 3)
        try await home.start(config: Self.config(home))
        try await live(home)
      } catch {
        await home.kill()
        throw error
      }
      await home.kill()
      try FileManager.default.removeItem(at: home.directory)
    }

    private func live(_ home: TestHome) async throws {
      try await home.until("anna cannot be told", seconds: 20) {
        try await !home.events("inactivity_notification_failed").isEmpty
      }
      #expect(
        try await home.events("inactivity_escalated").first?["payload"]?["inactivity_h"]?.integer
          == 1)
      let silent = try await home.ask("status")["inactive"]?.array?.first
      #expect(silent?["person"]?.string == "patient" && silent?["notified"]?.integer == 1)
      #expect(
        try await home.run("status").output.contains(
          "has answered nothing since a ring 3 hours ago"))
      let shown = try await home.run("people", "show", "patient").output
      #expect(
        shown.contains(
          "after 1 hour without an answer: notify anna after 0s, then bob after 1m"))
      #expect(shown.contains("no answer since a ring 3 hours ago; 1 contact notified"))

      // The test kills the daemon before the second attempt to notify anna. After the restart, the
      // daemon makes this attempt. The restart does not delay the notification of bob.
      await home.kill()
      try await home.start(config: Self.config(home))
      try await home.until("bob is told", seconds: 120) {
        try await !home.events("inactivity_notified").isEmpty
      }
      #expect(said(home) == ["patient,inactivity,1,no answer for 1 hour,,,"])

      // An answer ends the inactivity. If nobody answers a later ring, a new inactivity can begin.
      _ = try await home.ask("add", "Tea", "--schedule", "in 1 seconds", "--rings", "1")
      try await home.until("it rings", seconds: 30) {
        try await home.events("ring_started").count > 1
      }
      _ = try await home.ask("done")
      #expect(
        try await home.ask("people", "show", "patient")["person"]?["inactive_since_utc"] == .null)
      #expect(try await home.ask("status")["inactive"]?.array?.isEmpty == true)
      // The daemon notified bob of the inactivity, so bob gets one all-clear.
      try await home.until("bob gets the all-clear", seconds: 30) {
        try await !home.events("notice_sent").isEmpty
      }
      await home.kill()
      try await home.start(config: Self.config(home))
      #expect(said(home).dropFirst() == ["patient,all_clear,,,,,"])
      #expect(try await home.ask("verify")["ok"]?.bool == true)
    }

    @Test func `an inactivity rule that notifies nobody is refused, and a correct one is stored`()
      async throws
    {
      let home = try TestHome()
      defer { try? FileManager.default.removeItem(at: home.directory) }
      try await home.start(config: Self.config(home))
      let change = ["people", "set", "patient"]
      for (options, word) in [
        (["--inactivity-hours", "24"], "nobody would be notified"),
        (["--inactivity-tell", "bob after 0s"], "after how many hours"),
        (
          ["--inactivity-hours", "169", "--inactivity-tell", "bob after 0s"], "from 1 to 168 hours"
        ),
        (["--inactivity-hours", "24", "--inactivity-tell", "carl after 0s"], "anna, bob"),
        (["--inactivity-hours", "24", "--inactivity-tell", "bob"], "is not a contact with a time"),
      ] {
        let refused = try await home.run(change + options)
        #expect(refused.code == 1 && refused.complaint.contains(word), "\(refused)")
      }
      let set = try await home.run(
        change + ["--inactivity-hours", "24", "--inactivity-tell", "bob after 0s"])
      #expect(set.code == 0 && set.output.contains("after 24 hours without an answer"), "\(set)")
      let body = #"{"inactivity_tell":[{"contact":"anna","after":"5m"}]}"#
      let reply = try await home.curl("PUT", "/v1/people/patient", body: body)
      #expect(reply.body["person"]?["inactivity_hours"]?.integer == 24, "\(reply)")
      await home.kill()
      // The new configuration does not contain anna as a contact. The status reports this problem.
      try await home.start(config: "zone = \"UTC\"\n")
      let problems = try await home.problems()
      #expect(
        problems.contains { $0.contains("\"anna\", but it is set for inactivity of \"patient\"") })
      #expect(try await home.run(change + ["--inactivity-hours", "0"]).code == 0)
      let gone = try await home.ask("people", "show", "patient")["person"]
      #expect(
        gone?["inactivity_hours"] == .null && gone?["inactivity_tell"]?.array?.isEmpty == true)
      await home.kill()
    }
  }
}
