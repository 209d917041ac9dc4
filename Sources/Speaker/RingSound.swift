/// A piece of a ring, played in order with the pieces around it.
public enum SoundSegment: Sendable, Hashable {
  /// Nothing, for this long (0 or more).
  case silence(milliseconds: Int)
  /// A stored tone: the path of a canonical WAV file (PCM, 48 kHz, mono, signed 16 bit).
  case file(path: String)
  /// A sound that the player makes itself and that can therefore not be missing.
  case builtin(BuiltinTone)
}

/// The sounds that the player makes without any file. `sounds/SOUNDS.md` says how and why.
public enum BuiltinTone: String, Sendable, CaseIterable {
  case chime, normal, urgent, acknowledge, reward, beep
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
  /// Silence written before the first segment. It counts as frames played.
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
