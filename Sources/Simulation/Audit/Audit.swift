import Alarms
import CivilTime

/// A violation of an invariant.
public struct Violation: Hashable, Sendable {
  /// The id of the invariant, `I1` to `I22`.
  public var invariant: String
  public var what: String
  /// The true time since the start of the simulation, in milliseconds.
  public var at: Int64
}

/// Checks the invariants for each event that the daemon records and each effect that the daemon
/// causes.
///
/// The audit receives only the data that pass through the ports. The audit has its own code to
/// compute which prompts are allowed to ring, and when. The audit does not use the code of the
/// daemon for this computation.
public struct Audit {
  /// The state that the audit computes from all events.
  private(set) var replay = Replay()
  /// The open and closed prompts in the projections that the daemon wrote.
  private(set) var projections: [PromptID: Prompt] = [:]
  private(set) var open: Set<PromptID> = []
  var expectedPrompts: [PromptID: ExpectedPrompt] = [:]
  /// For each answered prompt, the value in `expectedPrompts` before the newest answer. If a person
  /// undoes the answer, the audit restores this value. The value is nil if the prompt was not due
  /// yet at the time of the answer.
  var answered: [PromptID: ExpectedPrompt?] = [:]
  /// A model of the recorded settings that can silence a prompt, for example quiet hours. The audit
  /// uses the model to check whether the settings allow the sound of a prompt.
  var rules = SuppressionModel()
  /// A notification whose start the daemon has recorded. The daemon must send this notification.
  struct ExpectedNotification: Hashable {
    var subject: NotifySubject
    var position: Int
  }

  /// A prompt that ended in the present batch. A batch is the list of events of one write.
  struct End {
    var prompt: PromptID
    var outcome: Outcome
    /// True if the daemon recorded a notification about the prompt before the prompt ended.
    var isNotified: Bool
    /// True if the alarm of the prompt had contacts when the prompt ended.
    var hasContacts: Bool
    var at: Instant
  }

  var ends: [End] = []
  /// The prompts that a notification in the present batch reports as missed. The value is the
  /// reason in the notification. Each of these prompts must end in the same batch, with the outcome
  /// of this reason.
  var notifiedAsMissed: [PromptID: NotifyReason] = [:]
  var expectedNotifications: Set<ExpectedNotification> = []
  /// The notifications whose result is not recorded.
  var unconfirmed: [ExpectedNotification: UnconfirmedNotification] = [:]
  /// The notifications that report a prompt as missed, and that failed in the present batch.
  var unreached: Set<ExpectedNotification> = []
  /// For each prompt and for each period of inactivity, the contacts that the daemon notified, and
  /// the all-clears of these contacts.
  var allClears: [NotifySubject: ExpectedAllClear] = [:]
  /// For each contact, the days of the ten newest summaries that the contact got.
  var summaries: [String: [CivilDate]] = [:]
  /// The values of `number` in the notices that have no final result yet.
  var waitingNotices: Set<Int64> = []
  /// The prompts whose voice the daemon must say again now, because the daemon has recorded the
  /// request to say the voice again.
  var saidAgain: ArraySlice<PromptID> = []
  /// For each person, the call that has no result yet.
  var calls: [PersonID: ExpectedCall] = [:]
  /// The contacts that got the notice about a call in the present batch.
  var toldNow: Set<String> = []
  /// The people to whom the daemon must announce the result of a call in the present batch. The
  /// value is the number of the call.
  var owedReplies: [PersonID: Int64] = [:]
  /// The notices `answer_undone` that the present batch must contain, because a person undid an
  /// answer.
  var owedUndone: Set<OwedNotice> = []
  var supplies: [SupplyID: ExpectedSupply] = [:]
  /// The amounts that the present batch must take from supplies (`owedUses`), and the amounts that
  /// the present batch must return to supplies after an undo (`owedReturns`).
  var owedUses: Set<OwedSupply> = []
  var owedReturns: Set<OwedSupply> = []
  /// The notices about low supplies that the present batch must contain. The key is a text with the
  /// name of the contact and the name of the supply. The value is the number of notices.
  var owedLow: [String: Int] = [:]
  /// The contacts of the notices about low supplies in the present batch.
  var lowNotices: [String] = []
  /// For each contact, the people about whom the contact gets an all-clear in the present batch.
  var clearedNow: [String: Set<PersonID?>] = [:]
  /// The people who did not answer after a task rang for them. The dictionary contains only people
  /// with an inactivity rule.
  var unanswered: [PersonID: Unanswered] = [:]
  /// The prompt that each person answered last, and the value of `unanswered` before this answer.
  /// If the person undoes the answer, the audit restores this value.
  var lastAnswered: [PersonID: (prompt: PromptID, was: Unanswered)] = [:]
  /// The number of the newest ring that sounded, and the elapsed time at which this ring started.
  /// See `ExpectedPrompt.lastCall`.
  var newestCall: (number: Int, at: Int64) = (0, -1)
  /// The elapsed time at which the newest ring for a task started, in milliseconds.
  var lastTaskCallAt: Int64 = 0
  /// The prompts that were already closed at the time of a purge without `closedBefore`. After such
  /// a purge, the daemon does not know that these prompts were closed. Therefore the daemon can
  /// plan these prompts again.
  var unvouched: Set<PromptID> = []
  /// The due prompts of edited alarms. An edit in the present batch must not end these prompts. If
  /// an edit changes nothing but the label, the instructions, the tone or the picture of an alarm,
  /// the audit adds the due prompts of the alarm to this set.
  var keptByEdit: Set<PromptID> = []
  /// True after the first purge. After a purge, the record no longer contains the events that
  /// closed some of the prompts.
  var wasPurged = false
  /// Every version of every alarm.
  private var versions: [AlarmID: [Int: Alarm]] = [:]
  /// The ids of the ended prompts of each alarm with an elapsed schedule. The inner key is the due
  /// instant.
  var over: [AlarmID: [Instant: PromptID]] = [:]
  /// For each alarm with a latest time of day, the days on which the alarm was due or on which its
  /// prompt ended.
  var daysOver: [AlarmID: Set<Int>] = [:]
  /// The error that the audit reports if the next batch contains no `gap` event. If the next batch
  /// does not need a `gap` event, the value is nil.
  private var owedGap: String?
  /// The number of events of each type.
  private(set) var eventCounts: [String: Int] = [:]
  private(set) var lastReading: ClockReading?
  /// The clock reading of the present batch.
  private(set) var newest: ClockReading?
  private(set) var count = 0
  private(set) var outcomes: [Outcome: Int] = [:]
  private(set) var ringsSounded = 0
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  /// The kinds of faults that have occurred. If the outcome of a prompt names a fault as the cause,
  /// for example a crash, this set must contain this kind of fault.
  var troubles: Set<String> = []
  var crashes = 0
  private(set) var violations: [Violation] = []
  private(set) var recent: [Record] = []
  /// True if a write failed after the last start of the daemon. After a failed write, the daemon
  /// can have events in memory that are not in the record.
  var wasUnwritable = false
  /// The present environment. The world sets this value.
  var environment: Environment?
  /// The clock reading at the newest change of `environment`; nil if `environment` never changed.
  /// The world sets this value.
  var zonesChanged: ClockReading?
  /// The batches whose write reported an error. The record can still contain such a batch, because
  /// the error can come after the write.
  private var doubtful: [(records: [Record], changes: StateDelta, crashes: Int)] = []
  /// The maximum time in milliseconds in which the self-audit must find a missing entry of the due
  /// queue. The simulation can remove such an entry on purpose. The value is 0 if the simulation
  /// removes no entries. The world sets this value.
  var graceMilliseconds: Int64 = 0
  /// The due prompts that the daemon has not handled, for example because their entry in the due
  /// queue is missing. The value is the true time at which the audit first found the prompt, in
  /// milliseconds.
  var dueSince: [PromptID: Int64] = [:]
  /// The present true time in milliseconds. The world sets this value.
  var time: Int64 = 0

  mutating func fail(_ invariant: String, _ what: String) {
    violations.append(Violation(invariant: invariant, what: what, at: time))
  }

  /// Checks a batch after it was written to the record.
  mutating func recorded(_ records: [Record], _ changes: StateDelta) {
    doubtful = []
    if let owed = expectedNotifications.first, !wasUnwritable {
      fail(
        "I3",
        "the record says that a contact was notified about \(owed.subject), but no contact was")
    }
    expectedNotifications = []
    checkGaps(records)
    newest = records.last?.reading
    var touched: Set<PromptID> = []
    var shifts = false
    let isStart = records.contains { if case .serviceStarted = $0.event { true } else { false } }
    for record in records {
      eventCounts[record.event.type, default: 0] += 1
      rules.apply(record)
      check(record)
      watchInactivity(record)
      watchNotification(record.event)
      watchSupplies(record)
      watchNotices(record, isStart: isStart)
      watchCalls(record)
      keepVersion(record.event)
      replay.apply(record.event, at: record.reading)
      if let id = record.event.promptID { touched.insert(id) }
      if case .clockStep = record.event { shifts = true }
    }
    for (id, prompt) in changes.prompts {
      projections[id] = prompt
      if prompt.state.isOpen { open.insert(id) } else { open.remove(id) }
      noteDays(of: prompt)
      touched.insert(id)
    }
    if shifts { touched.formUnion(expectedPrompts.keys) }
    for id in touched.sorted() where projections[id] != replay.prompts[id] {
      fail(
        "I9",
        "the projection of \(id) differs from the replay of the events: "
          + "\(String(describing: projections[id])) and \(String(describing: replay.prompts[id]))")
    }
    checkEnds()
    checkReplaced(records)
    checkKept()
    checkInactivities(records)
    checkUnconfirmed(records)
    checkAllClears()
    checkCalls(records)
    checkAnnouncements(records)
    checkSupplies(changes)
    for (id, state) in changes.people where replay.people[id] != state {
      fail("I9", "the projection of \(id) differs from the replay of the events")
    }
    for (id, alarm) in changes.alarms where replay.alarms[id] != alarm {
      fail("I9", "the projection of alarm \(id) differs from the replay of the events")
    }
    count += records.count
    for record in records { digest(record) }
    recent.append(contentsOf: records)
    if recent.count > 400 { recent.removeFirst(recent.count - 200) }
  }

  private mutating func keepVersion(_ event: Event) {
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm):
      versions[alarm.id, default: [:]][alarm.version] = alarm
    default: break
    }
  }

  /// Returns the closed prompt with this id in the record, and the alarm version that the prompt
  /// used.
  ///
  /// - Returns: nil if the record contains no closed prompt with this id. After the first purge,
  ///   the result is always nil, because the audit does not know which prompts the purge removed.
  func past(_ id: PromptID) -> PastPrompt? {
    guard !wasPurged, let prompt = projections[id] else { return nil }
    return versions[id.alarm]?[prompt.alarmVersion].map { PastPrompt(prompt: prompt, alarm: $0) }
  }

  /// Checks the `gap` events of a batch. A batch is the list of events of one write. In two cases,
  /// the batch must contain a `gap` event: more than 16 minutes have passed since the previous
  /// batch, or the daemon or the device has started since the previous batch.
  private mutating func checkGaps(_ records: [Record]) {
    for record in records {
      if case .gap(let from, let to, let cause) = record.event, from > to {
        fail("I8", "a gap (\(cause.rawValue)) ends before it begins: \(from) to \(to)")
      }
    }
    guard let first = records.first, let last = records.last else { return }
    defer { lastReading = last.reading }
    let isExplained = records.contains { if case .gap = $0.event { true } else { false } }
    if let owed = owedGap, !isExplained { fail("I8", owed) }
    owedGap = nil
    guard let before = lastReading, !isExplained else { return }
    if records.contains(where: { $0.event.type == "service_start" }) {
      fail("I8", "the service started again, but no gap is recorded")
    }
    if before.bootID != first.reading.bootID {
      fail("I8", "the device booted again, but no gap is recorded")
    } else if first.reading.bootNanoseconds - before.bootNanoseconds > 16 * 60 * 1_000_000_000 {
      let minutes = (first.reading.bootNanoseconds - before.bootNanoseconds) / 60_000_000_000
      let missingGap = "two rows are \(minutes) minutes apart, but no gap is recorded"
      // After a failure of the disk, the first batch contains only the backlog, and the event `gap`
      // follows in the next batch. Therefore, the audit expects `gap` in the next batch.
      if wasUnwritable { owedGap = missingGap } else { fail("I8", missingGap) }
    }
  }

  /// Adds the time, the type and the prompt of an event to the digest (FNV-1a).
  private mutating func digest(_ record: Record) {
    func add(_ number: UInt64) { digest = (digest ^ number) &* 0x100_0000_01B3 }
    add(UInt64(bitPattern: record.reading.wall.milliseconds))
    for byte in record.event.type.utf8 { add(UInt64(byte)) }
    if let id = record.event.promptID {
      add(UInt64(bitPattern: id.nominalKey))
      add(UInt64(bitPattern: id.alarm.number))
    }
  }

  mutating func count(_ outcome: Outcome, by change: Int = 1) {
    let sum = outcomes[outcome, default: 0] + change
    outcomes[outcome] = sum == 0 ? nil : sum
  }

  mutating func countSound() { ringsSounded += 1 }

  /// Stores a batch whose write reported an error. The record can still contain this batch. After a
  /// restart, the audit checks whether the record contains the batch.
  mutating func doubt(_ records: [Record], _ changes: StateDelta) {
    doubtful.append((records, changes, crashes))
  }

  /// After a restart, checks that the record contains every event whose write succeeded. The
  /// function also checks the restored state.
  mutating func restored(_ snapshot: HomeSnapshot, count found: Int) {
    let kept = doubtful.last {
      count + $0.records.count == found
        && $0.records.last?.reading.asRecorded == snapshot.lastRecord?.reading
    }
    if let kept, found > count {
      // The write of the batch `kept` reported an error, but the record contains the batch. The
      // daemon created the batch before the crash. Therefore, check the batch with the number of
      // crashes at the time when the daemon created the batch.
      let now = crashes
      crashes = kept.crashes
      recorded(kept.records, kept.changes)
      crashes = now
    }
    doubtful = []
    expectedNotifications = []
    wasUnwritable = false
    if found != count {
      fail("I2", "after a restart the record has \(found) events, but \(count) were acknowledged")
    }
    let known = open.compactMap { replay.alarms[$0.alarm] == nil ? nil : projections[$0] }
    if Set(known) != Set(snapshot.openPrompts) {
      fail("I2", "after a restart the open prompts differ from those before it")
    }
    if Set(snapshot.people) != Set(replay.people.values) {
      fail("I2", "after a restart the people differ from those before it")
    }
    if Set(snapshot.alarms) != Set(replay.alarms.values) {
      fail("I2", "after a restart the alarms differ from those before it")
    }
    if Set(snapshot.supplies) != Set(replay.supplies.values) {
      fail("I2", "after a restart the supplies differ from those before it")
    }
  }

  /// Checks the record at the end of the simulation. The function `RecordStore.fault` must find no
  /// fault.
  mutating func closed(_ store: any RecordStore) {
    do {
      if let fault = try store.fault() { fail("I7", fault) }
    } catch {
      fail("I7", "the record cannot be read: \(error)")
    }
  }
}
