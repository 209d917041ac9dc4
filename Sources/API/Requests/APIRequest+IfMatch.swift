import Alarms

extension APIRequest {
  /// The condition in the header field `If-Match` (RFC 9110, section 13.1.1).
  ///
  /// - Returns: nil if the header field is missing or contains `*`. Every object that exists
  ///   matches `*`.
  public func ifMatch() throws(Refusal) -> VersionCondition? {
    guard let text = headers["if-match"] else { return nil }
    let bytes = Array(text.utf8)
    guard bytes.trimmed != Array("*".utf8) else { return nil }
    var tags = EntityTags(rest: bytes[...])
    guard let versions = tags.versions() else {
      throw Refusal(
        .malformed,
        "cannot read If-Match: it must be a version in quotes, like \"3\", a list of versions, "
          + "like \"3\", \"4\", or *")
    }
    return VersionCondition(versions: versions)
  }
}

/// Reads a list of entity tags (RFC 9110, section 8.8.3).
private struct EntityTags {
  var rest: ArraySlice<UInt8>

  /// The versions in the list; nil if the bytes are not a list of entity tags.
  ///
  /// A weak tag, such as `W/"3"`, never matches, because `If-Match` uses the strong comparison. A
  /// tag that does not contain a version is valid, but matches no object.
  mutating func versions() -> Set<Int>? {
    var versions: Set<Int> = []
    var count = 0
    while true {
      skipSpace()
      if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "W") {
        guard let tag = tag() else { return nil }
        count += 1
        if let version = tag { versions.insert(version) }
        skipSpace()
      }
      guard let separator = rest.popFirst() else { return count > 0 ? versions : nil }
      guard separator == UInt8(ascii: ",") else { return nil }
    }
  }

  /// Reads one tag.
  ///
  /// - Returns: the version; nil if the bytes are not a tag. If the tag is weak or does not contain
  ///   a version, the result is `.some(nil)`: an optional value that contains nil.
  private mutating func tag() -> Int?? {
    let isWeak = rest.starts(with: "W/".utf8)
    if isWeak { rest = rest.dropFirst(2) }
    guard rest.popFirst() == UInt8(ascii: "\""),
      let end = rest.firstIndex(of: UInt8(ascii: "\""))
    else { return nil }
    let opaque = rest[..<end]
    guard opaque.allSatisfy({ $0 >= 0x21 && $0 != 0x7f }) else { return nil }
    rest = rest[(end + 1)...]
    let isNumber = opaque.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return .some(isWeak || !isNumber ? nil : Int(String(decoding: opaque, as: UTF8.self)))
  }

  private mutating func skipSpace() { rest = rest.drop { $0.isSpace } }
}

extension [UInt8] {
  /// The bytes without spaces and tabs at the start and at the end.
  fileprivate var trimmed: [UInt8] {
    let start = drop { $0.isSpace }
    guard let end = start.lastIndex(where: { !$0.isSpace }) else { return [] }
    return Array(start[...end])
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
