import Alarms
import SoundProtocol

extension RingSound {
  /// Composes one ring: a chime, a pause of half a second, a recording or speech, a pause of two
  /// seconds, and the recording or speech again.
  ///
  /// The chime attracts attention before the first words. The player plays the recording or the
  /// speech twice, because some people miss the first words even after the chime. If several
  /// prompts are due together, only the first prompt has the chime. An urgent prompt has the urgent
  /// tone instead of the chime.
  ///
  /// If a person asked to hear the voice again, the sound contains only one part: the recording or
  /// the speech, once.
  ///
  /// In a merged ring, the voices of all prompts sound one after another. After the pause of two
  /// seconds, all voices sound again. If a prompt has no voice, the built-in tone sounds instead.
  ///
  /// - Parameter voices: paths of recordings, the preferred path first. If the player cannot read a
  ///   recording, it uses the next path of the list and reports a fallback. If the list is empty,
  ///   the ring contains only the built-in tone.
  /// - Parameter lead: for an early reminder, the path of the speech that says when the main prompt
  ///   is due. For a merged ring, the path of the speech that says the number of tasks. The player
  ///   plays this speech each time before it plays the recordings or the words of the alarms. If
  ///   the path is nil, the ring does not contain this speech.
  /// - Parameter others: for a merged ring, a list of recording paths for each prompt except the
  ///   leading prompt. The lists are in the order of `PlayOrder.others`.
  public init(
    _ order: PlayOrder, voices: [String], lead: String? = nil, others: [[String]] = []
  ) {
    let tone: BuiltinTone = order.isUrgent ? .urgent : .normal
    let alert: BuiltinTone = order.isUrgent ? .urgent : .chime
    let voice: [SoundSegment] =
      (lead.map { [.recording(paths: [$0], otherwise: alert), .silence(milliseconds: 300)] } ?? [])
      + [Self.voice(voices, otherwise: tone)]
      + others.flatMap {
        [.silence(milliseconds: PlayOrder.Part.pauseMilliseconds), Self.voice($0, otherwise: tone)]
      }
    let segments: [SoundSegment] =
      if order.isAgain {
        voice
      } else if voices.isEmpty, others.allSatisfy(\.isEmpty) {
        [.builtin(tone), .silence(milliseconds: 2_000), .builtin(tone)]
      } else {
        (order.hasAlert ? [.builtin(alert), .silence(milliseconds: 500)] : [])
          + voice + [.silence(milliseconds: 2_000)] + voice
      }
    self.init(
      id: Self.id(prompt: order.prompt, ring: order.ring), segments: segments,
      gainDecibels: order.gainDecibels,
      fadeInMilliseconds: order.isFirstOfBurst ? 500 : 0)
  }

  private static func voice(_ paths: [String], otherwise tone: BuiltinTone) -> SoundSegment {
    paths.isEmpty ? .builtin(tone) : .recording(paths: paths, otherwise: tone)
  }

  /// Returns the id of a ring in speaker events. The id consists of the prompt id, `#`, and the
  /// sequence number of the ring.
  public static func id(prompt: PromptID, ring: Int) -> String { "\(prompt)#\(ring)" }
}

extension SoundReport {
  /// Converts an event of the speaker to a report for the engine.
  ///
  /// - Returns: nil if the event is not about a ring of a prompt.
  public init?(_ event: SpeakerEvent) {
    switch event {
    case .started(let id, let device, let level):
      guard let (prompt, ring) = ringNamed(id) else { return nil }
      self = .started(prompt, ring: ring, device: device, level: level.map(SoundLevel.init))
    case .ended(let id, let device, let frames, let xruns, let stopped):
      guard let (prompt, ring) = ringNamed(id) else { return nil }
      self = .ended(
        prompt, ring: ring, device: device, frames: frames, xruns: xruns, stopped: stopped)
    case .failed(let id, let reason):
      guard let (prompt, ring) = ringNamed(id) else { return nil }
      self = .failed(prompt, ring: ring, reason: reason)
    case .fallback(let id, let from, let to, let reason):
      self = .fallback(
        ringNamed(id)?.0, from: baseName(from), to: baseName(to), reason: reason)
    case .playerRestarted(let reason):
      self = .fallback(nil, from: "player", to: "player", reason: reason)
    case .tested(let checks):
      self = .tested(
        checks.map {
          DeviceTest(device: $0.device, trouble: $0.trouble, level: $0.level.map(SoundLevel.init))
        })
    case .usable(let device): self = .usable(device: device)
    case .unusable(let reason): self = .unusable(reason: reason)
    }
  }
}

extension SoundLevel {
  /// Converts the level of the sound card to the type that the record uses.
  public init(_ level: CardLevel) {
    self.init(
      foundPercent: level.foundPercent, wasMuted: level.wasMuted, setPercent: level.setPercent)
  }
}

private func ringNamed(_ id: String) -> (PromptID, Int)? {
  guard let mark = id.lastIndex(of: "#"), let ring = Int(id[id.index(after: mark)...]),
    let prompt = PromptID(String(id[..<mark]))
  else { return nil }
  return (prompt, ring)
}

/// Returns the file name of a sound without its directory. The digest in the file name is enough to
/// identify a recording, and the record must not contain a path of this machine.
private func baseName(_ name: String) -> String {
  guard name.hasPrefix("/") else { return name }
  return name.split(separator: "/").last.map(String.init) ?? name
}
