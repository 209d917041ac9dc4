@preconcurrency import Glibc
import SoundProcessing
import SoundProtocol

/// Reads commands, plays one ring at a time, and reports the result. One player process plays many
/// rings.
///
/// The player has one thread. While a ring sounds, the thread reads commands and writes new samples
/// to the sound device every 20 ms. The player opens the sound device at the start of each ring,
/// and closes the device at the end of the ring. Therefore, other programs can use the sound device
/// between rings. If a person unplugs a USB speaker and plugs it in again, the player finds the
/// speaker by its name.
final class Player {
  private let streams: PlayerStreams
  private let mixer: MixerRestorer?
  private var playback: Playback?
  private var tones: [BuiltinTone: [Int16]] = [:]

  /// - Parameter mixer: the object that sets the level of the sound card for each ring; nil to
  ///   leave mixers unchanged.
  init(streams: PlayerStreams, mixer: MixerRestorer?) {
    self.streams = streams
    self.mixer = mixer
  }

  /// Runs until the daemon closes the input stream of the player. Then the function stops the sound
  /// at once.
  func run() {
    streams.send(.ready)
    Device.warmUp()
    mixer?.restoreFromCrash()
    var uncomputed = BuiltinTone.allCases[...]
    while true {
      var wait = playback.map { $0.millisecondsToNextTurn() } ?? -1
      if wait < 0, let tone = uncomputed.popFirst() {
        // Compute the built-in tones while the player is idle, so that no ring has to wait for a
        // built-in tone. After each tone, the player reads new commands.
        _ = samples(of: tone)
        wait = 0
      }
      guard let commands = streams.commands(waitingMilliseconds: wait) else { break }
      for command in commands { execute(command) }
      playback?.turn()
      if playback?.isOver == true { finish() }
    }
    if playback != nil {
      playback?.stop()
      finish()
    }
    mixer?.finishRestoring()
  }

  /// Closes the sound device and restores the mixer. The player has already reported the end of the
  /// ring.
  ///
  /// Both operations can hang in a driver. The supervisor already has the report about the ring, so
  /// a hang does not delay this report. After a hang, the player sends no message `ready`.
  /// Therefore the supervisor detects the hang before the next ring.
  private func finish() {
    playback = nil
    mixer?.restore()
    streams.send(.ready)
  }

  private func samples(of tone: BuiltinTone) -> [Int16] {
    if let samples = tones[tone] { return samples }
    let samples = tone.samples()
    tones[tone] = samples
    return samples
  }

  private func execute(_ command: PlayerCommand) {
    switch command {
    case .play(let sound, let devices): play(sound, on: devices)
    case .stop(let id):
      guard playback?.id == id else { return }
      playback?.stop()
      finish()
    case .test(let device): test(device)
    }
  }

  private func play(_ sound: RingSound, on devices: [OutputDevice]) {
    guard playback == nil else {
      return streams.send(.failed(id: sound.id, reason: "another ring is playing"))
    }
    var sources = Sources(streams: streams, id: sound.id, builtin: samples(of:))
    let leadIn = RingAudio.Part.silence(frames: milliseconds(sound.leadInMilliseconds) * 48)
    let parts = [leadIn] + sound.segments.map { sources.part($0) }
    let audio = RingAudio(
      parts: parts, gainDecibels: sound.gainDecibels,
      fadeInMilliseconds: sound.fadeInMilliseconds, maxMilliseconds: sound.maxMilliseconds)
    streams.send(.accepted(id: sound.id, totalFrames: audio.totalFrames))
    playback = Playback(
      id: sound.id, audio: audio, devices: devices, streams: streams, mixer: mixer)
  }

  private func test(_ name: String) {
    streams.send(.opening(device: name))
    do {
      _ = try Device(name: name)
      let level = mixer == nil ? nil : Mixer(control: Mixer.control(ofDevice: name))?.level()
      streams.send(.tested(device: name, trouble: nil, level: level))
    } catch {
      streams.send(.tested(device: name, trouble: "\(error)"))
    }
  }
}

/// Reads the files of the segments of one ring.
///
/// If a ring contains a recording twice, this type reads the file only once. If this type cannot
/// read a file, it reports the file only once.
private struct Sources {
  let streams: PlayerStreams
  let id: String
  let builtin: (BuiltinTone) -> [Int16]
  private var read: [SoundSegment: [Int16]] = [:]

  init(streams: PlayerStreams, id: String, builtin: @escaping (BuiltinTone) -> [Int16]) {
    self.streams = streams
    self.id = id
    self.builtin = builtin
  }

  mutating func part(_ segment: SoundSegment) -> RingAudio.Part {
    switch segment {
    case .silence(let wanted): return .silence(frames: milliseconds(wanted) * 48)
    case .builtin(let tone): return .samples(builtin(tone))
    case .recording(let paths, let otherwise):
      let samples = read[segment] ?? first(of: paths, otherwise: otherwise)
      read[segment] = samples
      return .samples(samples)
    }
  }

  private func first(of paths: [String], otherwise: BuiltinTone) -> [Int16] {
    for (index, path) in paths.enumerated() {
      do {
        return try CanonicalWAV.load(path)
      } catch {
        let next = index + 1 < paths.count ? paths[index + 1] : otherwise.rawValue
        streams.send(.fallback(id: id, from: path, to: next, reason: "\(error)"))
      }
    }
    return builtin(otherwise)
  }
}

private func milliseconds(_ wanted: Int) -> Int { max(0, min(wanted, 60_000)) }
