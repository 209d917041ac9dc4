import CivilTime
import Testing

@testable import Alarms

/// Checks the type, the prompt, the person and the alarm version of each event.
@Suite struct EventFieldTests {
  private static let at = Instant(seconds: 1_800_000_000)
  private static let id = PromptID(alarm: AlarmID("a"), nominalKey: 2)
  private static let hilde = PersonID("hilde")
  private static let alarm = Alarm(
    id: AlarmID("b"), version: 7, person: hilde, label: "Pills", instructions: "",
    schedule: .at(at), phrase: "", zoneName: "UTC", tone: nil, burst: .standard,
    lateWindowSeconds: 60, delaySeconds: 60, delayLimit: 1)
  private static let prompt = Prompt(
    id: id, alarmVersion: 5, dueAt: at, zoneName: "UTC", utcOffsetSeconds: 0)
  private static let ring = Ring(
    number: 1, index: 0, gainDecibels: 0, toneSHA256: nil, dueAt: at, intendedAt: at)
  private static let tone = Tone(
    name: "dad", sha256: "s", durationMilliseconds: 1, loudnessLUFS: -16)
  private static let picture = Picture(
    sha256: "p", mediaType: "image/png", width: 1, height: 1, bytes: 1)
  private static let notice = Notice(
    number: 1, kind: .allClear, contact: "anna", prompt: id, person: hilde)
  private static let settings = SupplySettings(name: "Box")

  private static let prompts: [(Event, String)] = [
    (.alarmCreated(alarm), "alarm_created - hilde 7"),
    (.alarmEdited(alarm), "alarm_edited - hilde 7"),
    (.alarmDeleted(AlarmID("b"), version: 3), "alarm_deleted - - 3"),
    (.planned(prompt), "planned a - 5"), (.due(id, lateMilliseconds: 1), "due a - -"),
    (.ringIntent(id, ring, deadline: at), "ring_intent a - -"),
    (.ringStarted(id, number: 1, device: "c"), "ring_started a - -"),
    (
      .ringEnded(id, number: 1, device: "c", frames: 1, xruns: 0, stopped: false),
      "ring_ended a - -"
    ),
    (.ringFailed(id, number: 1, reason: "r"), "ring_failed a - -"),
    (.ringUncertain(id, number: 1, reason: "r"), "ring_uncertain a - -"),
    (.acknowledged(id, until: at, .nothing), "acknowledged a - -"),
    (.delayed(id, until: at, .nothing), "delayed a - -"), (.presented(id), "presented a - -"),
    (.saidAgain(id), "said_again a - -"),
    (.held(id, Suppression(until: at, since: at, ring: 0, reason: .cap)), "held a - -"),
    (
      .corrected(id, Correction(undone: .delayed, answeredAt: at, state: .planned)),
      "correction a - -"
    ),
    (.revised(id, version: 4), "revised a - 4"), (.repaired(id, .notPlanned), "repaired a - -"),
    (.escalated(id, position: 0, contact: "anna", reason: .due), "escalated a - -"),
    (.notified(id, position: 0, contact: "anna", attempt: 1), "notified a - -"),
    (
      .notificationFailed(id, position: 0, contact: "anna", attempt: 1, isLast: true, reason: "r"),
      "notification_failed a - -"
    ),
    (.response(id, Response(question: "q", number: 1, value: .flag(true))), "response a - -"),
    (.photographed(id, sha256: "p"), "photo_added a - -"),
    (.audioFallback(id, from: "a", to: "b", reason: "r"), "audio_fallback a - -"),
    (.audioFallback(nil, from: "a", to: "b", reason: "r"), "audio_fallback - - -"),
    (.notice(notice, .sent(attempt: 1)), "notice_sent a hilde -"),
    (.supply(SupplyID("s"), .used(id, amount: 1, taken: 1, left: 0)), "supply_used a - -"),
    (.supply(SupplyID("s"), .returned(id, amount: 1, left: 0)), "supply_returned a - -"),
    (
      .diary(
        DiaryEntry(
          person: hilde, subject: .prompt(id), completion: 1, burden: nil, note: "", number: 1)),
      "diary a hilde -"
    ),
  ]

  private static let others: [(Event, String)] = [
    (.toneAdded(tone), "tone_added - - -"), (.toneRemoved(tone), "tone_removed - - -"),
    (.testRing(nil), "test_ring - - -"), (.imageAdded(picture), "image_added - - -"),
    (.imageRemoved(picture), "image_removed - - -"),
    (
      .notice(Notice(number: 1, kind: .test, contact: "anna"), .dropped(.expired)),
      "notice_dropped - - -"
    ),
    (.notice(notice, .due(NoticeMessage(text: ""), expiresAt: at)), "notice_due a hilde -"),
    (.notice(notice, .failed(attempt: 1, isLast: true, reason: "")), "notice_failed a hilde -"),
    (.supply(SupplyID("s"), .added(settings, left: 1)), "supply_added - - -"),
    (.supply(SupplyID("s"), .changed(settings)), "supply_changed - - -"),
    (.supply(SupplyID("s"), .removed), "supply_removed - - -"),
    (.supply(SupplyID("s"), .refilled(amount: 1, left: 1)), "supply_refilled - - -"),
    (.supply(SupplyID("s"), .counted(left: 1)), "supply_counted - - -"),
    (.call(hilde, number: 1, .asked(reply: AlarmID("r"))), "call_asked - hilde -"),
    (.call(hilde, number: 1, .repeated), "call_repeated - hilde -"),
    (.call(hilde, number: 1, .told(contact: "anna")), "call_told - hilde -"),
    (.call(hilde, number: 1, .failed(.noContact)), "call_failed - hilde -"),
    (.inactivity(hilde, .begun), "inactivity_begun - hilde -"),
    (.inactivity(hilde, .ended(answered: id)), "inactivity_ended - hilde -"),
    (.inactivity(hilde, .resumed), "inactivity_resumed - hilde -"),
    (
      .inactivity(hilde, .notifying(position: 0, contact: "anna", since: at, hours: 1)),
      "inactivity_escalated - hilde -"
    ),
    (
      .inactivity(hilde, .notified(position: 0, contact: "anna", attempt: 1)),
      "inactivity_notified - hilde -"
    ),
    (
      .inactivity(
        hilde, .failed(position: 0, contact: "anna", attempt: 1, isLast: true, reason: "r")),
      "inactivity_notification_failed - hilde -"
    ),
    (.inactivity(hilde, .stopUntilLater), "inactivity_suspended - hilde -"),
    (.serviceStarted(version: "1"), "service_start - - -"),
    (.serviceStopped(reason: "r"), "service_stop - - -"),
    (.boot(previousBootID: "b"), "boot - - -"),
    (.heartbeat, "heartbeat - - -"), (.gap(from: at, to: at, cause: .crash), "gap - - -"),
    (.suspended(from: at), "suspend - - -"), (.resumed(asleepMilliseconds: 1), "resume - - -"),
    (.disk(isLow: true, freeBytes: 1), "disk_low - - -"),
    (.disk(isLow: false, freeBytes: 1), "disk_restored - - -"),
    (.clockStep(milliseconds: 1), "clock_step - - -"),
    (.clockSync(gained: true), "clock_sync_gained - - -"),
    (.clockSync(gained: false), "clock_sync_lost - - -"),
    (.audioLost(reason: "r"), "audio_lost - - -"),
    (.volumeChanged(device: "c", .calibrated(percent: 1)), "volume_changed - - -"),
    (.audioRestored(device: "c"), "audio_restored - - -"),
    (
      .exportMade(profile: "p", layout: "l", throughSequence: 1, sha256: "s"), "export_made - - -"
    ),
    (
      .purged(
        Purge(
          throughSequence: 9, throughAt: at, firstAt: nil, firstOffsetSeconds: 0, kept: 4,
          keptDigest: "", archiveSHA256: "")), "purged - - -"
    ),
    (.tzChanged(from: "a", to: "b"), "tz_changed - - -"),
    (.tzdataChanged(from: "a", to: "b"), "tzdata_changed - - -"),
    (.personAdded(Person(id: hilde, version: 1)), "person_added - hilde -"),
    (.personChanged(Person(id: hilde, version: 2)), "person_changed - hilde -"),
    (.personRemoved(hilde, version: 2), "person_removed - hilde -"),
    (.personPaused(hilde, PersonPause()), "person_paused - hilde -"),
    (.personResumed(hilde), "person_resumed - hilde -"),
    (.phaseChanged(hilde, []), "phase_changed - hilde -"),
    (.enrolled(hilde, Enrolment(study: "s", pseudonym: "P", from: at)), "enrolled - hilde -"),
    (.withdrawn(hilde, Withdrawal()), "withdrawn - hilde -"),
    (.unblinded(hilde, study: "s"), "unblinded - hilde -"),
    (.studyNoted(hilde, StudyNote(kind: .deviation, text: "")), "deviation - hilde -"),
    (.studyNoted(hilde, StudyNote(kind: .adverseEvent, text: "")), "adverse_event - hilde -"),
    (
      .rewarded(hilde, CivilDate(dayNumber: 1), isHeard: true, hasPicture: false),
      "reward - hilde -"
    ),
    (.denied(uid: 1, count: 1, method: "GET", path: "/"), "denied - - -"),
    (.erased(.alarm(AlarmID("b"))), "erased - - -"), (.erased(.words(hilde)), "erased - hilde -"),
    (.erased(.identity(hilde)), "erased - hilde -"), (.rekeyed, "pseudonyms_rekeyed - - -"),
    (
      .diary(
        DiaryEntry(
          person: hilde, subject: .day(CivilDate(dayNumber: 1)), completion: 1, burden: nil,
          note: "", number: 1)), "diary - hilde -"
    ),
  ]

  @Test func `each event has its type, its prompt, its person and its alarm version`() {
    for (event, expected) in Self.prompts + Self.others {
      let parts = [
        event.type, event.promptID?.alarm.text ?? "-", event.person?.text ?? "-",
        event.alarmVersion.map { "\($0)" } ?? "-",
      ]
      #expect(parts.joined(separator: " ") == expected)
    }
    #expect(Event.serviceStopped(reason: "").isServiceStop && !Event.heartbeat.isServiceStop)
  }

  @Test func `each outcome has its event type, and is an answer or not`() {
    let table: [(Outcome, String, Bool, Bool, Bool)] = [
      (.completed, "completed", true, true, true),
      (.completedOutOfWindow, "completed", true, true, true),
      (.declined, "declined", false, true, true),
      (.missedNoResponse, "missed", false, false, false),
      (.missedAudioFailed, "missed", false, false, false),
      (.missedDeviceOff, "missed", false, false, false),
      (.missedSuspended, "missed", false, false, false),
      (.missedClockInvalid, "missed", false, false, false),
      (.unknownCrash, "missed", false, false, false),
      (.suppressedQuietHours, "suppressed", false, false, false),
      (.suppressedControlPhase, "suppressed", false, false, false),
      (.suppressedCap, "suppressed", false, false, false),
      (.suppressedPaused, "suppressed", false, false, false),
      (.cancelledBeforeDue, "cancelled", false, true, false),
      (.cancelledWhileRinging, "cancelled", false, true, false),
      (.supersededByEdit, "superseded", false, false, false),
    ]
    #expect(
      table.map(\.0)
        == Outcome.allCases.sorted { first, second in
          table.firstIndex { $0.0 == first } ?? 0 < table.firstIndex { $0.0 == second } ?? 0
        })
    for (outcome, type, isCompletion, isAnswer, isPatients) in table {
      let event = Event.closed(Self.id, outcome, reason: .none, .nothing)
      #expect(event.type == type && event.promptID == Self.id)
      #expect(outcome.isCompletion == isCompletion && outcome.isAnswer == isAnswer, "\(outcome)")
      #expect(outcome.isPatients == isPatients, "\(outcome)")
      #expect(NotifyReason(rawValue: outcome.rawValue)?.isOutcome ?? false == (type == "missed"))
    }
  }
}
