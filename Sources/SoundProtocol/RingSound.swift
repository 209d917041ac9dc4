/// A part of a ring. The player plays the parts in order.
public enum SoundSegment: Sendable, Hashable {
  /// Silence. Its length is 0 or more milliseconds.
  case silence(milliseconds: Int)
  /// A recording. The player plays the first file that it can read. If the player can read no file,
  /// the player plays the built-in tone.
  ///
  /// Each path is the path of a canonical WAV file (PCM, 48 kHz, mono, signed 16 bit).
  case recording(paths: [String], otherwise: BuiltinTone)
  /// A sound that the player computes itself. This sound needs no file, so the sound cannot be
  /// missing.
  case builtin(BuiltinTone)

  /// One recording. If the player cannot read the recording, the player plays the beep.
  public static func file(path: String) -> SoundSegment {
    .recording(paths: [path], otherwise: .beep)
  }
}

/// The sounds that the player computes without a file. The file `sounds/SOUNDS.md` describes these
/// sounds.
public enum BuiltinTone: String, Sendable, CaseIterable {
  case chime = "chime"
  case normal = "normal"
  case urgent = "urgent"
  case acknowledge = "acknowledge"
  case reward = "reward"
  case beep = "beep"
}

/// A ring for the player. The player plays the segments of a ring one after another, with the same
/// gain. A ring is never longer than its maximum length.
public struct RingSound: Sendable, Hashable {
  /// The default length of the silence before the first sound of a ring, in milliseconds.
  ///
  /// HDMI and USB speakers do not play the first milliseconds of a sound. Therefore each ring
  /// begins with silence, and the first words of the ring are not lost.
  public static let defaultLeadInMilliseconds = 150

  /// The id of the ring. Every event about the ring contains this id. Each ring has its own id. The
  /// player does not interpret the id.
  public var id: String
  /// The segments, in the order in which the player plays them.
  public var segments: [SoundSegment]
  /// The change of the level of the segments, in dB. If the value is 0, the player does not change
  /// the level. The player replaces a value below −60 by −60, and a value above 12 by 12.
  public var gainDecibels: Double
  /// The length of the fade-in in milliseconds; 0 for no fade-in. The fade-in begins with the first
  /// segment that is not silence.
  public var fadeInMilliseconds: Int
  /// The maximum length of the ring in milliseconds, including `leadInMilliseconds`. If the
  /// segments take longer, the player ends the ring after this time with a short fade-out.
  public var maxMilliseconds: Int
  /// The length of the silence before the first segment, in milliseconds. The player also counts
  /// the frames of this silence as played frames.
  public var leadInMilliseconds: Int

  /// Makes a ring from its id, segments and level. The comments of the properties state the units.
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

/// A sound device, and the level of its sound card for a ring.
public struct OutputDevice: Sendable, Hashable, Codable {
  /// The ALSA PCM name of the sound device.
  public var name: String
  /// The level for each playback control of the sound card, in percent of the range of this
  /// control, 0 … 100. If the value is nil, the player does not change the sound card.
  public var levelPercent: Int?

  /// Makes a sound device from its ALSA PCM name.
  public init(_ name: String, levelPercent: Int? = nil) {
    self.name = name
    self.levelPercent = levelPercent
  }

  enum CodingKeys: String, CodingKey {
    case name
    case levelPercent = "level_percent"
  }
}

/// The level of a sound card before and after a change by the player.
///
/// The player computes the values from all playback controls of the card.
public struct CardLevel: Sendable, Hashable, Codable {
  /// The lowest level of all controls before the change, in percent of the range of the control.
  public var foundPercent: Int
  /// True if at least one control of the sound card was muted before the change.
  public var wasMuted: Bool
  /// The lowest level of all controls after the change; nil if the player did not set a level. The
  /// player reads this level from the card.
  public var setPercent: Int?

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
