import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests a recording with the microphone of the caretaker's machine.
  @Suite struct Recordings {
    /// Writes the sound that the microphone will record.
    ///
    /// The sound is a tone of 440 Hz with 16 bit samples at 48 kHz.
    private func handle(_ seconds: Int, amplitude: Double, in home: TestHome) throws {
      let samples = (0..<seconds * 48_000).map { frame in
        Int16(amplitude * 32_767 * sin(2 * .pi * 440 * Double(frame) / 48_000))
      }
      try samples.withUnsafeBytes { Data($0) }
        .write(to: URL(filePath: "\(home.capture)/microphone.raw"))
    }

    private func record(
      _ arguments: String..., in home: TestHome, faults: [String: String] = [:]
    ) async throws -> Finished {
      try await Running(
        Programs.path("prompter"),
        ["--socket", home.socket, "tone", "add", "dad", "--record"] + arguments,
        in: home.directory, environment: home.sounding.merging(faults) { $1 }
      ).finished()
    }

    @Test func `the words after the countdown become a tone like any other`() async throws {
      try await TestHome.with { home in
        try handle(30, amplitude: 0.1, in: home)
        let kept = try await record(
          "--microphone", "microphone", "--seconds", "2", "--yes", in: home)
        #expect(kept.code == 0, "\(kept)")
        for words in ["3 …", "Speak now.", "Recorded 2.0 s, at most −20 dB.", "Stored \"dad\""] {
          #expect(kept.output.contains(words), "\(words): \(kept)")
        }
        let tone = try #require(try await home.ask("tone", "list")["tones"]?.array?.first)
        #expect(tone["duration_ms"]?.integer == 2_000, "\(tone)")
        #expect(abs((tone["loudness_lufs"]?.double ?? 0) + 16) < 0.5, "\(tone)")
      }
    }

    @Test func `a program gets the level meter as JSON, and only the reply on standard output`()
      async throws
    {
      try await TestHome.with { home in
        try handle(30, amplitude: 0.1, in: home)
        let kept = try await record(
          "--microphone", "microphone", "--seconds", "1", "--json", in: home)
        #expect(kept.code == 0, "\(kept)")
        #expect(try JSON(parsing: Array(kept.output.utf8))["tone"]?["name"]?.string == "dad")
        let lines = try kept.complaint.split(separator: "\n").map {
          try JSON(parsing: Array($0.utf8))
        }
        #expect(lines.first?["event"]?.string == "listening")
        let levels = lines.filter { $0["event"]?.string == "level" }
        #expect(levels.contains { abs(($0["peak_db"]?.double ?? 0) + 20) < 0.2 }, "\(levels)")
        #expect(lines.last?["event"]?.string == "recorded" && lines.last?["ms"]?.integer == 1_000)
      }
    }

    @Test func `a silent recording is refused like a silent file, and leaves no file`() async throws
    {
      try await TestHome.with { home in
        try handle(30, amplitude: 0, in: home)
        let kept = try await record(
          "--microphone", "microphone", "--seconds", "1", "--yes", in: home)
        #expect(kept.code == 1, "\(kept)")
        #expect(kept.complaint.contains("no sound can be heard in the recording"), "\(kept)")
        #expect(kept.output.contains("very quiet"), "\(kept)")
        #expect(try await home.ask("tone", "list")["tones"]?.array?.isEmpty == true)
      }
    }

    @Test func `Enter ends a recording, and a person who rejects it keeps nothing`() async throws {
      try await TestHome.with { home in
        try handle(60, amplitude: 0.1, in: home)
        // The shell sends Enter after six seconds. If the program starts late, the program still
        // reads the text, because the text stays in the pipe.
        let command =
          "(sleep 6; echo; echo what; echo q) | '\(Programs.path("prompter"))' --socket "
          + "'\(home.socket)' tone add dad --record --microphone microphone"
        let asked = try await Running(
          "/bin/sh", ["-c", command], in: home.directory, environment: home.sounding
        ).finished()
        #expect(asked.code == 1, "\(asked)")
        for words in ["Keep it?", "\"what\" is not an answer", "Nothing was stored."] {
          #expect(asked.output.contains(words), "\(words): \(asked)")
        }
        #expect(!asked.output.contains("Recorded 60"), "\(asked)")
        #expect(try await home.ask("tone", "list")["tones"]?.array?.isEmpty == true)
      }
    }

    @Test func `a missing microphone is named`() async throws {
      try await TestHome.with { home in
        let kept = try await record("--microphone", "absent", "--yes", in: home)
        #expect(kept.code == 2 && kept.complaint.contains("absent: open"), "\(kept)")
      }
    }

    @Test(.enabled(if: access("/usr/bin/cc", X_OK) == 0, "needs a C compiler"))
    func `a microphone that fails or hangs at any call ends with a reason`() async throws {
      try await TestHome.with { home in
        try handle(30, amplitude: 0.1, in: home)
        let shim = home.path("faulty.so")
        let fixture = TestHome.fixtures.appending(path: "sound/faulty-alsa.c")
        let built = try await Running(
          "/usr/bin/cc",
          ["-shared", "-fPIC", "-o", shim, fixture.path(percentEncoded: false), "-ldl"],
          in: home.directory
        ).finished()
        try #require(built.code == 0, "\(built)")
        let faults =
          ["open", "hw_params", "start", "readi"].flatMap { [($0, "fail"), ($0, "hang")] }
          + [("drop", "fail"), ("drop", "hang"), ("close", "fail"), ("close", "hang")]
        for (call, kind) in faults {
          let kept = try await record(
            "--microphone", "faulty_microphone", "--seconds", "1", "--yes", "--replace", in: home,
            faults: [
              "LD_PRELOAD": shim, "FAULT_CALL": call, "FAULT_KIND": kind,
              "FAULT_AFTER": call == "readi" ? "20" : "0",
            ])
          if ["drop", "close"].contains(call) {
            // The program calls `drop` and `close` only after the recording is complete.
            #expect(kept.code == 0, "\(call) \(kind): \(kept)")
          } else {
            #expect(
              kept.code == 2 && kept.complaint.contains("cannot record: "),
              "\(call) \(kind): \(kept)")
          }
        }
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }
  }
}
