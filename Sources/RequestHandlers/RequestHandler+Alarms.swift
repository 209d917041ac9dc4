import API
import Alarms
import CivilTime
import Engine
import EventCoding
import JSONValue

/// The handlers of `/v1/alarms` and `/v1/agenda`.
extension RequestHandler {
  private static let mostAlarms = 5_000

  func alarmID(_ request: APIRequest) -> AlarmID {
    AlarmID(request.parameters["id"] ?? "")
  }

  func alarm(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .addAlarm: try await addAlarm(request)
    case .showAlarm: try await showAlarm(request)
    case .editAlarm: try await editAlarm(request)
    case .removeAlarm: try await removeAlarm(request)
    case .alarmVersions: try await alarmVersions(request)
    case .preview: try await preview(request)
    case .agenda: try await agenda(request)
    default: try await alarms(request)
    }
  }

  private func addAlarm(_ request: APIRequest) async throws -> APIResponse {
    try await set(
      request, .add(newAlarmID(), try AlarmForm(body: request.body, isNew: true)), status: 201)
  }

  private func editAlarm(_ request: APIRequest) async throws -> APIResponse {
    let command = Command.edit(
      alarmID(request), ifVersion: try request.ifMatch(),
      try AlarmForm(body: request.body, isEdit: true))
    return try await set(request, command, status: 200)
  }

  private func set(
    _ request: APIRequest, _ command: Command, status: Int
  ) async throws -> APIResponse {
    try await carryOut(command, by: request.actor) { reply, home in
      guard case .alarm(let alarm, let next, let report) = reply else {
        preconditionFailure("the engine returned no alarm")
      }
      let document = JSON.object([
        ("alarm", .alarm(alarm, supplies: home.supplies)),
        ("person_pause", pause(of: alarm, in: home)),
        ("next", rings(next, zoneName: alarm.zoneName)),
        ("explanation", .string(report.explanation)), ("warnings", .warnings(report.warnings)),
      ])
      return .json(document, status: status, headers: ["etag": "\"\(alarm.version)\""])
    }
  }

  /// Returns the pause of the person for whom an alarm is set; null if this person is not paused.
  private func pause(of alarm: Alarm, in home: HomeState) -> JSON {
    guard let state = home.people[alarm.person] else { return .null }
    return .pause(
      state.pause(at: ports.now().wall), zone: ports.environment().zone(of: state))
  }

  private func rings(_ rings: [ExpectedRing], zoneName: String) -> JSON {
    let environment = ports.environment()
    let zone = environment.zone(zoneName) ?? environment.homeZone
    return .array(rings.map { .ring($0, zone: zone) })
  }

  private func alarms(_ request: APIRequest) async throws -> APIResponse {
    let now = ports.now()
    let environment = ports.environment()
    let person = request.query["person"]
    let known =
      request.query["cancelled"] == "yes"
      ? try archive.cancelled(Self.mostAlarms) : await engine.read { home, _ in Array(home.alarms) }
    // An announcement is a message and not a task. The list of `/v1/messages` contains the
    // announcements.
    let alarms = known.filter {
      !$0.isAnnouncement && (person == nil || person == $0.person.text)
    }
    if alarms.isEmpty { try await requireKnown(person) }
    let page = try Page(alarms, of: request, most: Self.mostAlarms) { [$0.label, $0.id.text] }
    let isSpeaking = machine([]).isSpeaking
    let (next, supplies) = await engine.read { home, _ in
      (
        page.rows.map {
          (
            next: home.expectedRings(of: $0.id, at: now, count: 1, environment),
            waiting: home.waitingCount(of: $0.id),
            voice: home.voice(of: $0, isSpeaking: isSpeaking), pause: pause(of: $0, in: home),
            isOver: home.isOver($0.id)
          )
        }, home.supplies
      )
    }
    let coming = Dictionary(uniqueKeysWithValues: zip(page.rows.map(\.id), next))
    return .json(
      page.document("alarms") { alarm in
        var row = JSON.alarm(alarm, supplies: supplies)
        row.set("next", rings(coming[alarm.id]?.next ?? [], zoneName: alarm.zoneName))
        row.set("person_pause", coming[alarm.id]?.pause ?? .null)
        row.set("waiting", .integer(Int64(coming[alarm.id]?.waiting ?? 0)))
        row.set("is_over", .bool(coming[alarm.id]?.isOver ?? false))
        if let voice = coming[alarm.id]?.voice { row.set("voice", .voice(voice)) }
        return row
      })
  }

  private func alarmVersions(_ request: APIRequest) async throws -> APIResponse {
    let id = alarmID(request)
    let versions = try archive.versions(id)
    guard !versions.isEmpty else { throw Refusal(.notFound, "there is no alarm \"\(id)\"") }
    let supplies = await engine.read { home, _ in home.supplies }
    let rows = versions.map { version -> JSON in
      var row = JSON.alarm(version.alarm, supplies: supplies)
      row.set("set_by", .string("\(version.actor.role.rawValue) \(version.actor.id)"))
      row.set("set_utc", .string(version.at.description))
      return row
    }
    return .json(.object([("versions", .array(rows))]))
  }

  private func showAlarm(_ request: APIRequest) async throws -> APIResponse {
    let id = alarmID(request)
    let now = ports.now()
    let environment = ports.environment()
    let isSpeaking = machine([]).isSpeaking
    let found = await engine.read { home, _ in
      home.alarm(id).map {
        (
          $0, home.expectedRings(of: id, at: now, count: 5, environment),
          home.voice(of: $0, isSpeaking: isSpeaking), pause(of: $0, in: home), home.supplies
        )
      }
    }
    guard let (alarm, next, voice, pause, supplies) = found else {
      throw Refusal(.notFound, "there is no alarm \"\(id)\"")
    }
    return .json(
      .object([
        ("alarm", .alarm(alarm, supplies: supplies)), ("person_pause", pause),
        ("next", rings(next, zoneName: alarm.zoneName)), ("voice", .voice(voice)),
      ]),
      headers: ["etag": "\"\(alarm.version)\""])
  }

  private func removeAlarm(_ request: APIRequest) async throws -> APIResponse {
    let command = Command.remove(alarmID(request), ifVersion: try request.ifMatch())
    return try await carryOut(command, by: request.actor) { reply, home in
      guard case .removed(let alarm, let answered) = reply else {
        preconditionFailure("the engine returned no removed alarm")
      }
      let prompts = answered.map { ended in
        var document = self.answered(ended, of: alarm, in: home)
        // `answered` computes the end of the undo period from `home`, the state before the removal.
        // But after the removal, no undo is possible.
        document.set("undo_until_utc", .null)
        return document
      }
      return .json(
        .object([
          ("alarm", .alarm(alarm, supplies: home.supplies)), ("prompts", .array(prompts)),
        ]))
    }
  }

  private func preview(_ request: APIRequest) async throws -> APIResponse {
    let environment = ports.environment()
    let now = ports.now().wall
    let (form, range) = try AlarmForm.readPreview(body: request.body, now: now)
    let preview = await engine.read { home, _ in
      Result { () throws(Refusal) in
        try previewed(form, range, now: now, beside: home, in: environment)
      }
    }
    var found = try preview.get()
    if let anchor = found.anchor {
      var filter = PromptFilter(state: .complete, limit: 1)
      filter.alarm = anchor.alarm
      found.note(
        lastCompletion: try archive.prompts(filter).first?.prompt.closedAt,
        zone: environment.zone(found.zoneName) ?? environment.homeZone)
    }
    let zone = environment.zone(found.zoneName) ?? environment.homeZone
    return .json(.preview(found, zone: zone))
  }

  private func agenda(_ request: APIRequest) async throws -> APIResponse {
    let person = try request.person()
    let now = ports.now()
    let environment = ports.environment()
    let rows = await engine.read { home, _ in
      home.openPrompts
        .map { (prompt: $0, alarm: home.alarm($0.id.alarm)) }
        .filter { person == nil || person == $0.alarm?.person.text }
    }
    if rows.isEmpty { try await requireKnown(person) }
    let page = try Page(rows, of: request, most: 1_000, usual: 20) {
      [$0.prompt.agendaAt.description, $0.prompt.id.description]
    }
    let interruptions = await engine.read { home, _ in
      page.rows.map { home.expectedSuppression(of: $0.prompt, at: now, environment) }
    }
    let expected = Dictionary(uniqueKeysWithValues: zip(page.rows.map(\.prompt.id), interruptions))
    return .json(
      page.document("agenda") { prompt, alarm in
        let at = prompt.agendaAt
        let zone = environment.zone(prompt.zoneName) ?? environment.homeZone
        var row = JSON.object([
          ("prompt_id", .string(prompt.id.description)),
          ("alarm_id", .string(prompt.id.alarm.text)), ("label", .string(alarm?.label ?? "")),
          ("person", .string(alarm?.person.text ?? "")), ("state", .string(prompt.state.name)),
          ("utc", .string(at.description)),
          ("local", .string(zone.civil(at: at).dateTime.description)),
          ("zone", .string(zone.name)),
        ])
        row.set(expected[prompt.id] ?? nil, zone: zone)
        row.set(leadsTo: prompt.leadsToAt, zone: zone)
        return row
      })
  }
}

extension Prompt {
  /// The instant at which the prompt ended; nil if the prompt is open.
  fileprivate var closedAt: Instant? {
    if case .closed(_, _, let at) = state { return at }
    return nil
  }

  /// The instant that the agenda shows for the prompt.
  ///
  /// If the prompt is ringing, the value is the due time of the current ring. If the prompt is not
  /// ringing, the value is the instant at which the daemon must handle the prompt next.
  fileprivate var agendaAt: Instant {
    if case .ringing(let ring, _) = state { return ring.dueAt }
    return nextStepAt ?? dueAt
  }
}
