import CivilTime

/// An event of the record.
///
/// The record is a list of events, and the state is computed from them. Events contain everything
/// that is needed to compute the same state again: `verify` replays them and compares the result.
public enum Event: Hashable, Sendable {
  // Indirect, because an alarm is large and a batch of events is copied more than once.
  indirect case alarmCreated(Alarm)
  indirect case alarmEdited(Alarm)
  case alarmDeleted(AlarmID, version: Int)
  case toneAdded(Tone)
  case toneRemoved(Tone)
  /// A caretaker tested the speaker, with this recording or with the built-in tone.
  case testRing(Tone?)

  case imageAdded(Picture)
  case imageRemoved(Picture)
  /// A picture shows that the task of the prompt was done.
  case photographed(PromptID, sha256: String)

  /// A prompt was planned, or planned again at another instant or for a newer version of its alarm.
  indirect case planned(Prompt)
  /// The prompt became due. `lateMilliseconds` is the time since its due time.
  case due(PromptID, lateMilliseconds: Int64)
  case ringIntent(PromptID, Ring, deadline: Instant)
  /// `level` is the volume of the device's card; nil if the card has no mixer.
  case ringStarted(PromptID, number: Int, device: String, level: SoundLevel? = nil)
  case ringEnded(PromptID, number: Int, device: String, frames: Int, xruns: Int, stopped: Bool)
  case ringFailed(PromptID, number: Int, reason: String)
  /// It is unknown whether, or how long, this ring sounded.
  case ringUncertain(PromptID, number: Int, reason: String)
  case acknowledged(PromptID, until: Instant, Stopped)
  case delayed(PromptID, until: Instant, Stopped)
  /// The prompt may not sound now. The suppression says why, and until when.
  case held(PromptID, Suppression)
  /// The prompt ended. The type of the event follows from the outcome.
  case closed(PromptID, Outcome, reason: ReasonCode, Stopped)
  /// The newest answer was undone, and the prompt continues.
  case corrected(PromptID, Correction)

  /// The self-audit found this defect of the prompt and repaired it.
  case repaired(PromptID, Defect)

  /// The contact at this position of the chain is to be notified.
  ///
  /// The event is repeated after a restart if the result was not known before the restart.
  case escalated(PromptID, position: Int, contact: String, reason: NotifyReason)
  /// The contact's command succeeded.
  case notified(PromptID, position: Int, contact: String, attempt: Int)
  /// The contact's command failed. `isLast` is true if it is not tried again.
  case notificationFailed(
    PromptID, position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)

  /// A person's inactivity changed.
  case inactivity(PersonID, InactivityChange)

  case serviceStarted(version: String)
  case serviceStopped(reason: String)
  case boot(previousBootID: String)
  case heartbeat
  /// The record has no rows between two instants, for this cause.
  case gap(from: Instant, to: Instant, cause: GapCause)
  /// The device was suspended.
  ///
  /// The daemon records it when the device wakes, because nothing asks it before a suspend.
  case suspended(from: Instant)
  /// The device woke up, after this time.
  case resumed(asleepMilliseconds: Int64)
  /// Free disk space fell below `DiskSpaceLimits.lowBytes`, or is back at twice that.
  case disk(isLow: Bool, freeBytes: Int64)
  /// The wall clock was stepped by this time; positive is forward.
  case clockStep(milliseconds: Int64)
  case clockSync(gained: Bool)
  case audioLost(reason: String)
  /// The volume of a device's card was found changed, or the volume of its rings was set.
  case volumeChanged(device: String, VolumeChange)
  case audioRestored(device: String)
  /// Another sound or device than the wanted one was used, or the player was restarted.
  case audioFallback(PromptID?, from: String, to: String, reason: String)
  case exportMade(profile: String, layout: String, throughSequence: Int64, sha256: String)
  /// The beginning of the record was purged.
  indirect case purged(Purge)
  /// The home zone changed.
  case tzChanged(from: String, to: String)
  /// The release of the system's tzdata changed.
  case tzdataChanged(from: String, to: String)

  case personAdded(Person)
  case personChanged(Person)
  case personRemoved(PersonID, version: Int)
  /// The new list of all phases of a person.
  ///
  /// Phases that have begun stay as they were, except for the end of the last one.
  case phaseChanged(PersonID, [StudyPhase])
  /// A person takes part in a study from an instant on.
  case enrolled(PersonID, Enrolment)
  /// A person left a study. `reason` is a typed text.
  case withdrawn(PersonID, reason: String)
  /// A question of a prompt was answered, or an answer to it was corrected.
  case response(PromptID, Response)
  /// A person completed everything that was planned for a day of the home.
  ///
  /// `isHeard` says whether the reward sounded.
  case rewarded(PersonID, CivilDate, isHeard: Bool)

  /// The daemon refused a user something that the user may not have.
  ///
  /// `count` is the number of refusals since the last event of this kind. `method` and `path` are
  /// those of the last request.
  case denied(uid: UInt32, count: Int, method: String, path: String)
  /// A care partner wrote about a day or a prompt, or corrected an entry.
  case diary(DiaryEntry)
  /// Words were erased. This row says so in their place.
  case erased(Erasure)
  /// All pseudonyms were replaced.
  ///
  /// From now on, exports and lists use new pseudonyms for people and for everything else that has
  /// one.
  case rekeyed

  /// Type of the event, as the codebook spells it.
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
    case .planned: "planned"
    case .due: "due"
    case .ringIntent: "ring_intent"
    case .ringStarted: "ring_started"
    case .ringEnded: "ring_ended"
    case .ringFailed: "ring_failed"
    case .ringUncertain: "ring_uncertain"
    case .acknowledged: "acknowledged"
    case .delayed: "delayed"
    case .held: "held"
    case .closed(_, let outcome, _, _): outcome.eventType
    case .corrected: "correction"
    case .repaired: "repaired"
    case .escalated: "escalated"
    case .notified: "notified"
    case .notificationFailed: "notification_failed"
    case .inactivity(_, let change): change.type
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
    case .phaseChanged: "phase_changed"
    case .enrolled: "enrolled"
    case .withdrawn: "withdrawn"
    case .response: "response"
    case .rewarded: "reward"
    case .denied: "denied"
    case .erased: "erased"
    case .rekeyed: "pseudonyms_rekeyed"
    case .diary: "diary"
    }
  }

  /// The prompt that the event is about; nil if there is none.
  public var promptID: PromptID? {
    switch self {
    case .planned(let prompt): prompt.id
    case .due(let id, _), .ringIntent(let id, _, _), .ringStarted(let id, _, _, _),
      .ringEnded(let id, _, _, _, _, _), .ringFailed(let id, _, _), .ringUncertain(let id, _, _),
      .acknowledged(let id, _, _), .delayed(let id, _, _), .held(let id, _),
      .closed(let id, _, _, _), .corrected(let id, _), .repaired(let id, _),
      .escalated(let id, _, _, _),
      .notified(let id, _, _, _), .notificationFailed(let id, _, _, _, _, _), .response(let id, _):
      id
    case .audioFallback(let id, _, _, _): id
    case .photographed(let id, _): id
    case .diary(let entry): if case .prompt(let id) = entry.subject { id } else { nil }
    default: nil
    }
  }

  /// The person that the event itself names; nil if there is none.
  public var person: PersonID? {
    switch self {
    case .alarmCreated(let alarm), .alarmEdited(let alarm): alarm.person
    case .personAdded(let person), .personChanged(let person): person.id
    case .erased(let erasure): erasure.person
    case .diary(let entry): entry.person
    case .personRemoved(let id, _), .phaseChanged(let id, _), .enrolled(let id, _),
      .withdrawn(let id, _), .rewarded(let id, _, _), .inactivity(let id, _):
      id
    default: nil
    }
  }
}

/// Effect of an answer, a cancellation or an edit on the rings of its prompt.
public struct Stopped: Hashable, Sendable {
  /// Number of rings that will never sound now.
  public var pending: Int
  /// Whether a ring was sounding at that moment.
  public var sounding: Bool
  /// Number of rings that had already begun to sound.
  public var sounded: Int

  public init(pending: Int, sounding: Bool, sounded: Int) {
    self.pending = pending
    self.sounding = sounding
    self.sounded = sounded
  }

  public static let nothing = Stopped(pending: 0, sounding: false, sounded: 0)
}

/// Why the record has no rows for a while. A closed list.
public enum GapCause: String, Sendable, CaseIterable {
  /// The service was stopped normally.
  case serviceStopped = "service_stopped"
  /// The service ended without a stop event, within one boot.
  case crash = "crash"
  /// The device was off. The next row belongs to another boot.
  case deviceOff = "device_off"
  case suspended = "suspended"
  /// The record could not be written.
  case recordUnwritable = "record_unwritable"
}

extension Event {
  /// Whether the event says that the service was stopped normally.
  public var isServiceStop: Bool { if case .serviceStopped = self { true } else { false } }
}

extension Outcome {
  /// An outcome without its cause. The raw value is the type of the event that carries it.
  public enum Kind: String, Sendable, CaseIterable {
    case completed = "completed"
    case declined = "declined"
    case missed = "missed"
    case suppressed = "suppressed"
    case cancelled = "cancelled"
    case superseded = "superseded"
  }

  /// Type of the event that carries this outcome.
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
/// It is one row of the study record before it gets its number and its hash.
public struct Record: Hashable, Sendable {
  public var event: Event
  public var actor: Actor
  public var reading: ClockReading
  /// The person concerned; nil if there is none.
  public var person: PersonID?
  /// Version of the alarm concerned; nil if there is none.
  public var alarmVersion: Int?
  /// Study phase of the person. For a row about a prompt: the phase at the prompt's due time.
  public var phase: StudyPhase.Kind?
  /// Id of the study that the person took part in at that time; nil for none.
  public var study: String?
  /// Zone for the local time of the row, and its offset.
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
