import API
import Alarms
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests a study that hides its phases from patients and caretakers.
  ///
  /// A patient and a caretaker call every route that returns data. Only root can run this suite,
  /// because the suite acts as other users.
  @Suite(.enabled(if: geteuid() == 0)) struct HiddenPhases {
    /// The words that reveal a phase or the arm of the participant.
    private static let words = [
      "control", "Control", "\"prompted\"", "\"washout\"", "phase_changed", "zqarm",
    ]

    private func revealing(_ home: TestHome, _ prompt: String, _ alarm: String) async throws
      -> Set<String>
    {
      let search = try await RouteSearch.revealing(
        Self.words, to: [.patient, .caretaker], home,
        ids: ["people": "anna", "prompts": prompt, "alarms": alarm])
      #expect(search.asked > 30, "\(search)")
      return search.found
    }

    private func teaPrompt(_ home: TestHome) async throws -> JSON {
      try #require(try await home.prompts().first { $0["label"]?.string == "Tea" })
    }

    private func document(_ text: String) throws -> JSON {
      try JSON(parsing: Array(text.utf8))
    }

    @Test func `patients and caretakers do not see the phase until the enrolment ends`()
      async throws
    {
      try await TestHome.with(config: RouteSearch.config) { home in
        _ = try await home.ask("people", "add", "anna", "--name", "Anna")
        _ = try await home.ask(
          "study", "enrol", "anna", "--pseudonym", "P-1", "--arm", "zqarm", "--hide-phases")
        _ = try await home.ask("study", "phase", "set", "anna", "control", "--from", "now")
        let added = try await home.ask(
          "add", "Tea", "--schedule", "in 1 seconds", "--person", "anna", "--late-window", "1m")
        _ = try await home.ask("add", "Pills", "--schedule", "every day 08:00", "--person", "anna")
        let alarm = try #require(added["alarm"]?["id"]?.string)
        try await home.until("it is due", seconds: 10) {
          try await teaPrompt(home)["held"]?.string == "control_phase"
        }
        let tea = try #require(try await teaPrompt(home)["id"]?.string)
        let hidden = try await revealing(home, tea, alarm)
        #expect(hidden == [])

        let caretaker = try RouteSearch.uid(.caretaker)
        let seen = try await home.curl(as: caretaker, "GET", "/v1/prompts/\(tea)")
        #expect(try document(seen.text)["held"]?.string == "study", "\(seen)")
        let person = try await home.curl(as: caretaker, "GET", "/v1/people/anna")
        #expect(try document(person.text)["person"]?["phase"] == .null, "\(person)")
        #expect(try document(person.text)["person"]?["silenced"]?.bool == true, "\(person)")
        let own = try await home.curl(as: caretaker, "GET", "/v1/people/anna/data")
        #expect(own.status == "403" && own.text.contains("hides its phases"), "\(own)")
        // The record still contains the name of the phase, and the researcher and the administrator
        // can read it.
        let researcher = try RouteSearch.uid(.researcher)
        let log = try await home.curl(as: researcher, "GET", "/v1/log")
        #expect(log.text.contains("control_phase"))
        let listed = try await home.curl(as: researcher, "GET", "/v1/study/participants")
        #expect(
          try document(listed.text)["participants"]?.array?.first?["hides_phases"]?.bool == true)

        // After a restart, the study still hides the phases.
        await home.kill()
        try await home.start(config: RouteSearch.config)
        let restarted = try await revealing(home, tea, alarm)
        #expect(restarted == [])
        _ = try await home.ask("study", "withdraw", "anna")
        // After the withdrawal, the same search finds the words. This shows that the search can
        // fail.
        let open = try await revealing(home, tea, alarm)
        #expect(open.isSuperset(of: ["caretaker events", "caretaker ownData"]), "\(open)")
        #expect(try await home.run("verify").code == 0)
      }
    }
  }
}
