import Alarms

/// A member of the JSON object in the column `payload` of events.csv.
///
/// The codebook has one row for each member. A test compares the list of members with the payloads
/// of all types of events. Therefore a new member needs a description.
public struct PayloadMember: Sendable, Hashable {
  /// The type of a JSON value. If the values of a member have several types, the kind of the member
  /// is `any`.
  public enum Kind: String, Sendable {
    case integer = "integer"
    case number = "number"
    case boolean = "boolean"
    case string = "string"
    case array = "array"
    case object = "object"
    case any = "any"
  }

  public var name: String
  public var kind: Kind
  /// The possible words; empty if the value is not a word of a fixed list.
  public var words: [String]
  public var unit: String?
  public var meaning: String
  /// The condition under which the value is null; nil if the value is never null.
  public var nullWhen: String?

  init(
    _ name: String, _ kind: Kind, words: [String] = [], unit: String? = nil,
    null nullWhen: String? = nil, _ meaning: String
  ) {
    self.name = name
    self.kind = kind
    self.words = words
    self.unit = unit
    self.nullWhen = nullWhen
    self.meaning = meaning
  }

  /// The value of the column `file` in those rows of codebook.csv that describe members.
  public static let file = "events.csv/payload"

  /// The members that an export with this profile can contain, sorted by name.
  public static func list(_ profile: ExportProfile) -> [PayloadMember] {
    all.filter { profile != .safeHarbor || SafePayload.contains($0.name) }
  }

  /// The members of all types of events, sorted by name.
  static let all = (ofAlarms + ofPrompts + ofRings + ofPeople + ofStudies + ofDevice).sorted {
    $0.name < $1.name
  }
}
