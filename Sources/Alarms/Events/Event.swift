import CivilTime

/// An event of the record.
///
/// The record is a list of events, and the daemon computes the state from the events. Events
/// contain all data that a replay needs. The command `verify` replays the events and compares the
/// result with the stored state.
public enum Event: Hashable, Sendable {
  // The daemon often copies lists of events, and an alarm is a large value. Therefore the next two
  // cases are `indirect`: each copy of an event contains only a reference to the alarm.
  indirect case alarmCreated(Alarm)
  indirect case alarmEdited(Alarm)
  case alarmDeleted(AlarmID, version: Int)
  case toneAdded(Tone)
  case toneRemoved(Tone)
  /// A caretaker tested the speaker. The value is the recording that the player used; nil for the
  /// built-in tone.
  case testRing(Tone?)

  case imageAdded(Picture)
  case imageRemoved(Picture)
  /// A user added a photo that shows the completed task of the prompt.
  case photographed(PromptID, sha256: String)

  /// A list of holidays was imported or removed.
  case holidays(HolidayChange)

  /// A prompt was planned. The daemon can plan the same prompt again, at another instant or for a
  /// newer version of its alarm.
  indirect case planned(Prompt)
  /// The prompt became due. `lateMilliseconds` is the time from the due time until the daemon
  /// recorded this event.
  case due(PromptID, lateMilliseconds: Int64)
  case ringIntent(PromptID, Ring, deadline: Instant)
  /// The player reported the start of a ring. `level` is the volume of the device's sound card; nil
  /// if the card has no volume control.
  case ringStarted(PromptID, number: Int, device: String, level: SoundLevel? = nil)
  case ringEnded(PromptID, number: Int, device: String, frames: Int, xruns: Int, stopped: Bool)
  case ringFailed(PromptID, number: Int, reason: String)
  /// The daemon cannot know if this ring sounded. The length of the sound is also unknown.
  case ringUncertain(PromptID, number: Int, reason: String)
  case acknowledged(PromptID, until: Instant, Stopped)
  case delayed(PromptID, until: Instant, Stopped)
  /// A screen showed the prompt to the person for the first time.
  case presented(PromptID)
  /// Somebody asked the daemon to play the recording or the words of the prompt once more. The
  /// sound is not a ring of the prompt.
  case saidAgain(PromptID)
  /// The prompt must be silent now. `Suppression` contains the reason and the end time.
  case held(PromptID, Suppression)
  /// The prompt ended. The outcome determines the type of the event.
  case closed(PromptID, Outcome, reason: ReasonCode, Stopped)
  /// The newest answer was undone, and the prompt continues.
  case corrected(PromptID, Correction)

  /// The alarm was changed, and this due prompt stays open with the new version of the alarm.
  case revised(PromptID, version: Int)

  /// The self-audit found and repaired a defect of the prompt.
  case repaired(PromptID, Defect)

  /// The daemon will now notify the contact at this position in the escalation.
  ///
  /// After a restart, the daemon records the event again if the record contains no result of the
  /// notification.
  case escalated(PromptID, position: Int, contact: String, reason: NotifyReason)
  /// The contact's command succeeded.
  case notified(PromptID, position: Int, contact: String, attempt: Int)
  /// The contact's command failed. `isLast` is true if the daemon makes no further attempt.
  case notificationFailed(
    PromptID, position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)

  /// The inactivity of a person began, ended or changed.
  case inactivity(PersonID, InactivityChange)

  /// A notice was due, or the daemon recorded a result of a notice.
  indirect case notice(Notice, NoticeChange)
  /// A person asked that a contact calls back, or the state of a call changed.
  case call(PersonID, number: Int64, CallChange)
  /// A supply was added, changed, refilled, counted, used or removed, or an undo returned the
  /// amount that a prompt had used.
  indirect case supply(SupplyID, SupplyChange)

  case serviceStarted(version: String)
  case serviceStopped(reason: String)
  case boot(previousBootID: String)
  case heartbeat
  /// The daemon recorded no events between `from` and `to`. `cause` is the reason.
  case gap(from: Instant, to: Instant, cause: GapCause)
  /// The device was suspended.
  ///
  /// The daemon records this event when the device wakes, because the system does not inform the
  /// daemon before a suspend.
  case suspended(from: Instant)
  /// The device woke up after it slept for this number of milliseconds.
  case resumed(asleepMilliseconds: Int64)
  /// Free disk space fell below `DiskSpaceLimits.lowBytes`, or rose again to twice this limit.
  case disk(isLow: Bool, freeBytes: Int64)
  /// Somebody or a time source set the wall clock forward or back. The value is positive for a step
  /// forward, and negative for a step back.
  case clockStep(milliseconds: Int64)
  case clockSync(gained: Bool)
  case audioLost(reason: String)
  /// Somebody changed the volume of a device's sound card, or a caretaker set the volume that the
  /// device uses for rings.
  case volumeChanged(device: String, VolumeChange)
  case audioRestored(device: String)
  /// The player used a fallback sound or device, or the daemon restarted the player.
  case audioFallback(PromptID?, from: String, to: String, reason: String)
  case exportMade(profile: String, layout: String, throughSequence: Int64, sha256: String)
  /// The oldest rows of the record were purged.
  indirect case purged(Purge)
  /// The home zone changed.
  case tzChanged(from: String, to: String)
  /// The release of the system's tzdata changed.
  case tzdataChanged(from: String, to: String)

  case personAdded(Person)
  case personChanged(Person)
  case personRemoved(PersonID, version: Int)
  /// All alarms of a person are silent until the pause ends. A new pause replaces the earlier
  /// pause.
  case personPaused(PersonID, PersonPause)
  /// A caretaker ended the pause of a person.
  case personResumed(PersonID)
  /// The new list of all phases of a person.
  ///
  /// Phases that have already begun do not change, with one exception: the end of the newest of
  /// these phases can change.
  case phaseChanged(PersonID, [StudyPhase])
  /// A researcher enrolled a person in a study. `Enrolment` contains the instant at which the
  /// enrolment begins.
  case enrolled(PersonID, Enrolment)
  /// A person left a study.
  case withdrawn(PersonID, Withdrawal)
  /// An administrator unblinded a study. The daemon records one event for each person of the study.
  case unblinded(PersonID, study: String)
  /// A user recorded a protocol deviation or an adverse event of a participant.
  case studyNoted(PersonID, StudyNote)
  /// A person answered a question of a prompt, or corrected a response.
  case response(PromptID, Response)
  /// A person completed all planned tasks of a day. The day is a date in the home zone.
  ///
  /// `isHeard` is true if the reward sounded. `hasPicture` is true if the person had a reward
  /// picture that a screen may show.
  case rewarded(PersonID, CivilDate, isHeard: Bool, hasPicture: Bool)

  /// The daemon refused requests of a user who did not have the required role.
  ///
  /// `count` is the number of refusals since the previous event `denied`. `method` and `path` are
  /// the HTTP method and the path of the last refused request.
  case denied(uid: UInt32, count: Int, method: String, path: String)
  /// A care partner wrote a diary entry about a day or a prompt, or corrected an entry.
  case diary(DiaryEntry)
  /// Texts of the record were erased. `Erasure` says which texts.
  case erased(Erasure)
  /// All pseudonyms were replaced.
  ///
  /// From now on, exports and lists contain a new pseudonym for each person and each device.
  case rekeyed

  /// The event type that the codebook lists, for example `alarm_created`.
  public var type: String {
    switch self {
    case .alarmCreated: "alarm_created"
    case .alarmEdited: "alarm_edited"
    case .alarmDeleted: "alarm_deleted"
    case .toneAdded: "tone_added"
    case .toneRemoved: "tone_removed"
    case .testRing: "test_ring"
    case .imageAdded: "image_added"
    case .imageRemoved: "image_removed"
    case .photographed: "photo_added"
    case .holidays(let change): change.type
    case .planned: "planned"
    case .due: "due"
    case .ringIntent: "ring_intent"
    case .ringStarted: "ring_started"
    case .ringEnded: "ring_ended"
    case .ringFailed: "ring_failed"
    case .ringUncertain: "ring_uncertain"
    case .acknowledged: "acknowledged"
    case .delayed: "delayed"
    case .presented: "presented"
    case .saidAgain: "said_again"
    case .held: "held"
    case .closed(_, let outcome, _, _): outcome.eventType
    case .corrected: "correction"
    case .revised: "revised"
    case .repaired: "repaired"
    case .escalated: "escalated"
    case .notified: "notified"
    case .notificationFailed: "notification_failed"
    case .inactivity(_, let change): change.type
    case .notice(_, let change): change.type
    case .call(_, _, let change): change.type
    case .supply(_, let change): change.type
    case .serviceStarted: "service_start"
    case .serviceStopped: "service_stop"
    case .boot: "boot"
    case .heartbeat: "heartbeat"
    case .gap: "gap"
    case .suspended: "suspend"
    case .resumed: "resume"
    case .disk(let isLow, _): isLow ? "disk_low" : "disk_restored"
    case .clockStep: "clock_step"
    case .clockSync(let gained): gained ? "clock_sync_gained" : "clock_sync_lost"
    case .audioLost: "audio_lost"
    case .volumeChanged: "volume_changed"
    case .audioRestored: "audio_restored"
    case .audioFallback: "audio_fallback"
    case .exportMade: "export_made"
    case .purged: "purged"
    case .tzChanged: "tz_changed"
    case .tzdataChanged: "tzdata_changed"
    case .personAdded: "person_added"
    case .personChanged: "person_changed"
    case .personRemoved: "person_removed"
    case .personPaused: "person_paused"
    case .personResumed: "person_resumed"
    case .phaseChanged: "phase_changed"
    case .enrolled: "enrolled"
    case .withdrawn: "withdrawn"
    case .unblinded: "unblinded"
    case .studyNoted(_, let note): note.kind.rawValue
    case .response: "response"
    case .rewarded: "reward"
    case .denied: "denied"
    case .erased: "erased"
    case .rekeyed: "pseudonyms_rekeyed"
    case .diary: "diary"
    }
  }

  /// The id of the prompt that the event concerns; nil if the event concerns no prompt.
  public var promptID: PromptID? {
    switch self {
    case .planned(let prompt): prompt.id
    case .due(let id, _), .ringIntent(let id, _, _), .ringStarted(let id, _, _, _),
      .ringEnded(let id, _, _, _, _, _), .ringFailed(let id, _, _), .ringUncertain(let id, _, _),
      .acknowledged(let id, _, _), .delayed(let id, _, _), .held(let id, _), .presented(let id),
      .saidAgain(let id),
      .closed(let id, _, _, _), .corrected(let id, _), .repaired(let id, _),
      .revised(let id, _),
      .escalated(let id, _, _, _),
      .notified(let id, _, _, _), .notificationFailed(let id, _, _, _, _, _), .response(let id, _):
      id
    case .audioFallback(let id, _, _, _): id
    case .photographed(let id, _): id
    case .notice(let notice, _): notice.prompt
    case .supply(_, let change): change.prompt
    case .diary(let entry): if case .prompt(let id) = entry.subject { id } else { nil }
    default: nil
    }
  }

  /// The person whose id the event contains; nil if the event contains no person.
  public var person: PersonID? {
    switch self {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): alarm.person
    case .personAdded(let person), .personChanged(let person): person.id
    case .erased(let erasure): erasure.person
    case .diary(let entry): entry.person
    case .notice(let notice, _): notice.person
    case .call(let id, _, _): id
    case .personRemoved(let id, _), .personPaused(let id, _), .personResumed(let id),
      .phaseChanged(let id, _), .enrolled(let id, _),
      .withdrawn(let id, _), .unblinded(let id, _), .studyNoted(let id, _),
      .rewarded(let id, _, _, _), .inactivity(let id, _):
      id
    default: nil
    }
  }
}

/// The effect of an answer, a cancellation or an edit on the rings of the prompt.
public struct Stopped: Hashable, Sendable {
  /// The number of rings that will not sound any more, because of the answer, the cancellation or
  /// the edit. If the daemon has already recorded the ring intent of a ring, this ring does not
  /// count.
  public var pending: Int
  /// True if a ring was sounding when the answer, the cancellation or the edit arrived.
  public var sounding: Bool
  /// The number of rings of the prompt that had started to sound before the answer, the
  /// cancellation or the edit arrived.
  public var sounded: Int

  public init(pending: Int, sounding: Bool, sounded: Int) {
    self.pending = pending
    self.sounding = sounding
    self.sounded = sounded
  }

  public static let nothing = Stopped(pending: 0, sounding: false, sounded: 0)
}

/// The reason why the record contains no events for a period. The list of reasons is fixed.
public enum GapCause: String, Sendable, CaseIterable {
  /// The daemon was stopped normally, and recorded this stop.
  case serviceStopped = "service_stopped"
  /// The daemon ended without recording a stop, and the device did not reboot.
  case crash = "crash"
  /// The device was off. The rows before and after the gap have different boot ids.
  case deviceOff = "device_off"
  case suspended = "suspended"
  /// The record could not be written.
  case recordUnwritable = "record_unwritable"
}

extension Event {
  /// True if the event says that the daemon was stopped normally.
  public var isServiceStop: Bool { if case .serviceStopped = self { true } else { false } }
}

extension Outcome {
  /// A group of outcomes. The event that ends a prompt contains the outcome of this prompt. The
  /// type of this event is the raw value of the group.
  public enum Kind: String, Sendable, CaseIterable {
    case completed = "completed"
    case declined = "declined"
    case missed = "missed"
    case suppressed = "suppressed"
    case cancelled = "cancelled"
    case superseded = "superseded"
  }

  /// The type of the event that contains this outcome.
  public var eventType: String { kind.rawValue }

  public var kind: Kind {
    switch self {
    case .completed, .completedOutOfWindow: .completed
    case .declined: .declined
    case .missedNoResponse, .missedAudioFailed, .missedDeviceOff, .missedSuspended,
      .missedClockInvalid, .unknownCrash:
      .missed
    case .suppressedQuietHours, .suppressedControlPhase, .suppressedCap, .suppressedPaused:
      .suppressed
    case .cancelledBeforeDue, .cancelledWhileRinging: .cancelled
    case .supersededByEdit: .superseded
    }
  }
}

/// An event with its actor and clock reading.
///
/// The logbook adds the sequence number and the hash, and stores the result as one row of the
/// home's record.
public struct Record: Hashable, Sendable {
  public var event: Event
  public var actor: Actor
  public var reading: ClockReading
  /// The person whom the event concerns; nil if the event concerns no person.
  public var person: PersonID?
  /// The version of the alarm that the event concerns; nil if the event concerns no alarm.
  public var alarmVersion: Int?
  /// The study phase of the person. If the event concerns a prompt, the value is the phase at the
  /// due time of the prompt. Otherwise, the value is the phase at the time of the event.
  public var phase: StudyPhase.Kind?
  /// The id of the study that the event belongs to; nil if the event belongs to no study.
  public var study: String?
  /// The name of the zone in which the row shows its local time. `utcOffsetSeconds` is the UTC
  /// offset of this zone at the time of the event.
  public var zoneName: String
  public var utcOffsetSeconds: Int
  public var tzdataVersion: String

  public init(
    event: Event, actor: Actor, reading: ClockReading, person: PersonID?, alarmVersion: Int?,
    zoneName: String, utcOffsetSeconds: Int, tzdataVersion: String,
    phase: StudyPhase.Kind? = nil, study: String? = nil
  ) {
    self.event = event
    self.actor = actor
    self.reading = reading
    self.person = person
    self.alarmVersion = alarmVersion
    self.phase = phase
    self.study = study
    self.zoneName = zoneName
    self.utcOffsetSeconds = utcOffsetSeconds
    self.tzdataVersion = tzdataVersion
  }
}
