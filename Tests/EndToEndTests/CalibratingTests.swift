import Foundation
import JSONValue
import Testing

extension EndToEnd {
  /// Tests the calibrated level of a sound device.
  ///
  /// A sound server with a null sink replaces the sound card. The null sink has a mixer, and a
  /// machine without a sound card has no other mixer.
  @Suite(
    .enabled(
      if: access("/usr/bin/pulseaudio", X_OK) == 0 && access("/usr/bin/amixer", X_OK) == 0,
      "needs pulseaudio and alsa-utils"))
  struct Calibrating {
    /// Runs `body` with a home that plays through a sound server.
    private func with(_ body: (TestHome) async throws -> Void) async throws {
      var server: Running?
      defer { server?.send(SIGKILL) }
      try await TestHome.with(
        config: "speech = false",
        prepare: { home in
          server = try await start(in: home)
          home.devices = ["pulse"]
          home.soundConfiguration = "asound-pulse.conf"
          home.soundEnvironment = environment(home)
        }, body)
    }

    private func environment(_ home: TestHome) -> [String: String] {
      let directory = home.directory.path(percentEncoded: false)
      return [
        "PROMPTER_PULSE": home.path("pulse.sock"), "HOME": directory, "XDG_RUNTIME_DIR": directory,
      ]
    }

    private func start(in home: TestHome) async throws -> Running {
      let script = """
        load-module module-native-protocol-unix socket=\(home.path("pulse.sock")) auth-anonymous=1
        load-module module-null-sink sink_name=speaker rate=48000 channels=2 norewinds=1
        set-default-sink speaker
        """
      try Data(script.utf8).write(to: home.directory.appending(path: "server.pa"))
      let server = try Running(
        "/usr/bin/pulseaudio",
        [
          "-n", "-F", home.path("server.pa"), "--exit-idle-time=-1", "--use-pid-file=no",
          "--daemonize=no",
        ], in: home.directory, environment: environment(home))
      try await home.until("the sound server is up", seconds: 20) {
        access(home.path("pulse.sock"), F_OK) == 0
      }
      return server
    }

    /// Changes mixer settings, and returns the report of amixer.
    private func mixer(_ settings: String..., in home: TestHome) async throws -> String {
      let finished = try await Running(
        "/usr/bin/amixer",
        ["-D", "pulse", settings.isEmpty ? "sget" : "sset", "Master"] + settings,
        in: home.directory, environment: home.sounding
      ).finished()
      try #require(finished.code == 0, "\(finished)")
      return finished.output
    }

    private func tested(_ home: TestHome) async throws {
      try await home.until("the speaker was tried", seconds: 20) {
        try await home.ask("status")["speaker"]?["usable"]?.bool == true
      }
    }

    private func device(_ home: TestHome) async throws -> JSON {
      try #require(try await home.ask("status")["speaker"]?["devices"]?.array?.first)
    }

    private func changes(_ home: TestHome, _ cause: String) async throws -> [JSON] {
      try await home.events("volume_changed").compactMap { $0["payload"] }
        .filter { $0["cause"]?.string == cause }
    }

    @Test func `a level that a person chose applies to every ring, also after a restart`()
      async throws
    {
      try await with { home in
        try await tested(home)
        let found = try await mixer("20%", "mute", in: home)
        let command =
          "printf 'loud\\n+\\n-\\n65\\ny\\n' | '\(Programs.path("prompter"))' --socket "
          + "'\(home.socket)' doctor --calibrate"
        let asked = try await Running("/bin/sh", ["-c", command], in: home.directory).finished()
        #expect(asked.code == 0, "\(asked)")
        for words in [
          "80 %. Is that right", "\"loud\" is not an answer.", "90 %. Is", "65 %. Is",
          "From now on, every ring on pulse has the level 65 %.",
        ] { #expect(asked.output.contains(words), "\(words): \(asked)") }
        // `doctor` played loud rings. The player restores the level after each ring. But the daemon
        // can report the end of a ring earlier, so the test waits until the level is restored.
        try await home.until("the mixer is as it was found", seconds: 10) {
          try await mixer(in: home) == found
        }
        #expect(try await device(home)["calibrated_percent"]?.integer == 65)
        #expect(try await changes(home, "calibrated").map { $0["percent"]?.integer } == [65])
        #expect(try await home.events("test_ring").count == 4)

        _ = await home.stop()
        try await home.start()
        try await tested(home)
        #expect(try await device(home)["calibrated_percent"]?.integer == 65)
        _ = try await home.ask(
          "add", "Lunch", "--schedule", "in 1 seconds", "--rings", "2", "--spacing", "8s")
        try await home.ring(1)
        let first = try #require(try await home.events("ring_started").first?["payload"])
        #expect(first["level_found"]?.integer == 20 && first["muted"]?.bool == true, "\(first)")
        #expect(first["level_set"]?.integer == 65, "\(first)")
        try await home.until("the ring is over", seconds: 20) {
          try await home.events("ring_ended").count == 1
        }
        // A person sets the level to zero between the two rings. The second ring is still as loud
        // as the first ring, and the daemon records the change of the person.
        _ = try await mixer("0%", "unmute", in: home)
        try await home.ring(2)
        let second = try #require(try await home.events("ring_started").last?["payload"])
        #expect(second["level_found"]?.integer == 0 && second["level_set"]?.integer == 65)
        let turned = try #require(try await changes(home, "found").last)
        #expect(turned["percent"]?.integer == 0 && turned["former_percent"]?.integer == 20)
        #expect(turned["muted"]?.bool == false && turned["former_muted"]?.bool == true)
        #expect(try await home.ask("verify")["ok"]?.bool == true)
      }
    }

    @Test func `a script sets the level, and a wrong level or device is refused by name`()
      async throws
    {
      try await with { home in
        try await tested(home)
        let set = try await home.ask("doctor", "--calibrate", "--level", "55")
        #expect(set["devices"]?.array?.first?["calibrated_percent"]?.integer == 55)
        let said = try await home.run("doctor")
        #expect(said.output.contains("calibrated to 55 % for a ring"), "\(said)")
        let before = try await home.standing()
        for (body, field) in [
          (#"{"device":"hw:9","percent":50}"#, "device"), (#"{"percent":50}"#, "device"),
          (#"{"device":"pulse","percent":0}"#, "percent"),
          (#"{"device":"pulse","percent":"loud"}"#, "percent"),
          (#"{"device":"pulse","level":50}"#, "level"),
        ] {
          let refused = try await home.curl("PUT", "/v1/speaker/level", body: body)
          #expect(refused.status == 422, "\(refused)")
          #expect(refused.body["field"]?.string == field, "\(refused)")
        }
        #expect(try await home.standing() == before)
        #expect(try await home.run("doctor", "--calibrate", "--device", "hw:9").code == 2)
        #expect(try await home.run("doctor", "--level", "5").code == 2)
        let lost = try await home.curl(
          "PUT", "/v1/speaker/level", body: #"{"device":"pulse","percent":null}"#)
        #expect(lost.status == 200)
        #expect(try await device(home)["calibrated_percent"] == .null)
      }
    }
  }
}
