import CivilTime

/// The present state of a home: alarms, open prompts, tones and people.
///
/// The state is a value type. `step` reads the state and returns changes. The engine merges the
/// changes after it has recorded the events.
public struct HomeState: Sendable, HasVolatileState {
  public let limits: HomeLimits
  var entries: [AlarmID: Entry] = [:]
  private(set) var prompts = PromptTable()
  var active: Set<PromptID> = []
  /// The announcements in `active`.
  private var announcements: Set<PromptID> = []
  /// The closed prompts that stay in memory because their answers can still be undone.
  private(set) var answered: Set<PromptID> = []
  public internal(set) var tones: [String: Tone] = [:]
  /// The stored pictures. The key is the SHA-256 of the picture.
  public internal(set) var pictures: [String: Picture] = [:]
  public internal(set) var supplies: [SupplyID: Supply] = [:]
  /// The lists of holidays. The key is the name of the list.
  public internal(set) var holidays: [String: HolidayList] = [:]
  /// All people about whom the record contains at least one event.
  public internal(set) var people: [PersonID: PersonState] = [:]
  /// For each person, the instant at which the daemon notifies the next contact about inactivity.
  public private(set) var inactivitySteps: [PersonID: Instant] = [:]
  /// For each sound device, the volume that a caretaker set for rings, in percent of the range of
  /// the sound card.
  public internal(set) var levels: [String: Int] = [:]
  /// The due prompts that wait for the speaker.
  private(set) var speakerQueue = SpeakerQueue()
  /// For each alarm, the other alarms that are due after an answer to this alarm.
  var followers: [AlarmID: Set<AlarmID>] = [:]
  /// The number and size of each user's alarms, recordings and pictures.
  var holdings = Holdings()
  /// For each contact, the number of alarms with this contact in their escalation.
  public internal(set) var alarmsByContact: [String: Int] = [:]
  var volatile = VolatileState()
  public internal(set) var speaker: SpeakerHealth {
    get { volatile.speaker }
    set { volatile.speaker = newValue }
  }
  var queue = DueQueue()
  /// The notifications about missed prompts for which the record contains no result. The daemon
  /// repeats these notifications when it starts.
  private(set) var unconfirmed: [UnconfirmedNotification] = []

  /// - Parameter snapshot: the state that the logbook restored.
  public init(snapshot: HomeSnapshot, limits: HomeLimits, environment: Environment) {
    self.limits = limits
    clock.lastRecord = snapshot.lastRecord
    people = snapshot.isPatientForgotten ? [:] : [.patient: .ofNewHome]
    for person in snapshot.people { people[person.id] = person }
    recentRings = snapshot.recentRings
    levels = snapshot.levels
    entries.reserveCapacity(snapshot.alarms.count)
    prompts.reserveCapacity(snapshot.openPrompts.count)
    var interner = Interner(environment)
    for alarm in snapshot.alarms {
      let alarm = interner.sharing(alarm)
      entries[alarm.id] = Entry(
        alarm: alarm, plan: interner.plan(for: alarm),
        closedNominals: snapshot.closedNominals[alarm.id] ?? [],
        closedInstants: snapshot.closedInstants[alarm.id] ?? [],
        unheardNominals: snapshot.unheardNominals[alarm.id] ?? [],
        unheardInstants: snapshot.unheardInstants[alarm.id] ?? [],
        creator: snapshot.alarmCreators[alarm.id])
      holdings.count(alarm, of: snapshot.alarmCreators[alarm.id], by: 1)
      if let anchor = alarm.schedule.anchorAlarm { followers[anchor, default: []].insert(alarm.id) }
      countContacts(of: alarm, by: 1)
    }
    markPurged(snapshot, environment)
    for tone in snapshot.tones { tones[tone.name] = tone }
    for picture in snapshot.pictures { pictures[picture.sha256] = picture }
    for supply in snapshot.supplies { supplies[supply.id] = supply }
    for list in snapshot.holidays { holidays[list.name] = list }
    holdings.pictures = snapshot.uploaders
    holdings.tones = snapshot.toneAdders
    for prompt in snapshot.openPrompts { file(interner.sharing(prompt)) }
    for prompt in snapshot.answeredPrompts { file(prompt) }
    unconfirmed = snapshot.unconfirmed
    notices = snapshot.notices
    mismatches = snapshot.mismatches
    for stray in mismatches { file(stray.prompt) }
    updateInactivitySteps(environment)
  }

  /// The instant of the next summary for any contact; nil if no contact gets summaries.
  private(set) var nextSummaryAt: Instant?

  /// The notices to contacts.
  public var noticeBook: NoticeBook { notices }

  /// The newest row of the record at the time when the logbook restored this state.
  public var lastRecord: HomeSnapshot.LastRecord? { clock.lastRecord }

  /// Every alarm that is not deleted.
  public var alarms: some Collection<Alarm> { entries.values.lazy.map(\.alarm) }

  /// Returns the newest version of an alarm; nil if the alarm is deleted or unknown.
  public func alarm(_ id: AlarmID) -> Alarm? { entries[id]?.alarm }

  /// Returns the open prompt with this id; nil if the prompt is closed or unknown.
  public func prompt(_ id: PromptID) -> Prompt? {
    prompts[id].flatMap { $0.state.isOpen ? $0 : nil }
  }

  /// Returns true if a prompt is open, or if a person can still undo the answer to the prompt.
  public func isKnown(_ id: PromptID) -> Bool { prompts.contains(id) }

  /// Every open prompt, in no defined order.
  public var openPrompts: some Collection<Prompt> { prompts.values.lazy.filter(\.state.isOpen) }

  /// Calls `body` for every open prompt, in no defined order. This is faster than `openPrompts`.
  public func forEachOpenPrompt(_ body: (Prompt) -> Void) {
    for prompt in prompts.values where prompt.state.isOpen { body(prompt) }
  }

  /// The number of open prompts.
  public var openPromptCount: Int {
    let leftSounding = activeRing?.members.count { isLeftSounding($0.prompt) }
    return prompts.count - answered.count - (leftSounding ?? 0)
  }

  /// The number of prompts in `waitingPrompts`.
  public var waitingPromptCount: Int { active.count - announcements.count }

  /// The earliest instant at which `step` must handle an open prompt. If a prompt waits for the
  /// speaker, this instant has already passed.
  public var nextStep: Instant? {
    [queue.first?.at, speakerQueue.longestSince].compactMap(\.self).min()
  }

  /// The prompt whose ring uses the speaker now; nil if the speaker is free.
  public var sounding: PromptID? { activeRing?.prompt }

  /// The instant at which the engine must call `step` next; nil if nothing is pending.
  public var nextWake: Instant? {
    [
      queue.first?.at, activeRing?.deadline, inactivitySteps.values.min(), nextSummaryAt,
      nextAnnouncementEnd,
    ].compactMap(\.self).min()
  }

  /// Returns at most `limit` open prompts that `step` must handle at `wall`, earliest first.
  func due(at wall: Instant, limit: Int) -> [PromptID] {
    queue.due(at: wall, limit: limit) { isCurrent($0) }
  }

  /// Checks all open prompts. Returns the prompts that are missing from the due queue or the
  /// speaker queue.
  func lostPrompts() -> [PromptID] {
    let (awaited, placed) = (queue.all, speakerQueue.placed)
    return prompts.values.filter { prompt in
      guard let at = prompt.stateStepAt else { return false }
      let hasStep =
        speakerQueue.contains(prompt.id) && placed.contains(prompt.id)
        || awaited.contains(.init(at: at, prompt: prompt.id))
      let hasNotification =
        prompt.notifyProgress.nextAt.map { awaited.contains(.init(at: $0, prompt: prompt.id)) }
        ?? true
      return !hasStep || !hasNotification
    }.map(\.id).sorted()
  }

  /// Returns the next occurrences of an alarm, without paused occurrences.
  public func nextOccurrences(of id: AlarmID, after wall: Instant, count: Int) -> [Occurrence] {
    guard let entry = entries[id], let plan = entry.plan,
      let from = people[entry.alarm.person].map({ $0.ringsAfter(wall) }) ?? wall
    else { return [] }
    if case .after = entry.alarm.schedule {
      // If the due times depend on answers, only the due times of planned prompts are known.
      return openPrompts(of: id).filter {
        $0.state == .planned && $0.dueAt > from
      }
      .sorted { $0.dueAt < $1.dueAt }.prefix(count).map(\.occurrence)
    }
    return plan.rings(after: from, count: count, pauses: entry.alarm.pauses) { next in
      name(of: next, of: id) != nil
    }
  }

  /// Returns the open prompts of an alarm, in no defined order.
  func openPrompts(of id: AlarmID) -> [Prompt] {
    (entries[id]?.open.keys ?? []).compactMap { prompts[PromptID(alarm: id, nominalKey: $0)] }
  }

  private func isCurrent(_ item: DueQueue.Item) -> Bool {
    guard let prompt = prompts[item.prompt], prompt.state.isOpen else { return false }
    // `item` is an entry of the due queue. If the prompt is also in the speaker queue, the daemon
    // starts the next ring from the speaker queue, and uses `item` only for the next notification.
    return prompt.stateStepAt == item.at && !speakerQueue.contains(item.prompt)
      || prompt.notifyProgress.nextAt == item.at
  }

  /// Returns true if an entry of the speaker queue is not outdated. For an entry of the heap
  /// `limits`, the function checks only that the prompt is in the queue.
  private func isHeld(_ place: DueQueue.Item, _ order: SpeakerQueue.Order) -> Bool {
    speakerQueue.contains(place.prompt)
      && (order == .limits || prompts[place.prompt]?.stateStepAt == place.at)
  }

  /// Returns at most `limit` prompts of the speaker queue for which `isWanted` is true, in order.
  func headOfQueue(limit: Int, where isWanted: (PromptID) -> Bool) -> [Prompt] {
    var found: [Prompt] = []
    for place in speakerQueue.places {
      guard found.count < limit else { break }
      guard speakerQueue.contains(place.prompt), place.prompt != found.last?.id,
        isWanted(place.prompt),
        let prompt = prompts[place.prompt], prompt.stateStepAt == place.at
      else { continue }
      found.append(prompt)
    }
    return found
  }

  /// Returns at most `limit` prompts of the speaker queue whose late window has passed. An entry of
  /// the queue can be outdated, so the caller must check the late window of each prompt.
  func overdueInQueue(
    at wall: Instant, limit: Int, where isWanted: (PromptID) -> Bool
  ) -> [Prompt] {
    var seen: Set<PromptID> = []
    for place in speakerQueue.overdue(at: wall) {
      guard seen.count < limit else { break }
      if speakerQueue.contains(place.prompt), isWanted(place.prompt) { seen.insert(place.prompt) }
    }
    return seen.compactMap { prompts[$0] }
  }

  /// Returns true if the prompt is closed and its answer cannot be undone. The home keeps such a
  /// prompt only for the present ring.
  private func isLeftSounding(_ id: PromptID) -> Bool {
    !answered.contains(id) && prompts[id]?.state.isOpen == false
  }

  private mutating func joinSpeakerQueue(_ id: PromptID) {
    guard let prompt = prompts[id], let since = prompt.stateStepAt, let entry = entries[id.alarm]
    else { return }
    speakerQueue.join(
      id, since: since, isUrgent: entry.alarm.isUrgent(prompt),
      limit: (prompt.lateSince ?? since).adding(seconds: entry.alarm.lateWindowSeconds))
  }

  private mutating func file(_ prompt: Prompt) {
    let id = prompt.id
    speakerQueue.leave(id)
    guard let at = prompt.stateStepAt else {
      entries[id.alarm]?.close(prompt)
      active.remove(id)
      announcements.remove(id)
      let mayBeUndone = prompt.lastAnswer?.before != nil
      if mayBeUndone { answered.insert(id) }
      // If the player is stopping a ring of the prompt, the prompt stays in memory until the player
      // reports the end of the ring.
      prompts[id] = mayBeUndone || activeRing?.contains(id) == true ? prompt : nil
      return
    }
    if answered.remove(id) != nil { entries[id.alarm]?.reopen(prompt) }
    prompts[id] = prompt
    entries[id.alarm]?.open(prompt)
    if case .planned = prompt.state {
      active.remove(id)
      announcements.remove(id)
    } else {
      active.insert(id)
      if entries[id.alarm]?.alarm.isAnnouncement == true { announcements.insert(id) }
    }
    queue.insert(DueQueue.Item(at: at, prompt: id))
    if let notify = prompt.notifyProgress.nextAt {
      queue.insert(DueQueue.Item(at: notify, prompt: id))
    }
  }
}

extension HomeState {
  /// Merges a recorded decision into the state.
  public mutating func merge(_ decision: Decision, environment: Environment) {
    let former = activeRing
    let isSet = clock.isSet(before: decision.volatile.clock)
    volatile = decision.volatile
    let changes = decision.changes
    for alarm in changes.alarms.values {
      let plan = environment.plan(for: alarm)
      follow(alarm.schedule.anchorAlarm, by: alarm.id)
      if let former = entries[alarm.id]?.alarm { countContacts(of: former, by: -1) }
      countContacts(of: alarm, by: 1)
      define(alarm, plan, creator: decision.creator(of: alarm.id))
    }
    holdings.note(decision.records)
    for prompt in changes.prompts.values { file(prompt) }
    for id in changes.deletedAlarms {
      follow(nil, by: id)
      if let entry = entries[id] {
        countContacts(of: entry.alarm, by: -1)
        holdings.count(entry.alarm, of: entry.creator, by: -1)
      }
      entries[id] = nil
    }
    if decision.replansAll {
      var interner = Interner(environment)
      for (id, entry) in entries {
        entries[id]?.define(entry.alarm, interner.plan(for: entry.alarm))
      }
    }
    for tone in changes.tones.values { tones[tone.name] = tone }
    for name in changes.removedTones { tones[name] = nil }
    pictures.merge(changes.pictures) { _, new in new }
    for sha256 in changes.removedPictures { pictures[sha256] = nil }
    supplies.merge(changes.supplies) { _, new in new }
    for id in changes.removedSupplies { supplies[id] = nil }
    people.merge(changes.people) { _, new in new }
    for (device, percent) in changes.levels { levels[device] = percent }
    for (name, list) in changes.holidays { holidays[name] = list }
    for id in changes.forgottenPeople { people[id] = nil }
    if !changes.people.isEmpty || !changes.forgottenPeople.isEmpty || decision.replansAll
      || isInactivityLeft(at: clock.lastLook?.wall ?? .distantPast)
    {
      updateInactivitySteps(environment)
    }
    unconfirmed = []
    nextSummaryAt = nextSummary(in: environment)
    if isSet { dropNotYetDue() }
    for id in decision.readied { joinSpeakerQueue(id) }
    for member in former?.members ?? [] where activeRing?.contains(member.prompt) != true {
      if isLeftSounding(member.prompt) { prompts[member.prompt] = nil }
    }
    forgetAnswers(all: isSet)
    settle()
  }

  /// Returns true if a notification about inactivity is still overdue after `step`. The time of
  /// such a notification was computed with outdated zones.
  private func isInactivityLeft(at wall: Instant) -> Bool {
    inactivitySteps.values.contains { $0 <= wall }
  }

  private mutating func updateInactivitySteps(_ environment: Environment) {
    inactivitySteps = people.compactMapValues { $0.inactivityStep(in: environment) }
  }

  /// After somebody set the clock back, removes from the speaker queue each prompt whose next ring
  /// is in the future again.
  private mutating func dropNotYetDue() {
    guard let wall = clock.lastLook?.wall else { return }
    for id in speakerQueue.members {
      guard let prompt = prompts[id], let at = prompt.stateStepAt, at > wall else { continue }
      file(prompt)
    }
  }

  /// Removes the outdated entries at the start of `queue` and of each list in the speaker queue.
  private mutating func settle() {
    while let first = queue.first, !isCurrent(first) { queue.removeFirst() }
    if speakerQueue.isEmpty { speakerQueue = SpeakerQueue() }
    for order in SpeakerQueue.Order.allCases {
      while let first = speakerQueue.first(order), !isHeld(first, order) {
        speakerQueue.removeFirst(order)
      }
    }
  }

  /// Removes the closed prompts whose answers can no longer be undone.
  ///
  /// - Parameter all: true if the wall clock was set. In this case, the ages of the answers are
  ///   unknown, so the function removes all closed prompts.
  private mutating func forgetAnswers(all: Bool) {
    guard !answered.isEmpty, let wall = clock.lastLook?.wall else { return }
    for id in answered where all || prompts[id]?.lastAnswer?.isRecent(at: wall) != true {
      answered.remove(id)
      if activeRing?.contains(id) != true { prompts[id] = nil }
    }
  }

  /// Updates `followers`. Call this function before the entry of the alarm changes, because the
  /// function reads the former anchor from this entry.
  private mutating func follow(_ anchor: AlarmID?, by id: AlarmID) {
    let former = entries[id]?.alarm.schedule.anchorAlarm
    if former == anchor {
      if let anchor { followers[anchor, default: []].insert(id) }
      return
    }
    if let former {
      followers[former]?.remove(id)
      if followers[former]?.isEmpty == true { followers[former] = nil }
    }
    if let anchor { followers[anchor, default: []].insert(id) }
  }
}

extension Environment {
  /// Returns the plan of an alarm. The result is nil if the system does not know the zone of the
  /// alarm, or if the schedule is not valid in this zone.
  func plan(for alarm: Alarm) -> SchedulePlan? {
    guard let zone = zone(of: alarm) else { return nil }
    // The schedule was valid when a caretaker saved the alarm. Therefore `SchedulePlan` can fail
    // only if the tzdata of the zone changed after the alarm was saved.
    return try? SchedulePlan(alarm, zone: zone)
  }
}
