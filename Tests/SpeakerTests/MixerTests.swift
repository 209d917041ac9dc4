import FoundationEssentials
import Glibc
import SoundProtocol
import Testing

@testable import Speaker

extension Sounding {
  /// Tests the mixer of the null sink in the sound server. On a machine without a sound card, no
  /// other mixer exists.
  @Suite(.enabled(if: SoundServer.isInstalled, "needs pulseaudio and alsa-utils"))
  struct Mixers {
    let fixture = try! SpeakerFixture()

    private func speaker(_ server: SoundServer) -> SpeakerSupervisor {
      fixture.supervisor(
        devices: ["pulse"], environment: server.playerEnvironment,
        mixer: MixerPolicy(levelPercent: 75, stateDirectory: fixture.directory))
    }

    private func settled(_ server: SoundServer, _ wanted: String) async throws {
      let deadline = seconds() + 5
      while try !server.mixer([]).contains(wanted), seconds() < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      let now = try server.mixer([])
      #expect(now.contains(wanted), "\(now)")
    }

    @Test func `a ring unmutes and sets the level, and restores exactly the values before it`()
      async throws
    {
      let server = try await SoundServer(in: fixture)
      _ = try server.mixer(["20%,40%", "mute"])
      let before = try server.mixer([])
      let speaker = speaker(server)
      speaker.play(.of(.builtin(.urgent)))
      try await fixture.events.started("ring")
      #expect(
        fixture.events.all.first
          == .started(
            id: "ring", device: "pulse",
            level: CardLevel(foundPercent: 20, wasMuted: true, setPercent: 75)))
      try await settled(server, "[75%] [on]")
      speaker.stop(id: "ring")
      try await fixture.events.end(of: "ring")
      speaker.shutdown()
      #expect(try server.mixer([]) == before, "\(fixture.events.all) \(fixture.events.logged)")
      #expect(access(fixture.path("mixer.json"), F_OK) != 0)
    }

    @Test func `a self-test reads level and mute, and changes neither`() async throws {
      let server = try await SoundServer(in: fixture)
      _ = try server.mixer(["30%", "mute"])
      let before = try server.mixer([])
      let speaker = speaker(server)
      speaker.selfTest()
      let level = CardLevel(foundPercent: 30, wasMuted: true, setPercent: nil)
      try await fixture.events.first {
        $0 == .tested([DeviceCheck(device: "pulse", trouble: nil, level: level)])
      }
      #expect(try server.mixer([]) == before)
    }

    @Test func `after a crash the next player restores the mixer`() async throws {
      let server = try await SoundServer(in: fixture)
      _ = try server.mixer(["20%", "mute"])
      let before = try server.mixer([])
      let speaker = speaker(server)
      speaker.play(.of(.builtin(.urgent)))
      try await fixture.events.started("ring")
      try await settled(server, "[75%] [on]")
      // If a player seems to hang, the supervisor sends SIGKILL. A player that gets SIGKILL cannot
      // restore the level.
      let pid = try #require(fixture.childProcesses().first { $0.name == "prompter-sound" }?.pid)
      kill(pid, SIGKILL)
      try await fixture.events.first { $0.isRestart }
      speaker.stop(id: "ring")
      try await fixture.events.end(of: "ring")
      speaker.shutdown()
      #expect(try server.mixer([]) == before, "\(fixture.events.all) \(fixture.events.logged)")
    }

    @Test func `the mixer is not changed if its values cannot be saved`() async throws {
      let server = try await SoundServer(in: fixture)
      _ = try server.mixer(["20%", "unmute"])
      let before = try server.mixer([])
      let speaker = fixture.supervisor(
        devices: ["pulse"], environment: server.playerEnvironment,
        mixer: MixerPolicy(levelPercent: 75, stateDirectory: fixture.path("nowhere")))
      speaker.play(.of(.builtin(.urgent)))
      try await fixture.events.started("ring")
      #expect(try server.mixer([]) == before)
      speaker.stop(id: "ring")
      try await fixture.events.end(of: "ring")
      #expect(fixture.events.logged.contains { $0.hasPrefix("cannot write") })
    }

    @Test func `a mixer that hangs while it is restored stops no ring`() async throws {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment,
        mixer: MixerPolicy(levelPercent: 75, stateDirectory: fixture.directory))
      speaker.play(.of(.builtin(.acknowledge)))
      try await fixture.events.started("ring")
      server.freeze()
      guard case .ended(_, "capture", _, _, false) = try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      speaker.play(.of(.builtin(.acknowledge), id: "next"))
      guard case .ended(_, "capture", _, _, false) = try await fixture.events.end(of: "next")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
    }

    @Test func `a level that a person sets during a ring stays`() async throws {
      let server = try await SoundServer(in: fixture)
      _ = try server.mixer(["20%", "unmute"])
      let speaker = speaker(server)
      speaker.play(.of(.builtin(.urgent)))
      try await fixture.events.started("ring")
      try await settled(server, "[75%] [on]")
      _ = try server.mixer(["50%"])
      speaker.stop(id: "ring")
      try await fixture.events.end(of: "ring")
      speaker.shutdown()
      #expect(try server.mixer([]).contains("[50%] [on]"))
    }
  }
}
