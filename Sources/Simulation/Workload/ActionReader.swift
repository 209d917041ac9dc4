import Alarms

/// An error in the text of a scenario.
public struct ScenarioError: Error, CustomStringConvertible {
  /// The line number, counted from 1; 0 if the error is about the file as a whole.
  public var line: Int
  public var what: String

  public var description: String {
    line == 0
      ? "cannot read the scenario: \(what)"
      : "cannot read line \(line) of the scenario: \(what)"
  }
}

extension TimedAction {
  /// Reads a line in the format of `description`. Example: `3d 08:00:01.250 kill 2 1500`.
  ///
  /// - Returns: nil if the line is not an action.
  public init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    guard words.count == 3, let at = Self.milliseconds(words[0], words[1]),
      let action = Action(words[2])
    else { return nil }
    self.init(at: at, action)
  }

  /// Reads a day such as `3d` and a time of day such as `08:00:01.250`. Returns the time since the
  /// start of the simulation, in milliseconds. The fraction of the second is optional.
  static func milliseconds(_ day: some StringProtocol, _ clock: some StringProtocol) -> Int64? {
    guard day.hasSuffix("d"), let days = Int64(day.dropLast()) else { return nil }
    let parts = clock.split(separator: ":")
    guard parts.count == 3, let hours = Int64(parts[0]), let minutes = Int64(parts[1]) else {
      return nil
    }
    let seconds = parts[2].split(separator: ".")
    guard seconds.count <= 2, let whole = seconds.first.flatMap({ Int64($0) }) else { return nil }
    var fraction: Int64 = 0
    if seconds.count == 2 {
      guard seconds[1].count == 3, let digits = Int64(seconds[1]) else { return nil }
      fraction = digits
    }
    return ((days * 24 + hours) * 60 + minutes) * 60_000 + whole * 1_000 + fraction
  }
}

extension Action {
  /// Reads an action in the notation of a scenario. The result is nil if the text is not an action.
  init?(_ text: some StringProtocol) {
    let words = String(text).split { $0 == " " }.map(String.init)
    guard let verb = words.first else { return nil }
    let rest = text.dropFirst(verb.count).drop { $0 == " " }
    let numbers = words.dropFirst().map { Int64($0) }
    func number(_ place: Int) -> Int64? { place < numbers.count ? numbers[place] : nil }
    switch verb {
    case "add":
      guard let form = Self.alarmForm(rest) else { return nil }
      self = .add(form)
    case "edit", "edit-stale":
      // The text can end after the number of the alarm, because an edit can have no fields.
      let number = rest.prefix { $0 != " " }
      guard let alarm = Int(number), let form = Self.alarmForm(rest.dropFirst(number.count + 1))
      else { return nil }
      self = .edit(alarm, form, isStale: verb == "edit-stale")
    case "remove", "remove-stale":
      guard let alarm = number(0) else { return nil }
      self = .remove(Int(alarm), isStale: verb == "remove-stale")
    case "patient", "caretaker":
      guard words.count == 3, let role = Role(rawValue: verb), let answer = Self.answer(words[1]),
        let target = Self.target(words[2])
      else { return nil }
      self = .answer(target, answer, role)
    case "export": self = .export
    case "purge":
      guard let days = number(0) else { return nil }
      self = .purge(keepDays: days)
    case "respond":
      guard words.count == 4 || words.count == 5 && words[4] == "done",
        let role = Role(rawValue: words[1]), let target = Self.target(words[2]),
        let which = Int(words[3])
      else { return nil }
      self = .respond(target, which, completes: words.count == 5, role)
    case "present", "say-again":
      guard words.count == 2, let target = Self.target(words[1]) else { return nil }
      self = verb == "present" ? .present(target) : .sayAgain(target)
    case "undo":
      guard words.count == 3, let role = Role(rawValue: words[1]),
        let target = Self.target(words[2])
      else { return nil }
      self = .undo(target, role)
    case "supply-add", "supply-change", "supply-remove", "supply-refill", "supply-count":
      guard let action = Self.supply(words) else { return nil }
      self = action
    case "say":
      guard let form = Self.alarmForm(rest) else { return nil }
      self = .say(form)
    case "holidays", "holidays-remove":
      guard let action = Self.holidays(verb, words) else { return nil }
      self = action
    case "call", "person-add", "person-edit", "person-remove", "pause", "resume", "phase",
      "phase-end":
      guard let action = Self.household(verb, rest) else { return nil }
      self = action
    default:
      guard let fault = Self.fault(verb, words, number) else { return nil }
      self = fault
    }
  }

  private static func household(_ verb: String, _ rest: some StringProtocol) -> Action? {
    let id = String(rest.prefix { $0 != " " })
    if id.isEmpty { return nil }
    let fields = rest.dropFirst(id.count).drop { $0 == " " }
    switch verb {
    case "person-add": return personForm(fields).map { .addPerson(id, $0) }
    case "person-edit": return personForm(fields).map { .changePerson(id, $0) }
    case "person-remove": return .removePerson(id)
    case "call": return .call(id)
    case "pause":
      return .pausePeople(people(id), until: fields.isEmpty ? nil : String(fields))
    case "resume": return .resumePeople(people(id))
    case "phase": return phaseForm(fields).map { .setPhase(id, $0) }
    default: return .endPhase(id)
    }
  }

  private static func people(_ text: String) -> PausedPeople {
    text == Self.text(.everybody) ? .everybody : .one(PersonID(text))
  }

  private static func fault(
    _ verb: String, _ words: [String], _ number: (Int) -> Int64?
  ) -> Action? {
    switch verb {
    case "sync": return .sync
    case "lose-sync": return .loseSync
    case "disk": return number(0).map { .disk(seconds: $0) }
    case "slow-disk":
      guard let milliseconds = number(0), let seconds = number(1) else { return nil }
      return .slowDisk(milliseconds: milliseconds, seconds: seconds)
    case "contacts":
      guard words.count == 3, let condition = ContactCondition(rawValue: words[1]),
        let seconds = number(1)
      else { return nil }
      return .contacts(condition, seconds: seconds)
    case "clock": return number(0).map { .clock(seconds: $0) }
    case "suspend": return number(0).map { .suspend(seconds: $0) }
    case "forge": return number(0).map { .forge(back: Int($0)) }
    case "again": return number(0).map { .again(back: Int($0)) }
    case "zone":
      guard words.count == 2, ZoneFixtures.names.contains(words[1]) else { return nil }
      return .zone(words[1])
    case "tzdata":
      guard let release = number(0), ZoneFixtures.releases.contains(Int(release)) else {
        return nil
      }
      return .tzdata(Int(release))
    case "restart": return number(0).map { .restart(downMilliseconds: $0) }
    case "kill":
      guard let calls = number(0), let down = number(1) else { return nil }
      return .kill(calls: Int(calls), downMilliseconds: down)
    case "power":
      guard let calls = number(0), let seconds = number(1), words.count == 4,
        let battery = BatteryClock(rawValue: words[3])
      else { return nil }
      return .power(calls: Int(calls), offSeconds: seconds, battery)
    case "speaker":
      guard words.count == 3, let condition = SpeakerCondition(rawValue: words[1]),
        let seconds = number(1)
      else { return nil }
      return .speaker(condition, seconds: seconds)
    default: return nil
    }
  }

  private static func answer(_ word: String) -> Answer? {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    let value = parts.count == 2 ? parts[1] : nil
    switch parts[0] {
    case "acknowledge": return .acknowledge
    case "complete": return .complete
    case "delay": return .delay(seconds: value.flatMap { Int64($0) })
    case "decline": return value.flatMap { ReasonCode(rawValue: $0) }.map { .decline($0) }
    case "cancel": return value.flatMap { ReasonCode(rawValue: $0) }.map { .cancel($0) }
    default: return nil
    }
  }

  private static func target(_ word: String) -> Target? {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    let number = parts.count == 2 ? Int(parts[1]) : nil
    switch (parts[0], number) {
    case ("current", nil): return .current
    case ("unknown", nil): return .unknown
    case ("open", let number?): return .open(number)
    case ("planned", let number?): return .planned(number)
    case ("closed", let number?): return .closed(number)
    default: return nil
    }
  }
}
