import CivilTime
import Testing

@testable import Alarms

/// Pins each limit, because users, documents and stored data rely on the numbers.
@Suite struct `The limits` {
  @Test func `of texts are as documented`() {
    let rules: [(String, TextRule, ClosedRange<Int>, bytes: Int, hasLines: Bool)] = [
      ("label", AlarmRules.label, 1...200, 1_024, false),
      ("instructions", AlarmRules.instructions, 0...2_000, 8_192, true),
      ("calendar uid", AlarmRules.calendarUID, 0...500, 2_000, false),
      ("calendar revision", AlarmRules.calendarRevision, 0...2_000, 2_000, false),
      ("schedule", AlarmRules.schedule, 0...16_384, 16_384, true),
      ("question", AlarmRules.question, 1...200, 1_024, false),
      ("choice", AlarmRules.choice, 1...100, 512, false),
      ("answer", AlarmRules.answer, 1...2_000, 8_192, true),
      ("name", AlarmRules.name, 0...100, 512, false),
      ("study note", AlarmRules.studyNote, 1...2_000, 8_192, true),
      ("withdrawal", AlarmRules.withdrawal, 0...500, 2_048, true),
      ("supply", SupplyRules.name, 1...100, 400, false),
      ("unit", SupplyRules.unit, 1...40, 160, false),
      ("holiday", HolidayRules.label, 0...200, 800, false),
      ("diary", DiaryEntry.noteRule, 0...2_000, 8_192, true),
    ]
    for (name, rule, length, bytes, hasLines) in rules {
      #expect(rule == TextRule(length, bytes: bytes, hasLines: hasLines), "\(name)")
    }
    #expect(TextRule(1...2, bytes: 8).hasLines == false && TextRule.marksInARow == 30)
  }

  @Test func `of numbers are as documented`() {
    let counts: [(String, ClosedRange<Int>, ClosedRange<Int>)] = [
      ("questions", AlarmRules.questions, 0...20), ("choices", AlarmRules.choices, 1...30),
      ("steps", AlarmRules.steps, 1...10), ("contacts", AlarmRules.notifySteps, 0...10),
      ("early reminders", AlarmRules.earlyReminders, 0...8),
      ("excluded ranges", AlarmRules.excludedRanges, 0...366),
      ("holidays", HolidayRules.dates, 1...1_000), ("list name", HolidayRules.nameLength, 1...64),
      ("person id", Transition.idBytes, 1...64), ("completion", DiaryEntry.completions, 0...3),
      ("burden", DiaryEntry.burdens, 0...4),
    ]
    for (name, limit, expected) in counts { #expect(limit == expected, "\(name)") }
    let numbers: [(String, ClosedRange<Int64>, ClosedRange<Int64>)] = [
      ("pause", AlarmRules.pauseSeconds, 1...86_400),
      ("notify", AlarmRules.notifySeconds, 0...86_400),
      ("complete by", AlarmRules.completeBySeconds, 1...86_400),
      ("lead", AlarmRules.leadSeconds, 60...5_184_000), ("skip", AlarmRules.skipNext, 0...100),
      ("rings", AlarmRules.rings, 1...20), ("spacing", AlarmRules.spacingSeconds, 1...3_600),
      ("late window", AlarmRules.lateWindowSeconds, 1...86_400),
      ("delay", AlarmRules.delaySeconds, 1...86_400), ("delays", AlarmRules.delayLimit, 0...20),
      ("hourly", AlarmRules.personRingsPerHour, 1...240),
      ("inactivity", AlarmRules.inactivityHours, 1...168),
      ("amount", SupplyRules.left, 0...1_000_000), ("use", SupplyRules.use, 1...1_000),
    ]
    for (name, limit, expected) in numbers { #expect(limit == expected, "\(name)") }
    #expect(AlarmRules.gainDecibels == -60...0 && AlarmRules.scale == -1_000...1_000)
    #expect(AlarmRules.people == 50 && AlarmRules.enrolments == 20 && AlarmRules.phases == 100)
    #expect(AlarmRules.answersPerQuestion == 20 && PreviewRange.most == 1_000)
    #expect(SupplyRules.supplies == 100 && SupplyRules.uses == 10 && SupplyRules.contacts == 10)
    #expect(HolidayRules.lists == 32 && HolidayRules.warningDays == 60)
    #expect(DiaryEntry.entries == 5_000 && HomeState.supplyDays == 366)
    #expect(LastAnswer.undoMilliseconds == 60_000 && NoticeBook.most == 100)
  }

  @Test func `of a home and of repeated requests are as documented`() {
    let home = HomeLimits.standard
    #expect(home.alarms == 5_000 && home.tones == 500 && home.ringsPerHour == 20)
    #expect(home.pictures == 1_000)
    #expect(home.pictureBytes == 524_288_000 && home.toneBytes == 524_288_000)
    #expect(IdempotencyRecord.keptMilliseconds == 604_800_000)
    #expect(IdempotencyRecord.keptCount == 10_000)
    #expect(IdempotencyRecord.keptCountPerActor == 2_000 && IdempotencyRecord.keptSlack == 64)
    #expect(Escalation.standardCompleteBySeconds == 600)
    #expect(
      Burst.standard
        == Burst(rings: 5, spacingSeconds: 60, gainsDecibels: [-12, -9, -6, -3, 0]))
  }

  @Test func `each value has its default`() {
    let alarm = Alarm(
      id: AlarmID("a"), version: 1, person: .patient, label: "Pills", instructions: "",
      schedule: .at(Instant(seconds: 0)), phrase: "", zoneName: "UTC", tone: nil, burst: .standard,
      lateWindowSeconds: 1, delaySeconds: 2, delayLimit: 3)
    #expect(!alarm.isAnnouncement && alarm.earlyReminders.isEmpty && alarm.pauses == .none)
    #expect(alarm.uses.isEmpty && alarm.onTheWaySeconds == 2_400 && alarm.burst == .standard)
    let environment = Environment(homeZone: .utc, tzdataVersion: "t") { _ in nil }
    #expect(environment.mergesRings && environment.language == "en")
    #expect(environment.contacts.isEmpty && environment.callContacts.isEmpty)
    #expect(environment.summaries.isEmpty && environment.tzdataVersion == "t")
    let step = EscalationStep(burst: .standard)
    #expect(!step.isUrgent && step.pauseSeconds == 0 && step.tone == nil)
    let enrolment = Enrolment(study: "s", pseudonym: "p", from: Instant(seconds: 0))
    #expect(!enrolment.isUnblinded && !enrolment.isWithdrawn && !enrolment.hidesPhases)
    #expect(!EnrolmentForm(pseudonym: "p").hidesPhases && !HomeSnapshot().isPatientForgotten)
    #expect(!StudyNote(kind: .adverseEvent, text: "").isSerious)
    #expect(PersonState.ofNewHome.person == Person(id: .patient, version: 0))
    let ring = Ring(
      number: 1, index: 2, gainDecibels: 0, toneSHA256: nil, dueAt: Instant(seconds: 3),
      intendedAt: Instant(seconds: 4))
    #expect(ring.step == 0 && ring.hasAlert && !ring.isRepetition && ring.startedAt == nil)
    #expect(NotifyProgress.none.begun == 0 && NotifyProgress.none.pending.isEmpty)
    let prompt = Prompt(
      id: PromptID(alarm: AlarmID("a"), nominalKey: 1), alarmVersion: 1,
      dueAt: Instant(seconds: 0), zoneName: "UTC", utcOffsetSeconds: 0)
    #expect(prompt.ringsIntended == 0 && prompt.ringsSounded == 0 && prompt.ringsFailed == 0)
    #expect(prompt.delays == 0 && !prompt.isDelivered && prompt.state == .planned)
    #expect(!AlarmForm().allowsDuplicate && !StepForm().isUrgent)
    #expect(
      !Supply(id: SupplyID("s"), settings: SupplySettings(name: "n"), left: 1).isLowNoted)
  }

  @Test func `a clock reading has its offset, and is recorded without the time asleep`() {
    var reading = ClockReading(
      wall: Instant(milliseconds: 5_000), bootNanoseconds: 2_999_999, bootID: "b",
      clockState: .synced)
    #expect(reading.offsetMilliseconds == 4_998 && reading.asleepMilliseconds == 0)
    let awake = reading
    reading.asleepMilliseconds = 7
    #expect(reading != awake && reading.asRecorded == awake)
  }

  @Test func `a purge counts the removed records`() {
    let purge = Purge(
      throughSequence: 10, throughAt: Instant(seconds: 1), firstAt: nil, firstOffsetSeconds: 0,
      kept: 3, keptDigest: "", archiveSHA256: "")
    #expect(purge.gone == 7 && purge.closedBefore == nil)
  }
}
