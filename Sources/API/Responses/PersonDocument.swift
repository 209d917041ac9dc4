import Alarms
import CivilTime
import JSONValue

extension JSON {
  /// A person and the settings of this person.
  ///
  /// - Parameters:
  ///   - alarms: the number of alarms of the person.
  ///   - zone: the zone in which the person lives.
  public static func person(
    _ state: PersonState, alarms: Int, limits: HomeLimits, zone: Zone, now: Instant
  ) -> JSON {
    let person = state.person ?? Person(id: state.id, version: 0)
    return .object([
      ("id", .string(state.id.text)), ("version", .integer(Int64(person.version))),
      ("name", .string(person.name)), ("language", .optional(person.language)),
      ("zone", .string(person.zoneName ?? zone.name)), ("tone", .optional(person.tone)),
      ("quiet_hours", .optional(person.quiet?.hours.text)),
      ("quiet_policy", .optional(person.quiet?.policy.rawValue)),
      ("rings_per_hour", .integer(Int64(person.ringsPerHour ?? limits.ringsPerHour))),
      ("inactivity_hours", .optional(person.inactivity?.hours)),
      ("inactivity_tell", .notifySteps(person.inactivity?.notifySteps ?? [])),
      ("inactive_since_utc", .optional(state.inactivity?.since.description)),
      ("inactivity_notified", .integer(Int64(state.inactivity?.notifyProgress.begun ?? 0))),
      ("pause", .pause(state.pause(at: now), zone: zone)),
      ("phase", .optional(state.phase(at: now)?.kind.rawValue)),
      ("silenced", .bool(state.isSilenced(at: now))),
      ("reward_image", .optional(person.rewardImage)),
      ("alarms", .integer(Int64(alarms))),
    ])
  }

  /// The pause of a person; null if the person is not paused.
  ///
  /// - Parameter zone: the zone in which the person lives.
  public static func pause(_ pause: PersonPause?, zone: Zone) -> JSON {
    guard let pause else { return .null }
    return .object([
      ("until_utc", .optional(pause.until?.description)),
      ("until_local", .optional(pause.until.map { zone.civil(at: $0).dateTime.description })),
    ])
  }

  /// The start and the end of a period as local times, with the name of the zone.
  static func local(_ from: Instant, _ to: Instant?, _ zone: Zone) -> [(String, JSON)] {
    [
      ("from_local", .string(zone.civil(at: from).dateTime.description)),
      ("to_local", .optional(to.map { zone.civil(at: $0).dateTime.description })),
      ("zone", .string(zone.name)),
    ]
  }

  /// The document of an alarm that a caretaker paused separately; nil if this alarm is not paused
  /// now, or if only its person is paused.
  ///
  /// - Parameter zone: the zone of the alarm.
  public static func pausedAlarm(_ alarm: Alarm, zone: Zone, now: Instant) -> JSON? {
    guard let until = alarm.pauses.until, zone.civil(at: now).dateTime < until else { return nil }
    return .object([
      ("alarm_id", .string(alarm.id.text)), ("label", .string(alarm.label)),
      ("person", .string(alarm.person.text)), ("until_local", .string(until.description)),
    ])
  }

  /// The study phases of a person.
  ///
  /// - Parameter zone: the zone in which the person lives.
  public static func phases(
    _ id: PersonID, _ phases: [StudyPhase], now: Instant, zone: Zone
  ) -> [JSON] {
    phases.map { phase in
      .object(
        [
          ("person", .string(id.text)), ("kind", .string(phase.kind.rawValue)),
          ("from_utc", .string(phase.from.description)),
          ("to_utc", .optional(phase.to?.description)), ("current", .bool(phase.contains(now))),
        ] + local(phase.from, phase.to, zone))
    }
  }
}
