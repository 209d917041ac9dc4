import JSONValue

extension JSONSchema {
  /// The schema as a JSON Schema 2020-12. OpenAPI 3.1 uses this standard. For a named schema, the
  /// result contains only a reference to the schema.
  ///
  /// - Parameter isClosed: true if an object may contain only the members of the schema. The
  ///   schemas of requests permit no additional members, because the daemon refuses an unknown
  ///   member. The schemas of responses permit additional members, because a later version may add
  ///   members.
  func schema(isClosed: Bool) -> JSON {
    switch self {
    case .text: Self.typed("string")
    case .format(let name) where name == "date-time" || name == "date":
      Self.typed("string", ("format", .string(name)))
    case .format(let words): Self.typed("string", ("description", .string(words)))
    case .word(let words): Self.typed("string", ("enum", .array(words.map(JSON.string))))
    case .integer(let range): Self.integer(range)
    case .number: Self.typed("number")
    case .flag: Self.typed("boolean")
    case .list(let item): Self.typed("array", ("items", item.schema(isClosed: isClosed)))
    case .object(let fields): Self.object(fields, isClosed: isClosed)
    case .map(let value):
      Self.typed("object", ("additionalProperties", value.schema(isClosed: isClosed)))
    case .optional(let shape):
      .object([("anyOf", .array([shape.schema(isClosed: isClosed), Self.typed("null")]))])
    case .named(let name, _): .object([("$ref", .string("#/components/schemas/\(name)"))])
    case .any: .object([])
    }
  }

  private static func typed(_ type: String, _ more: (String, JSON)...) -> JSON {
    .object([("type", .string(type))] + more)
  }

  private static func integer(_ range: ClosedRange<Int64>?) -> JSON {
    var schema = typed("integer")
    guard let range else { return schema }
    schema.set("minimum", .integer(range.lowerBound))
    if range.upperBound != .max { schema.set("maximum", .integer(range.upperBound)) }
    return schema
  }

  private static func object(_ fields: [Field], isClosed: Bool) -> JSON {
    let properties = fields.map { field -> (String, JSON) in
      var schema = field.shape.schema(isClosed: isClosed)
      if !field.summary.isEmpty { schema.set("description", .string(field.summary)) }
      return (field.name, schema)
    }
    var schema = typed("object", ("properties", .object(properties)))
    let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { schema.set("required", .array(required)) }
    if isClosed { schema.set("additionalProperties", .bool(false)) }
    return schema
  }

  /// All named schemas within this schema. Each element contains the name of a schema, and the
  /// schema without its name. If this schema itself has a name, the list begins with this schema.
  var names: [(name: String, shape: JSONSchema)] {
    switch self {
    case .named(let name, let shape): [(name, shape)] + shape.names
    case .list(let shape), .map(let shape), .optional(let shape): shape.names
    case .object(let fields): fields.flatMap(\.shape.names)
    case .text, .format, .word, .integer, .number, .flag, .any: []
    }
  }
}
