import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Only root can run this suite, because the suite acts as another user.
  @Suite(.enabled(if: geteuid() == 0)) struct AccessControl {
    static let nobody = "65534"

    @Test(arguments: [
      "/v1/status", "/v1/alarms", "/v1/agenda", "/v1/prompts", "/v1/tones", "/v1/log", "/v1/export",
      "/v1/verify", "/v1/nosuch",
    ])
    func `a user without a role gets 403 and no data`(path: String) async throws {
      try await TestHome.with { home in
        _ = try await home.ask("add", "Secret pills", "--schedule", "every day 08:00")
        let standing = try await home.settings()
        let answer = try await asNobody(home, "GET", path)
        #expect(answer.status == "403")
        #expect(!answer.text.contains("pills"))
        #expect(!answer.text.contains("seq"))
        #expect(try await home.settings() == standing)
        let denied = try await home.events("denied")
        #expect(denied.map { $0["payload"]?["uid"]?.integer } == [Int64(Self.nobody)])
      }
    }

    @Test func `a user without a role changes nothing`() async throws {
      try await TestHome.with { home in
        let added = try await home.ask("add", "Secret pills", "--schedule", "every day 08:00")
        let id = try #require(added["alarm"]?["id"]?.string)
        let standing = try await home.settings()
        for (method, path, body) in [
          ("POST", "/v1/alarms", #"{"label":"x","schedule":"every day 08:00"}"#),
          ("DELETE", "/v1/alarms/\(id)", ""), ("PUT", "/v1/alarms/\(id)", #"{"label":"x"}"#),
          ("POST", "/v1/prompts/current/complete", "{}"), ("PUT", "/v1/tones/x", "RIFF"),
        ] {
          let answer = try await asNobody(home, method, path, body: body)
          #expect(answer.status == "403", "\(method) \(path)")
          #expect(!answer.text.contains("pills"))
        }
        #expect(try await home.settings() == standing)
        // The daemon records the first refusal at once. It records the other refusals after a
        // quarter of an hour, or when it ends.
        #expect(try await home.events("denied").count == 1)
        _ = await home.stop()
        try await home.start()
        let counts = try await home.events("denied").map { $0["payload"]?["count"]?.integer }
        #expect(counts == [1, 4])
      }
    }

    @Test func `a patient may answer and may set nothing`() async throws {
      try await TestHome.with(config: "[roles]\npatient = [\"\(Self.nobody)\"]\n") { home in
        _ = try await home.ask("add", "Take the pills", "--schedule", "in 1 seconds")
        try await home.ring(1)
        let refused = try await asNobody(
          home, "POST", "/v1/alarms", body: #"{"label":"x","schedule":"every day 08:00"}"#)
        #expect(refused.status == "403")
        let answered = try await asNobody(home, "POST", "/v1/prompts/current/complete", body: "{}")
        #expect(answered.status == "200")
        let completed = try #require(try await home.events("completed").first)
        #expect(completed["actor_role"]?.string == "patient")
        #expect(completed["actor_id"]?.string == "uid:\(Self.nobody)")
        #expect(try await home.ask("list")["alarms"]?.array?.count == 1)
      }
    }

    private func asNobody(
      _ home: TestHome, _ method: String, _ path: String, body: String? = nil
    ) async throws -> (status: String, text: String) {
      try await home.curl(as: Self.nobody, method, path, body: body)
    }
  }
}

extension TestHome {
  /// Sends a request as another user.
  ///
  /// The function first lets every user connect to the socket file. After that, only the role check
  /// of the daemon can refuse the request.
  ///
  /// - Parameters:
  ///   - seconds: the number of seconds after which curl stops reading a stream; nil for no stream.
  ///   - file: a file to which every user may write. curl writes the body of the response to this
  ///     file, and the returned text is empty.
  func curl(
    as uid: String, _ method: String, _ path: String, body: String? = nil, seconds: Int? = nil,
    into file: String? = nil
  ) async throws -> (status: String, text: String) {
    #expect(chmod(socket, 0o666) == 0)
    var arguments = [
      "--reuid", uid, "--regid", uid, "--clear-groups", "curl", "-sS", "--unix-socket", socket,
      "-X",
      method, "-w", "\n%{http_code}",
    ]
    if let seconds { arguments += ["-N", "--max-time", "\(seconds)"] }
    if let file { arguments += ["-o", file] }
    if let body { arguments += ["--data-binary", body] }
    let finished = try await Running(
      "/usr/bin/setpriv", arguments + ["http://home\(path)"], in: directory
    ).finished()
    let lines = finished.output.split(separator: "\n", omittingEmptySubsequences: false)
    // curl ends with the exit code 28 after a timeout.
    #expect(finished.code == (seconds == nil ? 0 : 28), "\(finished)")
    return (String(lines.last ?? ""), lines.dropLast().joined(separator: "\n"))
  }

  /// Returns the values of `standing()` that a refusal must not change.
  ///
  /// The result leaves out the number of events and the head of the record, because the daemon
  /// records each refusal as an event.
  fileprivate func settings() async throws -> [String] { Array(try await standing().dropFirst(2)) }
}
