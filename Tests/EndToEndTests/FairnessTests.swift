import Foundation
import Glibc
import Testing

extension EndToEnd {
  /// Tests users who take all resources while a patient answers. Only root can run this suite,
  /// because the suite acts as other users.
  @Suite(.enabled(if: geteuid() == 0)) struct Fairness {
    private static let config = """
      [roles]
      caretaker = ["65501", "65502", "65503", "65504", "65505", "65506", "65507", "65508"]
      patient = ["65533"]

      """

    /// A script that starts four uploads.
    ///
    /// Each upload sends 9.9 MB at once, and then 9 KB in each second until the server ends the
    /// upload.
    private static let slowUploads = """
      for number in 1 2 3 4; do
        (head -c 9900000 /dev/zero; while head -c 9000 /dev/zero; do sleep 1; done) |
          curl -sS --unix-socket "$0" -T - -o /dev/null http://home/v1/tones/t$number &
      done
      wait
      """

    @Test func `slow uploads of two users keep nobody from answering or uploading`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        _ = try await home.ask("add", "Take the pills", "--schedule", "in 3 seconds")
        #expect(chmod(home.socket, 0o666) == 0)
        let attackers = try ["65501", "65502"].map {
          try home.running(as: $0, ["sh", "-c", Self.slowUploads, home.socket])
        }
        defer { for attacker in attackers { attacker.send(SIGTERM) } }
        try await home.ring(1)
        try await home.until("the uploads are under way", seconds: 30) {
          try await home.refusesUpload(as: "65501")
        }
        let answered = try await home.curl(
          as: "65533", "POST", "/v1/prompts/current/complete", body: "{}")
        #expect(answered.status == "200", "\(answered)")
        // The body of this undo request has nearly the maximum size of a body without a recording.
        // After this request, a third user, who is not an attacker, uploads a recording.
        let spaces = String(repeating: " ", count: 65_000)
        let undone = try await home.curl(
          as: "65533", "POST", "/v1/prompts/current/undo", body: "{}" + spaces)
        #expect(undone.status == "200", "\(undone)")
        let again = try await home.run("done")
        #expect(again.code == 0, "\(again)")
        let tone = TestHome.fixtures.appending(path: "sound/warble.mp3").path(percentEncoded: false)
        let added = try await home.run("tone", "add", "dad", tone)
        #expect(added.code == 0, "\(added)")
        #expect(try await home.refusesUpload(as: "65501"), "the attack was over by then")
      }
    }

    @Test func `an upload that stalls is cut, and its memory is free again`() async throws {
      try await TestHome.with(config: Self.config) { home in
        #expect(chmod(home.socket, 0o666) == 0)
        let stall = {
          try home.running(
            as: "65501",
            [
              "sh", "-c",
              """
              (head -c 9900000 /dev/zero; sleep 300) |
                (curl -sS --unix-socket "$0" -T - -o /dev/null http://home/v1/tones/t; kill 0)
              """, home.socket,
            ])
        }
        var stalled = try stall()
        defer { stalled.send(SIGTERM) }
        try await home.until("it has its room", seconds: 30) {
          // `refusesUpload` also needs upload memory for a moment. During this moment, the daemon
          // can refuse the stalled upload. The test then starts the stalled upload again, and waits
          // one second before the next call of `refusesUpload`.
          if !stalled.isRunning { stalled = try stall() }
          try await Task.sleep(for: .seconds(1))
          return try await home.refusesUpload(as: "65501")
        }
        try await home.until("it is cut", seconds: 30) {
          try await !home.refusesUpload(as: "65501")
        }
      }
    }

    @Test func `eight users who hold every connection do not keep a patient from answering`()
      async throws
    {
      try await TestHome.with(config: Self.config) { home in
        _ = try await home.ask("add", "Take the pills", "--schedule", "in 2 seconds")
        #expect(chmod(home.socket, 0o666) == 0)
        let urls = (0..<8).flatMap { ["-o", "/dev/null", "http://home/v1/events?after=\($0)"] }
        let attackers = try (65_501...65_508).map {
          try home.running(
            as: "\($0)",
            [
              "curl", "-sSN", "--parallel", "--parallel-immediate", "--parallel-max", "8",
              "--unix-socket", home.socket,
            ] + urls)
        }
        defer { for attacker in attackers { attacker.send(SIGTERM) } }
        try await home.until("every place is taken", seconds: 60) {
          let statuses = [
            try await home.curl(as: "65501", "GET", "/v1/status").status,
            try await home.curl(as: "65508", "GET", "/v1/status").status,
          ]
          return statuses.allSatisfy { ["429", "503"].contains($0) }
        }
        try await home.ring(1)
        let answered = try await home.curl(
          as: "65533", "POST", "/v1/prompts/current/complete", body: "{}")
        #expect(answered.status == "200", "\(answered)")
        // Even a user who took all connections can still read and answer prompts. The daemon
        // refuses all other requests of this user.
        let listed = try await home.curl(as: "65503", "GET", "/v1/prompts?limit=1")
        #expect(listed.status == "200", "\(listed)")
        #expect(try await home.curl(as: "65503", "GET", "/v1/alarms").status == "429")
        #expect(try await home.run("status").code == 0)
      }
    }
  }
}

extension TestHome {
  /// Starts a program as another user, through timeout(1).
  ///
  /// If the test sends SIGTERM, timeout(1) sends the signal to the program and to all its child
  /// processes.
  fileprivate func running(as uid: String, _ words: [String]) throws -> Running {
    try Running(
      "/usr/bin/setpriv",
      ["--reuid", uid, "--regid", uid, "--clear-groups", "timeout", "200"] + words,
      in: directory)
  }

  /// Returns whether the daemon refuses an upload of 4 MB of a user.
  ///
  /// The daemon refuses the upload if the other uploads of this user leave less than 4 MB of upload
  /// memory.
  fileprivate func refusesUpload(as uid: String) async throws -> Bool {
    let file = directory.appending(path: "zeros")
    if !FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) {
      try Data(count: 4_000_000).write(to: file)
    }
    let answer = try await curl(
      as: uid, "PUT", "/v1/tones/probe", body: "@\(file.path(percentEncoded: false))")
    return ["429", "503"].contains(answer.status)
  }
}
