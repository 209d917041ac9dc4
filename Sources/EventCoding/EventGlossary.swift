import Alarms

/// The fixed lists of words in the record, for example the list of event types. Each list contains
/// the meaning of each word. The codebook of each export contains all these lists.
package enum EventGlossary {
  /// All event types, each with its meaning.
  package static let types: [(type: String, meaning: String)] =
    definitions + prompts + device + study

  private static let definitions = [
    ("alarm_created", "A user created an alarm; the event contains its first version"),
    ("alarm_edited", "A user changed an alarm; the event contains the new version"),
    ("alarm_deleted", "A user removed an alarm; the versions of the alarm stay in the record"),
    ("tone_added", "A recording was checked and stored"),
    ("image_added", "A picture was checked and stored"),
    ("image_removed", "A picture was removed, and its files were deleted"),
    ("photo_added", "A picture that shows the finished task was added to a prompt"),
    (
      "holidays_imported",
      "A list of holidays was imported; `days` contains the dates of the list. An earlier list "
        + "with the same name is replaced"
    ),
    ("holidays_removed", "A list of holidays was removed"),
    (
      "reward",
      "A person completed all tasks that were planned for a day; `heard`: a tone sounded; "
        + "`picture`: the person had a reward picture that a screen may show"
    ),
    ("denied", "The daemon refused requests of a user who does not have the necessary rights"),
    ("tone_removed", "A recording was removed"),
    ("supply_added", "A supply was added; `left` is the amount that the home has"),
    (
      "supply_changed", "The name, the unit, the threshold or the contacts of a supply were changed"
    ),
    ("supply_removed", "A supply was removed"),
    ("supply_refilled", "A person added `amount` to a supply; `left` is the new amount"),
    ("supply_counted", "A person counted a supply; `left` is the counted amount"),
    (
      "supply_used",
      "A prompt was completed and used up a part of a supply. `amount` is the amount that each "
        + "completed prompt of the alarm uses, and `taken` is the amount that this prompt used. If "
        + "less than `amount` was left, `taken` is smaller than `amount`"
    ),
    (
      "supply_returned",
      "The completion of a prompt was undone; `amount` went back to the supply, and `left` is the new amount"
    ),
    ("person_added", "A person was added; alarms can be set for this person"),
    ("person_changed", "The data of a person were changed"),
    ("person_removed", "A person was removed; the person's events stay in the record"),
    (
      "person_paused",
      "All alarms of a person are silent until `until_ms`. If `until_ms` is null, the alarms are "
        + "silent until somebody ends the pause"
    ),
    ("person_resumed", "Somebody ended the pause of a person"),
  ]

  private static let prompts = [
    (
      "planned",
      "A prompt was planned, or was planned again because its instant or its alarm version changed"
    ),
    (
      "due",
      "The prompt became due; `late_ms` is the time from the due time until the daemon began to "
        + "handle the prompt"
    ),
    (
      "held",
      "The prompt is due but does not sound now; the event contains the reason (`why`) and the "
        + "time until which the prompt is silent"
    ),
    (
      "suppressed",
      "A rule ended the prompt, for example the rule of quiet hours; the outcome names the rule"
    ),
    (
      "ring_intent",
      "The daemon intends to play a ring; the daemon records this event before the ring sounds"
    ),
    (
      "presented",
      "A screen showed the prompt to the person; only the first report of a prompt is recorded"
    ),
    (
      "said_again",
      "A person asked to hear the voice of the prompt once more; the sound is not a ring"
    ),
    ("ring_started", "A ring began to sound: the sound device accepted the first frames"),
    (
      "ring_ended",
      "A ring ended; the event contains the number of played frames, and says whether the ring "
        + "was stopped before its end"
    ),
    ("ring_failed", "No sound device could play a ring"),
    (
      "ring_uncertain",
      "The daemon or the player failed during a ring; nobody knows whether the ring sounded to its "
        + "end"
    ),
    ("acknowledged", "A person answered \"on my way\""),
    ("delayed", "A person answered \"later\""),
    ("completed", "A person answered \"done\""),
    ("declined", "A person answered \"no\": the task will not be done"),
    ("correction", "A person undid an answer; the event of the answer stays in the record"),
    (
      "repaired",
      "The self-audit found an error in the state of a prompt or an alarm, and corrected it; "
        + "`defect` names the error"
    ),
    (
      "revised",
      "The alarm was changed, and the due prompt stays open with the new version of the alarm"
    ),
    ("missed", "The prompt ended without an answer; the outcome contains the reason"),
    ("cancelled", "A caretaker ended the prompt"),
    ("superseded", "The prompt ended, because its alarm was changed"),
    ("escalated", "The daemon begins to notify a contact about a prompt"),
    ("notified", "A contact was notified about a prompt"),
    ("notification_failed", "A contact could not be notified about a prompt"),
    (
      "inactivity_begun",
      "A period of inactivity began: a ring for the person sounded, and nobody has answered yet"
    ),
    (
      "inactivity_ended",
      "A period of inactivity ended: the person answered, or another user answered for the person"
    ),
    (
      "inactivity_resumed",
      "A period of inactivity continues, because the answer that ended it was undone"
    ),
    (
      "inactivity_escalated",
      "The daemon begins to notify a contact, because a person has answered nothing for "
        + "`inactivity_h` hours"
    ),
    ("inactivity_notified", "A contact was notified that a person is inactive"),
    ("inactivity_notification_failed", "A contact could not be notified that a person is inactive"),
    (
      "inactivity_suspended",
      "A period of inactivity ended, because the person was paused, or because all alarms of the "
        + "person were paused or removed"
    ),
    (
      "notice_due",
      "The daemon begins to send a notice to a contact; `kind` contains the kind of the notice, "
        + "for example `all_clear`"
    ),
    ("notice_sent", "A notice was sent to a contact"),
    ("notice_failed", "A notice could not be sent to a contact"),
    (
      "notice_dropped",
      "The daemon no longer tries to send a notice to a contact; `why` contains the reason"
    ),
    ("call_asked", "A person asked that a contact calls back; this is not an emergency call"),
    (
      "call_repeated",
      "A person asked for the same call again; the daemon does not notify the contact again"
    ),
    ("call_told", "A contact was notified that a person asks for a call"),
    ("call_failed", "No contact was notified of a call; `why` contains the reason"),
  ]

  private static let device = [
    ("test_ring", "A caretaker tested the speaker"),
    ("service_start", "The daemon started"), ("service_stop", "The daemon was stopped normally"),
    ("boot", "The device booted"),
    ("heartbeat", "The daemon is running; it records this event every 15 minutes"),
    ("gap", "A period was not monitored; the event contains its beginning, its end and the cause"),
    ("suspend", "The device went to sleep; the daemon records this event after the device wakes"),
    ("resume", "The device woke; the event contains the duration of the sleep"),
    ("disk_low", "Less than 64 MiB are free on the disk"),
    ("disk_restored", "At least 128 MiB are free on the disk again"),
    (
      "clock_step",
      "The wall clock was set forward or back. `step_ms` is positive if the clock was set forward. "
        + "The daemon also records this event if the clock was set back while the device was off"
    ),
    ("clock_sync_gained", "The clock is synchronised with a time source"),
    ("clock_sync_lost", "The clock is no longer synchronised with a time source"),
    ("audio_lost", "No speaker can be used"),
    ("audio_restored", "A speaker can be used again"),
    (
      "volume_changed",
      "The volume of a sound device changed. `cause` is `calibrated` if a caretaker set the "
        + "volume, and `found` if the daemon found a different volume"
    ),
    (
      "audio_fallback",
      "The daemon used another sound device or another sound, because the preferred sound device "
        + "or sound failed"
    ),
    ("tz_changed", "The home's time zone was changed"),
    ("tzdata_changed", "The device got another release of the time zone data (tzdata)"),
  ]

  private static let study = [
    ("enrolled", "A person was enrolled in a study; the event contains the start of the enrolment"),
    ("withdrawn", "The participation of a person in a study ended"),
    (
      "unblinded",
      "An administrator unblinded the study of a person; from this time on, lists and exports contain "
        + "the arm instead of its code"
    ),
    ("deviation", "A deviation from the protocol of the study was recorded for a participant"),
    (
      "adverse_event",
      "An adverse event of a participant was recorded; `serious` is true for a serious adverse event"
    ),
    ("response", "A person responded to a question of a prompt, or corrected a response"),
    ("diary", "A diary entry of a care partner about a day or a prompt was imported or corrected"),
    (
      "erased",
      "Texts or the identity of a person were erased; `scope` names the erased data, and `texts` lists "
        + "the rows whose texts were deleted, as ranges of `seq`"
    ),
    (
      "pseudonyms_rekeyed",
      "From this time on, all people and devices have new pseudonyms in exports, in `prompter log` "
        + "and in the event stream"
    ),
    (
      "phase_changed",
      "The phases of a person were changed; the event contains all phases of the person"
    ),
    (
      "export_made",
      "The record was exported; the event contains the number of the last exported event, and the "
        + "SHA-256 of MANIFEST.json"
    ),
    (
      "purged",
      "The events up to `through_seq` were moved to an archive; `kept` is the number of these "
        + "events that also stay in the record"
    ),
  ]
}

extension Outcome {
  public var meaning: String {
    switch self {
    case .completed:
      "Done in time: within the late window, or before the deadline that the answer \"on my way\" "
        + "set"
    case .completedOutOfWindow: "Done, but too late"
    case .declined: "A person said that the task will not be done"
    case .missedNoResponse: "The prompt rang or was delayed, and nobody completed the task in time"
    case .missedAudioFailed:
      "No ring could be heard: the speaker failed, or other sounds used the speaker until it was "
        + "too late"
    case .missedDeviceOff:
      "The device or the service was off at the due time, and started again after the late window"
    case .missedSuspended: "The device slept at the due time, and woke after the late window"
    case .missedClockInvalid: "A change of the clock or of the time zone skipped the due time"
    case .suppressedQuietHours: "The prompt was due in quiet hours, and did not sound"
    case .suppressedControlPhase:
      "The prompt was due in a control phase, in which no alarm sounds, and nobody answered"
    case .suppressedCap:
      "Only in records of earlier versions: the hourly limit silenced the prompt"
    case .suppressedPaused: "The alarm or its person was paused"
    case .cancelledBeforeDue:
      "A caretaker cancelled the prompt, removed the alarm or paused the person before the due time"
    case .cancelledWhileRinging:
      "A caretaker cancelled the prompt, removed the alarm or paused the person after the due time"
    case .supersededByEdit: "A change of the alarm or of its list of holidays ended the prompt"
    case .unknownCrash: "The device or the service failed, and nobody knows whether the prompt rang"
    }
  }
}

extension ReasonCode {
  package var meaning: String {
    switch self {
    case .none: "No reason was given"
    case .away: "The person was not at home"
    case .asleep: "The person was asleep"
    case .busy: "The person was busy with something else"
    case .refused: "The person did not want to do the task"
    case .notHeard: "The person did not hear the prompt"
    case .notUnderstood: "The person did not understand the prompt"
    case .alreadyDone: "The task was already done"
    case .unwell: "The person was not well"
    case .deviceProblem: "Something was wrong with the device"
    case .caretakerOverride: "A caretaker ended the prompt"
    case .other: "Another reason"
    }
  }
}

extension GapCause {
  package var meaning: String {
    switch self {
    case .serviceStopped: "The service was stopped normally"
    case .crash: "The service ended unexpectedly, and the device stayed on"
    case .deviceOff: "The device was off, and booted again later"
    case .suspended: "The device slept"
    case .recordUnwritable: "The record could not be written"
    }
  }
}
