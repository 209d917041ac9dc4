/// What a body holds.
public enum Content: Sendable, Hashable {
  case json(JSONSchema)
  /// Something that is no JSON, by its media types.
  case bytes([String])
  /// JSON documents, one a line.
  case lines(JSONSchema)
  /// Server-sent events.
  case events

  /// The media types of such a body.
  public var mediaTypes: [String] {
    switch self {
    case .json: ["application/json"]
    case .bytes(let types): types
    case .lines: ["application/x-ndjson"]
    case .events: ["text/event-stream"]
    }
  }
}
