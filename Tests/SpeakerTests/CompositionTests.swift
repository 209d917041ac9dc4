import Alarms
import CivilTime
import SoundProtocol
import Testing

@testable import Speaker

/// Tests the parts of a ring.
@Suite struct `The parts of a ring` {
  private func id(_ alarm: String) -> PromptID {
    PromptID(alarm: AlarmID(alarm), nominalKey: 84)
  }

  private func order(others: [String] = [], hasAlert: Bool = true) -> PlayOrder {
    var order = PlayOrder(
      prompt: id("a"), ring: 2, tones: [], words: SpokenWords("Pills", language: nil),
      gainDecibels: -3, isFirstOfBurst: false, hasAlert: hasAlert)
    order.others = others.map {
      PlayOrder.Part(prompt: id($0), ring: 1, tones: [], words: SpokenWords($0, language: nil))
    }
    return order
  }

  private func voice(_ path: String) -> SoundSegment {
    .recording(paths: [path], otherwise: .normal)
  }

  @Test func `a ring has a chime, its voice, a pause and its voice again`() {
    let ring = RingSound(order(), voices: ["pills"])
    #expect(ring.id == RingSound.id(prompt: id("a"), ring: 2) && ring.gainDecibels == -3)
    #expect(
      ring.segments == [
        .builtin(.chime), .silence(milliseconds: 500), voice("pills"),
        .silence(milliseconds: 2_000), voice("pills"),
      ])
  }

  @Test func `a voice that is said again sounds once, without a chime`() {
    var again = order(hasAlert: false)
    again.isAgain = true
    #expect(RingSound(again, voices: ["pills"]).segments == [voice("pills")])
    #expect(RingSound(again, voices: []).segments == [.builtin(.normal)])
    #expect(
      RingSound(again, voices: ["pills"], lead: "in one hour").segments == [
        .recording(paths: ["in one hour"], otherwise: .chime), .silence(milliseconds: 300),
        voice("pills"),
      ])
  }

  @Test func `the id of a voice that is said again leads back to its prompt`() {
    var again = order()
    again.ring = -3
    let id = RingSound(again, voices: []).id
    #expect(
      SoundReport(.started(id: id, device: "card0", level: nil))
        == .started(self.id("a"), ring: -3, device: "card0"))
  }

  @Test func `a merged ring says the number of things and then each voice, and all again`() {
    let ring = RingSound(
      order(others: ["b", "c"]), voices: ["pills"], lead: "three", others: [["flowers"], ["drops"]])
    let once: [SoundSegment] = [
      .recording(paths: ["three"], otherwise: .chime), .silence(milliseconds: 300),
      voice("pills"), .silence(milliseconds: 700), voice("flowers"), .silence(milliseconds: 700),
      voice("drops"),
    ]
    #expect(
      ring.segments == [.builtin(.chime), .silence(milliseconds: 500)] + once
        + [.silence(milliseconds: 2_000)] + once)
    #expect(ring.maxMilliseconds == 30_000)
  }

  @Test func `a prompt without a voice has the built-in tone in a merged ring`() {
    let ring = RingSound(
      order(others: ["b"], hasAlert: false), voices: [], lead: nil, others: [["flowers"]])
    let once: [SoundSegment] = [
      .builtin(.normal), .silence(milliseconds: 700), voice("flowers"),
    ]
    #expect(ring.segments == once + [.silence(milliseconds: 2_000)] + once)
  }

  @Test func `without any voice a merged ring is the tone, a pause and the tone`() {
    let ring = RingSound(order(others: ["b"]), voices: [], lead: "two", others: [[]])
    #expect(
      ring.segments == [
        .builtin(.normal), .silence(milliseconds: 2_000), .builtin(.normal),
      ])
  }
}
