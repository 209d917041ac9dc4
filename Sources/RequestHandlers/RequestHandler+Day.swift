import API
import Alarms
import CivilTime
import Engine
import JSONValue

// The handlers of `/v1/progress`, `/v1/day` and `/v1/summary`, and the text of a summary for a
// contact. A day begins and ends at midnight in the home zone. An announcement is not a task.
extension RequestHandler {
  /// The maximum number of prompts that the handler reads for a day.
  private static let dayLimit = 10_000

  func days(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .progress: try await progress(request)
    case .day: try await day(request)
    default: try await summary(request)
    }
  }

  private func day(_ request: APIRequest) async throws -> APIResponse {
    let zone = ports.environment().homeZone
    let date = try request.date("date") ?? zone.civil(at: ports.now().wall).dateTime.date
    let person = try request.person()
    if let person { try await requireKnown(person) }
    let names = await names()
    let tasks = try await tasks(of: date, in: zone, person: person)
    return .json(
      .object([
        ("date", .string(date.description)), ("zone", .string(zone.name)),
        ("tasks", .array(tasks.map { $0.json(name: names[$0.person] ?? $0.person) })),
      ]))
  }

  private func summary(_ request: APIRequest) async throws -> APIResponse {
    let zone = ports.environment().homeZone
    let to = try request.date("date") ?? zone.civil(at: ports.now().wall).dateTime.date
    let from = to.adding(days: 1 - (try request.integer("days", in: 1...31) ?? 1))
    let person = try request.person()
    if let person { try await requireKnown(person) }
    let texts = try await summaries(from: from, to: to, in: zone, person: person)
    return .json(
      .object([
        ("from", .string(from.description)), ("to", .string(to.description)),
        ("zone", .string(zone.name)),
        (
          "people",
          .array(
            texts.map { .object([("person", .string($0.person)), ("text", .string($0.text))]) })
        ),
      ]))
  }

  /// Returns the text of the daily summary for a contact. The text covers all people of the home.
  public func summaryText(of date: CivilDate) async throws -> String {
    let zone = ports.environment().homeZone
    return try await summaries(from: date, to: date, in: zone, person: nil)
      .map(\.text).joined(separator: " ")
  }

  /// Returns a summary of the tasks in a period for one person. If `person` is nil, returns one
  /// summary for each person of the home, in the order of the ids.
  private func summaries(
    from: CivilDate, to: CivilDate, in zone: Zone, person: String?
  ) async throws -> [(person: String, text: String)] {
    var tasks: [String: [DayTask]] = [:]
    var date = from
    while date <= to {
      for task in try await self.tasks(of: date, in: zone, person: person) {
        tasks[task.person, default: []].append(task)
      }
      date = date.adding(days: 1)
    }
    let names = await names().filter { person == nil || $0.key == person }
    let used = await engine.read { home, _ in home.peopleInUse.map(\.id.text) }
    let listed = person.map { [$0] } ?? used
    return Set(listed).union(tasks.keys).sorted().map { id in
      let (name, own) = (names[id] ?? id, tasks[id] ?? [])
      let text =
        from == to
        ? DaySummary.text(name: name, date: to, tasks: own)
        : DaySummary.text(name: name, from: from, to: to, tasks: own)
      return (id, text)
    }
  }

  /// Returns the name of each person of the home. The key of the dictionary is the id of the
  /// person.
  private func names() async -> [String: String] {
    await engine.read { home, _ in
      Dictionary(
        uniqueKeysWithValues: home.people.values.filter { $0.person != nil }
          .map { ($0.id.text, $0.displayName) })
    }
  }

  /// Returns the tasks of a day, in the order of their due times.
  private func tasks(
    of date: CivilDate, in zone: Zone, person: String?
  ) async throws -> [DayTask] {
    let (reading, day, environment) = (ports.now(), zone.day(date), ports.environment())
    let now = reading.wall
    let known = try archive.prompts(PromptFilter(due: day, person: person, limit: Self.dayLimit))
    let paused = await engine.read { home, _ in
      known.map(\.prompt).filter {
        home.expectedSuppression(of: $0, at: reading, environment)?.why == .paused
      }.map(\.id)
    }
    var tasks = try known.filter { !$0.isAnnouncement }.map {
      try task($0, zone, now: now, isPaused: paused.contains($0.prompt.id))
    }
    let counted = Set(known.map(\.prompt.id))
    let later = await engine.read { home, _ in
      home.expected(in: day, after: now).compactMap { id, owner, at in
        home.alarm(id.alarm).map { (id: id, owner: owner, label: $0.label, at: at) }
      }
    }
    for next in later where !counted.contains(next.id) && (person == nil || person == next.owner) {
      // `id.nominal` is the time in the zone of the alarm. Between 02:00 and 03:00 on the day on
      // which the clocks go forward, it is a time that does not exist.
      tasks.append(
        DayTask(
          label: next.label, person: next.owner, at: zone.civil(at: next.at).dateTime,
          state: .toCome))
    }
    return tasks.sorted { ($0.at, $0.person, $0.label) < ($1.at, $1.person, $1.label) }
  }

  private func task(
    _ found: ArchivedPrompt, _ zone: Zone, now: Instant, isPaused: Bool
  ) throws -> DayTask {
    func local(_ instant: Instant) -> CivilDateTime { zone.civil(at: instant).dateTime }
    var (outcome, changedAt): (Outcome?, CivilDateTime?) = (nil, nil)
    switch found.prompt.state {
    case .closed(let ended, _, let at): (outcome, changedAt) = (ended, local(at))
    case .delayed(let until), .acknowledged(let until): changedAt = local(until)
    default: break
    }
    var notified: [DayTask.Notified] = []
    if found.prompt.state != .planned {
      for event in try archive.history(found.prompt.id) {
        guard case .notified(_, _, let contact, _) = event.event,
          !notified.contains(where: { $0.contact == contact })
        else { continue }
        notified.append(DayTask.Notified(contact: contact, at: local(event.at)))
      }
    }
    return DayTask(
      promptID: found.prompt.id.description, label: found.label, person: found.person,
      at: local(found.prompt.dueAt),
      state: DayTask.state(of: found.prompt, now: now, isPaused: isPaused), outcome: outcome,
      changedAt: changedAt,
      notified: notified)
  }
}

extension DayTask {
  fileprivate func json(name: String) -> JSON {
    .object([
      ("prompt_id", .optional(promptID)), ("label", .string(label)), ("person", .string(person)),
      ("name", .string(name)),
      ("local", .string(at.description)), ("state", .string(state.rawValue)),
      ("outcome", .optional(outcome?.rawValue)),
      ("changed_local", .optional(changedAt?.description)),
      (
        "notified",
        .array(
          notified.map {
            .object([("contact", .string($0.contact)), ("local", .string($0.at.description))])
          })
      ),
    ])
  }
}
