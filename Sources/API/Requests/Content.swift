/// The format of the body of a request or response.
public enum Content: Sendable, Hashable {
  case json(JSONSchema)
  /// A format other than JSON. The value lists the possible media types of the body.
  case bytes([String])
  /// JSON documents. Each document is on its own line.
  case lines(JSONSchema)
  /// A stream of server-sent events.
  case events

  /// The media types of the body.
  public var mediaTypes: [String] {
    switch self {
    case .json: ["application/json"]
    case .bytes(let types): types
    case .lines: ["application/x-ndjson"]
    case .events: ["text/event-stream"]
    }
  }
}
