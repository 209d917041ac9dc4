/// A part of a ring; the parts are played in order.
public enum SoundSegment: Sendable, Hashable {
  /// Silence of this length, 0 or more.
  case silence(milliseconds: Int)
  /// The first file that can be read, else the built-in tone.
  ///
  /// Each path is of a canonical WAV file (PCM, 48 kHz, mono, signed 16 bit).
  case recording(paths: [String], otherwise: BuiltinTone)
  /// A sound that the player computes itself, so it cannot be missing.
  case builtin(BuiltinTone)

  /// One recording, or the beep if it cannot be read.
  public static func file(path: String) -> SoundSegment {
    .recording(paths: [path], otherwise: .beep)
  }
}

/// The sounds that the player computes without a file. `sounds/SOUNDS.md` describes them.
public enum BuiltinTone: String, Sendable, CaseIterable {
  case chime = "chime"
  case normal = "normal"
  case urgent = "urgent"
  case acknowledge = "acknowledge"
  case reward = "reward"
  case beep = "beep"
}

/// One ring to be played: segments in order, at one level, never longer than its limit.
public struct RingSound: Sendable, Hashable {
  /// Default length of the silence at the beginning of a ring.
  ///
  /// HDMI and USB speakers lose the beginning of a sound.
  public static let defaultLeadInMilliseconds = 150

  /// Identifies this ring in every event; unique for each ring, otherwise opaque.
  public var id: String
  /// The segments, in the order of playing.
  public var segments: [SoundSegment]
  /// Level relative to the stored recordings, in dB; 0 is unchanged. −60 … +12, clamped by the
  /// player.
  public var gainDecibels: Double
  /// Length of the fade-in at the first sound, in milliseconds; 0 for none.
  public var fadeInMilliseconds: Int
  /// Maximum length of the ring, lead-in included; a longer ring is cut with a short fade.
  public var maxMilliseconds: Int
  /// Length of the silence before the first segment. It counts as frames played.
  public var leadInMilliseconds: Int

  /// Makes a ring from its id, segments and level; see the properties for units.
  public init(
    id: String, segments: [SoundSegment], gainDecibels: Double, fadeInMilliseconds: Int,
    maxMilliseconds: Int = 30_000,
    leadInMilliseconds: Int = RingSound.defaultLeadInMilliseconds
  ) {
    self.id = id
    self.segments = segments
    self.gainDecibels = gainDecibels
    self.fadeInMilliseconds = fadeInMilliseconds
    self.maxMilliseconds = maxMilliseconds
    self.leadInMilliseconds = leadInMilliseconds
  }
}

/// A speaker, and the level of its card for a ring.
public struct OutputDevice: Sendable, Hashable, Codable {
  /// An ALSA PCM name.
  public var name: String
  /// Percent of each playback control's range, 0 … 100; nil leaves the card unchanged.
  public var levelPercent: Int?

  /// Makes a device from its ALSA name.
  public init(_ name: String, levelPercent: Int? = nil) {
    self.name = name
    self.levelPercent = levelPercent
  }

  enum CodingKeys: String, CodingKey {
    case name
    case levelPercent = "level_percent"
  }
}

/// The level of a card before and after it was set.
///
/// It covers all playback controls of the card.
public struct CardLevel: Sendable, Hashable, Codable {
  /// The lowest control before, in percent of its range.
  public var foundPercent: Int
  /// Whether a control was switched off.
  public var wasMuted: Bool
  /// The lowest control after it was set, as read back; nil if nothing was set.
  public var setPercent: Int?

  /// Makes a level from the values before and after.
  public init(foundPercent: Int, wasMuted: Bool, setPercent: Int?) {
    self.foundPercent = foundPercent
    self.wasMuted = wasMuted
    self.setPercent = setPercent
  }

  enum CodingKeys: String, CodingKey {
    case foundPercent = "found_percent"
    case wasMuted = "muted"
    case setPercent = "set_percent"
  }
}
