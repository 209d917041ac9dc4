import Glibc
import SoundProtocol
import Testing

@testable import Speaker

/// Tests faults of each mixer function for the first sound device. The function fails or never
/// returns, while the player sets or restores the level.
@Suite(
  .serialized,
  .enabled(
    if: SoundServer.isInstalled && access("/usr/bin/cc", X_OK) == 0,
    "needs pulseaudio, alsa-utils and a C compiler"))
struct FaultyMixers {
  let fixture = try! SpeakerFixture()

  static let setting = [
    "mixer_open", "mixer_attach", "mixer_register", "mixer_load", "mixer_range",
    "mixer_get_volume", "mixer_get_switch", "mixer_set_all", "mixer_unmute", "mixer_events",
  ]
  static let restoring = ["mixer_set_volume", "mixer_set_switch", "mixer_close"]

  private func speaker(_ server: SoundServer, _ fault: Fault) throws -> SpeakerSupervisor {
    fixture.supervisor(
      devices: ["faulty", "capture"],
      environment: server.playerEnvironment.merging(try fault.environment(in: fixture)) { $1 },
      mixer: MixerPolicy(levelPercent: 75, stateDirectory: fixture.directory))
  }

  private func ring(_ speaker: SpeakerSupervisor, _ id: String) async throws -> String {
    let asked = seconds()
    speaker.play(.of(.builtin(.acknowledge), id: id))
    let end = try await fixture.events.first(within: 20) { $0.isEnd(of: id) }
    guard case .ended(id, let device, 17_280, _, false) = end.event else {
      Issue.record("\(fixture.events.all)")
      return ""
    }
    // The sound takes about a third of a second. The ring must end in 3 s, and 1.2 s more for a
    // busy machine.
    #expect(end.time - asked < 3 + 1.2, "\(fixture.events.all)")
    return device
  }

  @Test(arguments: (setting + restoring).map { Fault(call: $0, kind: "fail") })
  func `a mixer that fails does not affect a ring`(_ fault: Fault) async throws {
    let server = try await SoundServer(in: fixture)
    let speaker = try speaker(server, fault)
    for id in ["one", "two"] { #expect(try await ring(speaker, id) == "faulty") }
    speaker.shutdown()
    #expect(!fixture.events.all.contains { $0.isRestart }, "\(fixture.events.all)")
    #expect(try fixture.captured("faulty.raw").count == 2 * 17_280)
  }

  @Test(arguments: (setting + restoring).map { Fault(call: $0, kind: "hang") })
  func `a mixer that hangs delays a ring by at most 3 s`(_ fault: Fault) async throws {
    let server = try await SoundServer(in: fixture)
    let speaker = try speaker(server, fault)
    for id in ["one", "two"] {
      let device = try await ring(speaker, id)
      let started = fixture.events.all.count {
        if case .started(id, _, _) = $0 { true } else { false }
      }
      #expect(started == 1 && !device.isEmpty, "\(fixture.events.all)")
    }
    speaker.shutdown()
    #expect(fixture.events.ends(of: "one") == 1 && fixture.events.ends(of: "two") == 1)
    #expect(fixture.events.all.contains { $0.isRestart }, "\(fixture.events.all)")
  }
}
