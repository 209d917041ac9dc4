import CivilTime

/// The volume of a card: the level found before a ring, and the level set for the ring.
public struct SoundLevel: Hashable, Sendable {
  /// The level before the ring or the test, in percent: the lowest level of all playback controls.
  public var foundPercent: Int
  /// True if the card was muted.
  public var wasMuted: Bool
  /// The level that was set, in percent; nil if no level was set.
  public var setPercent: Int?

  public init(foundPercent: Int, wasMuted: Bool, setPercent: Int?) {
    self.foundPercent = foundPercent
    self.wasMuted = wasMuted
    self.setPercent = setPercent
  }
}

/// The state of the home's loudspeakers since the daemon started.
///
/// The state is not in the record. The important changes are recorded as events, and the daemon
/// checks the loudspeakers again after a restart.
public struct SpeakerHealth: Hashable, Sendable {
  /// True if the speaker can be used; nil until the daemon has tried the speaker.
  public var isUsable: Bool?
  /// The reason why the speaker cannot be used; nil if it can be used.
  public var trouble: String?
  /// The devices by their names.
  public var devices: [String: Device] = [:]
  /// The fallbacks that were used, newest last; at most 8. A ring without a fallback empties the
  /// list.
  public var fallbacks: [Fallback] = []

  public init() {}

  /// One device, as the last self-test or ring found it.
  public struct Device: Hashable, Sendable {
    public var testedAt: Instant?
    /// The problem that the last self-test found; nil if the device passed the test.
    public var trouble: String?
    public var level: SoundLevel?
    /// The instant at which the device last took the frames of a ring.
    public var lastHeardAt: Instant?

    public init() {}
  }

  /// The use of a fallback device or sound instead of the preferred device or sound.
  public struct Fallback: Hashable, Sendable {
    public var at: Instant
    public var prompt: PromptID?
    public var from: String
    public var to: String
    public var reason: String
  }

  static let keptFallbacks = 8

  mutating func note(_ fallback: Fallback) {
    fallbacks.append(fallback)
    if fallbacks.count > Self.keptFallbacks { fallbacks.removeFirst() }
  }
}

/// The result of a silent test of a device.
public struct DeviceTest: Hashable, Sendable {
  public var device: String
  /// The reason why the device cannot be used; nil if it can be used.
  public var trouble: String?
  public var level: SoundLevel?

  public init(device: String, trouble: String?, level: SoundLevel? = nil) {
    self.device = device
    self.trouble = trouble
    self.level = level
  }
}
