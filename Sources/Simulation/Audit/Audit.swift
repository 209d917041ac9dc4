import Alarms
import CivilTime

/// A promise that was broken.
public struct Violation: Hashable, Sendable {
  /// Which invariant, `I1` to `I16`.
  public var invariant: String
  public var what: String
  /// True time in milliseconds since the beginning.
  public var at: Int64
}

/// Watches everything that the daemon records and does, and holds the invariants against it.
///
/// It knows only what comes through the ports, and works out for itself what may ring when: it does
/// not ask the code that it judges.
public final class Audit {
  /// What the events add up to.
  private(set) var replay = Replay()
  /// What the changes say, open and closed.
  private(set) var projections: [PromptID: Prompt] = [:]
  private(set) var open: Set<PromptID> = []
  var courses: [PromptID: ExpectedPrompt] = [:]
  /// What the newest answer to each prompt ended or put off; nil for what was only planned.
  var answered: [PromptID: ExpectedPrompt?] = [:]
  /// What people and caretakers have said may not sound, as it was recorded.
  var rules = SuppressionModel()
  /// Somebody who is recorded as being told, and is still to be told.
  struct ExpectedNotification: Hashable {
    var subject: NotifySubject
    var position: Int
  }

  /// A prompt that came to its end in the batch that is looked at.
  struct End {
    var prompt: PromptID
    var outcome: Outcome
    /// Whether somebody was told of it before its end was written.
    var isTold: Bool
    /// Whether its alarm had anybody to tell then.
    var hasContacts: Bool
    var at: Instant
  }

  var ends: [End] = []
  /// Of what somebody is told that it was missed, and how, in the batch that is looked at, before its end is written.
  var toldAsMissed: [PromptID: NotifyReason] = [:]
  var expectedNotifications: Set<ExpectedNotification> = []
  /// Of whom it is not known whether they were told.
  var unconfirmed: [ExpectedNotification: UnconfirmedNotification] = [:]
  /// Who could not be told of what was missed, in the batch that is looked at.
  var unreached: Set<ExpectedNotification> = []
  /// Who was called, has answered nothing, and is to be told of.
  var unanswered: [PersonID: Unanswered] = [:]
  /// What the newest answer of each person ended, where it ended any.
  var lastAnswered: [PersonID: (prompt: PromptID, was: Unanswered)] = [:]
  /// When a task last began to sound, in milliseconds of elapsed time.
  var lastTaskCallAt: Int64 = 0
  /// What was over when the record was purged under a clock that nothing vouched for: put back, it may bring them
  /// again.
  var unvouched: Set<PromptID> = []
  /// Whether it is not known of everything any more that it is over.
  var wasPurged = false
  /// Every version of every alarm.
  private var versions: [AlarmID: [Int: Alarm]] = [:]
  /// What has ended of alarms that count elapsed time, by when it was due.
  var over: [AlarmID: [Instant: PromptID]] = [:]
  /// A silence that the next batch has to explain.
  private var owedGap: String?
  /// Events by type.
  private(set) var eventCounts: [String: Int] = [:]
  private(set) var lastReading: ClockReading?
  /// When the batch that is looked at was written.
  private(set) var newest: ClockReading?
  private(set) var count = 0
  private(set) var outcomes: [Outcome: Int] = [:]
  private(set) var ringsSounded = 0
  private(set) var digest: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Kinds of trouble that were really there, for outcomes that claim one.
  var troubles: Set<String> = []
  var crashes = 0
  private(set) var violations: [Violation] = []
  private(set) var recent: [Record] = []
  /// Whether the record could not be written since the daemon started: it may know more than the record.
  var wasUnwritable = false
  /// The zones as they are, set by the world.
  var environment: Environment?
  /// Batches of which nobody knows whether they are in the record: it broke while they were written.
  private var doubtful: [(records: [Record], changes: StateDelta, crashes: Int)] = []
  /// How long a step may be lost before the self-audit finds it, set by the world; 0 where none is lost.
  var graceMilliseconds: Int64 = 0
  /// Since when what may be lost is due, in true time.
  var dueSince: [PromptID: Int64] = [:]
  /// True time, set by the world.
  var time: Int64 = 0

  func fail(_ invariant: String, _ what: String) {
    violations.append(Violation(invariant: invariant, what: what, at: time))
  }

  /// Looks at a batch that has become durable.
  func recorded(_ records: [Record], _ changes: StateDelta) {
    doubtful = []
    if let owed = expectedNotifications.first, !wasUnwritable {
      fail("I3", "the record says that somebody is told of \(owed.subject), and nobody is")
    }
    expectedNotifications = []
    checkGaps(records)
    newest = records.last?.reading
    var touched: Set<PromptID> = []
    var shifts = false
    for record in records {
      eventCounts[record.event.type, default: 0] += 1
      rules.take(record)
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
      if prompt.phase.isOpen { open.insert(id) } else { open.remove(id) }
      touched.insert(id)
    }
    if shifts { touched.formUnion(courses.keys) }
    for id in touched.sorted() where projections[id] != replay.prompts[id] {
      fail(
        "I9",
        "the projection of \(id) is not what the events add up to: "
          + "\(String(describing: projections[id])) and \(String(describing: replay.prompts[id]))")
    }
    checkEnds()
    checkInactivities(records)
    checkUnconfirmed(records)
    for (id, state) in changes.people where replay.people[id] != state {
      fail("I9", "the projection of \(id) is not what the events add up to")
    }
    for (id, alarm) in changes.alarms where replay.alarms[id] != alarm {
      fail("I9", "the projection of alarm \(id) is not what the events add up to")
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

  /// A prompt that is over as the record has it, with its alarm as it was then; nil where there may be none any more.
  func past(_ id: PromptID) -> PastPrompt? {
    guard !wasPurged, let prompt = projections[id] else { return nil }
    return versions[id.alarm]?[prompt.alarmVersion].map { PastPrompt(prompt: prompt, alarm: $0) }
  }

  /// Every second is watched or explained: two rows far apart have a gap between them.
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
      fail("I8", "the service started again, and no gap is recorded")
    }
    if before.bootID != first.reading.bootID {
      fail("I8", "another boot, and no gap is recorded")
    } else if first.reading.bootNanoseconds - before.bootNanoseconds > 16 * 60 * 1_000_000_000 {
      let minutes = (first.reading.bootNanoseconds - before.bootNanoseconds) / 60_000_000_000
      let inactivity = "\(minutes) minutes between two rows, and no gap is recorded"
      // What waited for the disk comes first, and what it says of its wait is next.
      if wasUnwritable { owedGap = inactivity } else { fail("I8", inactivity) }
    }
  }

  /// FNV-1a over what an event is, about what, and when.
  private func digest(_ record: Record) {
    func take(_ number: UInt64) { digest = (digest ^ number) &* 0x100_0000_01B3 }
    take(UInt64(bitPattern: record.reading.wall.milliseconds))
    for byte in record.event.type.utf8 { take(UInt64(byte)) }
    if let id = record.event.promptID {
      take(UInt64(bitPattern: id.nominalKey))
      take(UInt64(bitPattern: id.alarm.number))
    }
  }

  func count(_ outcome: Outcome, by change: Int = 1) {
    let sum = outcomes[outcome, default: 0] + change
    outcomes[outcome] = sum == 0 ? nil : sum
  }

  func countSound() { ringsSounded += 1 }

  /// Whoever waited for this batch was not told that it is recorded, and it may be all the same.
  func doubt(_ records: [Record], _ changes: StateDelta) {
    doubtful.append((records, changes, crashes))
  }

  /// What a restart restored must be what was acknowledged.
  func restored(_ snapshot: HomeSnapshot, count found: Int) {
    let kept = doubtful.last {
      count + $0.records.count == found
        && $0.records.last?.reading.asRecorded == snapshot.lastRecord?.reading
    }
    if let kept, found > count {
      // It was decided before the crash.
      let now = crashes
      crashes = kept.crashes
      recorded(kept.records, kept.changes)
      crashes = now
    }
    doubtful = []
    expectedNotifications = []
    wasUnwritable = false
    if found != count {
      fail("I2", "after a restart there are \(found) events, and \(count) were acknowledged")
    }
    let known = open.compactMap { replay.alarms[$0.alarm] == nil ? nil : projections[$0] }
    if Set(known) != Set(snapshot.openPrompts) {
      fail("I2", "after a restart other prompts are open than before it")
    }
    if Set(snapshot.people) != Set(replay.people.values) {
      fail("I2", "after a restart there are other people than before it")
    }
    if Set(snapshot.alarms) != Set(replay.alarms.values) {
      fail("I2", "after a restart there are other alarms than before it")
    }
  }

  /// What the record says of itself once all is over.
  func closed(_ store: any RecordStore) {
    do {
      if let fault = try store.fault() { fail("I7", fault) }
    } catch {
      fail("I7", "the record cannot be read: \(error)")
    }
  }
}
