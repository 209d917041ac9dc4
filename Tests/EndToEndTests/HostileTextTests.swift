import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests that control characters in hostile text do not reach a terminal.
  ///
  /// The text is in files, or in responses of daemons and remote homes.
  @Suite struct HostileText {
    /// A text with characters that a terminal interprets.
    ///
    /// The text contains a terminal title, a colour that begins with a C1 control, a carriage
    /// return, DEL, and characters that change the text direction.
    static let hostile = "\u{1B}]0;owned\u{7}\u{9B}31m\r\u{7F}\u{202E}txt\u{2066}\u{8D}"

    /// Returns the characters that a terminal interprets, except line feeds.
    private func obeyed(in text: String) -> [Unicode.Scalar] {
      text.unicodeScalars.filter {
        $0 != "\n"
          && ($0.properties.generalCategory == .control
            || "\u{202E}\u{2066}".unicodeScalars.contains($0))
      }
    }

    private func answer(_ status: String, _ body: String) -> String {
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body
    }

    private var prompts: String {
      let prompt = JSON.object([
        ("id", .string("a@2026-12-01T08:00:00")), ("label", .string(Self.hostile)),
        ("state", .string(Self.hostile)), ("person", .string(Self.hostile)),
        ("scheduled_local", .string(Self.hostile)),
      ])
      return JSON.object([("prompts", .array([prompt]))]).description
    }

    @Test
    func `a response reaches the terminal without control characters, and as JSON it is unchanged`()
      async throws
    {
      let home = try TestHome()
      let server = try ScriptedServer(socket: home.socket, says: answer("200 OK", prompts))
      let shown = try await home.run("prompts")
      #expect(shown.code == 0 && shown.output.contains("owned"), "\(shown)")
      #expect(obeyed(in: shown.output + shown.complaint) == [])
      let json = try await home.run("--json", "prompts")
      #expect(obeyed(in: json.output) == [])
      #expect(try JSON(parsing: Array(json.output.utf8)) == JSON(parsing: Array(prompts.utf8)))
      withExtendedLifetime(server) {}
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test func `on a terminal with colours only our own escape sequences remain`() async throws {
      let home = try TestHome()
      let server = try ScriptedServer(socket: home.socket, says: answer("200 OK", prompts))
      let command = "\(Programs.path("prompter")) --socket \(home.socket) prompts"
      let shown = try await Running(
        "/usr/bin/script", ["-qec", command, "/dev/null"], in: home.directory,
        environment: ["TERM": "xterm", "NO_COLOR": ""]
      ).finished()
      let plain = try await Running(
        "/usr/bin/env", ["-u", "NO_COLOR", "/usr/bin/script", "-qec", command, "/dev/null"],
        in: home.directory, environment: ["TERM": "xterm"]
      ).finished()
      for said in [shown.output, plain.output] {
        #expect(said.contains("owned"), "\(said.debugDescription)")
        let rest = said.replacing(/\u{1B}\[(0|1|2|31|32|33)m/, with: "").replacing(
          "\r\n", with: "\n")
        #expect(obeyed(in: rest) == [], "\(said.debugDescription)")
      }
      #expect(plain.output.contains("\u{1B}[1m"), "\(plain.output.debugDescription)")
      withExtendedLifetime(server) {}
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test
    func `a refusal, a response that is not JSON, and typed text contain no control characters`()
      async throws
    {
      let home = try TestHome()
      let problem = JSON.object([("detail", .string("no: " + Self.hostile))]).description
      for body in [problem, Self.hostile] {
        let server = try ScriptedServer(
          socket: home.socket, says: answer("422 Unprocessable", body))
        for arguments in [["prompts"], ["--json", "prompts"], ["log"], ["show", "x"]] {
          let said = try await home.run(arguments)
          #expect(said.code != 0)
          #expect(obeyed(in: said.output + said.complaint) == [], "\(said)")
        }
        withExtendedLifetime(server) {}
        try FileManager.default.removeItem(atPath: home.socket)
      }
      for arguments in [
        ["prompts", "--state", Self.hostile], [Self.hostile], ["--\(Self.hostile)"],
        ["add", "--ics", Self.hostile], ["list", "--\u{9B}31m"],
      ] {
        let said = try await home.run(arguments)
        #expect(said.code != 0 && !said.complaint.isEmpty)
        #expect(obeyed(in: said.output + said.complaint) == [], "\(said)")
      }
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test func `the standard error of a remote home contains no control characters`() async throws {
      let home = try TestHome()
      let answered = answer("200 OK", prompts)
      try answered.write(toFile: home.path("answer"), atomically: true, encoding: .utf8)
      try (Self.hostile + "\nsecond\r\nno end \u{1B}c").write(
        toFile: home.path("complaint"), atomically: true, encoding: .utf8)
      // This script replaces ssh, and answers like a hostile home. The process `sleep` keeps
      // standard error open after the script has ended.
      let script = home.path("ssh")
      try """
      #!/bin/sh
      cat \(home.path("complaint")) >&2
      yes "$(printf '\\033[31mflood')" | head -n 20000 >&2
      sleep 30 &
      read line
      cat \(home.path("answer"))
      """.write(toFile: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      let began = Date()
      let said = try await Running(
        Programs.path("prompter"), ["--host", "ssh://far", "prompts"], in: home.directory,
        environment: ["PROMPTER_SSH": script]
      ).finished()
      #expect(said.code == 0 && said.output.contains("owned"), "\(said.output)")
      #expect(obeyed(in: said.output + said.complaint).count == 0)
      let lines = said.complaint.split(separator: "\n")
      #expect(lines.count >= 20_002 && lines[1] == "second", "\(lines.prefix(3))")
      #expect(lines[2].hasPrefix("no end <U+001B>c"))
      #expect(Date().timeIntervalSince(began) < 25)
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test func `the notes about a calendar file contain no control characters`() async throws {
      try await TestHome.with { home in
        let file = home.path("hostile.ics")
        try """
        BEGIN:VCALENDAR
        \u{1B}]0;owned\u{7}
        BEGIN:VEVENT
        SUMMARY:\(Self.hostile) pills
        DESCRIPTION:\(Self.hostile)
        DTSTART;TZID=\(Self.hostile):20401201T080000
        END:VEVENT
        BEGIN:VEVENT
        SUMMARY:\(Self.hostile) pills
        DTSTART:20401201T080000Z
        END:VEVENT
        END:VCALENDAR

        """.write(toFile: file, atomically: true, encoding: .utf8)
        let said = try await home.run("add", "--ics", file)
        #expect(said.output.contains("owned"), "\(said)")
        #expect(obeyed(in: said.output + said.complaint) == [], "\(said)")
        let labels = try await home.ask("list").list("alarms").map { $0.text("label") }
        #expect(labels.count == 1 && obeyed(in: labels[0]) == [] && labels[0].hasSuffix("pills"))
      }
    }

    @Test func `the name of a socket is one word for the remote shell`() async throws {
      let home = try TestHome()
      let script = home.path("ssh")
      // This script replaces ssh. As sshd does, the script lets a shell run the last argument.
      try """
      #!/bin/sh
      for last; do :; done
      cd \(home.directory.path(percentEncoded: false))
      exec /bin/sh -c "$last"
      """.write(toFile: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
      for quote in ["'", "'\u{301}", "\u{600}'", "'\u{200D}", "'\u{FE0F}"] {
        _ = try await Running(
          Programs.path("prompter"),
          ["--host", "ssh://far", "--socket", "/nowhere\(quote); touch pwned; \(quote)", "list"],
          in: home.directory, environment: ["PROMPTER_SSH": script]
        ).finished()
        #expect(!FileManager.default.fileExists(atPath: home.path("pwned")), "\(quote)")
      }
      try FileManager.default.removeItem(at: home.directory)
    }
  }
}

extension JSON {
  fileprivate func list(_ name: String) -> [JSON] { self[name]?.array ?? [] }
  fileprivate func text(_ name: String) -> String { self[name]?.string ?? "" }
}
