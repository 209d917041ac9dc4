import FoundationEssentials
import Glibc
import Speaker
import Testing

extension Sounding {
  /// Against a server that plays in real time and that can be frozen.
  @Suite(.enabled(if: SoundServer.isInstalled, "needs pulseaudio and alsa-utils"))
  struct RealTime {
    let workshop = try! Workshop()

    /// Index of the first and last sample that is not silence.
    private func extent(_ sound: [Int16]) -> Range<Int>? {
      guard let first = sound.firstIndex(where: { abs(Int($0)) > 100 }),
        let last = sound.lastIndex(where: { abs(Int($0)) > 100 })
      else { return nil }
      return first..<last + 1
    }

    @Test func `a ring reaches a real-time speaker without a gap, and stop cuts it there`()
      async throws
    {
      let server = try await SoundServer(in: workshop)
      let speaker = workshop.supervisor(
        devices: ["pulse"], environment: server.playerEnvironment)
      let recording = workshop.path("heard.raw")
      try server.record(to: recording)
      let deadline = seconds() + 5
      while (try? workshop.captured("heard.raw").count) ?? 0 == 0, seconds() < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      let tone = try workshop.tone(hertz: 1_000, milliseconds: 1_000)
      speaker.play(.of(.file(path: tone), id: "whole"))
      guard case .ended(_, "pulse", 52_800, 0, false) = try await workshop.events.end(of: "whole")
      else {
        Issue.record("\(workshop.events.all)")
        return
      }
      let long = try workshop.tone("long.wav", hertz: 1_000, milliseconds: 8_000)
      speaker.play(.of(.file(path: long), id: "cut"))
      try await workshop.events.started("cut")
      try await Task.sleep(for: .milliseconds(700))
      let asked = seconds()
      speaker.stop(id: "cut")
      let end = try await workshop.events.first { $0.isEnd(of: "cut") }
      guard case .ended(_, "pulse", let frames, _, true) = end.event else {
        Issue.record("\(end.event)")
        return
      }
      #expect(end.time - asked < 0.3)
      // Long enough for anything that is still under way to arrive at the recorder.
      try await Task.sleep(for: .milliseconds(600))
      server.endRecording()
      speaker.shutdown()
      let heard = try workshop.captured("heard.raw")
      let gapSamples = 2_400
      let pause = try #require(firstGap(heard, gapSamples))
      let whole = try #require(extent(Array(heard[..<pause])))
      #expect(abs(whole.count - 48_000) < 96, "\(whole.count) samples of a 48,000 sample tone")
      let rest = Array(heard[(whole.upperBound + gapSamples)...])
      let cut = try #require(extent(rest))
      // What was reported is what was heard, to a tenth of a second.
      #expect(abs(cut.count - (frames - 4_800)) < 4_800, "\(cut.count) heard, \(frames) reported")
    }

    /// Where, after the first sound, this many samples of silence begin.
    private func firstGap(_ sound: [Int16], _ length: Int) -> Int? {
      guard let begin = sound.firstIndex(where: { abs(Int($0)) > 100 }) else { return nil }
      var silent = 0
      for index in begin..<sound.count {
        silent = abs(Int(sound[index])) > 100 ? 0 : silent + 1
        if silent == length { return index + 1 }
      }
      return nil
    }

    @Test func `a sound server that freezes in the middle is left for the next device`()
      async throws
    {
      let server = try await SoundServer(in: workshop)
      let speaker = workshop.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment)
      let tone = try workshop.tone(milliseconds: 1_500)
      speaker.play(.of(.file(path: tone)))
      try await workshop.events.started("ring")
      try await workshop.events.first { if case .started = $0 { true } else { false } }
      try await Task.sleep(for: .milliseconds(300))
      let frozen = seconds()
      server.freeze()
      let change = try await workshop.events.first {
        if case .fallback("ring", "pulse", "capture", _) = $0 { true } else { false }
      }
      #expect(change.time - frozen < 3)
      let end = try await workshop.events.end(of: "ring")
      #expect(
        end
          == .ended(
            id: "ring", device: "capture", framesPlayed: 76_800, xruns: 0, stopped: false))
      #expect(workshop.events.all.count { $0.isRestart } == 1)
    }

    @Test func `a server frozen from the start costs a ring no more than 3 s`() async throws {
      let server = try await SoundServer(in: workshop)
      let speaker = workshop.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment)
      server.freeze()
      let asked = seconds()
      speaker.play(.of(.builtin(.acknowledge)))
      let start = try await workshop.events.first {
        $0 == .started(id: "ring", device: "capture")
      }
      #expect(start.time - asked < 3)
      guard case .ended(_, "capture", _, _, false) = try await workshop.events.end(of: "ring")
      else {
        Issue.record("\(workshop.events.all)")
        return
      }
      // The frozen device is not tried first again: the next ring is on time.
      let again = seconds()
      speaker.play(.of(.builtin(.acknowledge), id: "next"))
      let next = try await workshop.events.first {
        $0 == .started(id: "next", device: "capture")
      }
      #expect(next.time - again < 0.5)
    }

    @Test func `a stop while the server is frozen still ends the ring within 300 ms`() async throws
    {
      let server = try await SoundServer(in: workshop)
      let speaker = workshop.supervisor(
        devices: ["pulse"], environment: server.playerEnvironment)
      speaker.play(.of(.builtin(.urgent)))
      try await workshop.events.started("ring")
      server.freeze()
      let asked = seconds()
      speaker.stop(id: "ring")
      let end = try await workshop.events.first { $0.isEnd(of: "ring") }
      #expect(end.time - asked < 0.3)
      guard case .ended(_, "pulse", _, _, true) = end.event else {
        Issue.record("\(end.event)")
        return
      }
    }

    @Test func `a self-test names the device that froze and finds the one that works`() async throws
    {
      let server = try await SoundServer(in: workshop)
      let speaker = workshop.supervisor(
        devices: ["pulse", "capture"], environment: server.playerEnvironment)
      server.freeze()
      speaker.selfTest()
      try await workshop.events.first { $0 == .usable(device: "capture") }
    }
  }
}
