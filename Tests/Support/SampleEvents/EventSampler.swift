import Alarms
import CivilTime
import EventCoding
import TestRandom

/// A source of random events of every type. The texts of these events contain words that often
/// cause errors, for example quotation marks and line breaks.
package struct EventSampler {
  var random: SeededGenerator

  package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static let words = [
    "", "pills", "=1+1", "\"quoted\" \\ back/slash", "line\nbreak\r\ttab", "über 80°", "e\u{301}",
    "👩‍⚕️", "\u{1}\u{1F}\u{7F}", "{\"a\":1}", "null", "~2", "a@b", "\u{2028}", "'", "-12", "\u{0}",
  ]

  mutating func text() -> String {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      Self.words.randomElement(using: &random)!
    }.joined()
  }

  mutating func int(_ range: ClosedRange<Int> = 0...1_000_000) -> Int {
    Int.random(in: range, using: &random)
  }

  mutating func bool() -> Bool { Bool.random(using: &random) }

  mutating func instant() -> Instant {
    Instant(milliseconds: .random(in: -62_135_596_800_000...253_402_300_799_999, using: &random))
  }

  mutating func decibels() -> Double {
    [0, -12, -3.5, -0.1, 1e-7, -6.02, .random(in: -60...0, using: &random)]
      .randomElement(using: &random)!
  }

  mutating func civil() -> CivilDateTime {
    CivilDateTime(localSeconds: .random(in: -62_135_596_800...253_402_300_799, using: &random))
  }

  mutating func id() -> PromptID {
    PromptID(alarm: AlarmID("k3v9zz\(int())"), nominal: civil(), fold: int(0...1))
  }

  mutating func sha256() -> String { String(repeating: "ab", count: 32) }

  mutating func stopped() -> Stopped {
    Stopped(pending: int(0...20), sounding: bool(), sounded: int(0...20))
  }

  mutating func ring() -> Ring {
    Ring(
      number: int(1...50), index: int(0...19), step: int(0...3), gainDecibels: decibels(),
      toneSHA256: bool() ? sha256() : nil, hasAlert: bool(), isRepetition: bool(),
      leadingPrompt: bool() ? id() : nil, dueAt: instant(),
      intendedAt: instant(),
      startedAt: bool() ? instant() : nil)
  }

  mutating func promptState() -> PromptState {
    switch int(0...7) {
    case 0: .planned
    case 1: .waiting(ring: int(0...19), at: instant())
    case 2: .expiring(at: instant())
    case 3: .ringing(ring(), deadline: instant())
    case 4: .delayed(until: instant())
    case 5: .acknowledged(until: instant())
    case 6: .held(held())
    default:
      .closed(
        Outcome.allCases.randomElement(using: &random)!,
        reason: ReasonCode.allCases.randomElement(using: &random)!, at: instant())
    }
  }

  mutating func held() -> Suppression {
    Suppression(
      until: instant(), since: instant(), ring: int(0...19),
      reason: Suppression.Reason.allCases.randomElement(using: &random)!)
  }

  mutating func person() -> Person {
    Person(
      id: PersonID(text()), version: int(1...9), name: text(), language: bool() ? "de" : nil,
      zoneName: bool() ? "Europe/Berlin" : nil, tone: bool() ? text() : nil,
      quiet: bool()
        ? QuietRule(
          hours: QuietHours(from: civil().time, to: civil().time),
          policy: QuietPolicy.allCases.randomElement(using: &random)!) : nil,
      ringsPerHour: bool() ? int(1...240) : nil, inactivity: bool() ? inactivityRule() : nil,
      rewardImage: bool() ? sha256() : nil)
  }

  mutating func inactivityRule() -> InactivityRule {
    InactivityRule(
      hours: int(1...168),
      notifySteps: (0..<int(1...3)).map { _ in
        NotifyStep(contact: text(), afterSeconds: Int64(int(0...86_400)))
      })
  }

  mutating func inactivities() -> [Event] {
    let id = PersonID(text())
    return [
      .inactivity(
        id,
        .notifying(
          position: int(0...9), contact: text(), since: instant(), hours: int(1...168))),
      .inactivity(id, .notified(position: int(0...9), contact: text(), attempt: int(1...3))),
      .inactivity(
        id,
        .failed(
          position: int(0...9), contact: text(), attempt: int(1...3), isLast: bool(), reason: text()
        )),
      .inactivity(id, .stopUntilLater), .inactivity(id, .begun), .inactivity(id, .resumed),
      .inactivity(id, .ended(answered: self.id())), .inactivity(id, .ended(answered: nil)),
    ]
  }

  mutating func phases() -> [StudyPhase] {
    (0..<int(0...3)).map { _ in
      StudyPhase(
        kind: StudyPhase.Kind.allCases.randomElement(using: &random)!, from: instant(),
        to: bool() ? instant() : nil)
    }
  }

  mutating func prompt() -> Prompt {
    var prompt = Prompt(
      id: id(), alarmVersion: int(1...9), dueAt: instant(), zoneName: "Europe/Berlin",
      utcOffsetSeconds: int(-43_200...50_400), state: promptState(), ringsIntended: int(0...60),
      ringsSounded: int(0...60), ringsFailed: int(0...60), delays: int(0...3),
      lastSoundedAt: bool() ? instant() : nil, acknowledgedAt: bool() ? instant() : nil,
      notifyProgress: bool() ? notifyProgress() : .none, lastAnswer: bool() ? lastAnswer() : nil,
      leadsToAt: bool() ? instant() : nil)
    prompt.presentedAt = bool() ? instant() : nil
    prompt.isDelivered = bool()
    if bool() { prompt.answers = ["mood": int(1...3), "pain": int(1...3)] }
    if bool() { prompt.alsoNominal = [civil(), civil()] }
    return prompt
  }

  mutating func lastAnswer() -> LastAnswer {
    LastAnswer(
      at: instant(),
      before: bool()
        ? .init(
          state: promptState(), delays: int(0...3), acknowledgedAt: bool() ? instant() : nil,
          notifyProgress: bool() ? notifyProgress() : .none) : nil)
  }

  mutating func correction() -> Correction {
    Correction(
      undone: Correction.Undone.allCases.randomElement(using: &random)!, answeredAt: instant(),
      state: promptState())
  }

  mutating func schedule() throws -> Schedule {
    switch int(0...7) {
    case 0: return .at(instant())
    case 1: return .once(civil())
    case 2: return .recurring(try rule(), start: civil())
    case 3:
      return .several(
        RecurringDates(
          rules: try (0..<int(0...2)).map { _ in .init(rule: try rule(), start: civil()) },
          dates: (0..<int(0...2)).map { _ in civil() },
          excluded: (0..<int(0...2)).map { _ in civil() },
          excludedDays: (0..<int(0...2)).map { _ in civil().date }, holidays: exclusion()))
    case 4: return .within(seconds: Int64(int(1...86_400)), window())
    case 5:
      return .random(
        RandomTimes(
          perDay: int(1...24), window: window(), minimumDistanceSeconds: Int64(int(0...3_600))))
    case 6:
      return .after(
        AfterAnswer(
          anchor: bool() ? .itself : .alarm(AlarmID("k3v9")), seconds: Int64(int(1...86_400)),
          latest: bool() ? civil().time : nil, first: bool() ? instant() : nil))
    default: return .every(seconds: Int64(int(1...1_000_000)), from: instant())
    }
  }

  mutating func rule() throws -> RecurrenceRule {
    try RecurrenceRule(
      parsing: [
        "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;BYSECOND=0", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
        "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=DAILY;UNTIL=20301231T235959Z", "FREQ=YEARLY;COUNT=10",
      ].randomElement(using: &random)!)
  }

  mutating func window() -> DayWindow {
    DayWindow(
      from: civil().time, to: civil().time,
      weekdays: (0..<int(0...7)).map { _ in civil().date.weekday }, firstDay: civil().date,
      lastDay: bool() ? civil().date : nil)
  }

  mutating func earlyReminders() -> [EarlyReminder] {
    (0..<int(0...3)).map { _ in
      bool()
        ? .elapsed(seconds: Int64(int(1...86_400)))
        : .days(int(1...9), at: bool() ? civil().time : nil)
    }
  }

  mutating func pauses() -> Pauses {
    if bool() { return .none }
    let days = (0..<int(0...2)).map { _ in
      let day = civil().date
      return day...day
    }
    return Pauses(
      until: bool() ? civil() : nil, occurrences: (0..<int(0...3)).map { _ in Int64(int()) },
      days: days)
  }

  mutating func alarm() throws -> Alarm {
    var alarm = Alarm(
      id: AlarmID("k3v9"), version: int(1...9), person: PersonID(text()), label: text(),
      instructions: text(), schedule: try schedule(), phrase: text(), zoneName: "Asia/Kolkata",
      tone: bool() ? text() : nil,
      burst: Burst(
        rings: int(1...20), spacingSeconds: Int64(int(1...3_600)),
        gainsDecibels: (0..<int(0...5)).map { _ in decibels() }),
      lateWindowSeconds: Int64(int()), delaySeconds: Int64(int()), delayLimit: int(0...9),
      earlyReminders: earlyReminders(), pauses: pauses(),
      quiet: bool() ? QuietOverride.allCases.randomElement(using: &random) : nil)
    if bool() { alarm.escalation = escalation(alarm.burst) }
    if bool() { alarm.checkIn = checkIn() }
    if bool() { alarm.uses = uses() }
    if bool() { alarm.image = sha256() }
    alarm.isAnnouncement = bool()
    alarm.message = bool() ? MessageKind.allCases.randomElement(using: &random) : nil
    alarm.calendarUID = bool() ? text() : nil
    alarm.calendarRevision = bool() ? text() : nil
    return alarm
  }

  mutating func burst() -> Burst {
    Burst(
      rings: int(1...20), spacingSeconds: Int64(int(1...3_600)),
      gainsDecibels: (0..<int(0...5)).map { _ in decibels() })
  }

  mutating func step(_ burst: Burst) -> EscalationStep {
    EscalationStep(
      burst: burst, tone: bool() ? text() : nil, isUrgent: bool(), pauseSeconds: Int64(int()))
  }

  mutating func escalation(_ burst: Burst) -> Escalation {
    var first = step(burst)
    first.pauseSeconds = 0
    var escalation = Escalation(first: first)
    for _ in 0..<int(0...3) { escalation.later.append(step(self.burst())) }
    for _ in 0..<int(0...3) {
      escalation.notifySteps.append(NotifyStep(contact: text(), afterSeconds: Int64(int())))
    }
    escalation.completeBySeconds = Int64(int())
    if bool() { escalation.completion = step(self.burst()) }
    return escalation
  }

  mutating func notifyProgress() -> NotifyProgress {
    NotifyProgress(
      begun: int(0...3), nextAt: bool() ? instant() : nil, lastAt: bool() ? instant() : nil,
      pending: bool() ? [0, 2] : [])
  }

  mutating func tone() -> Tone {
    Tone(
      name: text(), sha256: sha256(), durationMilliseconds: int(), loudnessLUFS: decibels())
  }

  mutating func picture() -> Picture {
    Picture(
      sha256: sha256(), mediaType: "image/png", width: int(), height: int(), bytes: int())
  }

  mutating func soundLevel() -> SoundLevel {
    SoundLevel(
      foundPercent: int(0...100), wasMuted: bool(), setPercent: bool() ? int(0...100) : nil)
  }

  mutating func enrolment() -> Enrolment {
    Enrolment(
      study: "trial", pseudonym: text(), arm: bool() ? "AB" : nil,
      armCode: bool() ? "X" : nil, allocationSHA256: bool() ? sha256() : nil,
      consent: bool() ? "2.1" : nil, consentScope: ConsentScope.allCases.filter { _ in bool() },
      hidesPhases: bool(), from: instant(),
      to: bool() ? instant() : nil)
  }

  mutating func checkIn() -> CheckIn {
    let kinds: [Question.Kind] = [
      .number(unit: .kilogram, 30...250.5), .scale(0...10), .temperature(.celsius), .mood,
      .choices([Choice(name: "headache", text: text()), Choice(name: "nausea", text: text())]),
      .yesNo, .text,
    ]
    return CheckIn(
      questions: kinds.enumerated().map { index, kind in
        Question(name: "q\(index)", text: text(), kind: kind, isRequired: bool())
      }, holdsCompletion: bool())
  }

  mutating func responses() -> [Event] {
    let values: [Response.Value] = [
      .number(7), .number(36.6), .number(-1e-9), .choices([]), .choices(["headache", "nausea"]),
      .mood(.good), .flag(bool()), .text(text()),
    ]
    return values.map {
      .response(
        id(),
        Response(question: "q1", number: int(1...9), value: $0, unit: bool() ? "kg" : nil))
    }
  }

  private mutating func pausesAndRewards() -> [Event] {
    [
      .personPaused(PersonID(text()), PersonPause()),
      .personPaused(PersonID(text()), PersonPause(until: Instant(milliseconds: Int64(int())))),
      .personResumed(PersonID(text())),
      .rewarded(
        PersonID(text()), CivilDate(dayNumber: int(0...30_000)), isHeard: bool(),
        hasPicture: bool()),
    ]
  }

  /// Returns at least one event of each type, and one closing event for each outcome.
  package mutating func oneOfEach() throws -> [Event] {
    var events: [Event] = [
      .alarmCreated(try alarm()), .alarmEdited(try alarm()),
      .alarmDeleted(AlarmID("k3v9"), version: int(1...9)), .toneAdded(tone()),
      .toneRemoved(tone()), .testRing(tone()), .testRing(nil), .planned(prompt()),
      .due(id(), lateMilliseconds: Int64(int())),
      .ringIntent(id(), ring(), deadline: instant()),
      .ringStarted(id(), number: int(1...9), device: text()),
      .ringStarted(id(), number: int(1...9), device: text(), level: soundLevel()),
      .ringEnded(
        id(), number: int(1...9), device: text(), frames: int(), xruns: int(), stopped: bool()),
      .ringFailed(id(), number: int(1...9), reason: text()),
      .ringUncertain(id(), number: int(1...9), reason: text()),
      .acknowledged(id(), until: instant(), stopped()), .delayed(id(), until: instant(), stopped()),
      .escalated(
        id(), position: int(0...9), contact: text(),
        reason: NotifyReason.allCases.randomElement(using: &random)!),
      .notified(id(), position: int(0...9), contact: text(), attempt: int(1...3)),
      .notificationFailed(
        id(), position: int(0...9), contact: text(), attempt: int(1...3), isLast: bool(),
        reason: text()),
      .serviceStarted(version: text()), .serviceStopped(reason: text()),
      .boot(previousBootID: text()), .heartbeat,
      .gap(from: instant(), to: instant(), cause: GapCause.allCases.randomElement(using: &random)!),
      .clockStep(milliseconds: Int64(int(-9_000_000...9_000_000))), .clockSync(gained: true),
      .clockSync(gained: false), .audioLost(reason: text()), .audioRestored(device: text()),
      .volumeChanged(device: text(), .calibrated(percent: bool() ? int(1...100) : nil)),
      .volumeChanged(
        device: text(),
        .found(
          percent: int(0...100), muted: bool(), formerPercent: int(0...100), formerMuted: bool())),
      .audioFallback(bool() ? id() : nil, from: text(), to: text(), reason: text()),
      .exportMade(
        profile: text(), layout: text(), throughSequence: Int64(int()), sha256: sha256()),
      .purged(
        Purge(
          throughSequence: Int64(int()), throughAt: Instant(milliseconds: Int64(int())),
          firstAt: int().isMultiple(of: 2) ? Instant(milliseconds: Int64(int())) : nil,
          firstOffsetSeconds: int(),
          closedBefore: int().isMultiple(of: 2) ? Instant(milliseconds: Int64(int())) : nil,
          kept: int(), keptDigest: sha256(), archiveSHA256: sha256())),
      .tzChanged(from: text(), to: text()), .tzdataChanged(from: text(), to: text()),
      .held(id(), held()), .corrected(id(), correction()), .revised(id(), version: int(2...9)),
      .repaired(id(), Defect.allCases.randomElement(using: &random)!), .personAdded(person()),
      .personChanged(person()), .presented(id()), .saidAgain(id()),
      .personRemoved(PersonID(text()), version: int(1...9)),
      .phaseChanged(PersonID(text()), phases()), .imageAdded(picture()), .imageRemoved(picture()),
      .photographed(id(), sha256: sha256()),
      .denied(uid: UInt32(int(0...70_000)), count: int(1...9), method: text(), path: text()),
    ]
    for outcome in Outcome.allCases {
      events.append(
        .closed(
          id(), outcome, reason: ReasonCode.allCases.randomElement(using: &random)!, stopped()))
    }
    events +=
      responses() + studyEvents() + inactivities() + notices() + pausesAndRewards() + supplies()
    events += holidayEvents()
    return events
  }
}
