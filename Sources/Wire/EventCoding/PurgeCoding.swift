import Alarms
import CivilTime

extension Purge {
  /// The payload that says it.
  var payload: JSON {
    .object([
      ("through_seq", .integer(throughSequence)), ("through_ms", .integer(throughAt.milliseconds)),
      ("first_ms", firstAt.map { .integer($0.milliseconds) } ?? .null),
      ("first_offset_s", .integer(Int64(firstOffsetSeconds))),
      ("closed_before_ms", closedBefore.map { .integer($0.milliseconds) } ?? .null),
      ("kept", .integer(Int64(kept))), ("kept_digest", .string(keptDigest)),
      ("archive_sha256", .string(archiveSHA256)),
    ])
  }

  /// - Throws: `FactCodingError` where it says something else.
  public init(payload: JSON) throws(FactCodingError) {
    let members = StoredMembers(payload)
    self.init(
      throughSequence: try members.integer("through_seq"),
      throughAt: Instant(milliseconds: try members.integer("through_ms")),
      firstAt: payload["first_ms"]?.integer.map(Instant.init(milliseconds:)),
      firstOffsetSeconds: try members.int("first_offset_s"),
      closedBefore: payload["closed_before_ms"]?.integer.map(Instant.init(milliseconds:)),
      kept: try members.int("kept"), keptDigest: try members.string("kept_digest"),
      archiveSHA256: try members.string("archive_sha256"))
  }
}

extension WireRequest {
  /// What a request to purge names: the last row, and the digest of the archive that holds what goes.
  public func purge() throws(Refusal) -> (through: Int64, archive: String) {
    var fields = try FieldReader(body: body)
    let through = try fields.integer("through_seq")
    let archive = try fields.string("archive_sha256")
    try fields.finish()
    guard let through, through > 0 else {
      throw Refusal(.invalidField, field: "through_seq", "say up to which event")
    }
    guard let archive, archive.utf8.count == 64, archive.allSatisfy(\.isHexDigit) else {
      throw Refusal(
        .invalidField, field: "archive_sha256",
        "say the SHA-256 of the archive, in hex: it shows that somebody has all that goes")
    }
    return (Int64(through), archive.lowercased())
  }
}
