import Alarms
import CivilTime

/// How much of a person an export shows.
public enum ExportProfile: String, Sendable, CaseIterable {
  /// Everything that is recorded, typed words and names too.
  case identified = "identified"
  /// Pseudonyms and real dates; nothing that anybody typed.
  case limited = "limited"
  /// Study days and local times of day instead of dates; no words, zones, users or hashes, and every
  /// identifier replaced by an opaque one.
  case safeHarbor = "safe_harbor"
}

/// A column of an exported table, and the rule by which each profile shows it.
///
/// A column says what kind of thing it holds, and the kind alone decides what a profile lets through,
/// so that no table can forget it.
public struct ExportColumn: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A word of this program's own. Shown to all.
    case word
    /// A name for a person or a device. Shown to all, under the key that is in force.
    case pseudonym
    /// One of a closed list. Shown to all.
    case choice([String])
    case integer, number, boolean
    /// A JSON document. Safe harbor shows the members that `SafePayload` knows to be harmless.
    case document
    /// Shown as `name_utc` and `name_local`; safe harbor: `name_day` and `name_time`.
    case instant
    /// A local date-time: `name_local`; safe harbor: `name_day` and `name_time`.
    case civil
    /// A day: `name_local`; safe harbor: `name_day`.
    case day
    /// Something that could be looked up elsewhere, or holds a date. Safe harbor shows a keyed hash
    /// with this letter in front.
    case identifier(Character)
    /// Zones, users, hashes, rules with dates in them. Not in safe harbor.
    case detail, detailInteger
    /// What somebody typed. Only in `identified`.
    case typed
    /// A local time in the one field that another program expects: seconds since 1970 on the wall
    /// clock, `yyyy-mm-dd hh:mm:ss`, or the date alone. Safe harbor: as if day 1 were 2000-01-01.
    case localSeconds, localText, localDate
  }

  public var name: String
  public var kind: Kind
  /// What the numbers count, `ms`; nil where they count nothing.
  public var unit: String?
  public var meaning: String
  /// When a cell is empty; nil where none ever is.
  public var emptyWhen: String?
  /// A value as it may stand there, before any profile is applied.
  public var example: String

  /// - Parameter example: nil for what its kind makes obvious.
  init(
    _ name: String, _ kind: Kind, unit: String? = nil, empty emptyWhen: String? = nil,
    _ meaning: String, example: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.meaning = meaning
    self.emptyWhen = emptyWhen
    self.example = example ?? ExportExample.usual(kind, unit: unit)
  }

  /// What becomes of the column in a profile: no field, one, or two.
  public func fields(_ profile: ExportProfile) -> [ExportField] {
    let safe = profile == .safeHarbor
    func field(_ type: String) -> ExportField { part("", type, meaning, example: example) }
    switch kind {
    case .word, .pseudonym, .document: return [field("string")]
    case .identifier(let letter):
      let shown = safe ? ExportExample.opaque(letter) : example
      return [part("", "string", meaning, example: shown)]
    case .choice(let choices):
      var one = field("string")
      one.choices = choices
      return [one]
    case .integer, .localSeconds: return [field("integer")]
    case .number: return [field("number")]
    case .boolean: return [field("boolean")]
    case .instant where !safe:
      return [
        part("_utc", "datetime", meaning + " (UTC)", example: ExportExample.utc),
        part(
          "_local", "datetime", meaning + " (as the wall clock showed it)",
          example: ExportExample.local),
      ]
    case .civil where !safe:
      return [part("_local", "datetime", meaning, example: ExportExample.civil)]
    case .day:
      return safe
        ? [
          part(
            "_day", "integer", meaning + " (day of the study, from 1)", example: ExportExample.day)
        ] : [part("_local", "date", meaning, example: "2026-12-03")]
    case .instant, .civil:
      return [
        part(
          "_day", "integer", meaning + " (day of the study, from 1)", example: ExportExample.day),
        part("_time", "time", meaning + " (local time of day)", example: time),
      ]
    case .detail: return safe ? [] : [field("string")]
    case .detailInteger: return safe ? [] : [field("integer")]
    case .typed: return profile == .identified ? [field("string")] : []
    case .localText:
      var one = field("datetime")
      one.format = "%Y-%m-%d %H:%M:%S"
      return [one]
    case .localDate: return [field("date")]
    }
  }

  private var time: String { kind == .civil ? ExportExample.civilTime : ExportExample.time }

  private func part(
    _ suffix: String, _ type: String, _ meaning: String, example: String
  ) -> ExportField {
    ExportField(
      name: name + suffix, type: type, choices: [], unit: unit, meaning: meaning,
      emptyWhen: emptyWhen, example: example)
  }
}

/// Examples that agree with each other: a prompt of the third day, due at eight in Berlin.
enum ExportExample {
  static let utc = "2026-12-03T07:00:03.120Z"
  static let local = "2026-12-03T08:00:03.120"
  static let civil = "2026-12-03T08:00:00"
  static let day = "3"
  static let time = "08:00:03.120"
  static let civilTime = "08:00:00"
  static let sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  static func opaque(_ letter: Character) -> String { "\(letter)-9f86d081884c7d659a2f" }

  /// What a column holds where nothing better is said; empty where its kind says nothing.
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
    case .number: "-6.0"
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
    case .word, .detail, .typed: ""
    }
  }
}

/// A field of a file, as the codebook and the data package describe it.
public struct ExportField: Sendable, Hashable {
  public var name: String
  /// A type of Frictionless Table Schema.
  public var type: String
  /// How a date-time is written; nil for ISO 8601.
  public var format: String?
  /// The values there can be; empty where the list is open.
  public var choices: [String]
  public var unit: String?
  public var meaning: String
  public var emptyWhen: String?
  public var example: String
}

/// A table of the export.
public struct ExportTable: Sendable, Hashable {
  /// The file's name without `.csv`.
  public var name: String
  public var title: String
  public var columns: [ExportColumn]
  /// What stands between two cells.
  public var delimiter: Character = ","
  /// The columns that tell one row from another; none where rows may be alike.
  public var primaryKey: [String]
  /// Columns that name a row of another table.
  public var foreignKeys: [ForeignKey] = []

  /// A column that has the same name in the table it points into.
  public struct ForeignKey: Sendable, Hashable {
    public var column: String
    public var table: String
  }

  public func fields(_ profile: ExportProfile) -> [ExportField] {
    columns.flatMap { $0.fields(profile) }
  }
}
