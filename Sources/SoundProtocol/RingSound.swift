/// A piece of a ring, played in order with the pieces around it.
public enum SoundSegment: Sendable, Hashable {
  /// Nothing, for this long (0 or more).
  case silence(milliseconds: Int)
  /// The first of these files that can be read, else the sound that the player makes itself. Each is
  /// the path of a canonical WAV file (PCM, 48 kHz, mono, signed 16 bit).
  case recording(paths: [String], otherwise: BuiltinTone)
  /// A sound that the player makes itself and that can therefore not be missing.
  case builtin(BuiltinTone)

  /// One recording, and the beep where it cannot be read.
  public static func file(path: String) -> SoundSegment {
    .recording(paths: [path], otherwise: .beep)
  }
}

/// The sounds that the player makes without any file. `sounds/SOUNDS.md` says how and why.
public enum BuiltinTone: String, Sendable, CaseIterable {
  case chime = "chime"
  case normal = "normal"
  case urgent = "urgent"
  case acknowledge = "acknowledge"
  case reward = "reward"
  case beep = "beep"
}

/// One ring as it shall sound: segments in order, at one level, never longer than its limit.
public struct RingSound: Sendable, Hashable {
  /// HDMI and USB speakers swallow the first moment of a sound, so every ring leads in.
  public static let defaultLeadInMilliseconds = 150

  /// Names this ring in every event; unique per ring, otherwise opaque.
  public var id: String
  /// What is heard, in order.
  public var segments: [SoundSegment]
  /// Level relative to the stored tones, in dB; 0 is unchanged. −60 … +12, clamped by the player.
  public var gainDecibels: Double
  /// Length of the fade from silence at the start of the first segment that sounds; 0 for none.
  public var fadeInMilliseconds: Int
  /// The whole ring, lead-in included, is cut here with a short fade.
  public var maxMilliseconds: Int
  /// Inactivity written before the first segment. It counts as frames played.
  public var leadInMilliseconds: Int

  /// A ring with its identity, segments and level; see the properties for units.
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

/// A loudspeaker, and how loud its card is set for a ring.
public struct OutputDevice: Sendable, Hashable, Codable {
  /// An ALSA PCM name.
  public var name: String
  /// Share of each playback control's range, 0 … 100; nil leaves the card as it is.
  public var levelPercent: Int?

  /// A device by its ALSA name.
  public init(_ name: String, levelPercent: Int? = nil) {
    self.name = name
    self.levelPercent = levelPercent
  }

  enum CodingKeys: String, CodingKey {
    case name
    case levelPercent = "level_percent"
  }
}

/// How loud a card was found and how loud it was then set, over all of its playback controls.
public struct CardLevel: Sendable, Hashable, Codable {
  /// The lowest control that was found, in percent of its range.
  public var foundPercent: Int
  /// Whether a control was switched off.
  public var wasMuted: Bool
  /// The lowest control as it read once set; nil where nothing was set.
  public var setPercent: Int?

  /// What was found, and what was made of it.
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
