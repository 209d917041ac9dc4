/// What a JSON value may be: as much of JSON Schema as the contract needs.
public indirect enum JSONSchema: Sendable, Hashable {
  case text
  /// A text of a known format: `date-time`, a pattern in words.
  case format(String)
  /// One of a closed list.
  case word([String])
  case integer(ClosedRange<Int64>?)
  case number
  case flag
  case list(JSONSchema)
  /// An object with these members.
  case object([Field])
  /// An object whose names are data.
  case map(JSONSchema)
  /// May also be null.
  case optional(JSONSchema)
  /// A shape with a name of its own in the documentation.
  case named(String, JSONSchema)
  /// Any value; what it is depends on something else.
  case any

  /// A member of an object.
  public struct Field: Sendable, Hashable {
    public var name: String
    public var shape: JSONSchema
    public var isRequired: Bool
    public var summary: String

    /// A member that is always there.
    static func always(_ name: String, _ shape: JSONSchema, _ summary: String = "") -> Field {
      Field(name: name, shape: shape, isRequired: true, summary: summary)
    }

    /// A member that may be left out.
    static func maybe(_ name: String, _ shape: JSONSchema, _ summary: String = "") -> Field {
      Field(name: name, shape: shape, isRequired: false, summary: summary)
    }
  }

  /// Any whole number that 64 bits hold.
  static let integer = JSONSchema.integer(nil)
  /// A whole number that is not negative.
  static let count = JSONSchema.integer(0...Int64.max)
  /// RFC 3339, UTC, milliseconds: `2026-12-01T08:00:00.000Z`.
  static let instant = JSONSchema.format("date-time")

  /// An object with one more member.
  func with(_ field: Field) -> JSONSchema {
    switch self {
    case .object(let fields): .object(fields + [field])
    case .named(_, let shape): shape.with(field)
    default: self
    }
  }

  /// The members of an object, by whatever name; none of anything else.
  public var fields: [Field] {
    switch self {
    case .object(let fields): fields
    case .named(_, let shape), .optional(let shape): shape.fields
    default: []
    }
  }
}
