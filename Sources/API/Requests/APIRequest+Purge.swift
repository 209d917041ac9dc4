import Alarms
import EventCoding

extension APIRequest {
  /// Reads the body of a purge request.
  ///
  /// The body contains the sequence number of the last row to purge, and the digest of the archive
  /// file.
  public func purge() throws(Refusal) -> (through: Int64, archive: String) {
    var fields = try FieldReader(body: body)
    let through = try fields.integer("through_seq")
    let archive = try fields.string("archive_sha256")
    try fields.finish()
    guard let through, through > 0 else {
      throw Refusal(
        .invalidField, field: "through_seq", "it must be the number of the last event to remove")
    }
    guard let archive, archive.utf8.count == 64, archive.allSatisfy(\.isHexDigit) else {
      throw Refusal(
        .invalidField, field: "archive_sha256",
        "it must be the SHA-256 of the archive, in hexadecimal; it shows that you have the archive")
    }
    return (Int64(through), archive.lowercased())
  }
}
