import Alarms
import JSONValue

/// What the daemon answered.
package struct HTTPReply: Sendable {
  package var status: Int
  /// Empty where the body went elsewhere piece by piece.
  package var body: [UInt8]
  /// The head of the record that a backup ends with.
  package var recordHead: String?
  /// How long an archive will be, where the daemon knows.
  package var archiveBytes: Int?
  /// The first event that an export found to be missing or not to follow.
  package var firstBadSequence: String?

  /// The answer if it is a good one.
  ///
  /// - Throws: `Failure.refused` with the problem's detail.
  package func accepted() throws(Failure) -> HTTPReply {
    if (200..<300).contains(status) { return self }
    if let problem = try? JSON(parsing: body), let detail = problem["detail"]?.string {
      throw .refused(detail)
    }
    throw .refused("the daemon refused with status \(status) and gave no reason")
  }

  /// The body as a document.
  ///
  /// - Throws: `Failure.unreachable`: whoever sends something else is not our daemon.
  package func document() throws(Failure) -> JSON {
    do {
      return try JSON(parsing: body)
    } catch {
      throw .unreachable("cannot understand the daemon's answer: it is not JSON")
    }
  }
}

extension JSON {
  /// The members of a list by that name; none where there is no such list.
  package func list(_ name: String) -> [JSON] { self[name]?.array ?? [] }

  /// A text or a number by that name as it is printed; empty where it is absent or null.
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
