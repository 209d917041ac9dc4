import SoundProtocol

/// What the speaker reports. Each `play` gets at most one `started` and exactly one of `ended` and
/// `failed`; a retry after a restarted player is told by `playerRestarted`, not by a second start.
public enum SpeakerEvent: Sendable, Hashable {
  /// The device accepted the first frames of the ring; how loud its card was and is, where known.
  case started(id: String, device: String, level: CardLevel? = nil)
  /// The ring is over. `framesPlayed` are frames at 48 kHz that the device took and was not told to
  /// drop, lead-in included; `stopped` says that `stop` or `shutdown` cut it. A ring stopped before
  /// it reached a device has no device name and 0 frames.
  case ended(id: String, device: String, framesPlayed: Int, xruns: Int, stopped: Bool)
  /// No device took the ring, or the player failed it twice.
  case failed(id: String, reason: String)
  /// Another device or another sound stands in: `from` and `to` name devices, or files and the
  /// built-in tone.
  case fallback(id: String, from: String, to: String, reason: String)
  /// The player hung, crashed or lied and was replaced.
  case playerRestarted(reason: String)
  /// A self-test tried these devices, in this order.
  case tested([DeviceCheck])
  /// A self-test or a ring found this device to work; sent when that is news.
  case usable(device: String)
  /// No device can be used; sent when that is news.
  case unusable(reason: String)
}
