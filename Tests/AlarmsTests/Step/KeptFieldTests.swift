import CivilTime
import Testing

@testable import Alarms

/// Checks for each field of an alarm whether an edit of this field keeps the open prompts.
@Suite struct KeptFieldTests {
  private typealias Edit = (name: String, make: @Sendable (inout Alarm) -> Void)

  private static let alarm: Alarm = {
    var alarm = Alarm(
      id: AlarmID("a1"), version: 1, person: .patient, label: "Pills", instructions: "",
      schedule: .every(seconds: 3_600, from: Instant(seconds: 0)), phrase: "every hour",
      zoneName: "UTC", tone: nil, burst: .standard, lateWindowSeconds: 600, delaySeconds: 300,
      delayLimit: 3)
    alarm.escalation.later = [EscalationStep(burst: .standard)]
    alarm.escalation.completion = EscalationStep(burst: .standard)
    return alarm
  }()

  private static let kept: [Edit] = [
    ("nothing", { _ in }), ("version", { $0.version = 2 }), ("label", { $0.label = "Tea" }),
    ("instructions", { $0.instructions = "With water" }), ("phrase", { $0.phrase = "hourly" }),
    ("tone", { $0.tone = "bell" }), ("image", { $0.image = "a" }),
    ("calendar uid", { $0.calendarUID = "u" }), ("revision", { $0.calendarRevision = "r" }),
    ("delay", { $0.delaySeconds = 60 }), ("delay limit", { $0.delayLimit = 1 }),
    ("quiet hours", { $0.quiet = .ring }), ("pauses", { $0.pauses = .init(occurrences: [2]) }),
    ("uses", { $0.uses = [SupplyUse(supply: SupplyID("s"), amount: 1)] }),
    ("tone of the first step", { $0.escalation.first.tone = "bell" }),
    ("tone of a later step", { $0.escalation.later[0].tone = "bell" }),
    ("tone of the second phase", { $0.escalation.completion?.tone = "bell" }),
  ]

  private static let ended: [Edit] = [
    ("person", { $0.person = PersonID("eva") }), ("zone", { $0.zoneName = "Europe/Berlin" }),
    ("schedule", { $0.schedule = .every(seconds: 3_600, from: Instant(seconds: 1)) }),
    ("late window", { $0.lateWindowSeconds = 601 }),
    ("early reminders", { $0.earlyReminders = [.elapsed(seconds: 60)] }),
    ("announcement", { $0.isAnnouncement = true }), ("message", { $0.message = .heard }),
    ("questions", { $0.checkIn = CheckIn(questions: [], holdsCompletion: false) }),
    ("rings", { $0.escalation.first.burst.rings += 1 }),
    ("urgent", { $0.escalation.first.isUrgent = true }),
    ("steps", { $0.escalation.later = [] }),
    ("urgent step", { $0.escalation.later[0].isUrgent = true }),
    ("no second phase", { $0.escalation.completion = nil }),
    ("second phase", { $0.escalation.completion?.burst.rings += 1 }),
    ("contacts", { $0.escalation.notifySteps = [NotifyStep(contact: "bob", afterSeconds: 60)] }),
    ("deadline", { $0.escalation.completeBySeconds += 1 }),
  ]

  @Test func `an edit of a field and the reverse edit have the same effect on open prompts`() {
    for (edits, isKept) in [(Self.kept, true), (Self.ended, false)] {
      for (name, make) in edits {
        var edited = Self.alarm
        make(&edited)
        #expect((edited == Self.alarm) == (name == "nothing"), "\(name)")
        #expect(edited.keepsOpenPrompts(of: Self.alarm) == isKept, "\(name)")
        #expect(Self.alarm.keepsOpenPrompts(of: edited) == isKept, "\(name)")
      }
    }
  }
}
