import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// The handler of `/v1/progress`, which returns the number of tasks that each person completed on a
/// day.
///
/// - A day begins and ends at midnight in the home zone. A prompt counts for the day on which it is
///   due, even if the person answers the prompt on a different day.
/// - The number of planned tasks includes all prompts, with three exceptions: prompts that a
///   caretaker removed (cancelled, superseded), suppressed prompts, and announcements.
/// - A prompt is done if the person completed it, in time or too late.
/// - A leftover is a prompt of an earlier day that is still open and can still be answered. The
///   response contains the number of leftovers. Leftovers are not counted as planned tasks of the
///   day. A missed prompt has ended, so it is not a leftover.
extension RequestHandler {
  func progress(_ request: APIRequest) async throws -> APIResponse {
    let zone = ports.environment().homeZone
    let date = try request.date("date") ?? zone.civil(at: ports.now().wall).dateTime.date
    let days = try await days(of: date, in: zone, person: try request.person())
    if days.isEmpty { try await requireKnown(request.query["person"]) }
    return .json(
      .object([
        ("date", .string(date.description)), ("zone", .string(zone.name)),
        (
          "people", .array(days.sorted { $0.key < $1.key }.map { $0.value.json(person: $0.key) })
        ),
      ]))
  }

  /// Returns the progress of each person on a day. The key is the id of the person.
  ///
  /// - Parameter person: the only person whose progress is computed; nil for all people.
  private func days(
    of date: CivilDate, in zone: Zone, person: String?
  ) async throws -> [String: DayProgress] {
    let now = ports.now().wall
    let day = zone.day(date)
    let known = try archive.prompts(
      PromptFilter(due: day, person: person, limit: Self.progressLimit))
    let (later, leftovers) = await engine.read { home, _ in
      (home.expected(in: day, after: now), home.leftovers(before: day.lowerBound))
    }
    var days: [String: DayProgress] = [:]
    for found in known {
      if found.isAnnouncement || Self.isRemoved(found.prompt) { continue }
      days[found.person, default: DayProgress()].count(found.prompt, now: now)
    }
    let counted = Set(known.map(\.prompt.id))
    for (prompt, owner, _) in later where !counted.contains(prompt) {
      if person == nil || person == owner { days[owner, default: DayProgress()].planned += 1 }
    }
    for owner in leftovers where person == nil || person == owner {
      days[owner, default: DayProgress()].leftovers += 1
    }
    return days
  }

  /// Records a reward if the person has completed all tasks planned for today, and plays the reward
  /// tone.
  ///
  /// A person gets at most one reward per day. The function logs an error and does not throw it,
  /// because the answer of the person is already recorded.
  func reward(_ person: PersonID) async {
    let zone = ports.environment().homeZone
    let today = zone.civil(at: ports.now().wall).dateTime.date
    do {
      let days = try await days(of: today, in: zone, person: person.text)
      guard days[person.text]?.isComplete == true else { return }
      let reply = try await engine.execute(
        .reward(person, on: today, isSounding: sound.isRewarding), by: .daemon("progress"))
      if case .reward(isHeard: true) = reply { sound.reward() }
    } catch {
      ports.log(LogLine(.error, "cannot compute the progress of the day: \(error)"))
    }
  }

  /// The maximum number of prompts that the handler reads for a day. A real home has far fewer
  /// prompts on a day.
  private static let progressLimit = 10_000

  private static func isRemoved(_ prompt: Prompt) -> Bool {
    guard case .closed(let outcome, _, _) = prompt.state else { return false }
    return [.cancelled, .superseded, .suppressed].contains(outcome.kind)
  }
}

/// The number of prompts of one person on one day, by group: completed, due, missed and so on.
private struct DayProgress: Sendable {
  var done = 0
  var due = 0
  var planned = 0
  var missed = 0
  var declined = 0
  var waiting = 0
  var leftovers = 0

  /// True if the day has at least one planned prompt and all planned prompts are done.
  var isComplete: Bool { done == planned && done > 0 }

  mutating func count(_ prompt: Prompt, now: Instant) {
    planned += 1
    guard case .closed(let outcome, _, _) = prompt.state else {
      if prompt.state != .planned || prompt.dueAt <= now {
        due += 1
        waiting += 1
      }
      return
    }
    due += 1
    switch outcome.kind {
    case .completed: done += 1
    case .declined: declined += 1
    case .missed, .suppressed, .cancelled, .superseded: missed += 1
    }
  }

  func json(person: String) -> JSON {
    .object([
      ("person", .string(person)), ("done", .integer(Int64(done))), ("due", .integer(Int64(due))),
      ("planned", .integer(Int64(planned))), ("missed", .integer(Int64(missed))),
      ("declined", .integer(Int64(declined))), ("waiting", .integer(Int64(waiting))),
      ("leftovers", .integer(Int64(leftovers))), ("complete", .bool(isComplete)),
    ])
  }
}

extension HomeState {
  /// Returns the future occurrences of a day, each with the person of the alarm and the due time.
  /// The result includes occurrences for which no prompt is planned yet.
  func expected(
    in day: Range<Instant>, after now: Instant
  ) -> [(prompt: PromptID, person: String, at: Instant)] {
    // `nextOccurrences` finds only occurrences after `from`. Therefore, `from` is 1 ms before the
    // day, so that the search includes the first instant of the day.
    let from = max(now, day.lowerBound.adding(milliseconds: -1))
    var found: [(prompt: PromptID, person: String, at: Instant)] = []
    for alarm in alarms where !alarm.isAnnouncement {
      var last = from
      // Compute only one occurrence at a time, because most alarms have at most one more occurrence
      // today.
      while let next = nextOccurrences(of: alarm.id, after: last, count: 1).first,
        next.instant < day.upperBound, next.instant > last
      {
        if let id = name(of: next, of: alarm.id) {
          found.append((id, alarm.person.text, next.instant))
        }
        last = next.instant
      }
    }
    return found
  }

  /// Returns the person of each open prompt that was due before an instant.
  ///
  /// A person with several of these prompts is in the list several times.
  func leftovers(before start: Instant) -> [String] {
    waitingPrompts.filter { $0.dueAt < start }
      .map { alarm($0.id.alarm)?.person.text ?? "" }
  }
}

extension Zone {
  /// Returns the range of instants of a day. The first instant of the next day is not in the range.
  func day(_ date: CivilDate) -> Range<Instant> {
    let from = resolve(CivilDateTime(date: date, time: .midnight)).instant
    let to = resolve(CivilDateTime(date: date.adding(days: 1), time: .midnight)).instant
    return from..<max(from, to)
  }
}

extension APIRequest {
  /// Reads a query parameter whose value is a word from a fixed list.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ type: Choice.Type
  ) throws(Refusal) -> Choice? where Choice.RawValue == String {
    guard let text = query[name] else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(.invalidField, field: name, "\"\(text)\" is not one of: \(known)")
  }

  /// Reads a query parameter whose value is a date.
  func date(_ name: String) throws(Refusal) -> CivilDate? {
    guard let text = query[name] else { return nil }
    do {
      return try CivilDate(parsing: text)
    } catch {
      throw Refusal(
        .invalidField, field: name, "\"\(text)\" is not a date; write it like 2026-12-01")
    }
  }

  /// Returns the range of instants that the query selects. The range begins at the start of the day
  /// `from`, and ends at the end of the day `to`. If `from` is missing, the range has no start. If
  /// `to` is missing, the range has no end.
  ///
  /// - Returns: nil if the query has neither `from` nor `to`.
  func days(in zone: Zone) throws(Refusal) -> Range<Instant>? {
    let (from, to) = (try date("from"), try date("to"))
    if from == nil, to == nil { return nil }
    let start = from.map { zone.day($0).lowerBound } ?? Instant(milliseconds: .min)
    let end = to.map { zone.day($0).upperBound } ?? Instant(milliseconds: .max)
    guard start < end else {
      throw Refusal(.invalidField, field: "to", "the last day must not be before the first day")
    }
    return start..<end
  }
}
