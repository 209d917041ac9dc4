import SoundProtocol
import Speaker
import Testing

extension Sounding {
  /// Tests the test rings: rings that a caretaker plays to check the sound.
  @Suite struct TestRings {
    let fixture = try! SpeakerFixture()

    private func speaker(_ speakerTests: SpeakerTests, devices: [String]) -> SpeakerSupervisor {
      let events = fixture.events
      let speaker = SpeakerSupervisor(
        executable: SpeakerFixture.player, devices: devices, environment: fixture.environment,
        onLog: { events.log($0) },
        onEvent: { event in
          speakerTests.handle(event)
          events.add(event)
          if case .tested = event { speakerTests.noticedTest() }
        })
      speaker.start()
      return speaker
    }

    @Test func `a test ring reports the sound and the device`() async throws {
      let speakerTests = SpeakerTests()
      let speaker = speaker(speakerTests, devices: ["absent", "capture"])
      let heard = await speakerTests.play([.builtin(.acknowledge)], on: speaker)
      #expect(heard.device == "capture" && heard.trouble == nil && !heard.isStopped)
      // The number of frames is 150 ms of lead-in and 260 ms of the tone, at 48 frames per
      // millisecond.
      #expect(heard.framesPlayed == (150 + 260) * 48)
      await speakerTests.check(on: speaker)
      speaker.shutdown()
    }

    @Test func `a test ring that no device plays reports the reason`() async throws {
      let speakerTests = SpeakerTests()
      let speaker = speaker(speakerTests, devices: ["absent"])
      let heard = await speakerTests.play([.builtin(.acknowledge)], on: speaker)
      #expect(heard.trouble?.contains("absent: open") == true && heard.framesPlayed == 0)
      speaker.shutdown()
    }

    @Test func `a test ring ends when a ring begins`() async throws {
      let speakerTests = SpeakerTests()
      let speaker = speaker(speakerTests, devices: ["capture"])
      async let trying = speakerTests.play([.builtin(.urgent)], on: speaker)
      try await fixture.events.first { if case .started = $0 { true } else { false } }
      speakerTests.stopForRing(on: speaker)
      speaker.play(.of(.builtin(.acknowledge)))
      #expect(await trying.isStopped)
      guard case .ended(_, "capture", _, _, false) = try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      speaker.shutdown()
    }
  }
}
