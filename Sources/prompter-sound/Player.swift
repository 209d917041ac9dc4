@preconcurrency import Glibc

/// The long-lived player: reads commands, plays one ring at a time, reports what truly happened.
///
/// One thread. While a ring sounds it turns every period (20 ms): read commands, top up the device.
/// Each ring opens its device and closes it again, so that other programs can use it between rings
/// and a re-plugged USB speaker is found under its name.
final class Player {
  private let wire: PlayerWire
  private let mixer: MixerKeeper?
  private var performance: Performance?
  private var tones: [BuiltinTone: [Int16]] = [:]

  /// - Parameter mixer: sets the card's level for each ring; nil leaves mixers alone.
  init(wire: PlayerWire, mixer: MixerKeeper?) {
    self.wire = wire
    self.mixer = mixer
  }

  /// Runs until the daemon closes our input; then silence.
  func run() {
    wire.send(PlayerMessage(event: "ready"))
    Device.warmUp()
    mixer?.restoreFromCrash()
    var cold = BuiltinTone.allCases[...]
    while true {
      var wait = performance.map { $0.millisecondsToNextTurn() } ?? -1
      if wait < 0, let tone = cold.popFirst() {
        // Idle: make what a ring would otherwise wait for, but look for commands in between.
        _ = samples(of: tone)
        wait = 0
      }
      guard let commands = wire.commands(waitingMilliseconds: wait) else { break }
      for command in commands { obey(command) }
      performance?.turn()
      if performance?.isOver == true { finish() }
    }
    if performance != nil {
      performance?.stop()
      finish()
    }
    mixer?.finishRestoring()
  }

  /// Closes the device and restores the mixer only now, when the end has been told: should they hang,
  /// they hide nothing, and the missing `ready` gives them away before the next ring.
  private func finish() {
    performance = nil
    mixer?.restore()
    wire.send(PlayerMessage(event: "ready"))
  }

  private func samples(of tone: BuiltinTone) -> [Int16] {
    if let samples = tones[tone] { return samples }
    let samples = tone.samples()
    tones[tone] = samples
    return samples
  }

  private func obey(_ command: PlayerCommand) {
    switch command.command {
    case "play": play(command)
    case "stop":
      guard performance?.id == command.id else { return }
      performance?.stop()
      finish()
    case "test": for device in command.devices ?? [] { test(device) }
    default: complain("unknown command \(command.command)")
    }
  }

  private func play(_ command: PlayerCommand) {
    guard let id = command.id else { return complain("a play without an id") }
    guard performance == nil else {
      let reason = "another ring is playing"
      return wire.send(PlayerMessage(event: "failed", id: id, reason: reason))
    }
    let parts =
      [.silence(frames: milliseconds(command.leadInMilliseconds) * 48)]
      + (command.segments ?? []).map { part($0, id: id) }
    let score = Score(
      parts: parts, gainDecibels: command.gainDecibels ?? 0,
      fadeInMilliseconds: command.fadeInMilliseconds ?? 0,
      maxMilliseconds: command.maxMilliseconds ?? 30_000)
    wire.send(PlayerMessage(event: "accepted", id: id, frames: score.totalFrames))
    performance = Performance(
      id: id, score: score, devices: command.devices ?? [], wire: wire, mixer: mixer)
  }

  private func milliseconds(_ wanted: Int?) -> Int { max(0, min(wanted ?? 0, 60_000)) }

  private func part(_ segment: PlayerCommand.Segment, id: String) -> Score.Part {
    if let path = segment.file {
      do {
        return .samples(try CanonicalWAV.load(path))
      } catch {
        return .samples(beep(insteadOf: path, because: "\(error)", id: id))
      }
    }
    if let name = segment.builtin {
      guard let tone = BuiltinTone(rawValue: name) else {
        return .samples(beep(insteadOf: name, because: "there is no such tone", id: id))
      }
      return .samples(samples(of: tone))
    }
    return .silence(frames: milliseconds(segment.silenceMilliseconds) * 48)
  }

  private func beep(insteadOf name: String, because reason: String, id: String) -> [Int16] {
    wire.send(
      PlayerMessage(event: "fallback", id: id, reason: reason, from: name, to: "beep"))
    return samples(of: .beep)
  }

  private func test(_ name: String) {
    wire.send(PlayerMessage(event: "opening", device: name))
    do {
      _ = try Device(name: name)
      wire.send(PlayerMessage(event: "tested", device: name))
    } catch {
      wire.send(PlayerMessage(event: "tested", device: name, reason: "\(error)"))
    }
  }
}
