import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handlers for the people for whom alarms are set, and for their study phases.
extension RequestHandler {
  func personID(_ request: APIRequest) -> PersonID {
    PersonID(request.parameters["id"] ?? "")
  }

  private func document(_ state: PersonState, alarms: Int, limits: HomeLimits) -> JSON {
    .person(
      state, alarms: alarms, limits: limits, zone: ports.environment().zone(of: state),
      now: ports.now().wall)
  }

  private func response(
    _ state: PersonState, in home: HomeState, status: Int = 200,
    warnings: [ScheduleWarning]? = nil
  ) -> APIResponse {
    let alarms = home.currentAlarmCount(of: state.id)
    var body = JSON.object([("person", document(state, alarms: alarms, limits: home.limits))])
    if let warnings { body.set("warnings", .warnings(warnings)) }
    return .json(
      body,
      status: status, headers: ["etag": "\"\(state.person?.version ?? 0)\""])
  }

  func people(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .addPerson: try await addPerson(request)
    case .showPerson: try await showPerson(request)
    case .changePerson: try await changePerson(request)
    case .removePerson: try await removePerson(request)
    case .pausePerson:
      try await pause(
        .pausePeople(.one(personID(request)), until: try PauseForm.read(body: request.body)),
        request)
    case .resumePerson: try await pause(.resumePeople(.one(personID(request))), request)
    case .pauseEverybody:
      try await pause(
        .pausePeople(.everybody, until: try PauseForm.read(body: request.body)), request)
    case .resumeEverybody: try await pause(.resumePeople(.everybody), request)
    case .ownData: try await ownData(request)
    default: try await listPeople(request)
    }
  }

  private func listPeople(_ request: APIRequest) async throws -> APIResponse {
    let (states, counts, limits) = await engine.read { home, _ in
      (
        home.people.values.filter { $0.person != nil && request.maySee($0.id.text) },
        Dictionary(grouping: home.alarms.filter { !home.isOver($0.id) }, by: \.person)
          .mapValues(\.count), home.limits
      )
    }
    let page = try Page(states, of: request, most: 1_000) { [$0.id.text] }
    return .json(
      page.document("people") { document($0, alarms: counts[$0.id] ?? 0, limits: limits) })
  }

  private func showPerson(_ request: APIRequest) async throws -> APIResponse {
    let id = personID(request)
    let found = await engine.read { home, _ in
      home.people[id].flatMap { $0.person == nil ? nil : response($0, in: home) }
    }
    guard let found, request.maySee(id.text) else {
      throw Refusal(.notFound, "there is no person \"\(id)\"")
    }
    return found
  }

  private func addPerson(_ request: APIRequest) async throws -> APIResponse {
    let (id, form) = try PersonForm.read(body: request.body, needsID: true)
    return try await set(.addPerson(id ?? .patient, form), request, status: 201)
  }

  private func changePerson(_ request: APIRequest) async throws -> APIResponse {
    let form = try PersonForm.read(body: request.body, needsID: false).form
    let command = Command.changePerson(
      personID(request), ifVersion: try request.ifMatch(), form)
    return try await set(command, request, status: 200)
  }

  private func removePerson(_ request: APIRequest) async throws -> APIResponse {
    try await set(.removePerson(personID(request)), request, status: 200)
  }

  private func set(
    _ command: Command, _ request: APIRequest, status: Int
  ) async throws -> APIResponse {
    try await carryOut(command, by: request.actor) { reply, home in
      guard case .person(let state, let warnings) = reply else {
        preconditionFailure("the engine returned no person")
      }
      return response(state, in: home, status: status, warnings: warnings)
    }
  }

  // MARK: Pauses

  private func pause(_ command: Command, _ request: APIRequest) async throws -> APIResponse {
    let now = ports.now()
    let environment = ports.environment()
    return try await carryOut(command, by: request.actor) { reply, home in
      guard case .paused(let paused) = reply else {
        preconditionFailure("the engine returned no pause")
      }
      let ids = paused.people.map(\.id)
      let alarms = home.alarms.filter { ids.contains($0.person) }.sorted { $0.id < $1.id }
      return .json(
        .object([
          (
            "people",
            .array(
              paused.people.map { state in
                document(
                  state, alarms: alarms.count { $0.person == state.id }, limits: home.limits)
              })
          ),
          (
            "first_rings",
            .array(
              paused.firstRings.map {
                .firstRing($0, zone: environment.zone(of: $0.alarm) ?? environment.homeZone)
              })
          ),
          (
            "prompts",
            .array(
              paused.ended.map {
                answered($0, of: home.alarm($0.prompt.id.alarm), in: home)
              })
          ),
          (
            "paused_alarms",
            .array(
              alarms.compactMap { alarm in
                JSON.pausedAlarm(
                  alarm, zone: environment.zone(of: alarm) ?? environment.homeZone, now: now.wall)
              })
          ),
        ]))
    }
  }

  // MARK: Phases

  func listPhases(_ request: APIRequest) async throws -> APIResponse {
    let states = await engine.read { home, _ in
      home.people.values.sorted { $0.id.text < $1.id.text }
    }
    let (now, environment) = (ports.now().wall, ports.environment())
    if let name = request.query["person"] {
      guard let state = states.first(where: { $0.id.text == name }) else {
        throw Refusal(.invalidField, field: "person", "there is no person \"\(name)\"")
      }
      let own = JSON.phases(state.id, state.phases, now: now, zone: environment.zone(of: state))
      return .json(.object([("phases", .array(own))]))
    }
    let all = states.flatMap {
      JSON.phases($0.id, $0.phases, now: now, zone: environment.zone(of: $0))
    }
    return .json(.object([("phases", .array(all))]))
  }

  func setPhase(_ request: APIRequest) async throws -> APIResponse {
    let (typed, form) = try PhaseForm.read(body: request.body)
    return try await phases(.setPhase(await known(typed), form), request, status: 201)
  }

  func endPhase(_ request: APIRequest) async throws -> APIResponse {
    let (typed, at) = try PhaseForm.readEnd(body: request.body)
    return try await phases(.endPhase(await known(typed), at: at), request, status: 200)
  }

  func phases(
    _ command: Command, _ request: APIRequest, status: Int
  ) async throws -> APIResponse {
    let (now, environment) = (ports.now().wall, ports.environment())
    return try await carryOut(command, by: request.actor) { reply, home in
      guard case .phases(let id, let phases) = reply else {
        preconditionFailure("the engine returned no phases")
      }
      let zone = home.people[id].map { environment.zone(of: $0) } ?? environment.homeZone
      let documents = JSON.phases(id, phases, now: now, zone: zone)
      return .json(.object([("phases", .array(documents))]), status: status)
    }
  }
}

extension Environment {
  /// Returns the zone of a person.
  func zone(of state: PersonState) -> Zone {
    state.person?.zoneName.flatMap { zone($0) } ?? homeZone
  }
}

extension JSON {
  /// Returns the next ring of a person as JSON, with the id and the label of the alarm that rings.
  fileprivate static func firstRing(_ ring: PauseReply.FirstRing, zone: Zone) -> JSON {
    let at = ring.occurrence.instant
    return .object([
      ("person", .string(ring.alarm.person.text)), ("alarm_id", .string(ring.alarm.id.text)),
      ("label", .string(ring.alarm.label)), ("utc", .string(at.description)),
      ("local", .string(zone.civil(at: at).dateTime.description)), ("zone", .string(zone.name)),
    ])
  }
}
