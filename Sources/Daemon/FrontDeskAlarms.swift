import Alarms
import CivilTime
import Wire

/// `/v1/alarms` and `/v1/agenda`.
extension FrontDesk {
  func alarmID(_ request: WireRequest) -> AlarmID {
    AlarmID(request.parameters["id"] ?? "")
  }

  func addAlarm(_ request: WireRequest) async throws -> WireResponse {
    try await set(
      request, .add(newAlarmID(), try AlarmForm(body: request.body)), status: 201)
  }

  func editAlarm(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.edit(
      alarmID(request), ifVersion: try request.ifMatch(), try AlarmForm(body: request.body))
    return try await set(request, command, status: 200)
  }

  private func set(
    _ request: WireRequest, _ command: Command, status: Int
  ) async throws -> WireResponse {
    guard
      case .alarm(let alarm, let next, let report) = try await hallway.obey(
        command, by: request.actor)
    else { preconditionFailure("an alarm was set without being answered") }
    let document = JSON.object([
      ("alarm", .alarm(alarm)), ("next", occurrences(next, zoneName: alarm.zoneName)),
      ("explanation", .string(report.explanation)), ("warnings", .warnings(report.warnings)),
    ])
    return .json(document, status: status, headers: ["etag": "\"\(alarm.version)\""])
  }

  func occurrences(_ occurrences: [Occurrence], zoneName: String) -> JSON {
    let surroundings = ports.surroundings()
    let zone = surroundings.zone(zoneName) ?? surroundings.homeZone
    return .array(occurrences.map { .occurrence($0, zone: zone) })
  }

  func alarms() async -> JSON {
    let now = ports.now().wall
    let rows = await hallway.look { home, _ in
      home.alarms.sorted { ($0.label, $0.id) < ($1.label, $1.id) }
        .map { ($0, home.nextOccurrences(of: $0.id, after: now, count: 1)) }
    }
    return .object([
      (
        "alarms",
        .array(
          rows.map { alarm, next in
            var row = JSON.alarm(alarm)
            row.set("next", occurrences(next, zoneName: alarm.zoneName))
            return row
          })
      )
    ])
  }

  func showAlarm(_ request: WireRequest) async throws -> WireResponse {
    let id = alarmID(request)
    let now = ports.now().wall
    let found = await hallway.look { home, _ in
      home.alarm(id).map { ($0, home.nextOccurrences(of: id, after: now, count: 5)) }
    }
    guard let (alarm, next) = found else {
      throw Refusal(.notFound, "there is no alarm \"\(id)\"")
    }
    return .json(
      .object([("alarm", .alarm(alarm)), ("next", occurrences(next, zoneName: alarm.zoneName))]),
      headers: ["etag": "\"\(alarm.version)\""])
  }

  func removeAlarm(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.remove(alarmID(request), ifVersion: try request.ifMatch())
    guard
      case .removed(let alarm, let answered) = try await hallway.obey(command, by: request.actor)
    else { preconditionFailure("an alarm was removed without being answered") }
    return .json(
      .object([
        ("alarm", .alarm(alarm)),
        (
          "prompts",
          .array(answered.map { self.answered($0, label: alarm.label, person: alarm.person.text) })
        ),
      ]))
  }

  func preview(_ request: WireRequest) async throws -> WireResponse {
    let surroundings = ports.surroundings()
    let now = ports.now().wall
    let form = try AlarmForm(body: request.body)
    let preview = await hallway.look { home, _ in
      Result { () throws(Refusal) in
        try previewed(
          form, PreviewRange(after: now, count: 10), now: now, beside: home, in: surroundings)
      }
    }
    let found = try preview.get()
    let zone = surroundings.zone(found.zoneName) ?? surroundings.homeZone
    return .json(.preview(found, zone: zone))
  }

  func agenda(limit: Int) async -> JSON {
    let rows = await hallway.look { home, _ in
      home.openPrompts
        .sorted { ($0.nextStepAt ?? $0.dueAt, $0.id) < ($1.nextStepAt ?? $1.dueAt, $1.id) }
        .prefix(limit)
        .map { ($0, home.alarm($0.id.alarm)) }
    }
    let surroundings = ports.surroundings()
    return .object([
      (
        "agenda",
        .array(
          rows.map { prompt, alarm in
            let at = prompt.nextStepAt ?? prompt.dueAt
            let zone = surroundings.zone(prompt.zoneName) ?? surroundings.homeZone
            return .object([
              ("prompt_id", .string(prompt.id.description)),
              ("alarm_id", .string(prompt.id.alarm.text)),
              ("label", .string(alarm?.label ?? "")),
              ("person", .string(alarm?.person.text ?? "")),
              ("state", .string(prompt.phase.name)), ("utc", .string(at.description)),
              ("local", .string(zone.civil(at: at).dateTime.description)),
              ("zone", .string(zone.name)),
            ])
          })
      )
    ])
  }
}
