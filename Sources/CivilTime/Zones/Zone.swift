/// The effect of a clock change on a local time.
public enum ClockChange: String, Hashable, Sendable {
  /// The local time does not exist, because the clocks are set forward and skip it.
  case gap = "gap"
  /// The local time exists twice, because the clocks are set back and show it again.
  case fold = "fold"
}

/// The date and time that the clocks of a zone show at an instant.
public struct CivilMoment: Hashable, Sendable {
  /// The date and time, to the second.
  public var dateTime: CivilDateTime
  /// The UTC offset that applies at the instant: the local time minus UTC, in seconds.
  public var offsetSeconds: Int
  /// The fold: 1 for the second occurrence of a repeated local time, otherwise 0.
  public var fold: Int
}

/// The instant of a local time, and the effect of a clock change on this local time.
public struct Resolution: Hashable, Sendable {
  /// The number of times that the clocks show a local time: once, never or twice.
  public enum Kind: Hashable, Sendable {
    /// The clocks show this local time exactly once.
    case unique
    /// The clocks never show this local time, because a clock change skips this local time.
    case gap
    /// The clocks show this local time twice, because the clocks are set back.
    case fold
  }

  /// The instant of the local time. If no instant or two instants are possible, the rules of
  /// `Zone.resolve` choose this instant.
  public var instant: Instant
  /// The offset that applies at `instant`, in seconds east of Greenwich.
  public var offsetSeconds: Int
  /// The number of times that the clocks show the local time: once, never or twice.
  public var kind: Kind
}

/// A time zone: its offsets from UTC for all instants.
///
/// A value of this type never changes. After an update of tzdata, the daemon must read the zone
/// again.
public struct Zone: Sendable {
  /// The data of a zone. All copies of the zone share this object.
  ///
  /// The plan of each alarm contains copies of a zone. The copies use little memory, because they
  /// share their data.
  private final class Core: Sendable {
    let name: String
    let table: OffsetTable
    let history: ZoneHistory

    init(name: String, history: ZoneHistory) {
      self.name = name
      self.history = history
      table = OffsetTable(history)
    }
  }

  private let core: Core

  /// The name of the zone in the time zone database, such as `Europe/Berlin`.
  public var name: String { core.name }
  @inline(__always)
  var table: OffsetTable { core.table }
  private var history: ZoneHistory { core.history }

  /// Reads the bytes of a TZif file, version 1 to 4, with its footer.
  ///
  /// The initializer throws `malformedZone` for inconsistent data and for a file with leap seconds.
  /// The directory `right/` of tzdata contains the files with leap seconds. Source: RFC 8536, RFC
  /// 9636.
  public init(name: String, tzif bytes: [UInt8]) throws(CivilTimeError) {
    self.init(name: name, history: try TZifReader(name: name, bytes: bytes).read())
  }

  private init(name: String, history: ZoneHistory) {
    core = Core(name: name, history: history)
  }

  /// The zone of Coordinated Universal Time.
  public static let utc = Zone(name: "UTC", history: ZoneHistory(offsets: [0]))

  /// The offset at an instant, in seconds east of Greenwich.
  public func offsetSeconds(at instant: Instant) -> Int {
    Int(table.offset(at: instant.seconds))
  }

  /// The first change of the offset strictly after an instant; nil if the offset never changes
  /// after the instant.
  public func nextOffsetChange(after instant: Instant) -> Instant? {
    let (second, cycles) = table.reduced(instant.seconds)
    let index = table.transitionCount(through: second)
    guard index < table.transitions.count else { return nil }
    return Instant(seconds: table.transitions[index] + cycles)
  }

  /// The date and time that the zone shows at an instant.
  public func civil(at instant: Instant) -> CivilMoment {
    civil(atSecond: instant.seconds)
  }

  /// The instant of a local time.
  ///
  /// For a skipped local time, the offset before the clock change applies (02:30 becomes 03:30).
  /// For a repeated local time, the result is the first of its two instants. Source: RFC 5545
  /// section 3.3.5.
  public func resolve(_ local: CivilDateTime) -> Resolution {
    resolve(local, fold: 0)
  }

  /// The instant of a local time. For a repeated local time, `fold` 1 selects the second instant.
  ///
  /// For any other local time, `fold` has no effect.
  public func resolve(_ local: CivilDateTime, fold: Int) -> Resolution {
    let seconds = local.localSeconds
    var place = table.resolve(local: seconds)
    if place.kind == .fold, fold > 0 { place.second = place.foldSecond }
    return Resolution(
      instant: Instant(seconds: place.second),
      offsetSeconds: Int(table.offset(at: place.second)), kind: place.kind)
  }
}

extension Zone {
  @inline(__always)
  func civil(atSecond second: Int64) -> CivilMoment {
    let (offset, isSecondPass) = table.reading(second)
    return CivilMoment(
      dateTime: CivilDateTime(localSeconds: second &+ offset), offsetSeconds: Int(offset),
      fold: isSecondPass ? 1 : 0)
  }
}
