import Alarms
import CivilTime

/// A violation of an invariant.
public struct Violation: Hashable, Sendable {
  /// The id of the invariant, `I1` to `I16`.
  public var invariant: String
  public var what: String
  /// True time since the beginning, in milliseconds.
  public var at: Int64
}

/// Checks the invariants on everything that the daemon records and does.
///
/// It knows only what passes through the ports. It computes by itself what may ring and when,
/// without the code that it judges.
public final class Audit {
  /// The sum of the events.
  private(set) var replay = Replay()
  /// The prompts in the projections, open and closed.
  private(set) var projections: [PromptID: Prompt] = [:]
  private(set) var open: Set<PromptID> = []
  var expectedPrompts: [PromptID: ExpectedPrompt] = [:]
  /// The state that the newest answer to each prompt ended or delayed; nil for a prompt that was
  /// only planned.
  var answered: [PromptID: ExpectedPrompt?] = [:]
  /// The recorded rules about what may not sound.
  var rules = SuppressionModel()
  /// A notification that is recorded and must still be sent.
  struct ExpectedNotification: Hashable {
    var subject: NotifySubject
    var position: Int
  }

  /// A prompt that ended in the present batch.
  struct End {
    var prompt: PromptID
    var outcome: Outcome
    /// Whether a contact was notified before the end of the prompt was written.
    var isNotified: Bool
    /// Whether its alarm had contacts then.
    var hasContacts: Bool
    var at: Instant
  }

  var ends: [End] = []
  /// Prompts with a notification "missed" in the present batch, and its reason. The end of the
  /// prompt must follow in the same batch.
  var notifiedAsMissed: [PromptID: NotifyReason] = [:]
  var expectedNotifications: Set<ExpectedNotification> = []
  /// Notifications with an unknown result.
  var unconfirmed: [ExpectedNotification: UnconfirmedNotification] = [:]
  /// Notifications of missed prompts that failed in the present batch.
  var unreached: Set<ExpectedNotification> = []
  /// Persons for whom a task rang and who answered nothing since. Only persons with an inactivity
  /// rule are in it.
  var unanswered: [PersonID: Unanswered] = [:]
  /// The period of inactivity that the newest answer of each person ended, if any.
  var lastAnswered: [PersonID: (prompt: PromptID, was: Unanswered)] = [:]
  /// When a task last began to sound, in milliseconds of elapsed time.
  var lastTaskCallAt: Int64 = 0
  /// Prompts that were closed at a purge with an untrusted clock. After the clock is corrected,
  /// they can be planned again.
  var unvouched: Set<PromptID> = []
  /// Whether a purge happened. After it, the audit does not know of every prompt whether it ended.
  var wasPurged = false
  /// Every version of every alarm.
  private var versions: [AlarmID: [Int: Alarm]] = [:]
  /// Ended prompts of alarms that count elapsed time, by due time.
  var over: [AlarmID: [Instant: PromptID]] = [:]
  /// A time without events that a gap in the next batch must explain.
  private var owedGap: String?
  /// Events by type.
  private(set) var eventCounts: [String: Int] = [:]
  private(set) var lastReading: ClockReading?
  /// The clock reading of the present batch.
  private(set) var newest: ClockReading?
  private(set) var count = 0
  private(set) var outcomes: [Outcome: Int] = [:]
  private(set) var ringsSounded = 0
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Kinds of trouble that really occurred, to check outcomes that name a cause.
  var troubles: Set<String> = []
  var crashes = 0
  private(set) var violations: [Violation] = []
  private(set) var recent: [Record] = []
  /// Whether a write failed since the daemon started. The daemon may know more than the record.
  var wasUnwritable = false
  /// The present zones, set by the world.
  var environment: Environment?
  /// Batches whose write failed. They may or may not be in the record.
  private var doubtful: [(records: [Record], changes: StateDelta, crashes: Int)] = []
  /// Time in which the self-audit finds a lost step, in milliseconds; 0 if no step is lost. The
  /// world sets it.
  var graceMilliseconds: Int64 = 0
  /// Since when a prompt is due that may be lost, in true time.
  var dueSince: [PromptID: Int64] = [:]
  /// True time, set by the world.
  var time: Int64 = 0

  func fail(_ invariant: String, _ what: String) {
    violations.append(Violation(invariant: invariant, what: what, at: time))
  }

  /// Checks a batch that is now durable.
  func recorded(_ records: [Record], _ changes: StateDelta) {
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
    for record in records {
      eventCounts[record.event.type, default: 0] += 1
      rules.apply(record)
      check(record)
      watchInactivity(record)
      watchNotification(record.event)
      keepVersion(record.event)
      replay.apply(record.event, at: record.reading)
      if let id = record.event.promptID { touched.insert(id) }
      if case .clockStep = record.event { shifts = true }
    }
    for (id, prompt) in changes.prompts {
      projections[id] = prompt
      if prompt.state.isOpen { open.insert(id) } else { open.remove(id) }
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
    checkInactivities(records)
    checkUnconfirmed(records)
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

  private func keepVersion(_ event: Event) {
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm):
      versions[alarm.id, default: [:]][alarm.version] = alarm
    default: break
    }
  }

  /// A closed prompt from the record, with its alarm version.
  ///
  /// - Returns: nil if the record may not contain it any more.
  func past(_ id: PromptID) -> PastPrompt? {
    guard !wasPurged, let prompt = projections[id] else { return nil }
    return versions[id.alarm]?[prompt.alarmVersion].map { PastPrompt(prompt: prompt, alarm: $0) }
  }

  /// Checks that every second is monitored or explained: between two rows far apart there is a gap.
  private func checkGaps(_ records: [Record]) {
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
      // Events that waited for the disk come first. The gap of that wait is in the next batch.
      if wasUnwritable { owedGap = missingGap } else { fail("I8", missingGap) }
    }
  }

  /// Adds type, prompt and time of an event to the digest (FNV-1a).
  private func digest(_ record: Record) {
    func add(_ number: UInt64) { digest = (digest ^ number) &* 0x100_0000_01B3 }
    add(UInt64(bitPattern: record.reading.wall.milliseconds))
    for byte in record.event.type.utf8 { add(UInt64(byte)) }
    if let id = record.event.promptID {
      add(UInt64(bitPattern: id.nominalKey))
      add(UInt64(bitPattern: id.alarm.number))
    }
  }

  func count(_ outcome: Outcome, by change: Int = 1) {
    let sum = outcomes[outcome, default: 0] + change
    outcomes[outcome] = sum == 0 ? nil : sum
  }

  func countSound() { ringsSounded += 1 }

  /// Notes a batch whose write failed. It may be in the record all the same.
  func doubt(_ records: [Record], _ changes: StateDelta) {
    doubtful.append((records, changes, crashes))
  }

  /// Checks that a restart restored everything that was acknowledged.
  func restored(_ snapshot: HomeSnapshot, count found: Int) {
    let kept = doubtful.last {
      count + $0.records.count == found
        && $0.records.last?.reading.asRecorded == snapshot.lastRecord?.reading
    }
    if let kept, found > count {
      // The batch was decided before the crash.
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
  }

  /// Checks the record with its own verification at the end.
  func closed(_ store: any RecordStore) {
    do {
      if let fault = try store.fault() { fail("I7", fault) }
    } catch {
      fail("I7", "the record cannot be read: \(error)")
    }
  }
}
