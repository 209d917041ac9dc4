import Alarms
import CivilTime
import JSONValue

extension Purge {
  /// The payload of a purge event.
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

  /// Reads the JSON that the property `payload` returns.
  ///
  /// - Throws: `EventCodingError` if a required member is missing or has a wrong type.
  public init(payload: JSON) throws(EventCodingError) {
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
