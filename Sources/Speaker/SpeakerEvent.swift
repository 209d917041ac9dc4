import SoundProtocol

/// A report of the speaker.
///
/// For each `play`, the speaker reports at most one `started`, and exactly one `ended` or `failed`.
/// If the player crashes and a new player repeats the ring, the speaker reports `playerRestarted`
/// and does not report `started` again.
public enum SpeakerEvent: Sendable, Hashable {
  /// The sound device accepted the first frames of the ring. `level` is nil if the level of the
  /// sound card is unknown.
  case started(id: String, device: String, level: CardLevel? = nil)
  /// The ring has ended.
  ///
  /// `framesPlayed` is the number of frames at 48 kHz that the sound device accepted and did not
  /// drop. `framesPlayed` also counts the silence before the first sound (lead-in). `stopped` is
  /// true if `stop` or `shutdown` ended the ring. If a ring was stopped before it reached a sound
  /// device, the device name is empty and the number of frames is 0.
  case ended(id: String, device: String, framesPlayed: Int, xruns: Int, stopped: Bool)
  /// No sound device accepted the ring, or the player failed in both attempts to play the ring.
  case failed(id: String, reason: String)
  /// The player uses a fallback: a different sound device or a different sound.
  ///
  /// If the sound device failed, `from` is the name of the preferred sound device, and `to` is the
  /// name of the sound device that the player uses instead. If the sound failed, `from` is the name
  /// of the preferred sound, and `to` is the name of the sound that the player plays instead. The
  /// sound is a file or the built-in tone.
  case fallback(id: String, from: String, to: String, reason: String)
  /// The player hung, crashed or sent an impossible report. The supervisor replaced the player.
  case playerRestarted(reason: String)
  /// A self-test has ended. The value lists the tested sound devices, in the order of the tests.
  case tested([DeviceCheck])
  /// A self-test or a ring showed that this sound device works. The supervisor sends this event
  /// only in three cases: it has sent no report yet, its last report was `unusable`, or its last
  /// report was `usable` with a different sound device.
  case usable(device: String)
  /// No sound device can be used. The supervisor sends this event again only after it has sent
  /// `usable`.
  case unusable(reason: String)
}
