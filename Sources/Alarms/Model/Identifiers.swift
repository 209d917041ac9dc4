import CivilTime

/// Names one alarm for ever: twelve characters of Crockford base 32 in lower case, made by the caller.
public struct AlarmID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { text }

  public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// Names one prompt: the alarm, the scheduled local date-time and the fold.
///
/// Never an index and never a label (two alarms with one label once cancelled each other), and not
/// the instant: an instant moves when a zone's rules change, and the prompt is still the same one.
public struct PromptID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let alarm: AlarmID
  /// Twice the scheduled local second (seconds since 1970-01-01T00:00:00 on the wall) plus the fold.
  public let nominalKey: Int64

  public init(alarm: AlarmID, nominal: CivilDateTime, fold: Int) {
    self.alarm = alarm
    nominalKey = nominal.localSeconds * 2 + Int64(fold)
  }

  public init(alarm: AlarmID, nominalKey: Int64) {
    self.alarm = alarm
    self.nominalKey = nominalKey
  }

  /// The scheduled local date-time.
  public var nominal: CivilDateTime { CivilDateTime(localSeconds: nominalKey >> 1) }

  /// 0, or 1 for the second pass of a repeated hour.
  public var fold: Int { Int(nominalKey & 1) }

  /// `k3v9…@2026-12-01T08:00:00`, with `~2` after it in the second pass of a repeated hour.
  public var description: String { "\(alarm)@\(nominal)\(fold == 1 ? "~2" : "")" }

  /// Reads what `description` prints.
  ///
  /// - Returns: nil where the text is no prompt's name.
  public init?(_ text: String) {
    guard let at = text.lastIndex(of: "@"), at != text.startIndex else { return nil }
    var local = text[text.index(after: at)...]
    let fold = local.hasSuffix("~2") ? 1 : 0
    if fold == 1 { local = local.dropLast(2) }
    guard let nominal = try? CivilDateTime(parsing: String(local)) else { return nil }
    self.init(alarm: AlarmID(String(text[..<at])), nominal: nominal, fold: fold)
  }

  public static func < (a: Self, b: Self) -> Bool {
    (a.nominalKey, a.alarm) < (b.nominalKey, b.alarm)
  }
}

/// Names the person an alarm is for, as the caretaker writes it: `patient` unless told otherwise.
public struct PersonID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { text }

  /// The person of a home in which nobody else was named.
  public static let patient = PersonID("patient")
}

/// What a peer may do. The Gate decides it from the kernel's credentials.
public enum Role: String, CaseIterable, Sendable, Comparable {
  case patient = "patient"
  case caretaker = "caretaker"
  case researcher = "researcher"
  case monitor = "monitor"
  case admin = "admin"
  /// The daemon itself: timers, the speaker, the clock.
  case system = "system"

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Who caused something, for the record.
public struct Actor: Hashable, Sendable {
  public var role: Role
  /// `uid:1000`, or `daemon`.
  public var id: String
  /// The door it came through: `socket`, `timer`, `speaker`, `clock`, `start`.
  public var source: String

  public init(role: Role, id: String, source: String) {
    self.role = role
    self.id = id
    self.source = source
  }

  /// The daemon acting by itself.
  public static func daemon(_ source: String) -> Actor {
    Actor(role: .system, id: "daemon", source: source)
  }
}

/// Why a request was not carried out. Nothing has changed when one is thrown, but for `unrecorded`.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    case invalidField = "invalid_field"
    case unknownField = "unknown_field"
    case malformed = "malformed"
    case notFound = "not_found"
    case conflict = "conflict"
    case versionConflict = "version_conflict"
    case limit = "limit"
    case storage = "storage_failed"
    /// An answer took effect, and a loss of power could undo it: it is recorded as soon as it can be.
    case unrecorded = "not_recorded"
    case forbidden = "forbidden"
    case methodNotAllowed = "method_not_allowed"
    case tooLarge = "too_large"
    case badTone = "bad_tone"
    case inUse = "in_use"
    case keyReused = "key_reused"
    case badImage = "bad_image"
    /// An answer is too old to be taken back.
    case tooLate = "too_late"
    case nothingToUndo = "nothing_to_undo"
    case alreadyCorrected = "already_corrected"
    /// A change of the alarm came in between.
    case superseded = "superseded"
  }

  public var kind: Kind
  /// The field of the request that is at fault, as a path (`alarm.schedule`), where there is one.
  public var field: String?
  /// One sentence: cannot do what, and why.
  public var detail: String
  /// With `versionConflict`: the version that is.
  public var version: Int?

  public init(_ kind: Kind, field: String? = nil, version: Int? = nil, _ detail: String) {
    self.kind = kind
    self.field = field
    self.version = version
    self.detail = detail
  }

  public var description: String { field.map { "\($0): \(detail)" } ?? detail }
}
