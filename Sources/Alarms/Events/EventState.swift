import CivilTime

/// A state to which events can be applied: a transition or a replay.
protocol EventState {
  func alarm(_ id: AlarmID) -> Alarm?
  func prompt(_ id: PromptID) -> Prompt?
  /// Returns all open prompts whose due time has passed.
  func activePrompts() -> [Prompt]
  /// Returns the state of a person; nil if no event of the record concerns the person. Exception:
  /// the default person of a new home has a state even without an event (`PersonState.ofNewHome`).
  func personState(_ id: PersonID) -> PersonState?
  /// Returns all people about whom the record contains at least one event. The people are in no
  /// defined order.
  func allPeople() -> [PersonState]
  mutating func put(_ alarm: Alarm)
  mutating func delete(_ id: AlarmID)
  mutating func put(_ prompt: Prompt)
  mutating func put(_ tone: Tone)
  mutating func drop(tone name: String)
  mutating func put(_ person: PersonState)
  /// Sets the volume of rings on a device, in percent. If `percent` is nil, the volume in the
  /// configuration applies again.
  mutating func put(level percent: Int?, of device: String)
  func picture(_ sha256: String) -> Picture?
  mutating func put(_ picture: Picture)
  mutating func drop(picture sha256: String)
  func supply(_ id: SupplyID) -> Supply?
  mutating func put(_ supply: Supply)
  mutating func drop(supply id: SupplyID)
  /// Stores a list of holidays; removes the list with this name if `list` is nil.
  mutating func put(holidays list: HolidayList?, named name: String)
  /// Removes a person whose identity was erased.
  mutating func forget(_ person: PersonID)
  /// Handles a change that is impossible in the present state of a prompt. The prompt stays
  /// unchanged.
  ///
  /// During `step`, an impossible change ends the program before the daemon records any event of
  /// this decision. In a replay, the function stores the first impossible change, so that `verify`
  /// can report this change.
  mutating func refuse(_ impossible: ImpossibleChange, of id: PromptID)
}

extension EventState {
  /// Applies an event to the state.
  ///
  /// Only this function changes the alarms, prompts, people and other recorded objects. Therefore a
  /// replay of the record computes the same objects as `step` did.
  mutating func apply(_ event: Event, at wall: Instant) {
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): put(alarm)
    case .alarmDeleted(let id, _): delete(id)
    case .toneAdded, .toneRemoved, .holidays: applyStored(event)
    case .imageAdded, .imageRemoved, .photographed: applyPicture(event)
    case .planned(let prompt):
      advance(prompt.id, by: .planned)
      put(prompt)
    case .due(let id, _):
      if let prompt = prompt(id) { advance(id, by: .due(at: prompt.dueAt)) }
      awaitNotification(id, from: wall)
    case .ringIntent(let id, let ring, let deadline):
      advance(id, by: .ringIntended(ring, deadline: deadline)) {
        $0.dropUndo()
        $0.ringsIntended = ring.number
      }
    case .ringStarted(let id, let number, _, _): started(id, number, wall)
    case .ringEnded(let id, let number, _, let frames, _, let stopped):
      ended(id, number, isHeard: frames > 0 && !stopped, isStopped: stopped, wall)
    case .ringFailed(let id, let number, _):
      let change = PromptChange.ringOver(number: number, next: stateAfterRing(id, at: wall))
      advance(id, by: change) { $0.ringsFailed += 1 }
    case .ringUncertain(let id, let number, _):
      advance(id, by: .ringUncertain(number: number, next: stateAfterRing(id, at: wall)))
    case .acknowledged, .delayed, .closed, .corrected, .held, .revised, .presented:
      applyAnswer(event, at: wall)
    // A repair changes no field of the prompt. The empty change has one effect: the engine stores
    // the prompt again.
    case .repaired(let id, _): change(id) { _ in }
    case .escalated, .notified, .notificationFailed: applyNotification(event, at: wall)
    case .inactivity(let id, let change): applyInactivity(id, change, at: wall)
    case .supply(let id, let change): applySupply(id, change, at: wall)
    case .clockStep(let milliseconds):
      shiftActive(by: milliseconds)
      shiftInactivity(by: milliseconds)
    case .saidAgain, .suspended, .resumed, .disk, .diary, .notice, .call, .testRing,
      .serviceStarted, .serviceStopped,
      .boot, .heartbeat, .gap, .clockSync, .audioLost, .audioRestored, .audioFallback, .exportMade,
      .purged, .rekeyed, .tzChanged, .tzdataChanged, .denied, .studyNoted,
      .volumeChanged(_, .found):
      break
    case .volumeChanged(let device, .calibrated(let percent)): put(level: percent, of: device)
    case .personAdded(let person), .personChanged(let person):
      change(person.id) { $0.become(person) }
    case .personRemoved(let id, _): change(id) { $0.become(nil) }
    case .personPaused(let id, let pause): change(id) { $0.pause = pause }
    case .personResumed(let id): change(id) { $0.pause = nil }
    case .phaseChanged(let id, let phases):
      change(id) { $0.phases = phases }
      awaitNobodyInControl(of: id)
    case .enrolled(let id, let enrolment): change(id) { $0.enrolments.append(enrolment) }
    case .withdrawn(let id, _): change(id) { $0.withdraw(at: wall) }
    case .unblinded(let id, let study): change(id) { $0.unblind(study) }
    case .erased(let erasure): if case .identity(let id) = erasure { forget(id) }
    case .response(let id, let response):
      change(id) { $0.answers[response.question] = response.number }
    case .rewarded(let id, let date, _, _): change(id) { $0.rewardedOn = date }
    }
  }

  mutating func change(_ id: PersonID, _ edit: (inout PersonState) -> Void) {
    // An event can contain the id of a person whom no caretaker has added. This person gets default
    // settings.
    var state = personState(id) ?? PersonState(id: id, person: Person(id: id, version: 0))
    edit(&state)
    put(state)
  }

  mutating func change(_ id: PromptID, _ edit: (inout Prompt) -> Void) {
    guard var prompt = prompt(id) else { return }
    edit(&prompt)
    put(prompt)
  }

  /// Applies a change to the state of a prompt. `edit` can change other fields of the prompt.
  ///
  /// If the change is impossible, the prompt stays unchanged. The function ignores an unknown
  /// prompt, because it is possible that a purge has removed the rows of this prompt.
  ///
  /// - Parameter edit: a closure that changes other fields of the prompt. `advance` calls this
  ///   closure before `advance` changes the state.
  mutating func advance(
    _ id: PromptID, by change: PromptChange, _ edit: (inout Prompt) -> Void = { _ in }
  ) {
    guard var prompt = prompt(id) else { return }
    do throws(ImpossibleChange) {
      let next = try prompt.state.applying(change)
      edit(&prompt)
      prompt.state = next
      put(prompt)
    } catch {
      refuse(error, of: id)
    }
  }

  private mutating func started(_ id: PromptID, _ number: Int, _ wall: Instant) {
    advance(id, by: .ringStarted(number: number, at: wall)) {
      $0.ringsSounded += 1
      $0.lastSoundedAt = wall
    }
  }

  private mutating func ended(
    _ id: PromptID, _ number: Int, isHeard: Bool, isStopped: Bool, _ wall: Instant
  ) {
    let next = isStopped ? stateAfterStop(id, at: wall) : stateAfterRing(id, at: wall)
    advance(id, by: .ringOver(number: number, next: next)) { if isHeard { $0.isDelivered = true } }
  }

  /// Returns the state of a prompt after its active ring. If the prompt does not ring, the result
  /// is the present state.
  ///
  /// After a power cut or a suspend, it is possible that the daemon notices the end of a ring days
  /// later. Therefore the function uses the deadline of the ring as the end of the ring if the
  /// deadline has passed. The next ring is then due soon after this deadline, and the daemon can
  /// see that this next ring is late.
  func stateAfterRing(_ id: PromptID, at wall: Instant) -> PromptState {
    guard let prompt = prompt(id) else { return .planned }
    guard case .ringing(let ring, let deadline) = prompt.state else { return prompt.state }
    return state(after: ring, of: prompt, at: min(wall, deadline))
  }

  /// Returns the state of a prompt after `ring`, which ended at `wall`.
  func state(after ring: Ring, of prompt: Prompt, at wall: Instant) -> PromptState {
    guard let alarm = alarm(prompt.id.alarm) else { return .expiring(at: wall) }
    let chain = alarm.chain(of: prompt)
    let next = ring.intendedAt.adding(seconds: chain.secondsAfter(ring.index))
    if ring.index + 1 < chain.ringCount {
      return .waiting(ring: ring.index + 1, at: max(next, wall))
    }
    // If quiet hours held a prompt back, its late window starts at the first ring, not at the due
    // time. Therefore the person has as much time to answer this prompt as to answer other prompts.
    let began = ring.intendedAt.adding(seconds: -chain.seconds(to: ring.index))
    let window = max(prompt.dueAt, began).adding(seconds: alarm.lateWindowSeconds)
    return .expiring(at: max(next, window, answerableUntil(prompt, of: alarm) ?? next))
  }
}

/// Computes the state again from all events of a record. The command `verify` compares this state
/// with the stored projections.
public struct Replay: Sendable, EventState {
  /// The newest version of every alarm that is not deleted.
  public private(set) var alarms: [AlarmID: Alarm] = [:]
  public private(set) var deletedAlarms: Set<AlarmID> = []
  /// All prompts of the record, without the prompts that `takeEnded` removed.
  public private(set) var prompts: [PromptID: Prompt] = [:]
  public private(set) var tones: [String: Tone] = [:]
  /// The stored pictures. The key is the SHA-256 of the picture.
  public private(set) var pictures: [String: Picture] = [:]
  public private(set) var supplies: [SupplyID: Supply] = [:]
  /// The lists of holidays. The key is the name of the list.
  public private(set) var holidays: [String: HolidayList] = [:]
  /// All people about whom the record contains at least one event.
  public private(set) var people: [PersonID: PersonState] = [:]
  /// For each sound device, the volume that a caretaker set for rings, in percent of the range of
  /// the sound card.
  public private(set) var levels: [String: Int] = [:]
  /// The first impossible change and the id of its prompt; nil if every change was possible.
  public private(set) var impossible: (prompt: PromptID, change: ImpossibleChange)?
  private var active: Set<PromptID> = []

  public init() {}

  /// Applies the next event of the record.
  public mutating func apply(_ event: Event, at reading: ClockReading) {
    apply(event, at: reading.wall)
  }

  mutating func refuse(_ impossible: ImpossibleChange, of id: PromptID) {
    if self.impossible == nil { self.impossible = (id, impossible) }
  }

  func alarm(_ id: AlarmID) -> Alarm? { alarms[id] }

  func prompt(_ id: PromptID) -> Prompt? { prompts[id] }

  func personState(_ id: PersonID) -> PersonState? {
    people[id] ?? (id == .patient ? .ofNewHome : nil)
  }

  func allPeople() -> [PersonState] { Array(people.values) }

  mutating func put(_ person: PersonState) { people[person.id] = person }

  mutating func forget(_ id: PersonID) {
    guard var state = people[id] else { return }
    for index in state.enrolments.indices { state.enrolments[index].pseudonym = "" }
    people[id] = state
  }

  func activePrompts() -> [Prompt] { active.compactMap { prompts[$0] } }

  mutating func put(_ alarm: Alarm) { alarms[alarm.id] = alarm }

  mutating func delete(_ id: AlarmID) {
    alarms[id] = nil
    deletedAlarms.insert(id)
  }

  mutating func put(_ prompt: Prompt) {
    prompts[prompt.id] = prompt
    switch prompt.state {
    case .planned, .closed: active.remove(prompt.id)
    default: active.insert(prompt.id)
    }
  }

  mutating func put(_ tone: Tone) { tones[tone.name] = tone }

  mutating func drop(tone name: String) { tones[name] = nil }

  /// Removes a closed prompt. The caller must make sure that no later event concerns this prompt.
  ///
  /// - Returns: the prompt; nil if the prompt is open or not known.
  public mutating func takeEnded(_ id: PromptID) -> Prompt? {
    guard let prompt = prompts[id], case .closed = prompt.state else { return nil }
    prompts[id] = nil
    return prompt
  }

  mutating func put(level percent: Int?, of device: String) { levels[device] = percent }

  func picture(_ sha256: String) -> Picture? { pictures[sha256] }

  mutating func put(_ picture: Picture) { pictures[picture.sha256] = picture }

  mutating func drop(picture sha256: String) { pictures[sha256] = nil }

  func supply(_ id: SupplyID) -> Supply? { supplies[id] }

  mutating func put(_ supply: Supply) { supplies[supply.id] = supply }

  mutating func drop(supply id: SupplyID) { supplies[id] = nil }
  mutating func put(holidays list: HolidayList?, named name: String) { holidays[name] = list }
}
