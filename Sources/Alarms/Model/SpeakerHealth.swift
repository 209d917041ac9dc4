import CivilTime

/// The volume of a sound card before a ring or test, and the volume that the player set for this
/// ring or test.
public struct SoundLevel: Hashable, Sendable {
  /// The level before the ring or the test, in percent: the lowest level of all playback controls.
  public var foundPercent: Int
  /// True if the sound card was muted before the ring or the test.
  public var wasMuted: Bool
  /// The level that the player set, in percent; nil if the player set no level.
  public var setPercent: Int?

  public init(foundPercent: Int, wasMuted: Bool, setPercent: Int?) {
    self.foundPercent = foundPercent
    self.wasMuted = wasMuted
    self.setPercent = setPercent
  }
}

/// The state of the home's loudspeakers since the daemon started.
///
/// The record contains events only for important changes of this state. A replay cannot restore the
/// state, so the daemon checks the loudspeakers again after a restart.
public struct SpeakerHealth: Hashable, Sendable {
  /// True if the speaker can be used; nil until the daemon has tried the speaker.
  public var isUsable: Bool?
  /// The reason why the speaker cannot be used; nil if the speaker can be used.
  public var trouble: String?
  /// The sound devices. The key is the name of the device.
  public var devices: [String: Device] = [:]
  /// The newest fallbacks that the player used, at most 8. The newest fallback is at the end of the
  /// list. After a ring without a fallback, the list is empty.
  public var fallbacks: [Fallback] = []

  public init() {}

  /// The state of one device after the last self-test or ring.
  public struct Device: Hashable, Sendable {
    public var testedAt: Instant?
    /// The problem that the last self-test found; nil if the device passed the test.
    public var trouble: String?
    public var level: SoundLevel?
    /// The instant at which the device last accepted the frames of a ring.
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

/// The result of a self-test of a device. The self-test makes no sound.
public struct DeviceTest: Hashable, Sendable {
  public var device: String
  /// The reason why the device cannot be used; nil if the device can be used.
  public var trouble: String?
  public var level: SoundLevel?

  public init(device: String, trouble: String?, level: SoundLevel? = nil) {
    self.device = device
    self.trouble = trouble
    self.level = level
  }
}
