import CivilTime

/// What an alarm would do, without setting it.
public struct SchedulePreview: Hashable, Sendable {
  public var due: [DueTime]
  /// The zone they are read in.
  public var zoneName: String
  public var report: ScheduleReport

  public init(due: [DueTime], zoneName: String, report: ScheduleReport) {
    self.due = due
    self.zoneName = zoneName
    self.report = report
  }
}

/// Which occurrences a preview shows.
public struct PreviewRange: Hashable, Sendable {
  /// Only what is due strictly after this instant.
  public var after: Instant
  /// Only what is due at or before this instant; nil for no end.
  public var to: Instant?
  /// At most so many.
  public var count: Int
  /// The hours in which nothing should ring; what is due in them is warned of.
  public var quietHours: QuietHours?

  public init(after: Instant, to: Instant? = nil, count: Int, quietHours: QuietHours? = nil) {
    self.after = after
    self.to = to
    self.count = count
    self.quietHours = quietHours
  }
}

/// A part of every day, on the wall: from `from` up to but not including `to`, over midnight where
/// `to` is not later.
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

/// What an alarm would do, without setting it.
///
/// - Parameters:
///   - home: the alarms it may follow and collide with; nil where they are not known.
///   - now: what "in" and "tomorrow" in the form count from.
/// - Throws: a refusal, as if the alarm were set; only one that would ring too often is shown.
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
    labelled, basedOn: nil, id: AlarmID("preview"), refusesStorm: false)
  guard let zone = environment.zone(of: alarm) else {
    throw Refusal(.invalidField, field: "zone", "\"\(alarm.zoneName)\" cannot be used")
  }
  let plan: SchedulePlan
  do {
    plan = try SchedulePlan(alarm, zone: zone)
  } catch {
    throw Refusal(.invalidField, field: "schedule", error.description)
  }
  var due: [DueTime] = []
  var from = range.after
  // Inactivity is passed over, but not for ever.
  for _ in 0..<1_000_000 {
    guard due.count < range.count, var next = plan.due(after: from) else { break }
    from = next.occurrence.instant
    if let to = range.to, from > to { break }
    next.alsoNominal = plan.nominals(beside: next.occurrence)
    if !alarm.pauses.silences(next.main.nominal, fold: next.main.fold) { due.append(next) }
  }
  var report = transition.report(on: alarm)
  if let storm = try transition.storm(of: alarm, zone: zone) {
    report.warnings.append(ScheduleWarning(.storm, storm.detail))
  }
  if let quiet = range.quietHours {
    report.warnings += ScheduleWarning.quiet(quiet, due, zone: zone)
  }
  return SchedulePreview(due: due, zoneName: zone.name, report: report)
}

extension ScheduleWarning {
  /// Which of these times lie in the quiet hours: one sentence with the first and their number.
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
