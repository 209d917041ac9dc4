import Alarms
import SoundProtocol

extension RingSound {
  /// One ring as the patient hears it: chime, half a second, the voice, two seconds, the voice again.
  ///
  /// The chime says that something is coming, so that the first words are not lost; the second time
  /// is for those who only began to listen at the first. Of prompts that are due together only the
  /// first has the chime; what is urgent has the urgent tone in its place.
  ///
  /// - Parameter voices: paths of recordings, most wanted first, whether or not they can be read: what
  ///   cannot is told when the ring is played. Without any, the built-in tone sounds alone.
  public init(_ order: PlayOrder, voices: [String]) {
    let tone: BuiltinTone = order.isUrgent ? .urgent : .normal
    let alert: BuiltinTone = order.isUrgent ? .urgent : .chime
    let voice = SoundSegment.recording(paths: voices, otherwise: tone)
    let segments: [SoundSegment] =
      if voices.isEmpty {
        [.builtin(tone), .silence(milliseconds: 2_000), .builtin(tone)]
      } else {
        (order.hasAlert ? [.builtin(alert), .silence(milliseconds: 500)] : [])
          + [voice, .silence(milliseconds: 2_000), voice]
      }
    self.init(
      id: Self.id(prompt: order.prompt, ring: order.ring), segments: segments,
      gainDecibels: order.gainDecibels,
      fadeInMilliseconds: order.isFirstOfBurst ? 500 : 0)
  }

  /// The id of a prompt's ring, as events carry it.
  public static func id(prompt: PromptID, ring: Int) -> String { "\(prompt)#\(ring)" }
}

extension SoundReport {
  /// What the engine is told of a speaker's event.
  ///
  /// - Returns: nil where the event is about no ring of a prompt.
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
  /// The card's level in the words of the record.
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

/// The record is not to hold a path of this machine: a stored tone is named by its digest alone.
private func baseName(_ name: String) -> String {
  guard name.hasPrefix("/") else { return name }
  return name.split(separator: "/").last.map(String.init) ?? name
}
