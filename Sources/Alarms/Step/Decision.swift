import CivilTime

/// The result of `step`: events, state changes and effects.
///
/// The engine first records the events, then merges the changes into the state, and then carries
/// out the effects.
public struct Decision: Sendable {
  /// The events to record, in order. The list is empty if there is nothing to record.
  public var records: [Record]
  /// The new state of each alarm, prompt or other object that the events changed.
  public var changes: StateDelta
  public var effects: [Effect]
  /// The reply to a command; nil if the input is not a command.
  public var reply: Reply?
  /// True if more prompts are due than one decision can handle.
  ///
  /// In this case, the engine calls `step` again at once with the input `woke`.
  public var isMoreDue: Bool

  /// True if the decision contains no records, no effects and no prompts for the speaker queue.
  public var isIdle: Bool { records.isEmpty && effects.isEmpty && readied.isEmpty }

  var readied: Set<PromptID>
  var volatile: VolatileState
  /// True if the zones have changed. The engine must then compute the plans of all alarms again.
  var replansAll: Bool
}

/// The state during one call of `step`: the state before the call, plus the changes that the events
/// of this call have made so far.
struct Transition: EventState, HasVolatileState {
  let home: HomeState
  let reading: ClockReading
  let actor: Actor
  let environment: Environment

  private(set) var records: [Record] = []
  private(set) var changes = StateDelta()
  /// The ids of the prompts in `changes`, grouped by alarm.
  ///
  /// With this index, the search for the prompts of an alarm is fast, even if one decision changes
  /// very many prompts.
  private var changed: [AlarmID: [PromptID]] = [:]
  var effects: [Effect] = []
  var reply: Reply?
  var readied: Set<PromptID> = []
  var volatile: VolatileState
  var speaker: SpeakerHealth {
    get { volatile.speaker }
    set { volatile.speaker = newValue }
  }
  var replansAll = false
  /// True if the zones have changed since the daemon computed the plans of the alarms.
  ///
  /// If the value is true, the engine has not handled the input `zonesChanged` yet.
  private let hasStalePlans: Bool
  /// The open prompts that were missing from the due queue or the speaker queue because of a
  /// defect. Without a repair, the daemon would never have handled these prompts again.
  var lost: Set<PromptID> = []

  init(_ home: HomeState, _ reading: ClockReading, _ actor: Actor, _ environment: Environment) {
    self.home = home
    self.reading = reading
    self.actor = actor
    self.environment = environment
    volatile = home.volatile
    hasStalePlans = home.clock.zones.map { $0 != .init(environment) } ?? false
  }

  /// True if the plans of all alarms are out of date. The daemon must then compute these plans
  /// again.
  var hasPlansToRenew: Bool { replansAll || hasStalePlans }

  var wall: Instant { reading.wall }

  /// Records an event, and applies the event to the state.
  ///
  /// - Parameter owner: the person whose prompt the event is about. If the alarm of the prompt
  ///   still exists, the alarm names this person. Otherwise, the caller must pass the person.
  mutating func emit(_ event: Event, for owner: PersonID? = nil) {
    let prompt: Prompt? = event.promptID.flatMap { self.prompt($0) }
    let concerned: AlarmID? = event.promptID?.alarm ?? event.alarmID
    let alarm: Alarm? = concerned.flatMap { self.alarm($0) } ?? event.alarm
    apply(event, at: wall)
    let formerNotices = notices
    notices.apply(event, at: wall, by: actor.role)
    if case .clockStep(let milliseconds) = event { recentRings.shift(by: milliseconds) }
    // If a caretaker removed the alarm during a ring, the alarm cannot name the person any more.
    // Therefore the later events of this ring get the person of the active ring.
    let called = activeRing.flatMap { ring in
      event.promptID.map(ring.contains) == true ? ring.person : nil
    }
    let person = event.person ?? alarm?.person ?? owner ?? called
    if case .ringStarted = event, let activeRing { noteSound(of: activeRing) }
    let zone =
      alarm.flatMap { environment.zone(of: $0) } ?? environment.homeZone
    let state = person.flatMap { personState($0) }
    let at =
      event.promptID.map { self.prompt($0)?.dueAt ?? $0.instant(in: zone) }
      ?? event.noon(in: zone) ?? wall
    records.append(
      Record(
        event: event, actor: actor, reading: reading, person: person,
        alarmVersion: event.alarmVersion ?? prompt?.alarmVersion ?? alarm?.version,
        zoneName: zone.name, utcOffsetSeconds: zone.offsetSeconds(at: wall),
        tzdataVersion: environment.tzdataVersion,
        phase: state?.phase(at: at)?.kind, study: state.flatMap { event.study(of: $0, at: at) }))
    followNotices(event, formerNotices)
    followCalls(event)
    followSupplies(event)
    followInactivity(event)
  }

  /// Stops the daemon, because the daemon must not record an impossible change.
  ///
  /// The record stays correct. systemd starts the daemon again. If the daemon fails several times,
  /// the script `fallback-tone` plays a tone without the daemon.
  mutating func refuse(_ impossible: ImpossibleChange, of id: PromptID) {
    preconditionFailure("prompt \(id): \(impossible)")
  }

  func finished(isMoreDue: Bool) -> Decision {
    Decision(
      records: records, changes: changes, effects: effects, reply: reply, isMoreDue: isMoreDue,
      readied: readied, volatile: volatile, replansAll: replansAll)
  }

  func alarm(_ id: AlarmID) -> Alarm? {
    if changes.deletedAlarms.contains(id) { return nil }
    return changes.alarms[id] ?? home.entries[id]?.alarm
  }

  func prompt(_ id: PromptID) -> Prompt? { changes.prompts[id] ?? home.prompts[id] }

  func tone(_ name: String) -> Tone? {
    if changes.removedTones.contains(name) { return nil }
    return changes.tones[name] ?? home.tones[name]
  }

  func personState(_ id: PersonID) -> PersonState? {
    if changes.forgottenPeople.contains(id) { return nil }
    return changes.people[id] ?? home.people[id]
  }

  func allPeople() -> [PersonState] {
    Set(home.people.keys).union(changes.people.keys).sorted { $0.text < $1.text }
      .compactMap { personState($0) }
  }

  mutating func forget(_ id: PersonID) {
    changes.people[id] = nil
    changes.forgottenPeople.insert(id)
  }

  mutating func put(_ person: PersonState) { changes.people[person.id] = person }

  func activePrompts() -> [Prompt] {
    var found: [Prompt] = []
    for id in home.active where changes.prompts[id] == nil {
      if let prompt = home.prompts[id] { found.append(prompt) }
    }
    for prompt in changes.prompts.values {
      switch prompt.state {
      case .planned, .closed: continue
      default: found.append(prompt)
      }
    }
    return found.sorted { $0.id < $1.id }
  }

  /// Returns the open prompts of one alarm, in the order of their due times.
  func openPrompts(of alarm: AlarmID) -> [Prompt] {
    var keys = home.entries[alarm]?.open.keys ?? []
    for id in changedPrompts(of: alarm) { keys.insert(id.nominalKey) }
    return keys.compactMap { self.prompt(PromptID(alarm: alarm, nominalKey: $0)) }
      .filter(\.state.isOpen).sorted { $0.dueAt < $1.dueAt }
  }

  /// Returns true if an alarm has an open prompt.
  func isAnythingOpen(of alarm: AlarmID) -> Bool {
    func isOpen(_ id: PromptID) -> Bool { prompt(id)?.state.isOpen ?? false }
    if changedPrompts(of: alarm).contains(where: isOpen) { return true }
    let keys = home.entries[alarm]?.open.keys ?? []
    return keys.contains { isOpen(PromptID(alarm: alarm, nominalKey: $0)) }
  }

  mutating func put(_ alarm: Alarm) { changes.alarms[alarm.id] = alarm }

  mutating func delete(_ id: AlarmID) {
    changes.alarms[id] = nil
    changes.deletedAlarms.insert(id)
  }

  mutating func put(_ prompt: Prompt) {
    let isNew = changes.prompts.updateValue(prompt, forKey: prompt.id) == nil
    if isNew { changed[prompt.id.alarm, default: []].append(prompt.id) }
  }

  /// Returns the ids of the prompts of one alarm that this decision has changed.
  func changedPrompts(of alarm: AlarmID) -> [PromptID] { changed[alarm] ?? [] }

  mutating func put(_ tone: Tone) {
    changes.removedTones.remove(tone.name)
    changes.tones[tone.name] = tone
  }

  mutating func drop(tone name: String) {
    changes.tones[name] = nil
    changes.removedTones.insert(name)
  }

  mutating func put(level percent: Int?, of device: String) {
    changes.levels.updateValue(percent, forKey: device)
  }

  func picture(_ sha256: String) -> Picture? {
    if changes.removedPictures.contains(sha256) { return nil }
    return changes.pictures[sha256] ?? home.pictures[sha256]
  }

  mutating func put(_ picture: Picture) {
    changes.removedPictures.remove(picture.sha256)
    changes.pictures[picture.sha256] = picture
  }

  mutating func drop(picture sha256: String) {
    changes.pictures[sha256] = nil
    changes.removedPictures.insert(sha256)
  }

  func supply(_ id: SupplyID) -> Supply? {
    if changes.removedSupplies.contains(id) { return nil }
    return changes.supplies[id] ?? home.supplies[id]
  }

  mutating func put(_ supply: Supply) { changes.supplies[supply.id] = supply }

  mutating func drop(supply id: SupplyID) {
    changes.supplies[id] = nil
    changes.removedSupplies.insert(id)
  }

  mutating func put(holidays list: HolidayList?, named name: String) {
    changes.holidays.updateValue(list, forKey: name)
  }
}

extension Event {
  /// The alarm that this event creates, changes, deletes or erases; nil for other events.
  var alarmID: AlarmID? {
    switch self {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): alarm.id
    case .alarmDeleted(let id, _), .erased(.alarm(let id)): id
    default: nil
    }
  }

  var alarm: Alarm? {
    switch self {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): alarm
    default: nil
    }
  }

  /// Returns the study that an event belongs to; nil if the event belongs to no study.
  ///
  /// Usually, this is the study in which the person takes part at `instant`. For an enrolment or a
  /// withdrawal, the result is the study that the person enters or leaves. For the event
  /// `unblinded`, the result is the study that was unblinded.
  fileprivate func study(of state: PersonState, at instant: Instant) -> String? {
    switch self {
    case .enrolled, .withdrawn: state.enrolments.last?.study
    case .unblinded(_, let study): study
    default: state.enrolment(at: instant)?.study
    }
  }

  var alarmVersion: Int? {
    switch self {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): alarm.version
    case .alarmDeleted(_, let version): version
    case .planned(let prompt): prompt.alarmVersion
    case .revised(_, let version): version
    default: nil
    }
  }
}
