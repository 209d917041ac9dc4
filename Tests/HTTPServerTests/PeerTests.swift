import API
import Alarms
import Foundation
import Glibc
import Testing

@testable import HTTPServer

/// Tests requests of users other than the user who runs the tests. Only root can act as another
/// user. If root does not run the tests, the test run reports them as skipped.
@Suite(.enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
struct PeerTests {
  /// Sends a request from a second process that runs as another user.
  static func ask(as flags: [String], _ home: HomeState, _ target: String) async throws -> String {
    try await blocking {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      process.arguments =
        flags + [
          "--", "curl", "-sS", "--max-time", "5", "-w", " %{http_code}", "--unix-socket", home.path,
          "http://home\(target)",
        ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let text = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: text, as: UTF8.self)
    }
  }

  static let nobody = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]

  @Test func `the server distinguishes two real users`() async throws {
    let identities = Identities(
      admins: [], users: [65534: [.monitor], 0: [.caretaker]], groups: [:], alwaysAdmin: [])
    try await withHome(identities) { home in
      let reply1 = try await Self.ask(as: Self.nobody, home, "/v1/status")
      #expect(reply1.hasSuffix(" 200"))
      let reply2 = try await Self.ask(as: Self.nobody, home, "/v1/alarms")
      #expect(reply2.hasSuffix(" 403"))
      let mine = try await blocking { try home.caller().ask("GET", "/v1/alarms").status }
      #expect(mine == 200)
      #expect(
        home.visits.seen.map(\.actor) == [
          Actor(role: .monitor, id: "uid:65534", source: "socket"),
          Actor(role: .caretaker, id: "uid:0", source: "socket"),
        ])
      #expect(home.visits.denied == [.init(uid: 65534, method: "GET", path: "/v1/alarms")])
    }
  }

  @Test func `a real user without a role gets nothing`() async throws {
    try await withHome(onlyMe(.caretaker)) { home in
      let reply = try await Self.ask(as: Self.nobody, home, "/v1/status")
      #expect(reply.hasSuffix(" 403") && reply.contains("\"kind\":\"forbidden\""))
      #expect(home.visits.seen.isEmpty)
    }
  }

  @Test func `the last of three hundred groups counts`() async throws {
    let groups = (2000..<2300).map(String.init).joined(separator: ",")
    let flags = ["--reuid", "65534", "--regid", "65534", "--groups", groups]
    let identities = Identities(
      admins: [], users: [:], groups: [2299: [.patient]], alwaysAdmin: [])
    try await withHome(identities) { home in
      let reply3 = try await Self.ask(as: flags, home, "/v1/agenda")
      #expect(reply3.hasSuffix(" 200"))
      let reply4 = try await Self.ask(as: Self.nobody, home, "/v1/agenda")
      #expect(reply4.hasSuffix(" 403"))
      #expect(home.visits.seen.map(\.actor.id) == ["uid:65534"])
    }
  }

  @Test func `the primary group counts`() async throws {
    let identities = Identities(
      admins: [], users: [:], groups: [2500: [.patient]], alwaysAdmin: [])
    let flags = ["--reuid", "65534", "--regid", "2500", "--clear-groups"]
    try await withHome(identities) { home in
      let reply5 = try await Self.ask(as: flags, home, "/v1/agenda")
      #expect(reply5.hasSuffix(" 200"))
    }
  }
}
