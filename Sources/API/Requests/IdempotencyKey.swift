import Alarms

extension APIRequest {
  /// The key by which the sender will know this request again; nil where there is none.
  ///
  /// draft-ietf-httpapi-idempotency-key-header makes it a quoted string; most clients send it bare,
  /// so both are taken, and are the same key.
  public func idempotencyKey() throws(Refusal) -> String? {
    guard var key = headers["idempotency-key"] else { return nil }
    if key.count >= 2, key.hasPrefix("\""), key.hasSuffix("\"") {
      key = String(key.dropFirst().dropLast())
    }
    guard (1...64).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") })
    else {
      throw Refusal(
        .invalidField, field: "Idempotency-Key",
        "it must be 1 to 64 printable ASCII characters without spaces or quotes")
    }
    return key
  }

  /// What tells this request from another, as bytes without ambiguity: each part after its length.
  public var identity: [UInt8] {
    var parts = [Array(operation.rawValue.utf8)]
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      parts += [Array(name.utf8), Array(value.utf8)]
    }
    parts.append([])
    for (name, value) in query.sorted(by: { $0.key < $1.key }) {
      parts += [Array(name.utf8), Array(value.utf8)]
    }
    parts += [[], Array((headers["if-match"] ?? "").utf8), body]
    // Whoever was tied to another person since gets no answer that was given about the former one.
    if let only { parts += [[], Array(only.text.utf8)] }
    return parts.flatMap { Array("\($0.count):".utf8) + $0 }
  }
}
