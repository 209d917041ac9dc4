import ArchiveProtocol
import JSONValue

/// A request to the archive.
package struct ArchiveRequest: Sendable {
  package var method: String
  package var path: String
  /// The header fields, with their names in lower case. If a field occurs twice, its value is nil.
  package var fields: [String: String?]
  package var body: [UInt8]

  package init(method: String, path: String, fields: [String: String?], body: [UInt8]) {
    (self.method, self.path, self.fields, self.body) = (method, path, fields, body)
  }

  /// Returns the value of a header field; nil if the field is missing or occurs twice.
  func field(_ name: String) -> String? { fields[name.lowercased()] ?? nil }

  func has(_ name: String) -> Bool { fields.keys.contains(name.lowercased()) }
}

/// A reply of the archive.
package struct ArchiveReply: Sendable, Hashable {
  package var status: Int
  package var type = "application/json"
  package var body: String
  /// The value of the header field `Retry-After`, in seconds; nil if the reply does not contain
  /// this field.
  package var retrySeconds: Int?

  package static func json(_ status: Int, _ document: JSON) -> ArchiveReply {
    ArchiveReply(status: status, body: "\(document)\n")
  }

  /// Returns a problem document (RFC 9457) with a `kind` that never changes.
  package static func problem(
    _ status: Int, _ kind: String, _ detail: String, _ more: [(String, JSON)] = [],
    retrySeconds: Int? = nil
  ) -> ArchiveReply {
    let members: [(String, JSON)] = [
      ("type", .string("about:blank")), ("status", .integer(Int64(status))),
      ("kind", .string(kind)), ("detail", .string(detail)),
    ]
    return ArchiveReply(
      status: status, type: "application/problem+json", body: "\(JSON.object(members + more))\n",
      retrySeconds: retrySeconds)
  }

  package init(
    status: Int, type: String = "application/json", body: String, retrySeconds: Int? = nil
  ) {
    (self.status, self.type) = (status, type)
    (self.body, self.retrySeconds) = (body, retrySeconds)
  }

  /// Returns the reply that the archive sends if it cannot use the database.
  static func failure(_ error: ArchiveError) -> ArchiveReply {
    let detail = "\(error)"
    return switch error {
    case .unavailable: .problem(503, error.kind, detail, retrySeconds: 15)
    case .full: .problem(503, error.kind, detail, retrySeconds: 300)
    case .database, .refused: .problem(500, error.kind, detail)
    }
  }
}

extension StreamStatus {
  /// The members of the JSON form of the status. A problem document can contain them as additional
  /// members.
  var members: [(String, JSON)] {
    guard case .members(let members) = json else { return [] }
    return members.map { ($0.name, $0.value) }
  }
}
