import API
import Alarms
import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests that no response of a blinded study contains an arm.
  ///
  /// A user of each role calls every route that returns data. Only root can run this suite, because
  /// the suite acts as other users.
  @Suite(.enabled(if: geteuid() == 0)) struct Blinding {
    /// The arm of the only participant. Nothing else contains this word.
    private static let arm = "zqarm"
    private func enrol(_ home: TestHome, as role: Role, code: String?) async throws -> String {
      let code = code.map { #","arm_code":"\#($0)""# } ?? ""
      let body =
        #"{"person":"anna","pseudonym":"P-1","study":"trial","arm":"\#(Self.arm)"\#(code)}"#
      let reply = try await home.curl(
        as: RouteSearch.uid(role), "POST", "/v1/study/participants", body: body)
      #expect(reply.status == "403" || !reply.text.contains(Self.arm), "\(reply)")
      return reply.status
    }

    @Test func `no route shows the arm to any role before the study is unblinded`() async throws {
      try await TestHome.with(config: RouteSearch.config) { home in
        _ = try await home.ask("people", "add", "anna", "--name", "Anna")
        for role in [Role.researcher, .caretaker, .analyst, .patient, .monitor, .courier] {
          #expect(try await enrol(home, as: role, code: "X") == "403", "\(role)")
        }
        #expect(try await enrol(home, as: .admin, code: "X") == "201")
        // The daemon enrols a person of a blinded study only if the request contains a code for
        // the arm.
        #expect(try await enrol(home, as: .researcher, code: nil) == "409")
        _ = try await home.ask("study", "deviation", "anna", "was abroad")
        let blind = try await RouteSearch.revealing(
          [Self.arm], home, ids: ["people": "anna"])
        #expect(blind.found.isEmpty && blind.asked > 60, "\(blind)")

        for role in [Role.researcher, .caretaker, .analyst, .patient, .monitor, .courier] {
          let reply = try await home.curl(
            as: RouteSearch.uid(role), "POST", "/v1/study/unblind", body: #"{"study":"trial"}"#)
          #expect(reply.status == "403", "\(role)")
        }
        _ = try await home.ask("study", "unblind", "trial", "--yes")
        // After the study is unblinded, the same search finds the arm. This shows that the search
        // can fail.
        let open = try await RouteSearch.revealing(
          [Self.arm], home, ids: ["people": "anna"])
        for wanted in ["researcher log", "analyst export", "researcher listParticipants"] {
          #expect(open.found.contains(wanted), "\(open)")
        }
        #expect(try await home.run("verify").code == 0)
      }
    }

    @Test func `an analyst exports and verifies with the commands, and can do nothing else`()
      async throws
    {
      try await TestHome.with(config: RouteSearch.config) { home in
        _ = try await home.ask("people", "add", "anna", "--name", "Annabella")
        #expect(chmod(home.socket, 0o666) == 0)
        let folder = home.path("analyst")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(chmod(folder, 0o777) == 0)
        func run(_ arguments: [String]) async throws -> Finished {
          let analyst = try RouteSearch.uid(.analyst)
          return try await Running(
            "/usr/bin/setpriv",
            [
              "--reuid", analyst, "--regid", analyst, "--clear-groups", Programs.path("prompter"),
              "--socket", home.socket,
            ] + arguments, in: home.directory
          ).finished()
        }
        let made = try await run(["export", "\(folder)/limited", "--profile", "limited"])
        #expect(made.code == 0, "\(made)")
        let checked = try await run(["verify", "--manifest", "\(folder)/limited"])
        #expect(checked.code == 0, "\(checked)")
        #expect(try await run(["verify"]).code == 0)
        let standing = try await home.standing()
        for refused in [
          ["export", "\(folder)/identified", "--profile", "identified"], ["log"], ["people"],
          ["study"], ["add", "Tea", "--schedule", "every day 08:00"], ["list"],
          ["study", "deviation", "anna", "late"], ["study", "unblind", "study", "--yes"],
        ] {
          let finished = try await run(refused)
          #expect(finished.code != 0 && !finished.output.contains("Annabella"), "\(finished)")
        }
        #expect(Array(try await home.standing().dropFirst(2)) == Array(standing.dropFirst(2)))
      }
    }
  }
}
