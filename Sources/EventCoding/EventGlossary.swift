import Alarms

/// The meanings of the values in the closed lists, for the codebook.
package enum EventGlossary {
  /// All event types and their meanings.
  package static let types: [(type: String, meaning: String)] =
    definitions + prompts + device + study

  private static let definitions = [
    ("alarm_created", "An alarm was made; its first version"),
    ("alarm_edited", "An alarm was changed; its next version"),
    ("alarm_deleted", "An alarm was removed; its versions stay in the record"),
    ("tone_added", "A recording was checked and stored"),
    ("image_added", "A picture was checked and stored"),
    ("image_removed", "A picture was removed, from the disk too"),
    ("photo_added", "A picture shows that the task of a prompt was done"),
    ("reward", "Everything planned for a person's day was completed"),
    ("denied", "Requests of a user were refused, because the user has no right to them"),
    ("tone_removed", "A recording was removed"),
    ("person_added", "A person was added; alarms can be set for this person"),
    ("person_changed", "The data of a person were changed"),
    ("person_removed", "A person was removed; the person's events stay in the record"),
  ]

  private static let prompts = [
    (
      "planned",
      "A prompt was planned, or planned again at another instant or from another alarm version"
    ),
    ("due", "The prompt became due, `late_ms` after its due time"),
    ("held", "The prompt is held back; `why` gives the reason, and the event says until when"),
    ("suppressed", "The prompt ended and was not allowed to sound: its outcome says why"),
    ("ring_intent", "A ring is about to be played; recorded before anything sounds"),
    ("ring_started", "The device took the ring's first frames"),
    ("ring_ended", "The ring ended: frames played, and whether it was stopped"),
    ("ring_failed", "No sound device could play the ring"),
    ("ring_uncertain", "The daemon does not know if the ring sounded, or for how long"),
    ("acknowledged", "A person answered \"on my way\""),
    ("delayed", "A person answered \"later\""),
    ("completed", "A person answered \"done\""),
    ("declined", "A person answered \"no\": the task will not be done"),
    ("correction", "An answer was undone; the row of the answer stays"),
    ("repaired", "The self-audit found a lost step and restored it; `defect` says which"),
    ("missed", "The prompt ended without an answer: its outcome says why"),
    ("cancelled", "A caretaker ended the prompt"),
    ("superseded", "An edit of its alarm replaced the prompt"),
    ("escalated", "The daemon begins to notify a contact"),
    ("notified", "A contact was notified"),
    ("notification_failed", "A contact could not be notified"),
    ("inactivity_begun", "A ring began, and its person has not answered since"),
    ("inactivity_ended", "The person answered, or somebody answered for the person"),
    ("inactivity_resumed", "The answer that ended an inactivity was undone"),
    (
      "inactivity_escalated",
      "The daemon begins to notify a contact: a person has answered nothing for `inactivity_h` hours"
    ),
    ("inactivity_notified", "A contact was notified that a person is inactive"),
    ("inactivity_notification_failed", "A contact could not be notified that a person is inactive"),
    (
      "inactivity_suspended",
      "No contact is notified: all alarms of the person were paused or removed"
    ),
  ]

  private static let device = [
    ("test_ring", "A caretaker tested the speaker"),
    ("service_start", "The daemon started"), ("service_stop", "The daemon was stopped normally"),
    ("boot", "The device booted"), ("heartbeat", "The daemon is running; every 15 minutes"),
    ("gap", "The time between two instants was not monitored; `cause` says why"),
    ("suspend", "The device went to sleep; recorded after it wakes"),
    ("resume", "The device woke; the event says how long it slept"),
    ("disk_low", "Less than 64 MiB are free on the disk"),
    ("disk_restored", "At least 128 MiB are free on the disk again"),
    (
      "clock_step",
      "The wall clock was set, or was set back while the device was off; forward is positive"
    ),
    ("clock_sync_gained", "The clock is synchronised with a time source"),
    ("clock_sync_lost", "The clock is not synchronised any more"),
    ("audio_lost", "No speaker can be used"),
    ("audio_restored", "A speaker can be used again"),
    (
      "volume_changed",
      "The volume of a device was set for its rings (`calibrated`), or was found changed (`found`)"
    ),
    ("audio_fallback", "Another device or sound was used, because the wanted one failed"),
    ("tz_changed", "The home's time zone was changed"),
    ("tzdata_changed", "The release of the system's time zone data was changed"),
  ]

  private static let study = [
    ("enrolled", "A person takes part in a study, from an instant on"),
    ("withdrawn", "A person's part in a study ended"),
    ("response", "A question of a prompt was answered, or its answer was corrected"),
    ("diary", "A care partner wrote about a day or a prompt, or corrected an entry"),
    ("erased", "Words or an identity were erased for good: `scope`"),
    ("pseudonyms_rekeyed", "After this event, exports and listings use new pseudonyms"),
    ("phase_changed", "The phases of a person were changed; the event has all of them"),
    ("export_made", "The record was exported: up to which event, and the digest of the manifest"),
    (
      "purged",
      "Events up to `through_seq` were removed, except `kept` of them; an archive has all of them"
    ),
  ]
}

extension Outcome {
  public var meaning: String {
    switch self {
    case .completed: "Done in time"
    case .completedOutOfWindow: "Done, but too late"
    case .declined: "A person said that it will not be done"
    case .missedNoResponse: "It rang or was delayed, and nobody completed it in time"
    case .missedAudioFailed: "No ring was heard: the speaker failed or was not free in time"
    case .missedDeviceOff:
      "The device or the service was off when it was due, and later it was too late"
    case .missedSuspended: "The device slept when it was due, and later it was too late"
    case .missedClockInvalid: "A change of the clock or the time zone skipped its due time"
    case .suppressedQuietHours: "It was due in quiet hours, and did not sound"
    case .suppressedControlPhase:
      "It was due in a control phase, in which nothing sounds, and nobody answered"
    case .suppressedCap: "The person had already heard the most rings allowed in one hour"
    case .suppressedPaused: "Its alarm was paused"
    case .cancelledBeforeDue: "A caretaker cancelled it before it was due"
    case .cancelledWhileRinging: "A caretaker ended it after it was due"
    case .supersededByEdit: "An edit of its alarm replaced the prompt"
    case .unknownCrash: "The device or the service failed, and the daemon does not know if it rang"
    }
  }
}

extension ReasonCode {
  package var meaning: String {
    switch self {
    case .none: "No reason was given"
    case .away: "Not at home"
    case .asleep: "Asleep"
    case .busy: "Busy with something else"
    case .refused: "Did not want to"
    case .notHeard: "It was not heard"
    case .notUnderstood: "It was not understood"
    case .alreadyDone: "It was already done"
    case .unwell: "Not well"
    case .deviceProblem: "Something was wrong with the device"
    case .caretakerOverride: "A caretaker decided"
    case .other: "Something else"
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
