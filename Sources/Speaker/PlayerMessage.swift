import FoundationEssentials

/// One line from the player, checked: a line that does not say one of these is a lie.
enum PlayerMessage: Hashable {
  /// The player is up, or has put everything away after a ring, and reads commands.
  case ready
  /// The ring was read and will have this many frames at 48 kHz.
  case accepted(id: String, totalFrames: Int)
  /// The player is about to open this device, which may hang.
  case opening(device: String)
  case started(id: String, device: String)
  /// Frames that have left the device so far.
  case progress(id: String, framesPlayed: Int)
  case ended(id: String, device: String, framesPlayed: Int, xruns: Int, stopped: Bool)
  case failed(id: String, reason: String)
  case fallback(id: String, from: String, to: String, reason: String)
  /// The answer to `test`: nil when the device opened and took its parameters.
  case tested(device: String, trouble: String?)

  init?(line: [UInt8]) {
    struct Wire: Decodable {
      var event: String
      var id: String?
      var device: String?
      var frames: Int?
      var xruns: Int?
      var stopped: Bool?
      var reason: String?
      var from: String?
      var to: String?
    }
    guard let wire = try? JSONDecoder().decode(Wire.self, from: Data(line)) else { return nil }
    switch (wire.event, wire.id, wire.device, wire.frames, wire.reason) {
    case ("ready", _, _, _, _): self = .ready
    case ("accepted", let id?, _, let frames?, _): self = .accepted(id: id, totalFrames: frames)
    case ("opening", _, let device?, _, _): self = .opening(device: device)
    case ("started", let id?, let device?, _, _): self = .started(id: id, device: device)
    case ("progress", let id?, _, let frames?, _): self = .progress(id: id, framesPlayed: frames)
    case ("ended", let id?, let device?, let frames?, _):
      guard let xruns = wire.xruns, let stopped = wire.stopped else { return nil }
      self = .ended(
        id: id, device: device, framesPlayed: frames, xruns: xruns, stopped: stopped)
    case ("failed", let id?, _, _, let reason?): self = .failed(id: id, reason: reason)
    case ("fallback", let id?, _, _, let reason?):
      guard let from = wire.from, let to = wire.to else { return nil }
      self = .fallback(id: id, from: from, to: to, reason: reason)
    case ("tested", _, let device?, _, let trouble):
      self = .tested(device: device, trouble: trouble)
    default: return nil
    }
  }
}
