import FoundationEssentials
import Glibc
import Processes
import SoundProtocol
import Testing

@testable import Speaker

/// All tests that take real time. These tests run one after another, so that no test disturbs
/// another test.
@Suite(.serialized) struct Sounding {}

extension Sounding {
  @Suite struct Ringing {
    let fixture = try! SpeakerFixture()

    @Test func `a ring is played completely, sample by sample, and every frame is counted`()
      async throws
    {
      let speaker = fixture.supervisor(devices: ["capture"])
      let tone = try fixture.tone(milliseconds: 600)
      speaker.play(.of(.silence(milliseconds: 50), .file(path: tone)))
      // The number of gaps in the sound is not checked here, because a busy machine can cause gaps.
      // Another test checks that the player counts the gaps.
      guard
        case .ended("ring", "capture", 36_000, _, false) =
          try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      speaker.shutdown()
      let expected =
        [Int16](repeating: 0, count: 7_200)
        + sine(hertz: 440, milliseconds: 600, amplitude: 0.5)
      #expect(try fixture.captured() == expected)
      #expect(fixture.events.all.first == .started(id: "ring", device: "capture"))
      #expect(fixture.events.ends(of: "ring") == 1)
    }

    @Test func `a ring lasts as long as its sound, although the device takes it at once`()
      async throws
    {
      let speaker = fixture.supervisor(devices: ["mute"])
      let tone = try fixture.tone(milliseconds: 1_100)
      speaker.play(.of(.file(path: tone)))
      let start = try await fixture.events.first { !$0.isEnd(of: "ring") }
      let end = try await fixture.events.first { $0.isEnd(of: "ring") }
      // The ring takes 1,200 ms: the lead-in and the sound.
      #expect((1.15...2.2).contains(end.time - start.time))
    }

    @Test func `gain and fade-in shape the sound, and the limit cuts it softly`() async throws {
      let speaker = fixture.supervisor(devices: ["capture"])
      let tone = try fixture.tone(hertz: 1_000, milliseconds: 2_000)
      speaker.play(
        RingSound(
          id: "ring", segments: [.file(path: tone)], gainDecibels: -6, fadeInMilliseconds: 500,
          maxMilliseconds: 1_000, leadInMilliseconds: 100))
      try await fixture.events.end(of: "ring")
      speaker.shutdown()
      let sound = try fixture.captured()
      #expect(sound.count == 48_000)
      let full = 0.5 * 32_767 * pow(10, -6.0 / 20)
      func level(atMilliseconds: Int) -> Double {
        let start = atMilliseconds * 48
        return Double(peak(sound[start - 240..<start + 240])) / full
      }
      #expect(peak(sound[..<4_800]) == 0)
      #expect(abs(level(atMilliseconds: 350) - 0.5) < 0.03)
      #expect(abs(level(atMilliseconds: 700) - 1) < 0.01)
      #expect(abs(Double(peak(sound[47_900...])) / full) < 0.12)
    }

    @Test func `stop silences within 300 ms and reports how much was played`() async throws {
      let speaker = fixture.supervisor(devices: ["capture"])
      let tone = try fixture.tone(milliseconds: 8_000)
      speaker.play(.of(.file(path: tone)))
      try await fixture.events.started("ring")
      try await Task.sleep(for: .milliseconds(400))
      let asked = seconds()
      speaker.stop(id: "ring")
      let end = try await fixture.events.first { $0.isEnd(of: "ring") }
      speaker.shutdown()
      guard case .ended(_, "capture", let frames, _, true) = end.event else {
        Issue.record("\(end.event)")
        return
      }
      #expect(end.time - asked < 0.3)
      #expect(try fixture.captured().count == frames)
      // The upper limit contains three parts: the frames that were due, the 100 ms of sound that
      // the player can send in advance, and delays of the machine.
      #expect((14_400...48_000).contains(frames))
      #expect(fixture.events.ends(of: "ring") == 1)
    }

    @Test func `a stop that comes before its play prevents the sound`() async throws {
      let speaker = fixture.supervisor(devices: ["capture"])
      speaker.stop(id: "early")
      speaker.play(.of(.builtin(.urgent), id: "early"))
      let end = try await fixture.events.end(of: "early")
      #expect(
        end
          == .ended(id: "early", device: "", framesPlayed: 0, xruns: 0, stopped: true))
      #expect(fixture.events.all.count == 1)
      #expect(!FileManager.default.fileExists(atPath: fixture.path("capture.raw")))
    }

    @Test func `a stop for an unknown or finished ring does nothing`() async throws {
      let speaker = fixture.supervisor(devices: ["capture"])
      speaker.stop(id: "unknown")
      speaker.play(.of(.builtin(.acknowledge)))
      try await fixture.events.end(of: "ring")
      speaker.stop(id: "ring")
      speaker.play(.of(.builtin(.acknowledge), id: "next"))
      guard case .ended(_, _, _, _, false) = try await fixture.events.end(of: "next") else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect(fixture.events.ends(of: "ring") == 1)
    }

    @Test func `rings sound one after another, and one can be stopped while it waits`() async throws
    {
      let speaker = fixture.supervisor(devices: ["capture"])
      let tone = try fixture.tone(milliseconds: 300)
      speaker.play(.of(.file(path: tone), id: "one"))
      speaker.play(.of(.file(path: tone), id: "two"))
      speaker.play(.of(.file(path: tone), id: "three"))
      speaker.stop(id: "two")
      try await fixture.events.end(of: "three")
      speaker.shutdown()
      #expect(
        fixture.events.all.filter { $0.isEnd(of: "two") }
          == [.ended(id: "two", device: "", framesPlayed: 0, xruns: 0, stopped: true)])
      #expect(try fixture.captured().count == 2 * 400 * 48)
    }

    @Test func `shutdown ends sounding and waiting rings and returns in time`() async throws {
      let speaker = fixture.supervisor(devices: ["capture"])
      let tone = try fixture.tone(milliseconds: 8_000)
      speaker.play(.of(.file(path: tone), id: "one"))
      speaker.play(.of(.file(path: tone), id: "two"))
      try await fixture.events.started("one")
      let asked = seconds()
      speaker.shutdown()
      #expect(seconds() - asked < 1)
      #expect(fixture.events.ends(of: "one") == 1)
      #expect(fixture.events.ends(of: "two") == 1)
      #expect(!fixture.events.all.contains { $0.isRestart })
    }

    @Test func `the player ends with the process that started it, even if that is killed`()
      async throws
    {
      // A shell takes the place of the daemon. The test keeps the pipe to the player open, so that
      // the closed pipe does not end the player. Only the signal that the kernel sends after the
      // death of the shell can end the player.
      let pipe = try #require(DescriptorPair.make())
      defer { pipe.close() }
      let out = try #require(DescriptorPair.make())
      defer { close(out.reading) }
      // A shell gives each background process an empty standard input. Therefore, the script passes
      // the pipe to the player through descriptor 3.
      let script = "exec 3<&0; '\(SpeakerFixture.player)' play --parent $$ <&3 & wait"
      let shell = try ChildProcess.spawn(
        "/bin/sh", arguments: ["-c", script], environment: fixture.environment,
        descriptors: [(0, pipe.reading), (1, out.writing), (2, out.writing)])
      close(out.writing)
      guard case .bytes(let bytes) = readAvailable(out.reading) else {
        Issue.record("the player said nothing")
        return
      }
      #expect(String(decoding: bytes, as: UTF8.self).contains("ready"))
      kill(shell, SIGKILL)
      waitpid(shell, nil, 0)
      // If the player ends, the kernel closes the output of the player, and `poll` returns 1. If
      // the player does not end, `poll` returns 0 after 5 s.
      var ended = pollfd(fd: out.reading, events: Int16(POLLIN), revents: 0)
      try #require(poll(&ended, 1, 5_000) == 1, "the player lives")
      guard case .end = readAvailable(out.reading) else {
        Issue.record("the player lives")
        return
      }
    }
  }
}
