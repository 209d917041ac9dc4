import SoundProtocol

/// A report of the speaker.
///
/// For each `play`, the speaker reports at most one `started`, and exactly one `ended` or `failed`.
/// If the player crashes and a new player repeats the ring, the speaker reports `playerRestarted`
/// and does not report `started` again.
public enum SpeakerEvent: Sendable, Hashable {
  /// The device accepted the first frames of the ring. `level` is nil if the level of the sound
  /// card is unknown.
  case started(id: String, device: String, level: CardLevel? = nil)
  /// The ring has ended.
  ///
  /// `framesPlayed` is the number of frames at 48 kHz that the device accepted and did not drop.
  /// The frames also include the silence before the first sound (lead-in). `stopped` is true if
  /// `stop` or `shutdown` ended the ring. If a ring was stopped before it reached a device, the
  /// device name is empty and the number of frames is 0.
  case ended(id: String, device: String, framesPlayed: Int, xruns: Int, stopped: Bool)
  /// No device accepted the ring, or the player failed twice.
  case failed(id: String, reason: String)
  /// The player uses another device or sound instead of the preferred device or sound.
  ///
  /// If the device failed, `from` is the name of the preferred device, and `to` is the name of the
  /// device that replaces it. If the sound failed, `from` and `to` are the names of the sounds. The
  /// sound is a file or the built-in tone.
  case fallback(id: String, from: String, to: String, reason: String)
  /// The player hung, crashed or sent an impossible report. The supervisor replaced the player.
  case playerRestarted(reason: String)
  /// A self-test has ended. The value lists the tested devices, in the order of the tests.
  case tested([DeviceCheck])
  /// A self-test or a ring showed that this device works. The supervisor sends this event only if
  /// its last report was `unusable`, or `usable` with another device.
  case usable(device: String)
  /// No device can be used. After this event, the supervisor sends the same event again only if it
  /// has sent `usable` since then.
  case unusable(reason: String)
}
