import CivilTime

/// The permanent id of one alarm.
///
/// The id has twelve characters of Crockford base 32 in lower case. The caller of `step` generates
/// the id.
public struct AlarmID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { text }

  public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The id of one prompt: the alarm, the scheduled local date-time and the fold.
///
/// The id contains no label, because two alarms can have the same label. If the rules of a zone
/// change, a prompt gets a new instant, but it must keep its id. Therefore the id contains no
/// instant.
public struct PromptID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let alarm: AlarmID
  /// The scheduled local time as a number of seconds, multiplied by 2, plus the fold.
  ///
  /// The seconds count from the local time 1970-01-01T00:00:00.
  public let nominalKey: Int64

  public init(alarm: AlarmID, nominal: CivilDateTime, fold: Int) {
    self.alarm = alarm
    nominalKey = Self.nominalKey(nominal, fold: fold)
  }

  /// Returns the value of `nominalKey` for a scheduled local time.
  static func nominalKey(_ nominal: CivilDateTime, fold: Int) -> Int64 {
    nominal.localSeconds * 2 + Int64(fold)
  }

  public init(alarm: AlarmID, nominalKey: Int64) {
    self.alarm = alarm
    self.nominalKey = nominalKey
  }

  /// The scheduled local date-time.
  public var nominal: CivilDateTime { CivilDateTime(localSeconds: nominalKey >> 1) }

  /// Returns the instant of the scheduled local time in a zone.
  public func instant(in zone: Zone) -> Instant { zone.resolve(nominal, fold: fold).instant }

  /// The fold is 1 for the second occurrence of a repeated local time, and 0 for every other local
  /// time.
  public var fold: Int { Int(nominalKey & 1) }

  /// The id as text, for example `k3v9…@2026-12-01T08:00:00`. If the fold is 1, the text ends with
  /// `~2`.
  public var description: String { "\(alarm)@\(nominal)\(fold == 1 ? "~2" : "")" }

  /// Parses the text that `description` prints.
  ///
  /// - Returns: nil if the text is not a prompt id.
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

/// The id of a person, as the caretaker types it. The default is `patient`.
public struct PersonID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { text }

  /// The id of the default person of a new home.
  public static let patient = PersonID("patient")
}

/// The role of a user. The HTTP server determines the role from the user id that the kernel reports
/// for a connection.
public enum Role: String, CaseIterable, Sendable, Comparable {
  case patient = "patient"
  case caretaker = "caretaker"
  case researcher = "researcher"
  /// Analyses a study. This role can export data that contain no names and no typed words. The role
  /// can change nothing.
  case analyst = "analyst"
  case monitor = "monitor"
  /// Sends the record of a study to the archive of the study. This role can read the rows of the
  /// study, but no typed words.
  case courier = "courier"
  case admin = "admin"
  /// The daemon itself caused the event, for example because of a timer, the speaker or the clock.
  case system = "system"

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The kind of program that sent a request. The program itself states its kind.
///
/// The kind gives no rights: only the user id that the kernel reports decides the role. The list of
/// kinds is fixed, because the record contains the raw values.
public enum ClientKind: String, CaseIterable, Sendable {
  /// A screen in the home that shows the prompts of a person.
  case screen = "screen"
  /// A physical button.
  case button = "button"
  /// The command line program `prompter`.
  case cli = "cli"
  /// A page for a caretaker in a browser.
  case web = "web"

  /// The source of a request from a program that does not say its kind.
  public static let unnamed = "socket"
}

/// The user or program that caused an event: role, id and source.
public struct Actor: Hashable, Sendable {
  public var role: Role
  /// The id of the actor, for example `uid:1000` for a user; `daemon` for the daemon.
  public var id: String
  /// The source of the input: a `ClientKind` or `socket` for a request; else `timer`, `speaker`,
  /// `clock`, `start`, or `notifier`. `notifier` means that the input was the result of a
  /// notification.
  public var source: String

  public init(role: Role, id: String, source: String) {
    self.role = role
    self.id = id
    self.source = source
  }

  /// Returns the actor of an event that the daemon causes without a request.
  public static func daemon(_ source: String) -> Actor {
    Actor(role: .system, id: "daemon", source: source)
  }
}

/// The reason why the daemon does not carry out a request.
///
/// A refused request changes nothing. The only exception is a refusal of the kind `unrecorded`.
public struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: String, Sendable, CaseIterable {
    case invalidField = "invalid_field"
    case unknownField = "unknown_field"
    case malformed = "malformed"
    case notFound = "not_found"
    case conflict = "conflict"
    /// The person already has an alarm with the same label and schedule. A request can say
    /// explicitly that the caretaker wants a second, equal alarm.
    case duplicate = "duplicate"
    case versionConflict = "version_conflict"
    case limit = "limit"
    case storage = "storage_failed"
    /// An answer stopped the sound, but the daemon could not write the record.
    ///
    /// The daemon keeps the answer in memory, and records the answer later. If the power fails
    /// before the daemon has recorded the answer, the answer is lost.
    case unrecorded = "not_recorded"
    case forbidden = "forbidden"
    case methodNotAllowed = "method_not_allowed"
    case tooLarge = "too_large"
    case expectationFailed = "expectation_failed"
    case badTone = "bad_tone"
    case inUse = "in_use"
    case keyReused = "key_reused"
    case badImage = "bad_image"
    /// Nobody can undo the answer, because it is too old, or because the clock was set after it.
    case tooLate = "too_late"
    case nothingToUndo = "nothing_to_undo"
    case alreadyCorrected = "already_corrected"
    /// Nobody can undo the answer, because the alarm was changed or removed after it.
    case superseded = "superseded"
    /// The speaker plays a sound now, so it cannot say a prompt at the same time.
    case speakerBusy = "speaker_busy"
    /// The edit would end an open prompt, and the alarm would never ring again.
    case endsPrompt = "ends_prompt"
    /// The prompt has already ended.
    case promptOver = "prompt_over"
    /// The prompt is not due yet, or a screen must not show the prompt as due now.
    case notDue = "not_due"
    /// The person may not answer "later" again, because the alarm limits the number of delays.
    case delayLimit = "delay_limit"
    /// The person may not answer "on my way" again: see `Alarm.onTheWaySeconds`.
    case acknowledgeLimit = "acknowledge_limit"
    /// Nobody can complete the prompt yet, because required questions have no response.
    case questionsOpen = "questions_open"
  }

  public var kind: Kind
  /// The path of the wrong field in the request, for example `alarm.schedule`; nil if no single
  /// field is wrong.
  public var field: String?
  /// One sentence that says what cannot be done and gives the reason.
  public var detail: String
  /// The current version of the alarm, if the kind is `versionConflict` and the request was about
  /// an alarm; otherwise nil.
  public var version: Int?

  public init(_ kind: Kind, field: String? = nil, version: Int? = nil, _ detail: String) {
    self.kind = kind
    self.field = field
    self.version = version
    self.detail = detail
  }

  public var description: String { field.map { "\($0): \(detail)" } ?? detail }
}
