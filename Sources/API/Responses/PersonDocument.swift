import Alarms
import CivilTime
import JSONValue

extension JSON {
  /// A person and their settings.
  ///
  /// - Parameter alarms: the number of alarms of the person.
  public static func person(
    _ state: PersonState, alarms: Int, limits: HomeLimits, homeZone: String, now: Instant
  ) -> JSON {
    let person = state.person ?? Person(id: state.id, version: 0)
    return .object([
      ("id", .string(state.id.text)), ("version", .integer(Int64(person.version))),
      ("name", .string(person.name)), ("language", .optional(person.language)),
      ("zone", .string(person.zoneName ?? homeZone)), ("tone", .optional(person.tone)),
      ("quiet_hours", .optional(person.quiet?.hours.text)),
      ("quiet_policy", .optional(person.quiet?.policy.rawValue)),
      ("rings_per_hour", .integer(Int64(person.ringsPerHour ?? limits.ringsPerHour))),
      ("inactivity_hours", .optional(person.inactivity?.hours)),
      ("inactivity_tell", .notifySteps(person.inactivity?.notifySteps ?? [])),
      ("inactive_since_utc", .optional(state.inactivity?.since.description)),
      ("inactivity_notified", .integer(Int64(state.inactivity?.notifyProgress.begun ?? 0))),
      ("phase", .optional(state.phase(at: now)?.kind.rawValue)),
      ("alarms", .integer(Int64(alarms))),
    ])
  }

  /// The study phases of a person.
  public static func phases(_ id: PersonID, _ phases: [StudyPhase], now: Instant) -> [JSON] {
    phases.map { phase in
      .object([
        ("person", .string(id.text)), ("kind", .string(phase.kind.rawValue)),
        ("from_utc", .string(phase.from.description)),
        ("to_utc", .optional(phase.to?.description)), ("current", .bool(phase.contains(now))),
      ])
    }
  }
}
