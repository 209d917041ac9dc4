import CivilTime

extension HomeState {
  /// The supply with this id or name; nil if no supply matches. The comparison with the name
  /// ignores upper and lower case.
  public func supply(named typed: String) -> Supply? {
    if let found = supplies[SupplyID(typed)] { return found }
    let name = NameMatch.find(typed, in: supplies.values.lazy.map(\.name))
    return name.flatMap { name in supplies.values.first { $0.name == name } }
  }

  /// The alarms that use a supply and can still ring, sorted by label.
  public func alarms(using id: SupplyID) -> [Alarm] {
    alarms.filter { alarm in alarm.uses.contains { $0.supply == id } && !isOver(alarm.id) }
      .sorted { ($0.label, $0.id) < ($1.label, $1.id) }
  }

  /// The length of the period for which `daysLeft` computes due times, in days from the present
  /// time.
  public static let supplyDays = 366

  /// The number of full days until the first due time for which a supply no longer suffices.
  ///
  /// The function assumes that a person completes each prompt at its due time. The result is nil if
  /// no alarm with future due times uses the supply, or if the supply suffices for all future due
  /// times. If the supply suffices for longer than `supplyDays`, the result is `supplyDays`.
  public func daysLeft(of supply: Supply, at wall: Instant) -> Int? {
    var uses: [(at: Instant, amount: Int64)] = []
    var goesOn = false
    for alarm in alarms(using: supply.id) {
      guard let use = alarm.uses.first(where: { $0.supply == supply.id }) else { continue }
      // The supply suffices for `enough - 1` prompts of this alarm. Compute one due time more, so
      // that the loop below finds the first due time without enough units.
      let enough = Int(supply.left / use.amount + 1)
      let coming = mainTimes(of: alarm, after: wall, atMost: enough)
      goesOn = goesOn || coming.goesOn
      uses += coming.times.map { ($0, use.amount) }
    }
    var left = supply.left
    for use in uses.sorted(by: { $0.at < $1.at }) {
      left -= use.amount
      if left < 0 { return Int(use.at.milliseconds(since: wall) / 86_400_000) }
    }
    return goesOn ? Self.supplyDays : nil
  }

  /// The maximum number of due times that `daysLeft` computes for one alarm.
  private static let mostSupplyTimes = 5_000

  /// The due times of an alarm in the next `supplyDays` days, without early reminders and without
  /// paused times.
  ///
  /// `goesOn` is true if the function stopped because of the limit `supplyDays` or
  /// `mostSupplyTimes`. The alarm can then be due again after the last of these times.
  private func mainTimes(
    of alarm: Alarm, after wall: Instant, atMost count: Int
  ) -> (times: [Instant], goesOn: Bool) {
    guard let plan = entries[alarm.id]?.plan,
      var from = people[alarm.person].map({ $0.ringsAfter(wall) }) ?? wall
    else { return ([], false) }
    let horizon = wall.adding(seconds: Int64(Self.supplyDays) * 86_400)
    var times: [Instant] = []
    var looked = 0
    while times.count < count, let next = plan.main(after: from) {
      looked += 1
      if next.instant >= horizon || looked > Self.mostSupplyTimes { return (times, true) }
      from = next.instant
      let isPaused = alarm.pauses.interruptions(next.nominal, fold: next.fold)
      if !isPaused, name(of: next, of: alarm.id) != nil { times.append(next.instant) }
    }
    return (times, false)
  }
}

extension Supply {
  /// The contacts that the daemon notifies when the supply becomes low.
  public func contacts(in environment: Environment) -> [String] {
    settings.contacts.isEmpty
      ? environment.contacts.sorted() : settings.contacts.filter(environment.contacts.contains)
  }

  /// An amount with its unit, for example `7 tablets`.
  public static func words(_ amount: Int64, unit: String) -> String {
    if unit.isEmpty { return "\(amount)" }
    return "\(amount) \(amount == 1 ? singular(unit) : unit)"
  }

  /// The singular of an English unit. If a unit does not end with `s`, the result is the unit
  /// itself.
  static func singular(_ unit: String) -> String {
    if ["ches", "shes", "sses", "xes"].contains(where: unit.hasSuffix) {
      return String(unit.dropLast(2))
    }
    let isPlural = unit.hasSuffix("s") && !unit.hasSuffix("ss") && unit.utf8.count > 3
    return isPlural ? String(unit.dropLast()) : unit
  }

  /// The sentence about the amount that is left, for example `7 tablets of Donepezil are left`.
  public static func leftWords(_ left: Int64, unit: String, of name: String) -> String {
    if left > 0 { return "\(words(left, unit: unit)) of \(name) \(left == 1 ? "is" : "are") left" }
    return unit.isEmpty ? "nothing of \(name) is left" : "no \(unit) of \(name) are left"
  }

  public var leftWords: String { Self.leftWords(left, unit: settings.unit, of: name) }
}

extension NoticeText {
  /// The message that a supply is low. Example: `Hilde: 7 tablets of Donepezil are left, about 3
  /// days.`
  ///
  /// - Parameters:
  ///   - days: the result of `daysLeft`.
  ///   - person: the name of the person whose prompt used the supply; nil if a caretaker caused the
  ///     change.
  static func low(_ supply: Supply, days: Int?, person: String?) -> String {
    let sentence = (person.map { "\($0.capitalizedFirst): " } ?? "") + supply.leftWords
    guard supply.left > 0, let days, days < HomeState.supplyDays else {
      return "\(sentence)."
    }
    switch days {
    case 0: return "\(sentence), less than one day."
    case 1: return "\(sentence), about 1 day."
    default: return "\(sentence), about \(days) days."
    }
  }
}
