import Alarms
import JSONValue

/// The daemon's response.
package struct HTTPReply: Sendable {
  package var status: Int
  /// The body; empty if it was passed on piece by piece.
  package var body: [UInt8]
  /// The head of the record in a backup.
  package var recordHead: String?
  /// The size of an archive in bytes; nil if the daemon does not know it.
  package var archiveBytes: Int?
  /// The number of the first event that an export found missing or out of the hash chain.
  package var firstBadSequence: String?

  /// Returns the response if its status is 2xx.
  ///
  /// - Throws: `Failure.refused` with the detail of the problem.
  package func accepted() throws(Failure) -> HTTPReply {
    if (200..<300).contains(status) { return self }
    if let problem = try? JSON(parsing: body), let detail = problem["detail"]?.string {
      throw .refused(detail)
    }
    throw .refused("the daemon refused with status \(status) and gave no reason")
  }

  /// Returns the body as JSON.
  ///
  /// - Throws: `Failure.unreachable` if it is not JSON: then the other side is not prompterd.
  package func document() throws(Failure) -> JSON {
    do {
      return try JSON(parsing: body)
    } catch {
      throw .unreachable("cannot understand the daemon's answer: it is not JSON")
    }
  }
}

extension JSON {
  /// The elements of the array with this name; empty if there is no array.
  package func list(_ name: String) -> [JSON] { self[name]?.array ?? [] }

  /// The printed form of a text, number or flag with this name; empty if it is absent or null.
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
