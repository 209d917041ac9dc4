import CivilTime

/// Something that happened. The record is a list of these, and the state is what they add up to.
///
/// Events carry everything that is needed to arrive at the same state again: `verify` replays them and
/// compares.
public enum Event: Hashable, Sendable {
  // Kept elsewhere, for an alarm is large, and a batch of events is copied more than once.
  indirect case alarmCreated(Alarm)
  indirect case alarmEdited(Alarm)
  case alarmDeleted(AlarmID, version: Int)
  case toneAdded(Tone)
  case toneRemoved(Tone)
  /// A caretaker had the speaker tried, with this recording or with the built-in tone.
  case testRing(Tone?)

  case imageAdded(Picture)
  case imageRemoved(Picture)
  /// A picture shows that the prompt's task was done.
  case photographed(PromptID, sha256: String)

  /// A prompt was planned, or planned anew at another instant or under a newer version.
  indirect case planned(Prompt)
  /// The due time came. `lateMilliseconds` is how long ago that was.
  case due(PromptID, lateMilliseconds: Int64)
  case ringIntent(PromptID, Ring, deadline: Instant)
  /// The level is that of the device's card, where it has a mixer.
  case ringStarted(PromptID, number: Int, device: String, level: SoundLevel? = nil)
  case ringEnded(PromptID, number: Int, device: String, frames: Int, xruns: Int, stopped: Bool)
  case ringFailed(PromptID, number: Int, reason: String)
  /// Nobody knows whether, or how long, this ring sounded.
  case ringUncertain(PromptID, number: Int, reason: String)
  case acknowledged(PromptID, until: Instant, Stopped)
  case delayed(PromptID, until: Instant, Stopped)
  /// It may not sound now: why, and until when.
  case held(PromptID, Suppression)
  /// The prompt ended. The event's type follows from the outcome.
  case closed(PromptID, Outcome, reason: ReasonCode, Stopped)
  /// The newest answer was taken back, and the prompt goes on.
  case corrected(PromptID, Correction)

  /// The self-audit found this wrong with the prompt, and put it right.
  case repaired(PromptID, Defect)

  /// The person at this place of the chain is to be told. Again after a restart that came before it
  /// was known how it went.
  case escalated(PromptID, position: Int, contact: String, reason: NotifyReason)
  /// The contact's command ended well.
  case notified(PromptID, position: Int, contact: String, attempt: Int)
  /// The contact's command did not; `isLast` where it is not tried again.
  case notificationFailed(
    PromptID, position: Int, contact: String, attempt: Int, isLast: Bool, reason: String)

  /// Somebody has answered nothing for long.
  case inactivity(PersonID, InactivityChange)

  case serviceStarted(version: String)
  case serviceStopped(reason: String)
  case boot(previousBootID: String)
  case heartbeat
  /// The record is silent between two instants; why.
  case gap(from: Instant, to: Instant, cause: GapCause)
  /// The device fell asleep; recorded when it wakes, for nobody is asked before.
  case suspended(from: Instant)
  /// It woke after so long.
  case resumed(asleepMilliseconds: Int64)
  /// What is left of the disk has fallen below what months take, or has come back.
  case disk(isLow: Bool, freeBytes: Int64)
  /// The wall clock was stepped by this much; positive is forward.
  case clockStep(milliseconds: Int64)
  case clockSync(gained: Bool)
  case audioLost(reason: String)
  /// How loud a device's card is, or is to be made for a ring.
  case volumeChanged(device: String, VolumeChange)
  case audioRestored(device: String)
  /// A sound came out of something other than what was asked for, or its player was restarted.
  case audioFallback(PromptID?, from: String, to: String, reason: String)
  case exportMade(profile: String, layout: String, throughSequence: Int64, sha256: String)
  /// The beginning of the record was taken away.
  indirect case purged(Purge)
  /// The home is in another zone.
  case tzChanged(from: String, to: String)
  /// The system's zones are of another release.
  case tzdataChanged(from: String, to: String)

  case personAdded(Person)
  case personChanged(Person)
  case personRemoved(PersonID, version: Int)
  /// All phases of a person as they are from now on. Those that have begun are as they were, but for
  /// the end of the last.
  case phaseChanged(PersonID, [StudyPhase])
  /// A person takes part in a study from an instant on.
  case enrolled(PersonID, Enrolment)
  /// A person takes no part any more; why, in somebody's words.
  case withdrawn(PersonID, reason: String)
  /// A question of a prompt was answered, or an answer to it corrected.
  case response(PromptID, Response)
  /// A person had done everything that was planned for a day of the home, and whether they heard so.
  case rewarded(PersonID, CivilDate, isHeard: Bool)

  /// Somebody asked for what they may not have: who, how often since that was last recorded, and what
  /// they asked for last.
  case denied(uid: UInt32, count: Int, method: String, path: String)
  /// A care partner wrote of a day or a prompt, or corrected it.
  case diary(DiaryEntry)
  /// Words were erased; this row stands for them.
  case erased(Erasure)
  /// From now on exports and listings call people, and whatever else has a name there, by new ones.
  case rekeyed

  /// The event's type, as the codebook spells it.
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
    case .inactivity(_, let news): news.type
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

  /// The prompt this is about, where it is about one.
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

  /// The person that the event itself names.
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

/// What an answer, a cancellation or an edit did to the rings of its prompt.
public struct Stopped: Hashable, Sendable {
  /// Rings of the burst that will now never sound.
  public var pending: Int
  /// Whether a ring was sounding at that moment.
  public var sounding: Bool
  /// Rings that had already begun to sound.
  public var sounded: Int

  public init(pending: Int, sounding: Bool, sounded: Int) {
    self.pending = pending
    self.sounding = sounding
    self.sounded = sounded
  }

  public static let nothing = Stopped(pending: 0, sounding: false, sounded: 0)
}

/// Why the record is silent for a while. A closed list.
public enum GapCause: String, Sendable, CaseIterable {
  /// The service was stopped in good order.
  case serviceStopped = "service_stopped"
  /// The service ended without saying so, within one boot.
  case crash = "crash"
  /// The device was off: another boot.
  case deviceOff = "device_off"
  case suspended = "suspended"
  /// The record could not be written.
  case recordUnwritable = "record_unwritable"
}

extension Event {
  /// Whether it says that the service stopped in good order.
  public var isServiceStop: Bool { if case .serviceStopped = self { true } else { false } }
}

extension Outcome {
  /// How a prompt ended, without the cause. The raw value is the type of the event that carries it.
  public enum Kind: String, Sendable, CaseIterable {
    case completed = "completed"
    case declined = "declined"
    case missed = "missed"
    case suppressed = "suppressed"
    case cancelled = "cancelled"
    case superseded = "superseded"
  }

  /// The type of the event that carries this outcome.
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

/// An event with who caused it and what the clocks said: one row of the study record before it has its
/// number and its hash.
public struct Record: Hashable, Sendable {
  public var event: Event
  public var actor: Actor
  public var reading: ClockReading
  /// The person concerned, where one is.
  public var person: PersonID?
  /// The version of the alarm concerned, where one is.
  public var alarmVersion: Int?
  /// The phase of the study in which the person was, or is for a prompt when it is due.
  public var phase: StudyPhase.Kind?
  /// The id of the study that the person took part in then; nil for none.
  public var study: String?
  /// The zone in which the local time of the row is read, and its offset.
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
