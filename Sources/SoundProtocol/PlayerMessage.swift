/// A message of `prompter-sound play`. Each line of the standard output of the player contains one
/// message as a JSON object.
public enum PlayerMessage: Hashable, Sendable {
  /// The player is ready for a command. The player sends this message after its start. After each
  /// ring, the player closes the sound device, restores the mixer, and then sends this message.
  case ready
  /// The player has read all segments of the ring. `totalFrames` is the length of the ring in
  /// frames at 48 kHz.
  case accepted(id: String, totalFrames: Int)
  /// The player will now open this sound device. The player sends this message before it opens the
  /// sound device, because the call that opens the device can hang.
  case opening(device: String)
  /// The sound device accepted the first frames. `level` is the level of the sound card; nil if the
  /// card has no mixer.
  case started(id: String, device: String, level: CardLevel? = nil)
  /// The sound device has played `framesPlayed` frames of the ring so far.
  case progress(id: String, framesPlayed: Int)
  case ended(id: String, device: String, framesPlayed: Int, xruns: Int, stopped: Bool)
  case failed(id: String, reason: String)
  case fallback(id: String, from: String, to: String, reason: String)
  /// The player has carried out the command `test`. If the player could open the sound device and
  /// set the parameters of the device, `trouble` is nil.
  case tested(device: String, trouble: String?, level: CardLevel? = nil)

  /// Reads one line without its newline. The result is nil if the line is not a valid message.
  public init?(line: some Sequence<UInt8>) {
    guard let form = try? PlayerForm.read(MessageForm.self, line) else { return nil }
    switch (form.event, form.id, form.device, form.frames, form.reason) {
    case ("ready", _, _, _, _): self = .ready
    case ("accepted", let id?, _, let frames?, _): self = .accepted(id: id, totalFrames: frames)
    case ("opening", _, let device?, _, _): self = .opening(device: device)
    case ("started", let id?, let device?, _, _):
      self = .started(id: id, device: device, level: form.level)
    case ("progress", let id?, _, let frames?, _): self = .progress(id: id, framesPlayed: frames)
    case ("ended", let id?, let device?, let frames?, _):
      guard let xruns = form.xruns, let stopped = form.stopped else { return nil }
      self = .ended(
        id: id, device: device, framesPlayed: frames, xruns: xruns, stopped: stopped)
    case ("failed", let id?, _, _, let reason?): self = .failed(id: id, reason: reason)
    case ("fallback", let id?, _, _, let reason?):
      guard let from = form.from, let to = form.to else { return nil }
      self = .fallback(id: id, from: from, to: to, reason: reason)
    case ("tested", _, let device?, _, let trouble):
      self = .tested(device: device, trouble: trouble, level: form.level)
    default: return nil
    }
  }

  /// Returns the message as a line of JSON, with the newline.
  ///
  /// - Throws: `MessageFault` if the message cannot be written as JSON.
  public func line() throws(MessageFault) -> [UInt8] { try PlayerForm.write(form) }

  private var form: MessageForm {
    switch self {
    case .ready: MessageForm(event: "ready")
    case .accepted(let id, let frames): MessageForm(event: "accepted", id: id, frames: frames)
    case .opening(let device): MessageForm(event: "opening", device: device)
    case .started(let id, let device, let level):
      MessageForm(event: "started", id: id, device: device, level: level)
    case .progress(let id, let frames): MessageForm(event: "progress", id: id, frames: frames)
    case .ended(let id, let device, let frames, let xruns, let stopped):
      MessageForm(
        event: "ended", id: id, device: device, frames: frames, xruns: xruns, stopped: stopped)
    case .failed(let id, let reason): MessageForm(event: "failed", id: id, reason: reason)
    case .fallback(let id, let from, let to, let reason):
      MessageForm(event: "fallback", id: id, reason: reason, from: from, to: to)
    case .tested(let device, let trouble, let level):
      MessageForm(event: "tested", device: device, reason: trouble, level: level)
    }
  }
}

/// The JSON members of a message.
private struct MessageForm: Codable {
  var event: String
  var id: String?
  var device: String?
  var frames: Int?
  var xruns: Int?
  var stopped: Bool?
  var reason: String?
  var from: String?
  var to: String?
  var level: CardLevel?
}
