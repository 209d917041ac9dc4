import FoundationEssentials
import Glibc
import SoundProtocol
import Speaker
import Testing

extension Sounding {
  /// Tests the player with a sound server that plays in real time.
  @Suite(.enabled(if: SoundServer.isInstalled, "needs pulseaudio and alsa-utils"))
  struct RealTime {
    let fixture = try! SpeakerFixture()

    @Test func `a ring reaches a real-time speaker completely, and stop cuts it there`()
      async throws
    {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: ["pulse"], environment: server.playerEnvironment)
      let recording = fixture.path("heard.raw")
      try server.record(to: recording)
      let deadline = seconds() + 5
      while (try? fixture.captured("heard.raw").count) ?? 0 == 0, seconds() < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      let tone = try fixture.tone(hertz: 1_000, milliseconds: 1_000)
      speaker.play(.of(.file(path: tone), id: "whole"))
      guard
        case .ended(_, "pulse", 52_800, _, false) = try await fixture.events.end(of: "whole")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      let long = try fixture.tone("long.wav", hertz: 1_000, milliseconds: 8_000)
      speaker.play(.of(.silence(milliseconds: 1_000), .file(path: long), id: "cut"))
      try await fixture.events.started("cut")
      try await Task.sleep(for: .milliseconds(1_700))
      let asked = seconds()
      speaker.stop(id: "cut")
      let end = try await fixture.events.first { $0.isEnd(of: "cut") }
      guard case .ended(_, "pulse", let frames, _, true) = end.event else {
        Issue.record("\(end.event)")
        return
      }
      #expect(end.time - asked < 0.3)
      // In 600 ms, all sound that the server still has arrives at the recorder.
      try await Task.sleep(for: .milliseconds(600))
      server.endRecording()
      speaker.shutdown()
      let heard = try fixture.captured("heard.raw")
      // A silence of at least half a second separates the two rings. A shorter silence is a gap
      // that a busy machine caused.
      let pause = try #require(firstGap(heard, 24_000))
      let whole = sounding(heard[..<pause])
      #expect(abs(whole - sounding(tone: 48_000)) < 480, "\(whole) samples of a second")
      // The length that the player reports and the length in the recording differ by less than a
      // tenth of a second.
      let cut = sounding(heard[pause...])
      #expect(abs(cut - sounding(tone: frames - 52_800)) < 4_800, "\(cut) of \(frames)")
    }

    /// Counts the samples that are not near zero. The first function counts them in a recording,
    /// the second function in a test tone of this length.
    private func sounding(_ sound: ArraySlice<Int16>) -> Int { sound.count { abs(Int($0)) > 100 } }
    private func sounding(tone count: Int) -> Int {
      let second = sounding(sine(hertz: 1_000, milliseconds: 1_000, amplitude: 0.5)[...])
      return count * second / 48_000
    }

    /// Returns the index at which a silence reaches `length` samples for the first time. The
    /// silence before the first sound does not count.
    private func firstGap(_ sound: [Int16], _ length: Int) -> Int? {
      guard let begin = sound.firstIndex(where: { abs(Int($0)) > 100 }) else { return nil }
      var silent = 0
      for index in begin..<sound.count {
        silent = abs(Int(sound[index])) > 100 ? 0 : silent + 1
        if silent == length { return index + 1 }
      }
      return nil
    }

    @Test func `a ring moves to the next device if the sound server freezes in the middle`()
      async throws
    {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment)
      let tone = try fixture.tone(milliseconds: 1_500)
      speaker.play(.of(.file(path: tone)))
      try await fixture.events.started("ring")
      try await fixture.events.first { if case .started = $0 { true } else { false } }
      try await Task.sleep(for: .milliseconds(300))
      let frozen = seconds()
      server.freeze()
      let change = try await fixture.events.first {
        if case .fallback("ring", "pulse", "capture", _) = $0 { true } else { false }
      }
      #expect(change.time - frozen < 3)
      guard
        case .ended(_, "capture", 76_800, _, false) =
          try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect(fixture.events.all.count { $0.isRestart } == 1)
    }

    @Test func `a server that is frozen from the start delays a ring by at most 3 s`() async throws
    {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment)
      server.freeze()
      let asked = seconds()
      speaker.play(.of(.builtin(.acknowledge)))
      let start = try await fixture.events.first {
        $0 == .started(id: "ring", device: "capture")
      }
      #expect(start.time - asked < 3)
      guard case .ended(_, "capture", _, _, false) = try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      // After the fault, the player does not try the frozen device first. Therefore, the next ring
      // is on time.
      let again = seconds()
      speaker.play(.of(.builtin(.acknowledge), id: "next"))
      let next = try await fixture.events.first {
        $0 == .started(id: "next", device: "capture")
      }
      #expect(next.time - again < 0.5)
    }

    @Test(arguments: ["pulse", "capture"])
    func `a player that was late continues, plays every frame and counts the gap`(
      _ device: String
    ) async throws {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: [device], environment: server.playerEnvironment)
      let tone = try fixture.tone(milliseconds: 1_500)
      speaker.play(.of(.file(path: tone)))
      try await fixture.events.started("ring")
      let player = try #require(
        fixture.childProcesses().first { $0.name == "prompter-sound" }?.pid)
      try await Task.sleep(for: .milliseconds(300))
      kill(player, SIGSTOP)
      try await Task.sleep(for: .milliseconds(400))
      kill(player, SIGCONT)
      guard
        case .ended(_, device, 76_800, let xruns, false) =
          try await fixture.events.end(of: "ring")
      else {
        Issue.record("\(fixture.events.all)")
        return
      }
      #expect((1...3).contains(xruns))
      #expect(!fixture.events.all.contains { $0.isRestart })
    }

    @Test func `a stop while the server is frozen still ends the ring within 300 ms`() async throws
    {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: ["pulse"], environment: server.playerEnvironment)
      speaker.play(.of(.builtin(.urgent)))
      try await fixture.events.started("ring")
      server.freeze()
      let asked = seconds()
      speaker.stop(id: "ring")
      let end = try await fixture.events.first { $0.isEnd(of: "ring") }
      #expect(end.time - asked < 0.3)
      guard case .ended(_, "pulse", _, _, true) = end.event else {
        Issue.record("\(end.event)")
        return
      }
    }

    @Test func `a self-test names the frozen device and finds the one that works`() async throws {
      let server = try await SoundServer(in: fixture)
      let speaker = fixture.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment)
      server.freeze()
      speaker.selfTest()
      try await fixture.events.first { $0 == .usable(device: "capture") }
    }
  }
}
