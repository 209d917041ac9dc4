import Foundation
import Glibc
import JSONValue
import Testing

/// A key that sends presses to `prompter-button`. A named pipe replaces the input device.
private final class Key: Sendable {
  private let pipe: CInt

  init(_ path: String) throws {
    let isMade = mkfifo(path, 0o600) == 0
    pipe = open(path, O_RDWR | O_CLOEXEC)
    try #require(isMade && pipe >= 0)
  }

  deinit { close(pipe) }

  /// Writes an event of the input device to the pipe.
  ///
  /// The event is a `struct input_event` with the time 0, the type for keys, a key code, and the
  /// value 1 for down or 0 for up.
  private func move(isDown: Bool) {
    var event = [UInt8](repeating: 0, count: 24)
    (event[16], event[18], event[20]) = (1, 28, isDown ? 1 : 0)
    #expect(write(pipe, event, event.count) == event.count)
  }

  /// Waits for two seconds, and then presses the key.
  ///
  /// Without this wait, two presses could count as one press. If a press begins within 1.5 s after
  /// the previous press, the program ignores the new press.
  func press(milliseconds: Int) async throws {
    try await Task.sleep(for: .seconds(2))
    move(isDown: true)
    try await Task.sleep(for: .milliseconds(milliseconds))
    move(isDown: false)
  }
}

extension EndToEnd {
  @Suite struct PressingTheButton {
    @Test func `the command line inherits neither the button nor any other open file`()
      async throws
    {
      let home = try TestHome()
      let key = try Key(home.path("button"))
      let list = home.path("open")
      try Data("#!/bin/sh\nls -l /proc/$$/fd > '\(list)'\nexit 1\n".utf8)
        .write(to: URL(filePath: home.path("prompter")))
      #expect(chmod(home.path("prompter"), 0o700) == 0)
      let button = try Running(
        "/bin/sh",
        [
          "-c", "exec 7</etc/passwd; exec \"$@\"", "sh", Programs.path("prompter-button"),
          "--device", home.path("button"), "--socket", home.socket, "--sounds", home.path("none"),
        ],
        in: home.directory, environment: ["PATH": "\(home.directory.path):/usr/bin:/bin"])
      defer { button.send(SIGKILL) }
      try await key.press(milliseconds: 100)
      try await home.until("it has asked", seconds: 30) {
        FileManager.default.fileExists(atPath: list)
      }
      try await Task.sleep(for: .seconds(1))
      let open = try String(contentsOfFile: list, encoding: .utf8)
      #expect(open.contains("-> pipe:"), "\(open)")
      #expect(!open.contains(home.path("button")) && !open.contains("/etc/passwd"), "\(open)")
      button.send(SIGKILL)
      _ = await button.finished()
      try FileManager.default.removeItem(at: home.directory)
    }

    @Test func `a refused press is told in the language of the person`() async throws {
      try await TestHome.with { home in
        let key = try Key(home.path("button"))
        // The following scripts replace the programs that speak and play sound.
        for (name, script) in [
          ("espeak-ng", "printf '%s|%s\\n' \"$3\" \"$5\" >> '\(home.path("spoken"))'; echo sound"),
          ("aplay", "cat > /dev/null"),
        ] {
          try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: home.path(name)))
          #expect(chmod(home.path(name), 0o700) == 0)
        }
        func spoken() -> [String] {
          let text = try? String(contentsOfFile: home.path("spoken"), encoding: .utf8)
          return (text ?? "").split(separator: "\n").map(String.init)
        }
        let button = try Running(
          Programs.path("prompter-button"),
          [
            "--device", home.path("button"), "--socket", home.socket, "--sounds", home.path("none"),
          ],
          in: home.directory,
          environment: ["PATH": "\(home.directory.path):\(Programs.directory):/usr/bin:/bin"])
        defer { button.send(SIGKILL) }
        _ = try await home.ask("people", "change", "patient", "--language", "de-AT")
        _ = try await home.ask(
          "add", "Tea", "--schedule", "in 1 second", "--rings", "20", "--delay-limit", "0")
        try await home.ring(1)
        try await key.press(milliseconds: 2_300)
        try await home.until("the refusal was spoken", seconds: 20) {
          spoken() == ["de-AT|Das kann nicht länger warten."]
        }
        #expect(try await home.events("delayed").isEmpty)
        try await key.press(milliseconds: 100)
        try await home.until("the task is done", seconds: 20) {
          try await home.events("completed").count == 1
        }
        try await key.press(milliseconds: 100)
        try await home.until("the progress was spoken", seconds: 20) {
          spoken().last?.hasPrefix("de-AT|Jetzt ist nichts zu tun. 1 von 1") == true
        }
      }
    }

    @Test
    func
      `a press answers the last calling prompt, and a task with an acknowledgement takes two presses`()
      async throws
    {
      try await TestHome.with { home in
        let key = try Key(home.path("button"))
        let button = try Running(
          Programs.path("prompter-button"),
          [
            "--device", home.path("button"), "--socket", home.socket, "--sounds", home.path("none"),
          ],
          in: home.directory, environment: ["PATH": "\(Programs.directory):/usr/bin:/bin"])
        defer { button.send(SIGKILL) }
        func labels(_ type: String) async throws -> [String] {
          let prompts = try await home.prompts()
          return try await home.events(type).compactMap { event in
            prompts.first { $0["id"] == event["prompt_id"] }?["label"]?.string
          }
        }
        _ = try await home.ask(
          "add", "Older", "--schedule", "in 1 second", "--rings", "2", "--spacing", "10s")
        _ = try await home.ask(
          "add", "Newer", "--schedule", "in 3 seconds", "--rings", "1", "--complete-by", "5m")
        try await home.until("the older one has rung after the newer one", seconds: 60) {
          try await home.events("ring_ended").count == 3
        }
        _ = try await home.ask("say", "Lunch is ready")
        try await home.until("something was said", seconds: 30) {
          try await home.events("ring_ended").count == 4
        }
        try await key.press(milliseconds: 100)
        try await home.until("the task that called last is done", seconds: 20) {
          try await labels("completed") == ["Older"]
        }
        try await key.press(milliseconds: 100)
        try await home.until("the other one is on the way", seconds: 20) {
          try await labels("acknowledged") == ["Newer"]
        }
        try await key.press(milliseconds: 2_300)
        try await home.until("held down, it is put off", seconds: 20) {
          try await labels("delayed") == ["Newer"]
        }
        // A delayed prompt does not call. A press therefore answers no prompt, and the program
        // speaks the state of the day.
        try await key.press(milliseconds: 100)
        try await Task.sleep(for: .seconds(2))
        #expect(try await labels("completed") == ["Older"])
        // A press of five seconds asks for a call and does not delay a prompt.
        try await key.press(milliseconds: 5_300)
        try await home.until("a call was asked for", seconds: 20) {
          try await home.events("call_asked").count == 1
        }
        #expect(try await labels("delayed") == ["Newer"])
        for type in ["completed", "acknowledged", "delayed", "call_asked"] {
          #expect(try await home.events(type).allSatisfy { $0["source"]?.string == "button" })
        }
        let added = try await home.events("alarm_created")
        #expect(added.first?["source"]?.string == "cli")
      }
    }
  }
}
