import CivilTime

/// The due times and the warnings that an alarm would have.
public struct SchedulePreview: Hashable, Sendable {
  /// The alarm whose completion starts the interval of a schedule, and the length of this interval.
  public struct Anchor: Hashable, Sendable {
    public var alarm: AlarmID
    /// The time from the completion of the anchor to the due time, in seconds.
    public var seconds: Int64
  }

  public var due: [DueTime]
  /// The zone of the due times.
  public var zoneName: String
  public var report: ScheduleReport
  /// The anchor of the schedule; nil if the due times do not depend on the completion of an alarm.
  public var anchor: Anchor?

  public init(due: [DueTime], zoneName: String, report: ScheduleReport) {
    self.due = due
    self.zoneName = zoneName
    self.report = report
  }

  /// Adds two times to the warning `waitsForAnswer`: the last completion of the alarm in `anchor`,
  /// and the due time that would follow this completion.
  ///
  /// These times are only an example: a new alarm is due only after the next completion.
  public mutating func note(lastCompletion: Instant?, zone: Zone) {
    guard let anchor,
      let place = report.warnings.firstIndex(where: { $0.kind == .waitsForAnswer })
    else { return }
    guard let lastCompletion else {
      report.warnings[place].text += ", which nobody has done yet"
      return
    }
    let done = Instant(seconds: lastCompletion.seconds)
    let words = WhyWords(zone: zone) { _ in nil }
    report.warnings[place].text +=
      "; the last time was \(words.time(done)), so it would have been due at "
      + words.time(done.adding(seconds: anchor.seconds))
  }
}

/// The range from which a preview shows occurrences.
public struct PreviewRange: Hashable, Sendable {
  /// The maximum number of occurrences that the daemon computes for one preview.
  public static let most = 1_000

  /// The start of the range. An occurrence at exactly this instant is not in the range.
  public var after: Instant
  /// The end of the range, inclusive; nil if the range has no end.
  public var to: Instant?
  /// The maximum number of occurrences that this preview shows.
  public var count: Int
  /// The hours in which the caretaker wants no rings. If an occurrence is in these hours, the
  /// preview contains a warning.
  public var quietHours: QuietHours?

  public init(after: Instant, to: Instant? = nil, count: Int, quietHours: QuietHours? = nil) {
    self.after = after
    self.to = to
    self.count = count
    self.quietHours = quietHours
  }
}

/// A period of each day, between two times that the wall clock shows.
///
/// The period begins at `from`, inclusive, and ends at `to`, exclusive. If `to` is not later than
/// `from`, the period ends on the next day.
public struct QuietHours: Hashable, Sendable {
  public var from: ClockTime
  public var to: ClockTime

  public init(from: ClockTime, to: ClockTime) {
    self.from = from
    self.to = to
  }

  public func contains(_ time: ClockTime) -> Bool {
    from < to ? from <= time && time < to : from <= time || time < to
  }
}

/// Computes the due times and the warnings of an alarm. The function does not add the alarm.
///
/// - Parameters:
///   - home: the home with the existing alarms; nil if the home is not known. The function needs
///     the existing alarms for two reasons. The new alarm can be due after an answer to an existing
///     alarm. The new alarm can ring at the same time as an existing alarm.
///   - now: the present instant. Phrases such as "in 20 minutes" and "tomorrow" are relative to
///     this instant.
/// - Throws: the same refusals as the command `add`, with one exception: too many rings cause a
///   warning and not a refusal.
public func previewed(
  _ form: AlarmForm, _ range: PreviewRange, now: Instant, beside home: HomeState?,
  in environment: Environment
) throws(Refusal) -> SchedulePreview {
  let home =
    home ?? HomeState(snapshot: HomeSnapshot(), limits: .standard, environment: environment)
  let reading = ClockReading(wall: now, bootNanoseconds: 0, bootID: "", clockState: .unsynced)
  var transition = Transition(home, reading, .daemon("preview"), environment)
  var labelled = form
  labelled.label = form.label ?? "preview"
  labelled.tone = nil
  // The checks need a person, but a preview must also be possible if the form names no person. In
  // this case, the function uses the only person of the home. If the home has several people, the
  // function uses the person whose id is first in the alphabet. A pause of this person applies to
  // the preview.
  if form.person == nil {
    let known = home.people.values.compactMap(\.person).map(\.id.text).min()
    labelled.person = home.onlyPerson?.text ?? known
  }
  let alarm = try transition.checked(
    labelled, basedOn: nil, id: AlarmID("preview"), refusesTooFrequent: false)
  guard let zone = environment.zone(of: alarm) else {
    throw Refusal(
      .invalidField, field: "zone", "this system does not know the zone \"\(alarm.zoneName)\"")
  }
  let plan: SchedulePlan
  do {
    plan = try SchedulePlan(alarm, zone: zone)
  } catch {
    throw Refusal(.invalidField, field: "schedule", error.description)
  }
  let first = transition.planFirst(of: alarm, plan)
  var due: [DueTime] = []
  // A pause without an end silences all occurrences. The preview then shows no occurrences.
  let ringsAfter = transition.personState(alarm.person).map { $0.ringsAfter(now) } ?? now
  let count = ringsAfter == nil ? 0 : range.count
  var from = max(range.after, ringsAfter ?? now)
  // The loop skips paused occurrences. If all later occurrences are paused, the loop ends after
  // 1,000,000 occurrences.
  for _ in 0..<1_000_000 {
    guard due.count < count, var next = plan.due(after: from, first: first) else { break }
    from = next.occurrence.instant
    if let to = range.to, from > to { break }
    next.alsoNominal = plan.nominals(beside: next.occurrence)
    if !alarm.pauses.interruptions(next.main.nominal, fold: next.main.fold) { due.append(next) }
  }
  var report = transition.report(on: alarm)
  if let refusal = try transition.tooFrequent(of: alarm, zone: zone) {
    report.warnings.append(ScheduleWarning(.tooFrequent, refusal.detail))
  }
  report.warnings += ScheduleWarning.startInUTC(form.schedule ?? "", zone: zone)
  if let quiet = range.quietHours {
    report.warnings += ScheduleWarning.quiet(quiet, due, zone: zone)
  }
  var preview = SchedulePreview(due: due, zoneName: zone.name, report: report)
  if case .after(let after) = alarm.schedule, case .alarm(let id) = after.anchor {
    preview.anchor = SchedulePreview.Anchor(alarm: id, seconds: after.seconds)
  }
  return preview
}

extension ScheduleWarning {
  /// A warning about the occurrences in the quiet hours. The warning contains the time of the first
  /// occurrence in the quiet hours, and the number of these occurrences.
  fileprivate static func quiet(
    _ quiet: QuietHours, _ due: [DueTime], zone: Zone
  ) -> [ScheduleWarning] {
    let local = due.map { zone.civil(at: $0.occurrence.instant).dateTime }
      .filter { quiet.contains($0.time) }
    guard let first = local.first else { return [] }
    return [
      ScheduleWarning(
        .quietHours,
        "\(local.count) of the \(due.count) times shown are in the quiet hours from \(quiet.from) "
          + "to \(quiet.to), the first on \(first.date) at \(first.time)")
    ]
  }
}

extension Transition {
  /// Adds an alarm whose due times follow answers, and plans its first prompt, as the command `add`
  /// does.
  ///
  /// - Returns: the first prompt; nil if `plan` contains the due time of this prompt, or if the
  ///   alarm is due only after an answer.
  fileprivate mutating func planFirst(of alarm: Alarm, _ plan: SchedulePlan) -> Prompt? {
    guard case .after = alarm.schedule, let first = nextAfterAnswer(of: alarm, plan, after: wall)
    else { return nil }
    emit(.alarmCreated(alarm))
    emit(.planned(first))
    return plan.main(after: wall)?.instant == first.dueAt ? nil : first
  }
}

extension SchedulePlan {
  /// Returns the next due time of the plan or the due time of `first`, whichever is earlier.
  ///
  /// If the alarm is already due on a day, it is not due a second time at `AfterAnswer.latest` of
  /// this day. Therefore the function skips the due times of the plan on the day of `first`.
  fileprivate func due(after instant: Instant, first: Prompt?) -> DueTime? {
    var found = due(after: instant)
    guard let first else { return found }
    while let next = found, next.main.nominal.date == first.id.nominal.date {
      found = due(after: next.occurrence.instant)
    }
    if first.dueAt > instant, found.map({ first.dueAt < $0.occurrence.instant }) ?? true {
      return DueTime(occurrence: first.occurrence)
    }
    return found
  }
}
