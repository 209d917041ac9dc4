import Testing

@testable import SoundProtocol

/// Tests that the daemon and the player read each other's lines, and refuse all other lines.
@Suite struct LineTests {
  static let commands: [PlayerCommand] = [
    .play(
      RingSound(
        id: "pills@2026-12-01T08:00:00#1",
        segments: [
          .builtin(.chime), .silence(milliseconds: 500),
          .recording(paths: ["/a/b.wav", "/c \"d\".wav"], otherwise: .normal),
        ], gainDecibels: -3.5, fadeInMilliseconds: 500, maxMilliseconds: 20_000,
        leadInMilliseconds: 150),
      on: [OutputDevice("hw:CARD=Box", levelPercent: 80), OutputDevice("default")]),
    .play(
      RingSound(id: "", segments: [], gainDecibels: 0, fadeInMilliseconds: 0), on: []),
    .stop(id: "x"), .test(device: "plughw:1"),
  ]

  @Test(arguments: commands) func `a command arrives as it was sent`(command: PlayerCommand) throws
  {
    let line = try command.line()
    #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
    #expect(try PlayerCommand(line: line.dropLast()) == command)
  }

  static let messages: [PlayerMessage] = [
    .ready, .accepted(id: "r", totalFrames: 48_000), .opening(device: "hw:0"),
    .started(id: "r", device: "hw:0"),
    .started(
      id: "r", device: "hw:0",
      level: CardLevel(foundPercent: 20, wasMuted: true, setPercent: 80)),
    .progress(id: "r", framesPlayed: 1),
    .ended(id: "r", device: "hw:0", framesPlayed: 48_000, xruns: 1, stopped: false),
    .failed(id: "r", reason: "line\nbreak"),
    .fallback(id: "r", from: "a", to: "b", reason: "gone"),
    .tested(
      device: "hw:0", trouble: nil,
      level: CardLevel(foundPercent: 20, wasMuted: false, setPercent: nil)),
    .tested(device: "hw:0", trouble: "open: no such device"),
  ]

  @Test(arguments: messages) func `a message arrives as it was sent`(message: PlayerMessage) throws
  {
    let line = try message.line()
    #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
    #expect(PlayerMessage(line: line.dropLast()) == message)
  }

  static let reports: [DecoderReport] =
    [.tone(milliseconds: 61, loudnessLUFS: -16.5, truePeakDecibels: -1.5, format: "Ogg \"Opus\"")]
    + DecoderReport.Fault.allCases.map { .refused($0, sentence: "line\nbreak") }

  @Test(arguments: reports) func `a report arrives as it was sent`(report: DecoderReport) throws {
    let line = try report.line()
    #expect(line.last == UInt8(ascii: "\n") && !line.dropLast().contains(UInt8(ascii: "\n")))
    #expect(DecoderReport(line: line.dropLast()) == report)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"refused":"ugly","sentence":"x"}"#, #"{"duration_ms":1,"format":"WAV"}"#,
  ])
  func `a line that is not a report gives nil`(line: String) {
    #expect(DecoderReport(line: Array(line.utf8)) == nil)
  }

  @Test(arguments: [
    "", "{}", "ring!", #"{"command":"dance"}"#, #"{"command":"play"}"#, #"{"command":"stop"}"#,
    #"{"command":"test","devices":[]}"#, #"{"command":"play","id":"r","segments":[{}]}"#,
    #"{"command":"play","id":"r","segments":[{"builtin":"gong"}]}"#,
    #"{"command":"play","id":"r","segments":[{"files":["/a.wav"]}]}"#,
  ])
  func `a line that is not a command is refused`(line: String) {
    #expect(throws: MessageFault.self) { try PlayerCommand(line: Array(line.utf8)) }
  }

  @Test(arguments: [
    "", "{}", "ALSA lib pcm.c:2721", #"{"event":"started","id":"r"}"#,
    #"{"event":"ended","id":"r","device":"d","frames":1,"stopped":true}"#,
    #"{"event":"fallback","id":"r","reason":"x","from":"a"}"#, #"{"event":"progress","id":"r"}"#,
  ])
  func `a line that is not a message gives nil`(line: String) {
    #expect(PlayerMessage(line: Array(line.utf8)) == nil)
  }

  @Test func `a number that is not finite cannot be sent`() {
    let sound = RingSound(
      id: "r", segments: [], gainDecibels: .infinity, fadeInMilliseconds: 0)
    #expect(throws: MessageFault.self) { try PlayerCommand.play(sound, on: []).line() }
  }
}
