import Alarms
import CivilTime
import Wire

/// Turns a request into a command for the hallway or a question to the archive, and what comes back
/// into a response.
public struct FrontDesk: Sendable {
  private let hallway: Hallway
  private let archive: Archive
  private let ports: Ports
  private let newAlarmID: @Sendable () -> AlarmID
  private let version: String

  /// - Parameter newAlarmID: makes a name that was never used.
  public init(
    hallway: Hallway, archive: Archive, ports: Ports, version: String,
    newAlarmID: @escaping @Sendable () -> AlarmID
  ) {
    self.hallway = hallway
    self.archive = archive
    self.ports = ports
    self.version = version
    self.newAlarmID = newAlarmID
  }

  /// Answers one request. Never throws: what goes wrong becomes a problem document.
  public func answer(_ request: WireRequest) async -> WireResponse {
    do {
      return try await respond(request)
    } catch let refusal as Refusal {
      return .problem(refusal)
    } catch {
      ports.log(LogLine(.error, "cannot answer \(request.operation.rawValue): \(error)"))
      return .problem(Refusal(.storage, "cannot read the record: \(error)"))
    }
  }

  private func respond(_ request: WireRequest) async throws -> WireResponse {
    switch request.operation {
    case .status: .json(await status())
    case .listAlarms: .json(await alarms())
    case .addAlarm:
      try await set(
        request, .add(newAlarmID(), try AlarmForm(body: request.body)), status: 201)
    case .editAlarm:
      try await set(
        request,
        .edit(
          alarmID(request), ifVersion: try request.ifMatch(), try AlarmForm(body: request.body)),
        status: 200)
    case .showAlarm: try await showAlarm(request)
    case .removeAlarm: try await removeAlarm(request)
    case .agenda: .json(await agenda(limit: try request.integer("limit", in: 1...1_000) ?? 20))
    case .preview: try await preview(request)
    case .listPrompts: try prompts(request)
    case .showPrompt: try showPrompt(request)
    case .acknowledge, .complete, .delay, .decline, .cancel: try await takeAnswer(request)
    case .listTones: .json(await tones())
    case .addTone: try await addTone(request)
    case .removeTone: try await removeTone(request)
    case .log: try log(request)
    case .export: try await export(request)
    case .verify: .json(try archive.verify())
    }
  }

  // MARK: Alarms

  private func alarmID(_ request: WireRequest) -> AlarmID {
    AlarmID(request.parameters["id"] ?? "")
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

  private func occurrences(_ occurrences: [Occurrence], zoneName: String) -> JSON {
    let surroundings = ports.surroundings()
    let zone = surroundings.zone(zoneName) ?? surroundings.homeZone
    return .array(occurrences.map { .occurrence($0, zone: zone) })
  }

  private func alarms() async -> JSON {
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

  private func showAlarm(_ request: WireRequest) async throws -> WireResponse {
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

  private func removeAlarm(_ request: WireRequest) async throws -> WireResponse {
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

  private func preview(_ request: WireRequest) async throws -> WireResponse {
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

  private func agenda(limit: Int) async -> JSON {
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

  // MARK: Prompts

  private func prompts(_ request: WireRequest) throws -> WireResponse {
    var filter = PromptFilter(limit: try request.integer("limit", in: 1...1_000) ?? 100)
    if let text = request.query["state"] {
      guard let state = PromptFilter.State(rawValue: text) else {
        let known = PromptFilter.State.allCases.map(\.rawValue).joined(separator: ", ")
        throw Refusal(.invalidField, field: "state", "\"\(text)\" is not one of: \(known)")
      }
      filter.state = state
    }
    if let text = request.query["before"] {
      guard let id = PromptID(text) else {
        throw Refusal(.invalidField, field: "before", "\"\(text)\" names no prompt")
      }
      filter.before = id
    }
    let found = try archive.prompts(filter)
    var document = JSON.object([
      (
        "prompts",
        .array(found.map { .prompt($0.prompt, label: $0.label, person: $0.person) })
      )
    ])
    if found.count == filter.limit, let last = found.last {
      document.set("next_before", .string(last.prompt.id.description))
    }
    return .json(document)
  }

  private func showPrompt(_ request: WireRequest) throws -> WireResponse {
    guard let id = try request.promptID(), let found = try archive.prompt(id) else {
      throw Refusal(.notFound, "there is no prompt \"\(request.parameters["id"] ?? "")\"")
    }
    return .json(.prompt(found.prompt, label: found.label, person: found.person))
  }

  private func takeAnswer(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.answer(
      try request.promptID(), try Answer(request.operation, body: request.body))
    guard case .answered(let result) = try await hallway.obey(command, by: request.actor) else {
      preconditionFailure("an answer was taken without being answered")
    }
    let alarm = await hallway.look { home, _ in home.alarm(result.prompt.id.alarm) }
    return .json(
      answered(result, label: alarm?.label ?? "", person: alarm?.person.text ?? ""))
  }

  private func answered(_ result: AnsweredPrompt, label: String, person: String) -> JSON {
    var document = JSON.prompt(result.prompt, label: label, person: person)
    document.set("rings", .stopped(result.stopped))
    return document
  }

  // MARK: Tones

  private func tones() async -> JSON {
    let tones = await hallway.look { home, _ in home.tones.values.sorted { $0.name < $1.name } }
    return .object([("tones", .array(tones.map(JSON.tone)))])
  }

  private func addTone(_ request: WireRequest) async throws -> WireResponse {
    let name = try toneName(request)
    let tone = try await archive.storeTone(name, request.body)
    _ = try await hallway.obey(.addTone(tone), by: request.actor)
    return .json(.object([("tone", .tone(tone))]), status: 201)
  }

  private func removeTone(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.removeTone(request.parameters["name"] ?? "")
    guard case .tone(let tone) = try await hallway.obey(command, by: request.actor) else {
      preconditionFailure("a tone was removed without being answered")
    }
    return .json(.object([("tone", .tone(tone))]))
  }

  private func toneName(_ request: WireRequest) throws(Refusal) -> String {
    let name = request.parameters["name"] ?? ""
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || "._-".unicodeScalars.contains($0)
    }
    guard isPlain, (1...64).contains(name.count), !name.hasPrefix(".") else {
      throw Refusal(
        .invalidField, field: "name",
        "\"\(name)\" cannot name a tone; use 1 to 64 letters, digits, dots, dashes and underscores")
    }
    return name
  }

  // MARK: The record

  private func log(_ request: WireRequest) throws -> WireResponse {
    let events = try archive.events(
      Int64(try request.integer("after", in: 0...Int.max) ?? 0),
      try request.integer("limit", in: 1...10_000) ?? 1_000)
    let text = events.map { "\($0)\n" }.joined()
    return WireResponse(
      status: 200, contentType: "application/x-ndjson", body: .bytes(Array(text.utf8)))
  }

  private func export(_ request: WireRequest) async throws -> WireResponse {
    let profile = request.query["profile"] ?? "safe_harbor"
    let package = try await archive.export(profile)
    _ = try await hallway.obey(
      .exported(
        profile: profile, throughSequence: package.throughSequence, sha256: package.sha256),
      by: request.actor)
    return WireResponse(
      status: 200, contentType: "application/x-tar",
      headers: ["x-prompter-through-seq": String(package.throughSequence)],
      body: .stream(package.chunks))
  }

  private func status() async -> JSON {
    let moment = ports.now()
    let surroundings = ports.surroundings()
    let head = archive.head()
    return await hallway.look { home, isRecordWritable in
      JSON.status(
        home, isRecordWritable: isRecordWritable, moment: moment, surroundings: surroundings,
        head: head, version: version)
    }
  }
}
