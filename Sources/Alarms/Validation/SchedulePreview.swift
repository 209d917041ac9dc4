import CivilTime

/// The due times and the warnings that an alarm would have.
public struct SchedulePreview: Hashable, Sendable {
  public var due: [DueTime]
  /// The zone of the due times.
  public var zoneName: String
  public var report: ScheduleReport

  public init(due: [DueTime], zoneName: String, report: ScheduleReport) {
    self.due = due
    self.zoneName = zoneName
    self.report = report
  }
}

/// The range of occurrences that a preview shows.
public struct PreviewRange: Hashable, Sendable {
  /// The instant after which occurrences are shown. An occurrence at this instant is not shown.
  public var after: Instant
  /// The last instant at which occurrences are shown; nil for no end.
  public var to: Instant?
  /// The maximum number of occurrences.
  public var count: Int
  /// The hours in which nothing should ring. The preview warns of occurrences in these hours.
  public var quietHours: QuietHours?

  public init(after: Instant, to: Instant? = nil, count: Int, quietHours: QuietHours? = nil) {
    self.after = after
    self.to = to
    self.count = count
    self.quietHours = quietHours
  }
}

/// A daily period in wall time.
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

/// Computes the due times and the warnings of an alarm without setting the alarm.
///
/// - Parameters:
///   - home: the home with the other alarms. The alarm can follow another alarm or ring at the same
///     time. nil if the home is not known.
///   - now: the instant from which "in" and "tomorrow" in the form count.
/// - Throws: the same refusal as for setting the alarm, with one exception: too many rings cause a
///   warning.
public func previewed(
  _ form: AlarmForm, _ range: PreviewRange, now: Instant, beside home: HomeState?,
  in environment: Environment
) throws(Refusal) -> SchedulePreview {
  let home =
    home ?? HomeState(snapshot: HomeSnapshot(), limits: .standard, environment: environment)
  let reading = ClockReading(wall: now, bootNanoseconds: 0, bootID: "", clockState: .unsynced)
  let transition = Transition(home, reading, .daemon("preview"), environment)
  var labelled = form
  labelled.label = form.label ?? "preview"
  labelled.tone = nil
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
  var due: [DueTime] = []
  var from = range.after
  // The loop skips paused occurrences, but not more than this number.
  for _ in 0..<1_000_000 {
    guard due.count < range.count, var next = plan.due(after: from) else { break }
    from = next.occurrence.instant
    if let to = range.to, from > to { break }
    next.alsoNominal = plan.nominals(beside: next.occurrence)
    if !alarm.pauses.interruptions(next.main.nominal, fold: next.main.fold) { due.append(next) }
  }
  var report = transition.report(on: alarm)
  if let refusal = try transition.tooFrequent(of: alarm, zone: zone) {
    report.warnings.append(ScheduleWarning(.tooFrequent, refusal.detail))
  }
  if let quiet = range.quietHours {
    report.warnings += ScheduleWarning.quiet(quiet, due, zone: zone)
  }
  return SchedulePreview(due: due, zoneName: zone.name, report: report)
}

extension ScheduleWarning {
  /// Warns of occurrences in the quiet hours. The warning is one sentence with the first occurrence
  /// and the number of occurrences.
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
