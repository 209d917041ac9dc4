import CivilTime
import Foundation

@testable import Alarms

/// A home whose clock moves only if a test moves it, and whose player plays each sound.
///
/// The fixture keeps every record. The function `timeline` draws the sounds as text, with one
/// character for each tick. A tick is a period of 10 seconds if the test gives no other length.
struct CoreFixture {
  static let anna = Actor(role: .caretaker, id: "uid:1000", source: "socket")
  static let berlin: Zone = {
    let path = "/usr/share/zoneinfo/Europe/Berlin"
    guard let file = FileManager.default.contents(atPath: path),
      let zone = try? Zone(name: "Europe/Berlin", tzif: Array(file))
    else { preconditionFailure("the system has no Europe/Berlin") }
    return zone
  }()

  var home: HomeState
  var now = ClockReading(
    wall: Instant(seconds: 1_800_000_000), bootNanoseconds: 1_000_000_000_000, bootID: "boot-1",
    clockState: .synced)
  var records: [Record] = []
  /// The largest number of events in one decision so far.
  private(set) var longestDecision = 0
  /// The length of each ring, in seconds.
  var ringSeconds: Int64 = 2
  /// Whether the player has no working speaker.
  var isSpeakerBroken = false
  /// Whether the player accepts orders and never reports anything.
  var isPlayerSilent = false
  /// Whether each ring begins and then fails.
  var failsMidRing = false
  /// Contacts whose command always fails.
  var unreachable: Set<String> = []
  /// The purged period. The record no longer contains the closed prompts that were due in this
  /// period.
  var purged: Range<Instant>?
  /// Whether the commands that notify contacts never end.
  var isNotifierSilent = false
  /// The notifications of escalations and of inactivity.
  private(set) var notified: [ContactNotification] = []
  /// The notices that the home sent. A notice is not part of an escalation.
  private(set) var sentNotices: [ContactNotification] = []
  private(set) var cancelledNotifications: [NotifySubject] = []
  /// Whether the daemon is killed before it writes a summary.
  var isSummaryLost = false
  private(set) var writtenSummaries: [String] = []
  private(set) var played: [PlayOrder] = []
  private(set) var rehearsed: [SpokenWords] = []
  private(set) var levels: [String: Int?] = [:]
  private(set) var sounding: (order: PlayOrder, until: Instant)?
  private(set) var replay = Replay()
  /// The characters that `timeline` has drawn so far for the current tick.
  private var drawn: [Character] = []
  var environment = {
    var environment = Environment(homeZone: berlin, tzdataVersion: "test") {
      $0 == berlin.name ? berlin : $0 == "UTC" ? .utc : nil
    }
    environment.contacts = ["anna", "bob"]
    return environment
  }()

  init(limits: HomeLimits = .standard) {
    home = HomeState(snapshot: HomeSnapshot(), limits: limits, environment: environment)
    do { try handle(.started(Start(version: "test"))) } catch { preconditionFailure("\(error)") }
  }

  /// Processes an input in the same order as the engine: decide, record, merge, act.
  @discardableResult
  mutating func handle(_ input: Input) throws(Refusal) -> Reply? {
    let awaited = home.nextWake
    let decision = try step(home, input, at: now, in: environment)
    longestDecision = max(longestDecision, decision.records.count)
    for record in decision.records {
      records.append(record)
      replay.apply(record.event, at: record.reading)
    }
    home.merge(decision, environment: environment)
    checkCounts()
    precondition(
      !decision.isIdle || awaited == nil || awaited! > now.wall || awaited != home.nextWake,
      "the daemon handles the same due prompts again and again")
    for effect in decision.effects { act(effect) }
    if decision.isMoreDue { try handle(.woke) }
    return decision.reply
  }

  /// Compares the counts and the `nextStep` of the home with its prompts.
  ///
  /// In a home with fewer than 50 open prompts, the check runs after each input. In a larger home,
  /// the check runs less often, because it reads all prompts.
  private func checkCounts() {
    guard records.count % (1 + home.openPromptCount / 50) == 0 else { return }
    precondition(home.openPromptCount == home.openPrompts.count)
    precondition(home.waitingPromptCount == home.waitingPrompts.count)
    precondition(home.nextStep == home.openPrompts.compactMap(\.nextStepAt).min())
  }

  private mutating func act(_ effect: Effect) {
    switch effect {
    case .play(let order):
      played.append(order)
      if isSpeakerBroken {
        handle(.failed(order.prompt, ring: order.ring, reason: "there is no speaker"))
        return
      }
      if isPlayerSilent { return }
      precondition(sounding == nil, "two voices at once")
      sounding = (order, now.wall.adding(seconds: ringSeconds))
      drawn.append(order.isAgain ? "+" : Character(String(order.ring % 10)))
      handle(.started(order.prompt, ring: order.ring, device: "card0"))
    case .rehearse(let words): rehearsed.append(words)
    case .setLevel(let device, let percent): levels[device] = .some(percent)
    case .stop(let prompt, let ring):
      guard let order = sounding?.order, order.prompt == prompt, order.ring == ring else { return }
      drawn.append("x")
      sounding = nil
      handle(
        .ended(prompt, ring: ring, device: "card0", frames: 1_000, xruns: 0, stopped: true))
    case .notify(let order): notify(order)
    case .writeSummary(let contact, let day):
      writtenSummaries.append("\(contact) \(day)")
      if isSummaryLost { return }
      do {
        try handle(
          .command(.sendSummary(contact: contact, day, text: "Summary"), .daemon("summary")))
      } catch { preconditionFailure("\(error)") }
    case .cancelNotification(let subject): cancelledNotifications.append(subject)
    }
  }

  private mutating func notify(_ order: ContactNotification) {
    let initial = order.contact.prefix(1)
    if case .notice = order.subject {
      sentNotices.append(order)
      drawn.append(Character(initial.lowercased()))
    } else {
      notified.append(order)
      drawn.append(Character(initial.uppercased()))
    }
    if isNotifierSilent { return }
    let result: NotifyResult.Result =
      unreachable.contains(order.contact) ? .failed(reason: "no network", isLast: true) : .notified
    let report = NotifyResult(
      subject: order.subject, position: order.position, contact: order.contact, attempt: 1,
      reason: order.reason, result: result)
    do { try handle(.notifyResult(report)) } catch { preconditionFailure("\(error)") }
  }

  private mutating func handle(_ report: SoundReport) {
    do { try handle(.sound(report)) } catch { preconditionFailure("\(error)") }
  }

  /// Lets time pass, and wakes the home at each instant at which an action is due.
  mutating func pass(seconds: Int64) {
    let end = now.wall.adding(seconds: seconds)
    while true {
      let wake = home.nextWake ?? .distantFuture
      let quiet = sounding?.until ?? .distantFuture
      let next = min(wake, quiet)
      guard next <= end else { break }
      move(to: max(next, now.wall))
      if quiet <= wake, let (order, _) = sounding {
        sounding = nil
        if failsMidRing {
          handle(.failed(order.prompt, ring: order.ring, reason: "the speaker was unplugged"))
          continue
        }
        handle(
          .ended(
            order.prompt, ring: order.ring, device: "card0",
            frames: Int(ringSeconds) * 48_000, xruns: 0, stopped: false))
      } else {
        do { try handle(.woke) } catch { preconditionFailure("\(error)") }
      }
    }
    move(to: end)
  }

  /// Moves the wall clock and the boot time forward by the same time.
  mutating func move(to wall: Instant) {
    now.bootNanoseconds += (wall.milliseconds - now.wall.milliseconds) * 1_000_000
    now.wall = wall
  }

  /// Sets the wall clock forward or back, as a person can do, and lets the daemon notice the step.
  mutating func stepClock(seconds: Int64) {
    now.wall = now.wall.adding(seconds: seconds)
    if let (order, until) = sounding { sounding = (order, until.adding(seconds: seconds)) }
    do { try handle(.woke) } catch { preconditionFailure("\(error)") }
  }

  /// Kills the daemon, and starts the daemon again with the state from the record.
  mutating func crash(offForSeconds: Int64 = 0, newBoot: Bool = false) {
    sounding = nil
    move(to: now.wall.adding(seconds: offForSeconds))
    if newBoot {
      now.bootID += "+"
      now.bootNanoseconds = 5_000_000_000
    }
    home = HomeState(snapshot: snapshot(), limits: home.limits, environment: environment)
    do {
      try handle(.started(Start(version: "test")))
    } catch { preconditionFailure("\(error)") }
  }

  /// Cuts the power, and boots the device with a wall clock that was set back.
  mutating func crash(clockBackSeconds: Int64) {
    now.wall = now.wall.adding(seconds: -clockBackSeconds)
    crash(newBoot: true)
  }

  /// The recent rings. The hourly limit counts these rings. The daemon also uses these rings to
  /// find the prompt for an answer without a prompt id.
  private var recentRings: RecentRings {
    var rings = RecentRings()
    var repetitions: [PromptID: Bool] = [:]
    for record in records {
      switch record.event {
      case .ringIntent(let id, let ring, _): repetitions[id] = ring.isRepetition
      case .ringStarted(let id, _, _, _):
        guard let person = record.person else { continue }
        rings.add(
          RecentRing(
            at: record.reading.wall, isRepetition: repetitions[id] ?? false,
            isTask: replay.alarms[id.alarm]?.isAnnouncement == false), of: person)
      default: break
      }
    }
    return rings
  }

  /// Returns the snapshot that a logbook would restore from the record.
  func snapshot() -> HomeSnapshot {
    var snapshot = HomeSnapshot(
      alarms: Array(replay.alarms.values), tones: Array(replay.tones.values),
      people: Array(replay.people.values), recentRings: recentRings, levels: replay.levels,
      lastRecord: records.last.map {
        .init(reading: $0.reading, isServiceStop: $0.event.isServiceStop)
      })
    var notifications = UnconfirmedTally()
    for record in records {
      notifications.apply(record.event)
      snapshot.notices.apply(record.event, at: record.reading.wall, by: record.actor.role)
    }
    snapshot.unconfirmed = notifications.unconfirmed
    snapshot.supplies = Array(replay.supplies.values)
    snapshot.holidays = Array(replay.holidays.values)
    if let purged {
      for id in replay.alarms.keys { snapshot.purged[id] = purged }
    }
    for prompt in replay.prompts.values
    where replay.alarms[prompt.id.alarm] != nil
      && (prompt.state.isOpen || !(purged?.contains(prompt.dueAt) ?? false))
    {
      if prompt.lastAnswer?.before != nil, case .closed(_, _, let at) = prompt.state,
        now.wall.milliseconds(since: at) <= LastAnswer.undoMilliseconds
      {
        snapshot.answeredPrompts.append(prompt)
      }
      if prompt.state.isOpen {
        snapshot.openPrompts.append(prompt)
      } else if !prompt.canBePlannedAgain {
        snapshot.closedNominals[prompt.id.alarm, default: []].insert(prompt.id.nominalKey)
        snapshot.closedInstants[prompt.id.alarm, default: []].insert(prompt.dueAt)
      } else {
        snapshot.unheardNominals[prompt.id.alarm, default: []].insert(prompt.id.nominalKey)
        snapshot.unheardInstants[prompt.id.alarm, default: []].insert(prompt.dueAt)
      }
    }
    return snapshot
  }

  @discardableResult
  mutating func add(_ label: String = "Pills", _ edit: (inout AlarmForm) -> Void) throws(Refusal)
    -> Alarm
  {
    var form = AlarmForm()
    form.allowsDuplicate = true
    form.label = label
    edit(&form)
    let id = AlarmID("alarm\(records.count)")
    guard case .alarm(let alarm, _, _)? = try handle(.command(.add(id, form), Self.anna)) else {
      preconditionFailure("no alarm came back")
    }
    return alarm
  }

  /// Makes an announcement that is due in one second.
  @discardableResult
  mutating func say(
    _ edit: (inout AlarmForm) -> Void = { _ in }
  ) throws(Refusal) -> AlarmID {
    var form = AlarmForm()
    form.label = "Lunch is ready"
    form.schedule = "in 1 seconds"
    form.rings = 1
    form.lateWindowSeconds = 120
    edit(&form)
    let id = AlarmID("said\(records.count)")
    try handle(.command(.announce(id, form), Self.anna))
    return id
  }

  /// - Parameter id: the prompt to answer. If nil, the answer applies to the prompt that calls, or,
  /// if no prompt calls, to the prompt that has been due longest.
  @discardableResult
  mutating func answer(_ answer: Answer, to id: PromptID? = nil) throws(Refusal) -> AnsweredPrompt {
    let oldest = home.waitingPrompts.min { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }?.id
    let id = id ?? home.callingPrompt(of: nil)?.id ?? oldest
    let reply = try handle(.command(.answer(id, answer), Self.anna))
    guard case .answered(let answered)? = reply else { preconditionFailure("no answer came back") }
    return answered
  }

  /// The outcomes of all prompts that have ended, in the order of the record.
  var outcomes: [Outcome] {
    records.compactMap { if case .closed(_, let outcome, _, _) = $0.event { outcome } else { nil } }
  }

  /// Performs the action of each character of a text, and returns a drawing of the sounds.
  ///
  /// After each action, one tick passes. The drawing has one character for each tick.
  ///
  /// Actions: `s` delay, `c` complete, `a` acknowledge, `n` decline, `x` cancel, `u` undo, `k` kill
  /// and restart, `+` say again. Any other character does nothing.
  ///
  /// Drawing: the last digit of the ring number if a ring begins, `+` if the speaker says a voice
  /// again, `x` if a sound is stopped before its end, `-` if nothing happens. If anna is notified,
  /// the drawing shows `A`. If anna gets a notice, the drawing shows `a`. Several characters of one
  /// tick are in brackets.
  mutating func timeline(_ happenings: String, tick: Int64 = 10) throws(Refusal) -> String {
    var line = ""
    for happening in happenings {
      drawn = []
      switch happening {
      case "s": try answer(.delay(seconds: nil))
      case "c": try answer(.complete)
      case "a": try answer(.acknowledge)
      case "n": try answer(.decline(.refused))
      case "x": try answer(.cancel(.caretakerOverride))
      case "u": try handle(.command(.undo(nil), Self.anna))
      case "k": crash()
      case "+":
        let oldest = home.waitingPrompts.min { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }?.id
        if let oldest { try handle(.command(.sayAgain(oldest), Self.anna)) }
      default: break
      }
      pass(seconds: tick)
      line += drawn.count > 1 ? "[\(String(drawn))]" : String(drawn.first ?? "-")
    }
    return line
  }
}

/// Adds an alarm with three rings, 30 seconds apart. The first ring comes after 15 seconds, which
/// is in the second tick of a timeline.
///
/// The answer "later" delays the prompt by one minute. The late window is two minutes.
func pills(_ edit: (inout AlarmForm) -> Void = { _ in }) throws -> CoreFixture {
  var fixture = CoreFixture()
  try fixture.add {
    $0.schedule = "in 15 seconds"
    $0.rings = 3
    $0.spacingSeconds = 30
    $0.delaySeconds = 60
    $0.lateWindowSeconds = 120
    edit(&$0)
  }
  return fixture
}
