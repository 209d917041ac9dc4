import CivilTime

extension AlarmRules {
  static let people = 50
  public static let name = TextRule(0...100, bytes: 512)
  static let personRingsPerHour: ClosedRange<Int64> = 1...240
  static let inactivityHours: ClosedRange<Int64> = 1...168
}

// Checks the settings that a caretaker typed for a person.
extension Transition {
  /// Builds a person from a form. If the form does not contain a field, the field keeps its value
  /// from `old`.
  func checked(_ form: PersonForm, basedOn old: Person) throws(Refusal) -> Person {
    var person = old
    if let name = form.name {
      person.name = name == old.name ? name : try AlarmRules.name.check(name, field: "name")
    }
    if let language = form.language { person.language = try self.language(language) }
    if let zone = form.zone {
      if !zone.isEmpty { _ = try self.zone(named: zone) }
      person.zoneName = zone.isEmpty || zone == Alarm.floating ? nil : zone
    }
    if let tone = form.tone {
      person.tone = tone.isEmpty ? nil : try existingTone(tone, old: nil)
    }
    person.quiet = try quiet(form, basedOn: old.quiet)
    if let rings = form.ringsPerHour {
      person.ringsPerHour =
        rings == 0
        ? nil
        : Int(
          try check(
            Int64(rings), in: AlarmRules.personRingsPerHour, field: "rings_per_hour",
            unit: "rings"))
    }
    person.inactivity = try inactivity(form, basedOn: old.inactivity)
    person.rewardImage = try existingPicture(
      form.rewardImage, old: old.rewardImage, field: "reward_image")
    return person
  }

  private func inactivity(
    _ form: PersonForm, basedOn old: InactivityRule?
  ) throws(Refusal) -> InactivityRule? {
    let notifySteps = try form.inactivityNotifySteps.map { (notifySteps) throws(Refusal) in
      try self.notifySteps(notifySteps, field: "inactivity_tell")
    }
    if form.inactivityHours == 0, notifySteps?.isEmpty ?? true { return nil }
    let hours = form.inactivityHours ?? old?.hours
    guard let hours else {
      if notifySteps?.isEmpty ?? true { return nil }
      throw Refusal(
        .invalidField, field: "inactivity_hours",
        "it is missing; set after how many hours without an answer the daemon notifies the contacts, "
          + "\(AlarmRules.inactivityHours.lowerBound) to \(AlarmRules.inactivityHours.upperBound)")
    }
    try check(
      Int64(hours), in: AlarmRules.inactivityHours, field: "inactivity_hours", unit: "hours")
    guard let whom = notifySteps ?? old?.notifySteps, !whom.isEmpty else {
      throw Refusal(
        .invalidField, field: "inactivity_tell",
        "it is missing: nobody would be notified; write for example "
          + "\"anna after 0s, then bob after 30m\", or set inactivity_hours to 0")
    }
    return InactivityRule(hours: hours, notifySteps: whom)
  }

  /// Checks a language tag by the syntax of RFC 5646.
  ///
  /// A tag consists of subtags with hyphens between them, for example `de-AT`. Each subtag has one
  /// to eight letters and digits. The first subtag has two to eight letters.
  private func language(_ text: String) throws(Refusal) -> String? {
    if text.isEmpty { return nil }
    let subtags = text.split(separator: "-", omittingEmptySubsequences: false)
    let isWellFormed = subtags.enumerated().allSatisfy { place, subtag in
      (place == 0 ? 2...8 : 1...8).contains(subtag.utf8.count)
        && subtag.utf8.allSatisfy { byte in
          let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          return isLetter
            || place > 0 && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
    }
    if isWellFormed, text.utf8.count <= 35 { return text }
    throw Refusal(
      .invalidField, field: "language",
      "\"\(text)\" is not a language; write for example de, en-GB or zh-Hant-TW (BCP 47)")
  }

  private func quiet(_ form: PersonForm, basedOn old: QuietRule?) throws(Refusal) -> QuietRule? {
    var hours = old?.hours
    if let text = form.quietHours {
      hours = text.isEmpty || text == "none" ? nil : try QuietHours(parsing: text)
    }
    guard let hours else {
      if form.quietPolicy != nil {
        throw Refusal(
          .invalidField, field: "quiet_policy",
          "there are no quiet hours; set quiet_hours, too, for example to 22:00-07:00")
      }
      return nil
    }
    return QuietRule(hours: hours, policy: form.quietPolicy ?? old?.policy ?? .hold)
  }

  /// Finds the person whose id is exactly `name`. If nobody has this id, the function compares
  /// `name` with all ids and names, and ignores upper and lower case. This comparison finds a
  /// person only if exactly one person matches.
  ///
  /// If `name` is nil, the result is the only person of the home. If the home has several people,
  /// the function refuses the request, because an alarm for the wrong person is worse than a
  /// refusal.
  func knownPerson(_ name: String?, field: String = "person") throws(Refusal) -> PersonID {
    let known = livingPeople()
    guard let name else {
      let used = home.inUse(known)
      if used.count == 1 { return used[0].id }
      throw Refusal(
        .invalidField, field: field,
        used.isEmpty
          ? "it is missing; \(Self.list(known))"
          : "say for whom it is, because several people live here; \(Self.list(used))")
    }
    let fitting = Person.fitting(name, in: known)
    if fitting.count == 1 { return fitting[0].id }
    let similar = Person.suggestion(for: name, among: known)
    let unknown =
      similar.isEmpty ? "; \(Self.list(known)); add a person with: prompter people add" : similar
    throw Refusal(
      .invalidField, field: field,
      fitting.isEmpty
        ? "this home has no person \"\(name)\"" + unknown
        : "\(fitting.count) people have the name \"\(name)\"; use an id; \(Self.list(known))")
  }

  private static func list(_ people: [Person]) -> String {
    if people.isEmpty { return "this home has no people yet" }
    let names = people.prefix(10).map { $0.name.isEmpty ? $0.id.text : "\($0.id) (\($0.name))" }
    return
      "the \(people.count == 1 ? "only person is" : "people are") \(names.joined(separator: ", "))"
      + (people.count > 10 ? " and others" : "")
  }

  /// All people whom no caretaker has removed, sorted by id.
  func livingPeople() -> [Person] {
    var states = home.people
    states.merge(changes.people) { _, new in new }
    return states.values.compactMap(\.person).sorted { $0.id.text < $1.id.text }
  }

  /// The person of an alarm; nil if the person was removed.
  func person(of alarm: Alarm) -> Person? { personState(alarm.person)?.person }

  /// The zone of a person: the person's own zone, or the home zone.
  func zone(of person: Person) -> Zone {
    person.zoneName.flatMap { environment.zone($0) } ?? environment.homeZone
  }

  /// The hourly limit that applies to the person of an alarm.
  func ringsPerHour(of alarm: Alarm) -> Int {
    person(of: alarm)?.ringsPerHour ?? home.limits.ringsPerHour
  }
}

extension Person {
  /// The people whom a typed id or name can mean.
  ///
  /// If the id of a person is exactly `name`, the result is only this person. Otherwise the
  /// function compares `name` with all ids and names, and ignores upper and lower case.
  static func fitting(_ name: String, in people: [Person]) -> [Person] {
    if let same = people.first(where: { $0.id.text == name }) { return [same] }
    return people.filter {
      NameMatch.isEqual($0.id.text, name) || NameMatch.isEqual($0.name, name)
    }
  }

  /// The last words of the refusal of an unknown id or name. These words suggest a similar id or
  /// name. The text is empty if nobody has a similar id or name.
  static func suggestion(for name: String, among people: [Person]) -> String {
    NameMatch.suggestion(
      for: name, among: people.flatMap { [$0.id.text, $0.name] }.filter { !$0.isEmpty })
  }
}

extension HomeState {
  /// The person whom a typed id or name means; nil if nobody matches, or if several people match.
  public func person(named name: String) -> PersonID? {
    let fitting = Person.fitting(name, in: people.values.compactMap(\.person))
    return fitting.count == 1 ? fitting[0].id : nil
  }

  /// The name that messages show for a person; the id if the person has no name.
  public func shownName(of id: PersonID) -> String {
    let name = people[id]?.person?.name ?? ""
    return name.isEmpty ? id.text : name
  }

  /// The hourly limit of a person; the home's limit if the person has no own limit.
  public func ringsPerHour(of id: PersonID) -> Int {
    people[id]?.person?.ringsPerHour ?? limits.ringsPerHour
  }

  /// The text of the refusal if nobody has the id or name that a user typed. If a person of the
  /// home has a similar name, the text suggests this person.
  public func unknownPerson(_ name: String) -> String {
    "there is no person \"\(name)\""
      + Person.suggestion(for: name, among: people.values.compactMap(\.person))
  }

  /// The only person of the home; nil if the home has no person or several people.
  public var onlyPerson: PersonID? {
    let used = peopleInUse
    return used.count == 1 ? used[0].id : nil
  }

  /// The people of the home. If the home has several people, the list does not contain an unused
  /// default person.
  public var peopleInUse: [Person] { inUse(people.values.compactMap(\.person)) }

  /// Removes an unused default person from a list of several people.
  func inUse(_ known: [Person]) -> [Person] {
    known.count > 1 ? known.filter { !isUnused($0) } : known
  }

  /// True if `person` is the default person of a new home, and nobody has used or changed this
  /// person.
  ///
  /// If the home has several people, the daemon does not count an unused default person as one of
  /// the people of the home.
  func isUnused(_ person: Person) -> Bool {
    guard person.id == .patient, person.version == 0, let state = people[person.id] else {
      return false
    }
    return state.phases.isEmpty && state.enrolments.isEmpty
      && !alarms.contains { $0.person == person.id && !$0.isAnnouncement }
  }
}

extension QuietHours {
  /// Reads quiet hours, for example `22:00-07:00`.
  public init(parsing text: String, field: String = "quiet_hours") throws(Refusal) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let times = parts.compactMap { try? ClockTime(parsing: String($0)) }
    guard parts.count == 2, times.count == 2 else {
      throw Refusal(
        .invalidField, field: field,
        "\"\(text)\" is not a range of hours; write for example 22:00-07:00")
    }
    guard times[0] != times[1] else {
      throw Refusal(
        .invalidField, field: field,
        "they begin and end at \(times[0]), so alarms would be silent all day")
    }
    self.init(from: times[0], to: times[1])
  }

  /// The quiet hours as text, for example `22:00-07:00`.
  public var text: String { "\(from)-\(to)" }
}
