import Alarms

extension APIRequest {
  /// The idempotency key of the request; nil if the request has no key.
  ///
  /// draft-ietf-httpapi-idempotency-key-header requires a quoted string, but most clients send the
  /// key without quotes. The daemon accepts a key with or without quotes. Both forms are the same
  /// key.
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

  /// The bytes that identify the request.
  ///
  /// For each part of the request, the result contains the length of the part, and after it the
  /// part. Therefore two different requests never have the same bytes.
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
    // If the configuration restricts the user to the data of one person, the bytes also contain the
    // id of this person. Suppose that the configuration later restricts the user to a second
    // person. The same request then has different bytes. Therefore the daemon does not send the
    // stored response about the first person.
    if let only { parts += [[], Array(only.text.utf8)] }
    return parts.flatMap { Array("\($0.count):".utf8) + $0 }
  }
}
