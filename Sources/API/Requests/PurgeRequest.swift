import Alarms
import EventCoding

extension APIRequest {
  /// Reads the body of a purge: the last row, and the digest of the archive of the purged rows.
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
