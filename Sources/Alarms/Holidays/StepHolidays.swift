import CivilTime

/// The changes that the import of a list of holidays makes.
public struct HolidayImport: Hashable, Sendable {
  public var list: HolidayList
  /// The holidays whose dates are in the imported list, but not in the list that the home stored
  /// before.
  public var added: [Holiday]
  /// The holidays whose dates are in the list that the home stored before, but not in the imported
  /// list. If a user removed the list, the value contains all its holidays.
  public var removed: [Holiday]
  /// The newest versions of the alarms that use the list. If the import changed the dates of an
  /// alarm, the import made the newest version of this alarm.
  public var alarms: [Alarm]

  public init(list: HolidayList, added: [Holiday], removed: [Holiday], alarms: [Alarm]) {
    self.list = list
    self.added = added
    self.removed = removed
    self.alarms = alarms
  }
}

/// The commands for lists of holidays.
extension Transition {
  /// Stores a list of holidays. If the list changes the dates of an alarm, the function also makes
  /// a new version of the alarm, and plans the prompts of the alarm again.
  ///
  /// A prompt that is already due stays open, even if its day is now a holiday. It is possible that
  /// the prompt has already rung, and that a person wants to answer the prompt.
  ///
  /// - Parameter replacing: true if the list may replace a list with the same name.
  mutating func importHolidays(_ list: HolidayList, replacing: Bool) throws(Refusal) {
    try check(list)
    var list = list
    let former = home.holidayName(list.name).flatMap { home.holidays[$0] }
    if let former {
      guard replacing else {
        throw Refusal(
          .conflict, field: "name",
          "there is already a list of holidays \"\(former.name)\"; choose another name, or replace "
            + "it (--replace)")
      }
      // The name of the imported list and the name of the stored list can differ in upper and lower
      // case. The alarms contain the name of the stored list, so the new list gets exactly this
      // name.
      list.name = former.name
    } else if home.holidays.count >= HolidayRules.lists {
      throw Refusal(
        .limit,
        "cannot import the list: the home already has \(HolidayRules.lists) lists of holidays; "
          + "remove one first")
    }
    let before = Set(former?.days.map(\.date) ?? [])
    let after = Set(list.days.map(\.date))
    if former != list { emit(.holidays(.imported(list))) }
    var changed: [Alarm] = []
    for alarm in home.alarms.sorted(by: { $0.id < $1.id }) {
      guard let used = alarm.schedule.holidays, used.list == list.name else { continue }
      var exclusion = list.exclusion
      exclusion.workingDaysFrom = used.workingDaysFrom
      changed.append(use(exclusion, in: alarm))
    }
    reply = .holidays(
      HolidayImport(
        list: list, added: list.days.filter { !before.contains($0.date) },
        removed: (former?.days ?? []).filter { !after.contains($0.date) }, alarms: changed))
  }

  /// Removes a list of holidays. The function refuses to remove a list that an alarm uses.
  mutating func removeHolidays(_ typed: String) throws(Refusal) {
    guard let name = home.holidayName(typed), let list = home.holidays[name] else {
      throw home.unknownHolidays(typed, kind: .notFound)
    }
    let labels = home.alarms(usingHolidays: name).quotedLabels
    guard labels.isEmpty else {
      throw Refusal(
        .inUse,
        "cannot remove the list of holidays \"\(name)\": \(UserList.words(labels)) use it; first "
          + "change their schedules")
    }
    emit(.holidays(.removed(name)))
    reply = .holidays(HolidayImport(list: list, added: [], removed: list.days, alarms: []))
  }

  /// Puts the present dates of a list of holidays into the schedule of an alarm, and plans the
  /// prompts of the alarm again. If the dates did not change, the alarm stays unchanged.
  ///
  /// - Returns: the newest version of the alarm.
  private mutating func use(_ holidays: HolidayExclusion, in alarm: Alarm) -> Alarm {
    guard let schedule = alarm.schedule.leavingOut(holidays), schedule != alarm.schedule else {
      return alarm
    }
    var new = alarm
    new.version += 1
    new.schedule = schedule
    let open = openPrompts(of: alarm.id)
    emit(.alarmEdited(new))
    for prompt in open {
      if prompt.state == .planned {
        replan(prompt, for: new, from: alarm.schedule)
      } else {
        emit(.revised(prompt.id, version: new.version))
      }
    }
    if let next = nextPrompt(of: new.id, after: wall) { plan(next) }
    return new
  }

  private func check(_ list: HolidayList) throws(Refusal) {
    try HolidayRules.checkName(list.name)
    guard HolidayRules.dates.contains(list.days.count) else {
      throw Refusal(
        .invalidField, field: "days",
        "the list has \(list.days.count) dates; a list has from \(HolidayRules.dates.lowerBound) to "
          + "\(HolidayRules.dates.upperBound) dates")
    }
    for day in list.days where !day.label.isEmpty {
      _ = try HolidayRules.label.check(day.label, field: "days")
    }
  }
}

extension HomeState {
  /// Returns the holidays of the list that a person typed in a schedule.
  ///
  /// - Parameter typed: the name that the person typed; nil if the person typed no name. A person
  ///   may omit the name only if the home has exactly one list.
  /// - Throws: `.invalidField` if no list has this name. The function also throws `.invalidField`
  ///   if `typed` is nil and the home does not have exactly one list.
  func holidays(named typed: String?) throws(Refusal) -> HolidayExclusion {
    guard let typed else {
      if let only = holidays.values.first, holidays.count == 1 { return only.exclusion }
      let known = holidays.keys.sorted().prefix(10).joined(separator: ", ")
      throw Refusal(
        .invalidField, field: "schedule",
        holidays.isEmpty
          ? "the home has no list of holidays; import one with: prompter holidays import FILE.ics"
          : "the home has \(holidays.count) lists of holidays; write the name of the list: \(known)"
      )
    }
    guard let name = holidayName(typed), let list = holidays[name] else {
      throw unknownHolidays(typed, kind: .invalidField)
    }
    return list.exclusion
  }

  fileprivate func unknownHolidays(_ typed: String, kind: Refusal.Kind) -> Refusal {
    let known = holidays.keys.sorted()
    let help =
      known.isEmpty
      ? "; import a list with: prompter holidays import FILE.ics --name \(typed)"
      : "; the lists are: \(known.prefix(10).joined(separator: ", "))"
        + NameMatch.suggestion(for: typed, among: known)
        + "; import another list with: prompter holidays import FILE.ics"
    return Refusal(
      kind, field: kind == .invalidField ? "schedule" : nil,
      "there is no list of holidays \"\(typed)\"" + help)
  }
}

extension EventState {
  /// Applies an event about a list of holidays or about a recording.
  mutating func applyStored(_ event: Event) {
    switch event {
    case .toneAdded(let tone): put(tone)
    case .toneRemoved(let tone): drop(tone: tone.name)
    case .holidays(.imported(let list)): put(holidays: list, named: list.name)
    case .holidays(.removed(let name)): put(holidays: nil, named: name)
    default: break
    }
  }
}
