import API
import Alarms
import CivilTime
import Engine

/// The handlers that explain why an alarm rang, will ring, or does not ring.
///
/// For a past instant, the handlers read the reason from the record. For a future instant, the
/// handlers compute the reason from the schedule.
extension RequestHandler {
  /// Explains the behaviour of an alarm at one instant, or the behaviour of a prompt.
  func why(_ request: APIRequest) async throws -> APIResponse {
    request.operation == .whyPrompt ? try await whyPrompt(request) : try await whyAlarm(request)
  }

  /// Handles `/v1/prompts/{id}/why`.
  private func whyPrompt(_ request: APIRequest) async throws -> APIResponse {
    let (_, found) = try await archivedPrompt(request)
    return try await explain(found, at: found.prompt.dueAt)
  }

  /// Handles `/v1/alarms/{id}/why`.
  private func whyAlarm(_ request: APIRequest) async throws -> APIResponse {
    let id = alarmID(request)
    let versions = try archive.versions(id)
    guard let newest = versions.last else {
      throw Refusal(.notFound, "there is no alarm \"\(id)\"")
    }
    let environment = ports.environment()
    let now = ports.now()
    let zone = environment.zone(of: newest.alarm) ?? environment.homeZone
    let at = try typedInstant(request.query["at"] ?? "now", zone: zone, now: now.wall, field: "at")
    if let found = try prompt(of: id, at: at) { return try await explain(found, at: at) }
    let removal = try archive.removal(id)
    let before = try latestPrompt(of: id, due: Instant(milliseconds: .min)..<at)
    let interruptions = try before.map { try archive.interruptions($0.prompt.id) } ?? []
    let sets = versions.map { SetAlarm(alarm: $0.alarm, actor: $0.actor, at: $0.at) }
    let why = await engine.read { home, _ in
      whyNot(
        at: at, versions: sets, removal: removal, before: before?.prompt,
        interruptions: interruptions,
        now: now, in: home, environment, userName: userName)
    }
    return .json(
      .why(why, alarm: id, label: newest.alarm.label, at: at, zone: zone, userName: userName))
  }

  /// Returns the alarm's prompt that was due in the same minute as `at`. If no prompt was due in
  /// this minute, the result is the alarm's prompt that was open at `at`.
  private func prompt(of id: AlarmID, at: Instant) throws -> ArchivedPrompt? {
    let minute = Instant(seconds: at.seconds - ((at.seconds % 60) + 60) % 60)
    let end = minute.adding(seconds: 60)
    if let due = try latestPrompt(of: id, due: minute..<end) { return due }
    // The function searches only the prompts that were due in the 24 hours before `at`. A prompt
    // with an earlier due time can be open only if a person delayed the prompt again and again.
    guard let last = try latestPrompt(of: id, due: at.adding(seconds: -86_400)..<minute) else {
      return nil
    }
    switch last.prompt.state {
    case .closed(_, _, let closedAt): return closedAt >= minute ? last : nil
    case .planned: return nil
    default: return at <= ports.now().wall ? last : nil
    }
  }

  private func latestPrompt(of id: AlarmID, due: Range<Instant>) throws -> ArchivedPrompt? {
    var filter = PromptFilter(due: due, limit: 1)
    filter.alarm = id
    return try archive.prompts(filter).first
  }

  private func explain(_ found: ArchivedPrompt, at: Instant) async throws -> APIResponse {
    let prompt = found.prompt
    let environment = ports.environment()
    let now = ports.now()
    let zone = environment.zone(prompt.zoneName) ?? environment.homeZone
    let person = PersonID(found.person)
    let (forecast, words) = await engine.read { home, _ -> (Why?, WhyWords) in
      let words = WhyWords(
        zone: zone, person: home.shownName(of: person),
        ringsPerHour: home.ringsPerHour(of: person), userName: userName)
      guard prompt.state == .planned, let alarm = home.alarm(prompt.id.alarm) else {
        return (nil, words)
      }
      let forecast = Alarms.forecast(
        prompt.occurrence, of: alarm, at: now, in: home, environment)
      return (forecast, words)
    }
    let why = Why(
      prompt, history: try archive.history(prompt.id),
      interruptions: try archive.interruptions(prompt.id), forecast: forecast, in: words)
    return .json(
      .why(
        why, alarm: prompt.id.alarm, label: found.label, at: at, zone: zone, userName: userName))
  }
}
