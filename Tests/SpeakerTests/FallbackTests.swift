import FoundationEssentials
import SoundProtocol
import Speaker
import Testing

extension Sounding {
  @Suite struct Fallbacks {
    let fixture = try! SpeakerFixture()

    @Test func `the next device is used if one cannot be opened`() async throws {
      let speaker = fixture.supervisor(devices: ["absent", "capture"])
      speaker.play(.of(.builtin(.acknowledge)))
      guard
        case .ended(_, "capture", let frames, _, false) = try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      speaker.shutdown()
      #expect(try fixture.captured().count == frames)
      guard case .fallback("ring", "absent", "capture", let reason) = fixture.events.all.first
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect(reason.contains("No such file or directory"))
    }

    @Test func `a ring that no device plays fails with every reason and does not start`()
      async throws
    {
      let speaker = fixture.supervisor(devices: ["absent", "nonsense"])
      speaker.play(.of(.builtin(.normal)))
      guard case .failed(_, let reason) = try await fixture.events.end(of: "ring") else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect(reason.contains("absent: open") && reason.contains("nonsense: open"))
      try await fixture.events.first { if case .unusable = $0 { true } else { false } }
      #expect(!fixture.events.all.contains { if case .started = $0 { true } else { false } })
    }

    @Test func `an empty device list is a failure, too`() async throws {
      let speaker = fixture.supervisor(devices: [])
      speaker.play(.of(.builtin(.normal)))
      let end = try await fixture.events.end(of: "ring")
      #expect(
        end == .failed(id: "ring", reason: "no device is configured"))
    }

    @Test func `a device with another number of channels gets a conversion`() async throws {
      let speaker = fixture.supervisor(devices: ["four"])
      let tone = try fixture.tone(milliseconds: 200)
      speaker.play(.of(.file(path: tone)))
      try await fixture.events.end(of: "ring")
      speaker.shutdown()
      let sound = try fixture.captured(channels: 4)
      #expect(sound.count == 300 * 48)
      #expect(peak(sound) > 15_000)
    }

    @Test(arguments: ["missing", "empty", "text", "stereo", "cut short", "directory"])
    func `a beep replaces a tone that cannot be read`(_ kind: String) async throws {
      let path = fixture.path("broken.wav")
      let sound = sine(hertz: 440, milliseconds: 100, amplitude: 0.5)
      let content: [UInt8]? =
        switch kind {
        case "empty": []
        case "text": Array("not a sound, but long enough to hold a header of 44 bytes".utf8)
        case "stereo": wav(sound, channels: 2)
        case "cut short": Array(wav(sound).dropLast(100))
        default: nil
        }
      if let content { try Data(content).write(to: URL(filePath: path)) }
      if kind == "directory" {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      let speaker = fixture.supervisor(devices: ["capture"])
      speaker.play(.of(.file(path: path)))
      try await fixture.events.started("ring")
      speaker.stop(id: "ring")
      try await fixture.events.end(of: "ring")
      guard case .fallback("ring", path, "beep", let reason) = fixture.events.all.first else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect(!reason.isEmpty)
    }

    @Test func `the first readable recording is played, and each unreadable one is reported once`()
      async throws
    {
      let speaker = fixture.supervisor(devices: ["capture"])
      let tone = try fixture.tone(hertz: 1_000, milliseconds: 200)
      let voice = SoundSegment.recording(
        paths: [fixture.path("one.wav"), fixture.path("two.wav"), tone], otherwise: .normal)
      speaker.play(.of(voice, .silence(milliseconds: 100), voice))
      try await fixture.events.end(of: "ring")
      speaker.shutdown()
      #expect(
        fixture.events.all.prefix(2) == [
          .fallback(
            id: "ring", from: fixture.path("one.wav"), to: fixture.path("two.wav"),
            reason: "No such file or directory"),
          .fallback(
            id: "ring", from: fixture.path("two.wav"), to: tone,
            reason: "No such file or directory"),
        ])
      #expect(fixture.events.all.count { if case .fallback = $0 { true } else { false } } == 2)
      #expect(try fixture.captured().count == (100 + 200 + 100 + 200) * 48)
    }

    @Test func `the built-in tone sounds if no recording can be read`() async throws {
      let speaker = fixture.supervisor(devices: ["capture"])
      speaker.play(
        .of(.recording(paths: [fixture.path("one.wav")], otherwise: .acknowledge)))
      guard case .ended(_, _, 4_800 + 12_480, _, _) = try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      guard case .fallback("ring", _, "acknowledge", _) = fixture.events.all.first else {
        Issue.record("\(fixture.events.all)")
        return
      }
    }

    @Test func `a self-test is silent and reports only changes`() async throws {
      let speaker = fixture.supervisor(devices: ["absent", "capture"])
      speaker.selfTest()
      try await fixture.events.first { $0 == .usable(device: "capture") }
      speaker.selfTest()
      speaker.play(.of(.builtin(.acknowledge)))
      guard case .ended(_, _, let frames, _, _) = try await fixture.events.end(of: "ring") else {
        Issue.record("\(fixture.events.all)")
        return
      }
      speaker.shutdown()
      #expect(try fixture.captured().count == frames)
      #expect(fixture.events.all.count { $0 == .usable(device: "capture") } == 1)
    }

    @Test func `a self-test without a usable device says why`() async throws {
      let speaker = fixture.supervisor(devices: ["absent"])
      speaker.selfTest()
      try await fixture.events.first {
        $0 == .unusable(reason: "absent: open: No such file or directory")
      }
    }
  }
}
