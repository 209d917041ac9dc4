import Alarms
import CivilTime

/// How much of a person an export shows.
public enum ExportProfile: String, Sendable, CaseIterable {
  /// Everything that is recorded, typed words and names too.
  case identified
  /// Pseudonyms and real dates; nothing that anybody typed.
  case limited
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
    /// A word of this program's own, or a pseudonym. Shown to all.
    case word
    /// One of a closed list. Shown to all.
    case choice([String])
    case integer, number, boolean
    /// A JSON document. Safe harbor shows the members that `SafePayload` knows to be harmless.
    case document
    /// Shown as `name_utc` and `name_local`; safe harbor: `name_day` and `name_time`.
    case instant
    /// A local date-time: `name_local`; safe harbor: `name_day` and `name_time`.
    case civil
    /// Something that could be looked up elsewhere, or holds a date. Safe harbor shows a keyed hash
    /// with this letter in front.
    case identifier(Character)
    /// Zones, users, hashes, rules with dates in them. Not in safe harbor.
    case detail, detailInteger
    /// What somebody typed. Only in `identified`.
    case typed
  }

  public var name: String
  public var kind: Kind
  /// What the numbers count, `ms`; nil where they count nothing.
  public var unit: String?
  public var meaning: String
  /// When a cell is empty; nil where none ever is.
  public var emptyWhen: String?

  init(
    _ name: String, _ kind: Kind, unit: String? = nil, empty emptyWhen: String? = nil,
    _ meaning: String
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.meaning = meaning
    self.emptyWhen = emptyWhen
  }

  /// What becomes of the column in a profile: no field, one, or two.
  public func fields(_ profile: ExportProfile) -> [ExportField] {
    let safe = profile == .safeHarbor
    func field(_ suffix: String, _ type: String, _ meaning: String) -> ExportField {
      ExportField(
        name: name + suffix, type: type, choices: [], unit: unit, meaning: meaning,
        emptyWhen: emptyWhen)
    }
    switch kind {
    case .word, .document, .identifier: return [field("", "string", meaning)]
    case .choice(let choices):
      var one = field("", "string", meaning)
      one.choices = choices
      return [one]
    case .integer: return [field("", "integer", meaning)]
    case .number: return [field("", "number", meaning)]
    case .boolean: return [field("", "boolean", meaning)]
    case .instant where !safe:
      return [
        field("_utc", "datetime", meaning + " (UTC)"),
        field("_local", "datetime", meaning + " (as the wall clock showed it)"),
      ]
    case .civil where !safe: return [field("_local", "datetime", meaning)]
    case .instant, .civil:
      return [
        field("_day", "integer", meaning + " (day of the study, from 1)"),
        field("_time", "time", meaning + " (local time of day)"),
      ]
    case .detail: return safe ? [] : [field("", "string", meaning)]
    case .detailInteger: return safe ? [] : [field("", "integer", meaning)]
    case .typed: return profile == .identified ? [field("", "string", meaning)] : []
    }
  }
}

/// A field of a file, as the codebook and the data package describe it.
public struct ExportField: Sendable, Hashable {
  public var name: String
  /// A type of Frictionless Table Schema.
  public var type: String
  /// The values there can be; empty where the list is open.
  public var choices: [String]
  public var unit: String?
  public var meaning: String
  public var emptyWhen: String?
}

/// A table of the export.
public struct ExportTable: Sendable, Hashable {
  /// The file's name without `.csv`.
  public var name: String
  public var title: String
  public var columns: [ExportColumn]
  /// The columns that tell one row from another.
  public var primaryKey: [String]
  /// Columns that name a row of another table: column, table, column there.
  public var foreignKeys: [ForeignKey] = []

  public struct ForeignKey: Sendable, Hashable {
    public var column: String
    public var table: String
  }

  public func fields(_ profile: ExportProfile) -> [ExportField] {
    columns.flatMap { $0.fields(profile) }
  }
}
