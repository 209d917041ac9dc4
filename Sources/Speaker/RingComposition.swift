import Alarms

extension RingSound {
  /// One ring as the patient hears it: chime, half a second, the voice, two seconds, the voice again.
  ///
  /// The chime says that something is coming, so that the first words are not lost; the second time
  /// is for those who only began to listen at the first.
  ///
  /// - Parameter voice: the path of the recording; nil rings with the built-in tone alone.
  public init(_ order: PlayOrder, voice: String?) {
    let segments: [SoundSegment] =
      if let voice {
        [
          .builtin(.chime), .silence(milliseconds: 500), .file(path: voice),
          .silence(milliseconds: 2_000), .file(path: voice),
        ]
      } else {
        [.builtin(.normal), .silence(milliseconds: 2_000), .builtin(.normal)]
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
  /// What the hallway is told of a speaker's event.
  ///
  /// - Returns: nil where the event is about no ring of a prompt.
  public init?(_ event: SpeakerEvent) {
    switch event {
    case .started(let id, let device):
      guard let (prompt, ring) = ringNamed(id) else { return nil }
      self = .started(prompt, ring: ring, device: device)
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
    case .usable(let device): self = .usable(device: device)
    case .unusable(let reason): self = .unusable(reason: reason)
    }
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
  name.split(separator: "/").last.map(String.init) ?? name
}
