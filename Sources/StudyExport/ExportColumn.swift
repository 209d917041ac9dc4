/// A column of an exported table.
///
/// Each column has a kind. Only the kind decides whether and how a profile shows the column.
/// Therefore a table cannot accidentally show data that the profile must hide.
public struct ExportColumn: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A fixed word of Prompter. Each profile shows the word.
    case word
    /// A pseudonym of a person or device. Each profile shows the pseudonym that the export computes
    /// with the current pseudonym key.
    case pseudonym
    /// A value of a fixed list. Each profile shows the value.
    case choice([String])
    case integer, number, boolean
    /// The sequence number of an event in the record. With the profile `safe_harbor`, the cell
    /// contains a keyed hash of the number instead.
    case sequence
    /// A measured value: `amount` is a whole number, and `level` is any number. The exact value
    /// could be unique in the record. Therefore the export rounds the value with the profile
    /// `safe_harbor` (see `SafeNumber`). The export also rounds the values of a column of the kind
    /// `integer` with the unit `ms`.
    case amount, level
    /// A JSON document. The profile `safe_harbor` shows only the members that `SafePayload` lists.
    case document
    /// An instant, in two columns. The names of the two columns are the name of this column with
    /// the suffixes `_utc` and `_local`. With the profile `safe_harbor`, the suffixes are `_day`
    /// and `_time`.
    case instant
    /// A local date-time, in a column with the suffix `_local`. With the profile `safe_harbor`, the
    /// export shows two columns instead, with the suffixes `_day` and `_time`.
    case civil
    /// A day, in a column with the suffix `_local`. With the profile `safe_harbor`, the suffix is
    /// `_day`.
    case day
    /// An identifier that contains a date, or that a reader could find outside the export. With the
    /// profile `safe_harbor`, the cell contains a keyed hash of the identifier instead. The
    /// associated value is the letter before this hash.
    case identifier(Character)
    /// The name of a question, as a person typed it. With the profile `safe_harbor`, the cell
    /// contains a keyed hash of the name instead.
    case name(Character)
    /// Words of Prompter, or names of choices that a person typed, with `|` between them. With the
    /// profile `safe_harbor`, the cell contains a keyed hash instead of each typed name.
    case names(Character)
    /// A part of the hash chain. With the profile `safe_harbor`, the export does not contain the
    /// column. With the profile `limited`, the cells are empty after a rekey. With each profile,
    /// the cells are empty while a study is blinded.
    case chain
    /// A detail such as a zone, a user, a hash, or a rule that contains dates. With the profile
    /// `safe_harbor`, the export does not contain the column.
    case detail, detailInteger
    /// Text that a person typed. Only the profile `identified` shows this text.
    case typed
    /// A local time in one field, as the layouts `mpath` and `cleanadh` need it.
    ///
    /// `localSeconds` is the number of seconds since 1970 in local time. `localText` is `yyyy-mm-dd
    /// hh:mm:ss`. `localDate` is a date without a time. With the profile `safe_harbor`, the export
    /// shifts all dates: study day 1 becomes 2000-01-01.
    case localSeconds, localText, localDate
  }

  public var name: String
  public var kind: Kind
  /// The unit of the numbers, for example `ms`; nil if the values have no unit.
  public var unit: String?
  public var meaning: String
  /// The condition under which a cell is empty, in words; nil if every cell has a value.
  public var emptyWhen: String?
  /// An additional condition under which a cell is empty with the profile `safe_harbor`; nil if
  /// there is no additional condition.
  public var emptyInSafeHarbor: String?
  /// An example of a value, as in an export with the profile `identified`.
  public var example: String

  /// Creates a column.
  ///
  /// - Parameter example: an example of a value. If `example` is nil, the column uses the default
  ///   example for its kind.
  init(
    _ name: String, _ kind: Kind, unit: String? = nil, empty emptyWhen: String? = nil,
    emptyInSafeHarbor: String? = nil, _ meaning: String, example: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.meaning = meaning
    self.emptyWhen = emptyWhen
    self.emptyInSafeHarbor = emptyInSafeHarbor
    self.example = example ?? ExportExample.usual(kind, unit: unit)
  }

  /// The fields that the column has in an export with this profile: no field, one field or two
  /// fields.
  public func fields(_ profile: ExportProfile) -> [ExportField] {
    let safe = profile == .safeHarbor
    let emptyWhen = emptyWhen(profile)
    func part(_ suffix: String, _ type: String, _ meaning: String, example: String) -> ExportField {
      ExportField(
        name: name + suffix, type: type, choices: [], unit: unit, meaning: meaning,
        emptyWhen: emptyWhen, example: example)
    }
    func field(_ type: String) -> ExportField {
      part("", type, meaning, example: safe ? safeExample : example)
    }
    func studyDay() -> ExportField {
      let words = meaning + ", as the number of the study day"
      return part("_day", "integer", words, example: ExportExample.day)
    }
    switch kind {
    case .word, .pseudonym, .document: return [field("string")]
    case .sequence:
      return safe
        ? [part("", "string", meaning, example: ExportExample.opaque("s"))] : [field("integer")]
    case .identifier(let letter), .name(let letter), .names(let letter):
      let shown = safe ? ExportExample.opaque(letter) : example
      return [part("", "string", meaning, example: shown)]
    case .choice(let choices):
      var one = field("string")
      one.choices = choices
      return [one]
    case .integer, .amount, .localSeconds: return [field("integer")]
    case .number, .level: return [field("number")]
    case .boolean: return [field("boolean")]
    case .instant where !safe:
      return [
        part("_utc", "datetime", meaning + " (UTC)", example: ExportExample.utc),
        part(
          "_local", "datetime", meaning + ", in local time",
          example: ExportExample.local),
      ]
    case .civil where !safe:
      return [part("_local", "datetime", meaning, example: ExportExample.civil)]
    case .day:
      return safe ? [studyDay()] : [part("_local", "date", meaning, example: "2026-12-03")]
    case .instant, .civil:
      return [
        studyDay(),
        part(
          "_time", "time",
          meaning + ", as the local time of day, rounded down to a quarter of an hour",
          example: ExportExample.time),
      ]
    case .detail, .chain: return safe ? [] : [field("string")]
    case .detailInteger: return safe ? [] : [field("integer")]
    case .typed: return profile == .identified ? [field("string")] : []
    case .localText:
      var one = field("datetime")
      one.format = "%Y-%m-%d %H:%M:%S"
      return [one]
    case .localDate: return [field("date")]
    }
  }

  /// The example value of the column for the profile `safe_harbor`. The example is on study day 3.
  /// If the kind of the column is `localSeconds`, `localText` or `localDate`, this profile shifts
  /// the dates: study day 1 becomes 2000-01-01.
  private var safeExample: String {
    switch kind {
    case .level: ExportExample.safeLevel
    case .amount: ExportExample.safeAmount
    case .integer where unit == "ms": SafeNumber.duration(of: example)
    case .localSeconds: ExportExample.safeLocalSeconds
    case .localText: ExportExample.safeLocalText
    case .localDate: ExportExample.safeLocalDate
    default: example
    }
  }

  /// The condition under which a cell is empty in an export with this profile; nil if every cell
  /// has a value. With the profile `safe_harbor`, the export leaves out a time before day 1 of the
  /// study. With the profile `limited`, the export leaves out the hash chain after a rekey.
  private func emptyWhen(_ profile: ExportProfile) -> String? {
    if kind == .chain, profile != .safeHarbor {
      let renamed = profile == .limited ? "the pseudonyms were changed before the export" : nil
      return [emptyWhen, renamed, "a study is blinded"].compactMap { $0 }.joined(separator: ", or ")
    }
    guard profile == .safeHarbor else { return emptyWhen }
    let early: String? =
      switch kind {
      case .instant, .civil, .localSeconds, .localText: "the time is before day 1 of the study"
      case .day, .localDate: "the day is before day 1 of the study"
      default: nil
      }
    let conditions = [emptyWhen, emptyInSafeHarbor, early].compactMap { $0 }
    return conditions.isEmpty ? nil : conditions.joined(separator: ", or ")
  }
}

/// The example values of all columns. All values are about the same prompt. This prompt is due at
/// 08:00 in Berlin on the third day of a study.
enum ExportExample {
  static let utc = "2026-12-03T07:00:03.120Z"
  static let local = "2026-12-03T08:00:03.120"
  static let civil = "2026-12-03T08:00:00"
  static let day = "3"
  static let time = "08:00:00"
  static let safeLevel = "-16"
  static let safeAmount = "440000"
  static let safeLocalSeconds = "946886400"
  static let safeLocalText = "2000-01-03 08:00:00"
  static let safeLocalDate = "2000-01-03"
  static let sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  static func opaque(_ letter: Character) -> String { "\(letter)-9f86d081884c7d659a2f" }

  /// The default example value for columns of this kind. The result is empty for a kind without a
  /// default example.
  static func usual(_ kind: ExportColumn.Kind, unit: String?) -> String {
    switch kind {
    case .choice(let choices): choices.first ?? ""
    case .integer, .detailInteger:
      switch unit {
      case "ms": "3120"
      case "s": "3600"
      case "ns": "86400000000000"
      default: "1"
      }
    case .sequence: "1204"
    case .amount: "432000"
    case .number, .level: "-6.0"
    case .boolean: "true"
    case .document: "{}"
    case .instant: utc
    case .civil: civil
    case .identifier("p"): "k3v9x2m7@\(civil)"
    case .identifier("t"): sha256
    case .identifier("b"): "f3a0c9d2-5a0e-4c6f-8f57-3d2a1b0c9e8d"
    case .identifier: "k3v9x2m7"
    case .localSeconds: "1796284800"
    case .localText: "2026-12-03 08:00:00"
    case .localDate, .day: "2026-12-03"
    case .pseudonym: "P-4k9x2m7q"
    case .word, .detail, .chain, .typed, .name, .names: ""
    }
  }
}
