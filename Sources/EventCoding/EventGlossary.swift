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
    ("denied", "Requests of a user were refused for want of a right"),
    ("tone_removed", "A recording was removed"),
    ("person_added", "Somebody that alarms are for"),
    ("person_changed", "What is known of a person was changed"),
    ("person_removed", "A person was removed; what is recorded of them stays"),
  ]

  private static let prompts = [
    (
      "planned", "A prompt was planned, or planned anew at another instant or under another version"
    ),
    ("due", "Its due time came; `late_ms` is how long ago"),
    ("held", "It may not sound now: `why`, and until when"),
    ("suppressed", "It ended without being meant to sound: its outcome says why"),
    ("ring_intent", "A ring is about to be asked for; written before anything sounds"),
    ("ring_started", "The device took the ring's first frames"),
    ("ring_ended", "The ring is over: frames played, and whether it was stopped"),
    ("ring_failed", "No device would play the ring"),
    ("ring_uncertain", "Nobody knows whether, or how long, the ring sounded"),
    ("acknowledged", "Somebody is on the way"),
    ("delayed", "Somebody put it off"),
    ("completed", "The task is done"),
    ("declined", "Somebody said that it will not be done"),
    ("correction", "An answer was taken back; the row of the answer stays"),
    ("repaired", "The self-audit found it lost: `defect` says how; it goes on from there"),
    ("missed", "It ended without an answer: its outcome says why"),
    ("cancelled", "A caretaker ended it"),
    ("superseded", "An edit of its alarm put another prompt in its place"),
    ("escalated", "The daemon begins to notify a contact"),
    ("notified", "A contact was notified"),
    ("notification_failed", "A contact could not be notified"),
    ("inactivity_begun", "A ring began, and its person has answered nothing since"),
    ("inactivity_ended", "The person answered, or somebody answered for the person"),
    ("inactivity_resumed", "The answer that ended an inactivity was undone"),
    (
      "inactivity_escalated",
      "The daemon begins to notify a contact: a person has answered nothing for `inactivity_h` hours"
    ),
    ("inactivity_notified", "A contact was notified of an inactivity"),
    ("inactivity_notification_failed", "A contact could not be notified of an inactivity"),
    (
      "inactivity_suspended",
      "No contact is notified: all alarms of the person were paused or removed"
    ),
  ]

  private static let device = [
    ("test_ring", "A caretaker had the speaker tried"),
    ("service_start", "The daemon started"), ("service_stop", "The daemon stopped in good order"),
    ("boot", "The device booted"), ("heartbeat", "The daemon watches; every 15 minutes"),
    ("gap", "Nobody watched between two instants, and why"),
    ("suspend", "The device fell asleep; recorded when it wakes"),
    ("resume", "It woke after so long"),
    ("disk_low", "The disk has less room than months take"),
    ("disk_restored", "The disk has room again"),
    (
      "clock_step",
      "The wall clock was set, or put back while the device was off; forward is positive"
    ),
    ("clock_sync_gained", "A time source vouches for the clock"),
    ("clock_sync_lost", "None does any more"), ("audio_lost", "No speaker can be used"),
    ("audio_restored", "A speaker can be used again"),
    (
      "volume_changed",
      "Somebody settled how loud a card is made (`calibrated`), or had turned it (`found`)"
    ),
    ("audio_fallback", "A sound came out of something other than what was asked for"),
    ("tz_changed", "The home is in another zone"),
    ("tzdata_changed", "The system's zone data are of another release"),
  ]

  private static let study = [
    ("enrolled", "A person takes part in a study from an instant on"),
    ("withdrawn", "A person takes no part any more"),
    ("response", "A question of a prompt was answered, or an answer to it corrected"),
    ("diary", "A care partner wrote of a day or a prompt, or corrected it"),
    ("erased", "Words, or who somebody was, were erased for good: `scope`"),
    ("pseudonyms_rekeyed", "Exports and listings call everybody by new names from here on"),
    ("phase_changed", "All phases of a person as they are from now on"),
    ("export_made", "The record was exported, up to which event, and the manifest's digest"),
    (
      "purged",
      "Events up to `through_seq` were taken away but for `kept` of them; an archive holds them all"
    ),
  ]
}

extension Outcome {
  public var meaning: String {
    switch self {
    case .completed: "Done, in its window"
    case .completedOutOfWindow: "Done, after its window"
    case .declined: "Somebody said that it will not be done"
    case .missedNoResponse: "It rang or was put off, and nobody completed it in time"
    case .missedAudioFailed: "No ring sounded, for want of a speaker"
    case .missedDeviceOff: "The device or its service was off when it was due, and too late after"
    case .missedSuspended: "The device slept when it was due, and too late after"
    case .missedClockInvalid: "The clock could not be believed when it was due"
    case .suppressedQuietHours: "It fell into quiet hours, and was not to sound"
    case .suppressedControlPhase:
      "It fell into a control phase: nothing was to sound, and nobody answered"
    case .suppressedCap: "As many rings as an hour may have had sounded"
    case .suppressedPaused: "Its alarm was paused"
    case .cancelledBeforeDue: "A caretaker took it away before it was due"
    case .cancelledWhileRinging: "A caretaker ended it after it was due"
    case .supersededByEdit: "An edit of its alarm put another prompt in its place"
    case .unknownCrash: "A crash left nobody to know"
    }
  }
}

extension ReasonCode {
  package var meaning: String {
    switch self {
    case .none: "None was given"
    case .away: "Not at home"
    case .asleep: "Asleep"
    case .busy: "Busy with something else"
    case .refused: "Did not want to"
    case .notHeard: "It was not heard"
    case .notUnderstood: "It was not understood"
    case .alreadyDone: "It had been done before"
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
    case .serviceStopped: "The service was stopped in good order"
    case .crash: "The service ended without saying so, within one boot"
    case .deviceOff: "The device was off: another boot followed"
    case .suspended: "The device slept"
    case .recordUnwritable: "The record could not be written"
    }
  }
}
