import CivilTime

@testable import Alarms

/// A sequence of inputs to one home, with the decisions as text.
///
/// The text of a decision contains each event with its actor, person, alarm version, study phase
/// and study, each effect, and the reply or the refusal.
struct InputSequence {
  var fixture: CoreFixture
  private(set) var text: String
  private var played = 0
  private var notified = 0
  private var notices = 0
  private var rehearsed = 0
  private var cancelled = 0

  init(_ title: String, limits: HomeLimits = .standard) {
    fixture = CoreFixture(limits: limits)
    text = "=== \(title)\n"
  }

  /// Lets the home process an input, and writes the decision.
  mutating func give(_ name: String, _ input: Input) {
    text += "-- \(Self.plain(name))\n"
    do throws(Refusal) {
      let decision = try step(fixture.home, input, at: fixture.now, in: fixture.environment)
      write(decision.records)
      text += decision.effects.map { "  → \(Self.plain("\($0)"))\n" }.joined()
      if let reply = decision.reply { text += "  reply: \(Self.line(about: reply))\n" }
      let known = fixture.records.count + decision.records.count
      try fixture.handle(input)
      if fixture.records.count > known { write(Array(fixture.records[known...])) }
    } catch {
      let version = error.version.map { " (version \($0))" } ?? ""
      text += "  refused as \(error.kind.rawValue): \(error)\(version)\n"
    }
    skipEffects()
  }

  mutating func command(
    _ name: String, _ command: Command, by actor: Actor = CoreFixture.anna
  ) {
    give(name, .command(command, actor))
  }

  mutating func add(
    _ id: String, _ label: String, _ schedule: String, by actor: Actor = CoreFixture.anna,
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) {
    var form = AlarmForm()
    form.label = label
    form.schedule = schedule
    edit(&form)
    command("add \(id)", .add(AlarmID(id), form), by: actor)
  }

  mutating func announce(
    _ id: String, _ label: String, _ schedule: String, _ edit: (inout AlarmForm) -> Void
  ) {
    var form = AlarmForm()
    (form.label, form.schedule) = (label, schedule)
    edit(&form)
    command("announce", .announce(AlarmID(id), form))
  }

  mutating func edit(
    _ id: String, _ name: String, version: VersionCondition? = nil,
    _ edit: (inout AlarmForm) -> Void
  ) {
    var form = AlarmForm()
    edit(&form)
    command("edit \(id): \(name)", .edit(AlarmID(id), ifVersion: version, form))
  }

  mutating func person(_ name: String, _ id: String, _ edit: (inout PersonForm) -> Void) {
    var form = PersonForm()
    edit(&form)
    let isKnown = fixture.home.people[PersonID(id)]?.person != nil
    command(
      name,
      isKnown
        ? .changePerson(PersonID(id), ifVersion: nil, form) : .addPerson(PersonID(id), form))
  }

  /// Changes the home, and writes the events and the effects of the change.
  private mutating func writing(_ change: (inout CoreFixture) -> Void) {
    let known = fixture.records.count
    change(&fixture)
    write(Array(fixture.records[known...]))
    writeEffects()
  }

  /// Lets time pass, and writes the events and the effects of this time.
  mutating func pass(_ seconds: Int64) {
    text += "-- \(seconds) s pass\n"
    writing { $0.pass(seconds: seconds) }
  }

  /// Ends the daemon, and starts it again.
  mutating func restart(offForSeconds seconds: Int64 = 0, newBoot: Bool = false) {
    text += "-- the daemon restarts after \(seconds) s\(newBoot ? ", after a boot" : "")\n"
    writing { $0.crash(offForSeconds: seconds, newBoot: newBoot) }
  }

  mutating func stepClock(_ seconds: Int64) {
    text += "-- the clock is set by \(seconds) s\n"
    writing { $0.stepClock(seconds: seconds) }
  }

  /// Returns the prompt of an alarm for an answer or an undo.
  ///
  /// The result is the first existing prompt of this list:
  /// - the newest due prompt,
  /// - the newest ended prompt with a ring intent,
  /// - the newest prompt of the alarm.
  func prompt(of alarm: String) -> PromptID {
    let mine = fixture.replay.prompts.values.filter { $0.id.alarm.text == alarm }
    let due = mine.filter { $0.state.isOpen && $0.state != .planned }
    let ended = mine.filter { !$0.state.isOpen && $0.ringsIntended > 0 }
    let found = [due, ended, Array(mine)].first { !$0.isEmpty } ?? []
    return found.max { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }?.id
      ?? PromptID(alarm: AlarmID(alarm), nominalKey: 0)
  }

  /// Writes the state of the home at the end of the sequence.
  mutating func end() {
    text += "-- the state at the end\n"
    for prompt in fixture.home.openPrompts.sorted(by: { $0.id < $1.id }) {
      text += "  \(Self.line(about: prompt))\n"
    }
    for person in fixture.home.people.values.sorted(by: { $0.id.text < $1.id.text }) {
      text += "  \(Self.plain("\(person)"))\n"
    }
    for supply in fixture.home.supplies.values.sorted(by: { $0.id < $1.id }) {
      text += "  \(Self.plain("\(supply)"))\n"
    }
    let holdings = fixture.home.holdings
    text += "  alarms of users: \(Self.sorted(holdings.alarmCounts))\n"
    text += "  bytes of users: \(Self.sorted(holdings.weights)), in all \(holdings.weight)\n"
    text += "  alarms of contacts: \(Self.sorted(fixture.home.alarmsByContact))\n"
    text += "  next wake: \(fixture.home.nextWake.map { "\($0)" } ?? "never")\n\n"
  }

  mutating func append(_ lines: String) { text += lines }

  private mutating func writeEffects() {
    for order in fixture.played[played...] { text += "  → \(Self.plain("\(order)"))\n" }
    for order in fixture.notified[notified...] { text += "  → \(Self.plain("\(order)"))\n" }
    for order in fixture.sentNotices[notices...] { text += "  → \(Self.plain("\(order)"))\n" }
    for words in fixture.rehearsed[rehearsed...] { text += "  → \(Self.plain("\(words)"))\n" }
    for subject in fixture.cancelledNotifications[cancelled...] {
      text += "  → cancel \(Self.plain("\(subject)"))\n"
    }
    skipEffects()
  }

  private mutating func skipEffects() {
    played = fixture.played.count
    notified = fixture.notified.count
    notices = fixture.sentNotices.count
    rehearsed = fixture.rehearsed.count
    cancelled = fixture.cancelledNotifications.count
  }

  private mutating func write(_ records: [Record]) {
    for record in records {
      let event = Self.line(about: record.event)
      let parts: [String?] = [
        "\(record.actor.role.rawValue)/\(record.actor.source)", record.person?.text,
        record.alarmVersion.map { "v\($0)" }, record.phase?.rawValue, record.study,
        record.zoneName == "Europe/Berlin"
          ? nil : "\(record.zoneName) \(record.utcOffsetSeconds)",
      ]
      text +=
        "  \(record.event.type): \(event) [\(parts.compactMap(\.self).joined(separator: " "))]\n"
    }
  }

  private static func line(about event: Event) -> String {
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): line(about: alarm)
    case .planned(let prompt): line(about: prompt)
    default: plain("\(event)")
    }
  }

  private static func line(about alarm: Alarm) -> String {
    plain(
      "\(alarm.id) \(alarm.label), \(alarm.phrase), \(alarm.schedule), zone \(alarm.zoneName), tones "
        + "\(alarm.tones.sorted()), quiet \(alarm.quiet as Any), pauses \(alarm.pauses), "
        + "message \(alarm.message as Any), uses \(alarm.uses)")
  }

  private static func line(about prompt: Prompt) -> String {
    let parts: [String?] = [
      "\(prompt.id) v\(prompt.alarmVersion) due \(prompt.dueAt) in \(prompt.zoneName) "
        + "\(prompt.utcOffsetSeconds): \(prompt.state)",
      "rings \(prompt.ringsIntended) \(prompt.ringsSounded) \(prompt.ringsFailed)",
      prompt.isDelivered ? "delivered" : nil, prompt.delays > 0 ? "delays \(prompt.delays)" : nil,
      prompt.lastSoundedAt.map { "sounded \($0)" }, prompt.presentedAt.map { "presented \($0)" },
      prompt.acknowledgedAt.map { "acknowledged \($0)" }, prompt.leadsToAt.map { "leads to \($0)" },
      prompt.notifyProgress == .none ? nil : "\(prompt.notifyProgress)",
      prompt.lastAnswer.map { "answered \($0.at)\($0.before == nil ? "" : ", can be undone")" },
    ]
    return plain(parts.compactMap(\.self).joined(separator: ", "))
  }

  private static func line(about reply: Reply) -> String {
    switch reply {
    case .alarm(let alarm, let next, let report):
      let rings = next.map { ring in
        let parts: [String?] = [
          "\(ring.occurrence.instant)", ring.leadsToAt.map { "before \($0)" },
          ring.suppression.map { "\($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: " ")
      }
      let warnings = report.warnings.map(\.kind.rawValue)
      return plain("v\(alarm.version) \(rings) \(report.explanation) \(warnings)")
    case .answered(let answered): return line(about: answered)
    case .removed(let alarm, let answered):
      return "v\(alarm.version) \(answered.map { line(about: $0) })"
    case .prompt(let prompt): return line(about: prompt)
    case .person(let state, let warnings):
      return plain("\(state.id) v\(state.person?.version ?? -1) \(warnings)")
    case .phases(let id, let phases): return "\(id) \(phases.count)"
    case .paused(let paused):
      let rings = paused.firstRings.map { "\($0.alarm.id) \($0.occurrence.instant)" }
      return plain(
        "\(paused.people.map { "\($0.id) \($0.pause as Any)" }), next \(rings), ended "
          + "\(paused.ended.map { line(about: $0) })")
    default: return plain("\(reply)")
    }
  }

  private static func line(about answered: AnsweredPrompt) -> String {
    let supplies = answered.supplies.map { "\($0.name) \($0.left)" }
    return plain(
      "\(line(about: answered.prompt)), \(answered.stopped), supplies \(supplies)")
  }

  private static func sorted<Value>(_ values: [String: Value]) -> String {
    "\(values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })"
  }

  /// Removes the names of modules from a text.
  private static func plain(_ text: String) -> String {
    text.replacing("Alarms.", with: "").replacing("CivilTime.", with: "")
  }
}
