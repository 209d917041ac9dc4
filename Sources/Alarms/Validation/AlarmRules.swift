import CivilTime

/// The limits of the fields of an alarm.
///
/// If a value exceeds a limit, the refusal contains the limit.
public enum AlarmRules {
  public static let label = TextRule(1...200, bytes: 1_024)
  public static let instructions = TextRule(0...2_000, bytes: 8_192, hasLines: true)
  public static let calendarUID = TextRule(0...500, bytes: 2_000)
  public static let calendarRevision = TextRule(0...2_000, bytes: 2_000)
  public static let rings: ClosedRange<Int64> = 1...20
  static let spacingSeconds: ClosedRange<Int64> = 1...3_600
  static let lateWindowSeconds: ClosedRange<Int64> = 1...86_400
  static let delaySeconds: ClosedRange<Int64> = 1...86_400
  static let delayLimit: ClosedRange<Int64> = 0...20
  static let gainDecibels = -60.0...0.0
}

extension Transition {
  /// Builds an alarm from a form. If the form of a new alarm does not contain a field, the field
  /// gets its default value.
  ///
  /// - Parameters:
  ///   - old: the alarm before the edit; nil for a new alarm. In an edit, a field that the form
  ///     does not contain keeps its old value.
  ///   - refusesTooFrequent: false for a preview. In a preview, too many rings cause a warning
  ///     instead of a refusal.
  func checked(
    _ form: AlarmForm, basedOn old: Alarm?, id: AlarmID, refusesTooFrequent: Bool = true
  ) throws(Refusal) -> Alarm {
    // If an edit does not change a text, the function does not check the text. Reason: it is
    // possible that an earlier version of Prompter with different rules stored this text. A
    // caretaker must still be able to change the other fields of the alarm.
    guard
      let label = try form.label.map({ (label) throws(Refusal) in
        try label == old?.label ? label : AlarmRules.label.check(label, field: "label")
      }) ?? old?.label
    else {
      throw Refusal(.invalidField, field: "label", "it is missing; write in a few words what to do")
    }
    let instructions = try form.instructions.map { (text) throws(Refusal) in
      try text == old?.instructions
        ? text : AlarmRules.instructions.check(text, field: "instructions")
    }
    let zone = try zone(named: form.zone ?? old?.zoneName)
    let setting = try setting(form, basedOn: old, id: id, zone: zone)
    var alarm = Alarm(
      id: id, version: old?.version ?? 1,
      person: try person(form.person, old: old?.person),
      label: label, instructions: instructions ?? old?.instructions ?? "",
      schedule: setting.schedule, phrase: setting.phrase,
      zoneName: (form.zone ?? old?.zoneName) == Alarm.floating ? Alarm.floating : zone.name,
      tone: try existingTone(form.tone, old: old?.tone),
      burst: .standard,
      lateWindowSeconds: try check(
        form.lateWindowSeconds ?? old?.lateWindowSeconds ?? 1_800,
        in: AlarmRules.lateWindowSeconds, field: "late_window"),
      delaySeconds: try check(
        form.delaySeconds ?? old?.delaySeconds ?? 300, in: AlarmRules.delaySeconds, field: "delay"),
      delayLimit: Int(
        try check(
          Int64(form.delayLimit ?? old?.delayLimit ?? 3), in: AlarmRules.delayLimit,
          field: "delay_limit")), earlyReminders: setting.earlyReminders,
      quiet: try quietOverride(form.quietHours, old: old?.quiet))
    alarm.isAnnouncement = old?.isAnnouncement ?? false
    alarm.message = form.message ?? old?.message
    alarm.image = try existingPicture(form.image, old: old?.image)
    alarm.calendarUID =
      try form.calendarUID.map { (uid) throws(Refusal) in
        try AlarmRules.calendarUID.check(uid, field: "uid")
      } ?? old?.calendarUID
    if alarm.calendarUID == "" { alarm.calendarUID = nil }
    alarm.calendarRevision =
      try form.calendarRevision.map { (text) throws(Refusal) in
        try AlarmRules.calendarRevision.check(text, field: "uid_revision")
      } ?? old?.calendarRevision
    if alarm.calendarRevision == "" { alarm.calendarRevision = nil }
    alarm.escalation = try escalation(form, basedOn: old?.escalation ?? Escalation(.standard))
    alarm.uses = try uses(form, basedOn: old?.uses ?? [])
    alarm.checkIn = try checkIn(form, basedOn: old?.checkIn)
    alarm.pauses = try pauses(form, of: alarm, basedOn: old?.pauses ?? .none, zone: zone)
    if refusesTooFrequent, let refusal = try tooFrequent(of: alarm, zone: zone) { throw refusal }
    if refusesTooFrequent, let plan = try? SchedulePlan(alarm, zone: zone) {
      try refuseQuietHoursConflict(alarm, plan)
    }
    return alarm
  }

  @discardableResult
  func check(
    _ value: Int64, in range: ClosedRange<Int64>, field: String, unit: String? = nil
  ) throws(Refusal) -> Int64 {
    if range.contains(value) { return value }
    throw Refusal(
      .invalidField, field: field,
      "\(value) is out of range; it must be from \(range.lowerBound) to \(range.upperBound)"
        + (unit.map { " \($0)" }
          ?? (field.hasSuffix("limit") || field == "rings" ? "" : " seconds")))
  }

  private func person(_ name: String?, old: PersonID?) throws(Refusal) -> PersonID {
    // If an edit does not change the person of the alarm, the function does not check that this
    // person exists. Therefore a caretaker can still edit the alarms of a removed person.
    if let old, name ?? old.text == old.text { return old }
    return try knownPerson(name)
  }

  private func quietOverride(
    _ text: String?, old: QuietOverride?
  ) throws(Refusal) -> QuietOverride? {
    guard let text else { return old }
    if text.isEmpty { return nil }
    if let choice = QuietOverride(rawValue: text) { return choice }
    throw Refusal(
      .invalidField, field: "quiet_hours", "\"\(text)\" is not one of: ring, hold, suppress")
  }

  func zone(named name: String?) throws(Refusal) -> Zone {
    guard let name, name != Alarm.floating else { return environment.homeZone }
    guard let zone = environment.zone(name) else {
      throw Refusal(
        .invalidField, field: "zone",
        "this system does not know the zone \"\(name)\"; write for example Europe/Berlin")
    }
    return zone
  }

  func existingTone(
    _ name: String?, old: String?, field: String = "tone"
  ) throws(Refusal) -> String? {
    guard let name else { return old }
    // An empty name removes the tone.
    if name.isEmpty { return nil }
    if let known = toneName(name) { return known }
    let known = home.tones.keys.sorted()
    throw Refusal(
      .invalidField, field: field,
      "there is no tone \"\(name)\"; "
        + (known.isEmpty
          ? "no tone has been added yet"
          : "the tones are: \(known.prefix(10).joined(separator: ", "))"
            + NameMatch.suggestion(for: name, among: known)))
  }

  /// The stored name of a tone; nil if no tone has this name. The comparison ignores upper and
  /// lower case.
  func toneName(_ typed: String) -> String? {
    if tone(typed) != nil { return typed }
    return NameMatch.find(typed, in: home.tones.keys).flatMap { tone($0) == nil ? nil : $0 }
  }

  func checkedGains(_ gains: [Double], field: String) throws(Refusal) -> [Double] {
    if let wrong = gains.first(where: { !AlarmRules.gainDecibels.contains($0) }) {
      throw Refusal(
        .invalidField, field: field, "\(wrong) is out of range; gains are from -60 to 0 dB")
    }
    return Array(gains.prefix(20))
  }

  func burst(_ form: AlarmForm, basedOn old: Burst) throws(Refusal) -> Burst {
    let rings = Int(
      try check(Int64(form.rings ?? old.rings), in: AlarmRules.rings, field: "rings"))
    // If the old burst has the standard gains, the new burst gets the standard gains for the new
    // number of rings.
    let hasStandardGains = old.gainsDecibels == Burst.standardGains(rings: old.rings)
    let inherited =
      hasStandardGains ? Burst.standardGains(rings: rings) : old.gainsDecibels
    let gains = try checkedGains(form.gainsDecibels ?? inherited, field: "gains")
    return Burst(
      rings: rings,
      spacingSeconds: try check(
        form.spacingSeconds ?? old.spacingSeconds, in: AlarmRules.spacingSeconds,
        field: "spacing"),
      gainsDecibels: Array(gains.suffix(rings)))
  }

  /// Returns a refusal if an alarm rings too often in one hour. The result is nil if the function
  /// accepts the alarm.
  ///
  /// The function also refuses an alarm if its next prompt can be due before the daemon has
  /// notified all contacts. After the start of a rule, or near a single date of the schedule, the
  /// occurrences can be closer together than at other times. `denserInstants` returns the instants
  /// at which such a period of close occurrences begins. The function checks fifty occurrences
  /// after each of these instants.
  func tooFrequent(of alarm: Alarm, zone: Zone) throws(Refusal) -> Refusal? {
    let plan: SchedulePlan
    do {
      plan = try SchedulePlan(alarm, zone: zone)
    } catch {
      throw Refusal(.invalidField, field: "schedule", error.description)
    }
    let stretches = denserInstants(of: alarm, zone: zone).map { plan.occurrences(50, after: $0) }
    let limit = ringsPerHour(of: alarm)
    let alone = busiestHour(of: alarm, [wall])
    let most = stretches.map { busiestHour(of: alarm, $0) }.reduce(alone, max)
    if let completion = alarm.escalation.completion?.burst.rings, completion > limit {
      return Refusal(
        .limit, field: "complete_step",
        "it would ring \(completion) times; at most \(limit) rings in one hour are allowed")
    }
    if most > limit {
      let chain = alarm.escalation.steps.map { "\($0.burst.rings)" }.joined(separator: " + ")
      return Refusal(
        .limit, field: alone > limit ? "steps" : "schedule",
        "it would ring \(most) times in one hour (\(chain) rings for each prompt); "
          + "at most \(limit) rings are allowed")
    }
    return stretches.lazy.compactMap { neverNotified(alarm, occurrences: $0) }.first
      ?? neverReached(alarm, zone: zone)
  }

  /// The instants from which `tooFrequent` checks occurrences: the present time, one hour before
  /// each future start of a rule, and one hour before each future single date.
  func denserInstants(of alarm: Alarm, zone: Zone) -> [Instant] {
    guard case .several(let dates) = alarm.schedule else { return [wall] }
    let starts = (dates.rules.map(\.start) + dates.dates).map { zone.resolve($0).instant }
    return [wall] + starts.filter { $0 > wall }.map { max(wall, $0.adding(seconds: -3_600)) }
  }
}

extension SchedulePlan {
  /// The first `count` occurrences after `instant`. If the schedule has fewer occurrences after
  /// `instant`, the result contains all of them.
  func occurrences(_ count: Int, after instant: Instant) -> [Instant] {
    var found: [Instant] = []
    while found.count < count, let next = next(after: found.last ?? instant) {
      found.append(next.instant)
    }
    return found
  }
}

extension Instant {
  /// An instant before every instant that a clock can show.
  static let distantPast = Instant(milliseconds: .min)
  /// An instant after every instant that a clock can show.
  static let distantFuture = Instant(milliseconds: .max)
}
