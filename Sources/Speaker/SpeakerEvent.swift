import SoundProtocol

/// A report of the speaker.
///
/// Each `play` gets at most one `started`, and exactly one of `ended` and `failed`. If the ring is
/// repeated with a new player, `playerRestarted` reports this, and there is no second `started`.
public enum SpeakerEvent: Sendable, Hashable {
  /// The device accepted the first frames of the ring. `level` is nil if it is unknown.
  case started(id: String, device: String, level: CardLevel? = nil)
  /// The ring has ended.
  ///
  /// `framesPlayed` counts frames at 48 kHz that the device took and did not drop, lead-in
  /// included. `stopped` is true if `stop` or `shutdown` ended the ring. A ring that was stopped
  /// before it reached a device has an empty device name and 0 frames.
  case ended(id: String, device: String, framesPlayed: Int, xruns: Int, stopped: Bool)
  /// No device accepted the ring, or the player failed twice.
  case failed(id: String, reason: String)
  /// Another device or sound is used instead.
  ///
  /// `from` and `to` are names of devices, or of files and the built-in tone.
  case fallback(id: String, from: String, to: String, reason: String)
  /// The player hung, crashed or reported something impossible, and was replaced.
  case playerRestarted(reason: String)
  /// A self-test tried these devices, in this order.
  case tested([DeviceCheck])
  /// A self-test or a ring found that this device works; sent only if that is new.
  case usable(device: String)
  /// No device can be used; sent only if that is new.
  case unusable(reason: String)
}
