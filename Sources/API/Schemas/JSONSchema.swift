/// The schema of a JSON value. `JSONSchema` supports only the part of the JSON Schema standard that
/// the API needs.
public indirect enum JSONSchema: Sendable, Hashable {
  case text
  /// A text in a known format. The format is `date-time`, `date`, or a description in words.
  case format(String)
  /// One word from a fixed list of words.
  case word([String])
  case integer(ClosedRange<Int64>?)
  case number
  case flag
  case list(JSONSchema)
  /// An object with these members.
  case object([Field])
  /// An object whose members can have any names. The value of each member has this schema.
  case map(JSONSchema)
  /// A value with this schema, or null.
  case optional(JSONSchema)
  /// A schema with its own name in the documentation.
  case named(String, JSONSchema)
  /// Any value. The type of the value depends on other data.
  case any

  /// A member of an object.
  public struct Field: Sendable, Hashable {
    public var name: String
    public var shape: JSONSchema
    public var isRequired: Bool
    public var summary: String

    /// A member that the object must contain.
    static func always(_ name: String, _ shape: JSONSchema, _ summary: String = "") -> Field {
      Field(name: name, shape: shape, isRequired: true, summary: summary)
    }

    /// A member that the object may contain.
    static func maybe(_ name: String, _ shape: JSONSchema, _ summary: String = "") -> Field {
      Field(name: name, shape: shape, isRequired: false, summary: summary)
    }
  }

  /// Any whole number that fits in 64 bits.
  static let integer = JSONSchema.integer(nil)
  /// A whole number that is not negative.
  static let count = JSONSchema.integer(0...Int64.max)
  /// An instant in the format of RFC 3339, in UTC, with milliseconds: `2026-12-01T08:00:00.000Z`.
  static let instant = JSONSchema.format("date-time")

  /// A copy of an object schema with an additional member.
  func with(_ field: Field) -> JSONSchema {
    switch self {
    case .object(let fields): .object(fields + [field])
    case .named(_, let shape): shape.with(field)
    default: self
    }
  }

  /// The members of an object schema. The object schema can be inside a `named` or an `optional`
  /// schema. For any other schema, the list is empty.
  public var fields: [Field] {
    switch self {
    case .object(let fields): fields
    case .named(_, let shape), .optional(let shape): shape.fields
    default: []
    }
  }
}
