import CivilTime

/// Volume of a card as found before a ring, and as set for the ring.
public struct SoundLevel: Hashable, Sendable {
  /// Lowest playback control that was found, in percent of its range.
  public var foundPercent: Int
  /// Whether the card was muted.
  public var wasMuted: Bool
  /// Percentage that was set; nil if nothing was set.
  public var setPercent: Int?

  public init(foundPercent: Int, wasMuted: Bool, setPercent: Int?) {
    self.foundPercent = foundPercent
    self.wasMuted = wasMuted
    self.setPercent = setPercent
  }
}

/// State of the home's loudspeakers since the daemon started.
///
/// It is not in the record. The important parts are recorded as events, and the daemon checks the
/// loudspeakers again after a restart.
public struct SpeakerHealth: Hashable, Sendable {
  /// nil until the speaker has been tried.
  public var isUsable: Bool?
  /// Why the speaker cannot be used; nil if it can.
  public var trouble: String?
  /// Each device by its name.
  public var devices: [String: Device] = [:]
  /// Fallbacks that were used, newest last; at most 8. A ring without a fallback empties the list.
  public var fallbacks: [Fallback] = []

  public init() {}

  /// One device, as the last self-test or ring found it.
  public struct Device: Hashable, Sendable {
    public var testedAt: Instant?
    /// Problem that the last self-test found; nil for none.
    public var trouble: String?
    public var level: SoundLevel?
    /// When the device last took the frames of a ring.
    public var lastHeardAt: Instant?

    public init() {}
  }

  /// Use of another device or sound instead of the wanted one.
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

/// Result of a silent test of a device.
public struct DeviceTest: Hashable, Sendable {
  public var device: String
  /// Why the device cannot be used; nil if it can.
  public var trouble: String?
  public var level: SoundLevel?

  public init(device: String, trouble: String?, level: SoundLevel? = nil) {
    self.device = device
    self.trouble = trouble
    self.level = level
  }
}
