/// What happens to a local time when the clocks change.
public enum ClockChange: String, Hashable, Sendable {
  /// The clocks went forward over it: the local time does not exist.
  case gap = "gap"
  /// The clocks went back over it: the local time happens twice.
  case fold = "fold"
}

/// What a zone's calendar and clocks show at an instant.
public struct CivilMoment: Hashable, Sendable {
  /// The date and time shown, to the second.
  public var dateTime: CivilDateTime
  /// Seconds east of Greenwich in force.
  public var offsetSeconds: Int
  /// 1 where the clocks show this time for the second time, otherwise 0.
  public var fold: Int
}

/// The instant of a local time, and whether a clock change had a say in it.
public struct Resolution: Hashable, Sendable {
  /// How many instants show the local time.
  public enum Kind: Hashable, Sendable {
    /// Exactly one.
    case unique
    /// None: the clocks went forward over it.
    case gap
    /// Two: the clocks went back over it.
    case fold
  }

  /// The instant chosen.
  public var instant: Instant
  /// Seconds east of Greenwich in force at `instant`.
  public var offsetSeconds: Int
  /// How many instants there were to choose from.
  public var kind: Kind
}

/// A time zone: its offsets from UTC for all instants.
///
/// A zone is read once from the bytes of a TZif file and never changes; after an update of tzdata
/// read a new one.
public struct Zone: Sendable {
  /// All there is to a zone, shared by its copies: every prompt of every alarm is in one.
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

  /// The name the zone was read under, such as `Europe/Berlin`.
  public var name: String { core.name }
  @inline(__always)
  var table: OffsetTable { core.table }
  private var history: ZoneHistory { core.history }

  /// Reads a TZif file, version 1 to 4, with its footer.
  ///
  /// Throws `malformedZone` for anything that does not hold together, and for files that count
  /// leap seconds (the `right/` family). Source: RFC 8536, RFC 9636.
  public init(name: String, tzif bytes: [UInt8]) throws(CivilTimeError) {
    self.init(name: name, history: try TZifReader(name: name, bytes: bytes).read())
  }

  private init(name: String, history: ZoneHistory) {
    core = Core(name: name, history: history)
  }

  /// Coordinated universal time.
  public static let utc = Zone(name: "UTC", history: ZoneHistory(offsets: [0]))

  /// Whether two zones have the same offsets at every instant by the same data, whatever their
  /// names: after an update of tzdata, whether there is anything to plan anew.
  public func hasSameOffsets(as other: Zone) -> Bool { history == other.history }

  /// Seconds east of Greenwich in force at an instant.
  public func offsetSeconds(at instant: Instant) -> Int {
    Int(table.offset(at: instant.seconds))
  }

  /// The first instant strictly later than another at which the offset changes; nil if none ever
  /// will.
  public func nextOffsetChange(after instant: Instant) -> Instant? {
    let (second, cycles) = table.reduced(instant.seconds)
    let index = table.transitionCount(through: second)
    guard index < table.transitions.count else { return nil }
    return Instant(seconds: table.transitions[index] + cycles)
  }

  /// What the calendar and the clocks show at an instant.
  public func civil(at instant: Instant) -> CivilMoment {
    civil(atSecond: instant.seconds)
  }

  /// The instant of a local time: in a gap with the offset before it (02:30 becomes 03:30), in a
  /// fold the first.
  ///
  /// Source: RFC 5545 section 3.3.5.
  public func resolve(_ local: CivilDateTime) -> Resolution {
    resolve(local, fold: 0)
  }

  /// The instant of a local time, where `fold` 1 asks for the second of two.
  ///
  /// Where there are not two, `fold` changes nothing.
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
