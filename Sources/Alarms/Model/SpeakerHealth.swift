import CivilTime

/// How loud a card was found before a ring, and how loud it was then set.
public struct SoundLevel: Hashable, Sendable {
  /// The lowest playback control that was found, in percent of its range.
  public var foundPercent: Int
  /// Whether it was switched off.
  public var wasMuted: Bool
  /// What it was set to; nil where nothing was set.
  public var setPercent: Int?

  public init(foundPercent: Int, wasMuted: Bool, setPercent: Int?) {
    self.foundPercent = foundPercent
    self.wasMuted = wasMuted
    self.setPercent = setPercent
  }
}

/// What is known of the home's loudspeakers since the daemon started. Not in the record: what matters
/// of it is there as events, and a new start looks anew.
public struct SpeakerHealth: Hashable, Sendable {
  /// nil until the speaker was tried.
  public var isUsable: Bool?
  /// Why it cannot be used; nil where it can.
  public var trouble: String?
  /// Each device by its name.
  public var devices: [String: Device] = [:]
  /// What stood in for what was asked for, newest last, until a ring goes by without; at most 8.
  public var fallbacks: [Fallback] = []

  public init() {}

  /// One device, as a self-test or a ring last found it.
  public struct Device: Hashable, Sendable {
    public var testedAt: Instant?
    /// What the last self-test found wrong; nil where nothing is.
    public var trouble: String?
    public var level: SoundLevel?
    /// When it last took the frames of a ring.
    public var lastHeardAt: Instant?

    public init() {}
  }

  /// Another device or another sound than was asked for.
  public struct Fallback: Hashable, Sendable {
    public var at: Instant
    public var prompt: PromptID?
    public var from: String
    public var to: String
    public var reason: String
  }

  static let keptStandIns = 8

  mutating func note(_ fallback: Fallback) {
    fallbacks.append(fallback)
    if fallbacks.count > Self.keptStandIns { fallbacks.removeFirst() }
  }
}

/// What a silent try of a device showed.
public struct DeviceTest: Hashable, Sendable {
  public var device: String
  /// nil where it can be used.
  public var trouble: String?
  public var level: SoundLevel?

  public init(device: String, trouble: String?, level: SoundLevel? = nil) {
    self.device = device
    self.trouble = trouble
    self.level = level
  }
}
