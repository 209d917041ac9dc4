import CivilTime
import Foundation
import JSONValue

@testable import Pages

/// Sample replies of the daemon. The present time is 08:01 UTC on Thursday 26 November 2026.
struct SampleReading {
  static let now = "2026-11-26T08:01:00.000Z"

  var now = Self.now
  var prompts: [JSON] = []
  var calling: (id: String, acknowledgesFirst: Bool)?
  var person: [(String, JSON)] = []
  var done: Int64 = 1
  var planned: Int64 = 3
  var zone = Zone.utc
  var roles = ["patient"]
  var personZone = Zone.utc
  var homeLanguage: String?

  func reading() throws -> HomeReading {
    try HomeReading(
      status: .object([
        ("clock", .object([("utc", .string(now))])),
        ("you", .object([("roles", .array(roles.map(JSON.string)))])),
        ("language", homeLanguage.map(JSON.string) ?? .null),
      ]),
      person: .object([("id", .string("hilde")), ("name", .string("Hilde"))] + person),
      prompts: .object([
        ("prompts", .array(prompts)),
        (
          "calling",
          calling.map {
            .object([
              ("id", .string($0.id)), ("acknowledge_first", .bool($0.acknowledgesFirst)),
            ])
          } ?? .null
        ),
      ]),
      progress: .object([
        (
          "people",
          .array([
            .object([
              ("person", .string("hilde")), ("done", .integer(done)),
              ("planned", .integer(planned)),
            ])
          ])
        )
      ]), zone: zone, personZone: personZone)
  }

  func decision() throws -> ScreenDecision { ScreenDecision(try reading()) }
}

/// Returns a prompt in the JSON format of the daemon. `more` adds fields, and replaces fields that
/// have the same name.
func prompt(_ id: String, _ state: String, _ more: [(String, JSON)] = []) -> JSON {
  var document = JSON.object([
    ("id", .string(id)), ("label", .string("Task \(id)")), ("instructions", .string("")),
    ("state", .string(state)), ("outcome", .null), ("shown_as_due", .bool(false)),
    ("scheduled_utc", .string("2026-11-26T08:00:00.000Z")), ("closed_utc", .null),
    ("delayed_until_utc", .null), ("acknowledged_until_utc", .null), ("undo_until_utc", .null),
    ("delays_left", .integer(3)), ("image", .null),
  ])
  for (name, value) in more { document.set(name, value) }
  return document
}

func due(_ id: String, at time: String = "08:00:00", _ more: [(String, JSON)] = []) -> JSON {
  prompt(
    id, "ringing",
    [("shown_as_due", .bool(true)), ("scheduled_utc", .string("2026-11-26T\(time).000Z"))] + more)
}

/// Returns a completed prompt.
///
/// - Parameter secondsAgo: the time since the answer, in seconds.
func done(_ id: String, secondsAgo: Int64) throws -> JSON {
  let at = try Instant(parsing: SampleReading.now).adding(seconds: -secondsAgo)
  let undo = at.adding(seconds: 60)
  return prompt(
    id, "closed",
    [
      ("outcome", .string("completed")), ("closed_utc", .string(at.description)),
      ("undo_until_utc", secondsAgo < 60 ? .string(undo.description) : .null),
    ])
}

func zone(_ name: String) throws -> Zone {
  let file = URL(filePath: "/usr/share/zoneinfo/\(name)")
  return try Zone(name: name, tzif: Array(Data(contentsOf: file)))
}
