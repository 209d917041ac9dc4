import Alarms
import JSONValue

/// The reply of the daemon to a request.
package struct HTTPReply: Sendable {
  package var status: Int
  /// The body of the reply. If the caller of the client passed a function `consume`, this function
  /// received the body of a 2xx reply, and the value is empty.
  package var body: [UInt8]
  /// The head of the record in a backup; nil if the reply is not a backup.
  package var recordHead: String?
  /// The size of an archive in bytes; nil if the reply does not contain the size.
  package var archiveBytes: Int?
  /// The sequence number of the first missing or changed event in an export; nil if the hash chain
  /// is complete.
  package var firstBadSequence: String?

  /// Returns the reply if its status is 2xx.
  ///
  /// - Throws: `Failure.refused` with the detail of the refusal.
  package func accepted() throws(Failure) -> HTTPReply {
    if (200..<300).contains(status) { return self }
    if let problem = try? JSON(parsing: body), let detail = problem["detail"]?.string {
      throw .refused(detail)
    }
    throw .refused("the daemon refused with status \(status) and gave no reason")
  }

  /// Returns the body as JSON.
  ///
  /// - Throws: `Failure.unreachable` if the body is not JSON. In this case, a program other than
  ///   prompterd uses the socket, because prompterd always replies with JSON to these requests.
  package func document() throws(Failure) -> JSON {
    do {
      return try JSON(parsing: body)
    } catch {
      throw .unreachable("cannot understand the daemon's answer: it is not JSON")
    }
  }
}

extension JSON {
  /// Returns the elements of the array with this name; empty if there is no array with this name.
  package func list(_ name: String) -> [JSON] { self[name]?.array ?? [] }

  /// Returns the value of the member with this name, as text. The value can be a text, a number or
  /// a flag. The result is empty if the value is absent or null.
  package func text(_ name: String) -> String {
    switch self[name] {
    case .string(let text): text
    case .integer(let value): String(value)
    case .number(let value): String(value)
    case .bool(let flag): flag ? "yes" : "no"
    default: ""
    }
  }

  package func count(_ name: String) -> Int { Int(self[name]?.integer ?? 0) }
}
