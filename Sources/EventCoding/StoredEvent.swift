import Alarms
import CivilTime
import JSONValue

/// The stored form of an event: its columns, its payload and its content.
///
/// The hash chain covers the payload. The hash chain does not cover the content, so that Prompter
/// can erase the content. The encoding is canonical: members have a fixed order, and equal events
/// have equal bytes. The payload does not contain the values of the columns. A text is content if
/// it is possible that a person typed it, or that it contains a name. Examples: labels,
/// instructions, tone names, device names, error messages.
public struct StoredEvent: Hashable, Sendable {
  /// The event type as in the codebook, for example `alarm_created`.
  public var type: String
  public var promptID: PromptID?
  public var ringNumber: Int?
  public var alarmID: AlarmID?
  /// The number of the alarm version; nil if the event is not about an alarm version.
  public var alarmVersion: Int?
  public var toneSHA256: String?
  /// The payload, which is always an object.
  public var payload: JSON
  /// The texts that Prompter can erase; nil if the event has no text, or if its texts were erased.
  public var content: JSON?

  /// Creates the stored form of an event from the columns of a row of the record.
  public init(
    type: String, promptID: PromptID?, ringNumber: Int?, alarmID: AlarmID?, alarmVersion: Int?,
    toneSHA256: String?, payload: JSON, content: JSON?
  ) {
    self.type = type
    self.promptID = promptID
    self.ringNumber = ringNumber
    self.alarmID = alarmID
    self.alarmVersion = alarmVersion
    self.toneSHA256 = toneSHA256
    self.payload = payload
    self.content = content
  }

  /// Encodes an event.
  ///
  /// - Parameter pseudonym: a function that returns the pseudonym of a person in the record.
  public init(_ event: Event, pseudonym: (PersonID) -> String) {
    self.init(
      type: event.type, promptID: event.promptID, ringNumber: nil, alarmID: event.promptID?.alarm,
      alarmVersion: nil, toneSHA256: nil, payload: .members([]), content: nil)
    switch event {
    case .alarmCreated, .alarmEdited, .alarmDeleted, .toneAdded, .toneRemoved, .testRing:
      setDefinition(event, pseudonym: pseudonym)
    case .planned, .due, .acknowledged, .delayed, .held, .closed, .corrected, .repaired,
      .revised, .presented, .saidAgain:
      setPrompt(event)
    case .ringIntent, .ringStarted, .ringEnded, .ringFailed, .ringUncertain:
      setRing(event)
    case .escalated, .notified, .notificationFailed: setNotifyProgress(event)
    case .inactivity(let id, let change): setInactivity(change, pseudonym: pseudonym(id))
    case .notice(let notice, let change): setNotice(notice, change, pseudonym: pseudonym)
    case .call(let id, let number, let change): setCall(number, change, pseudonym: pseudonym(id))
    case .supply(let id, let change): setSupply(id, change)
    case .suspended, .resumed, .disk, .serviceStarted, .serviceStopped, .boot, .heartbeat, .gap,
      .clockStep, .clockSync, .audioLost, .audioRestored, .audioFallback, .exportMade, .purged,
      .tzChanged, .tzdataChanged, .volumeChanged:
      setDevice(event)
    case .personAdded, .personChanged, .personRemoved, .personPaused, .personResumed,
      .phaseChanged, .rewarded:
      setPerson(event, pseudonym: pseudonym)
    case .enrolled, .withdrawn, .unblinded, .studyNoted, .response, .erased, .rekeyed, .diary:
      setStudy(event, pseudonym: pseudonym)
    case .imageAdded, .imageRemoved, .photographed: setPicture(event)
    case .holidays(let change): setHolidays(change)
    case .denied(let uid, let count, let method, let path):
      payload = .object([("uid", .integer(Int64(uid))), ("count", .integer(Int64(count)))])
      content = .object([("method", .string(method)), ("path", .string(path))])
    }
  }

  private mutating func setPerson(_ event: Event, pseudonym: (PersonID) -> String) {
    switch event {
    case .personAdded(let person), .personChanged(let person):
      payload = person.payload(pseudonym: pseudonym(person.id))
      content = person.content
    case .personRemoved(let id, let version):
      payload = .object([
        ("person", .string(pseudonym(id))), ("version", .integer(Int64(version))),
      ])
    case .personPaused(let id, let pause):
      payload = .object([("person", .string(pseudonym(id)))] + pause.members)
    case .personResumed(let id): payload = .object([("person", .string(pseudonym(id)))])
    case .phaseChanged(let id, let phases):
      payload = .object([
        ("person", .string(pseudonym(id))), ("phases", .array(phases.map(\.stored))),
      ])
    case .rewarded(let id, let date, let isHeard, let hasPicture):
      payload = .object(
        [
          ("person", .string(pseudonym(id))), ("date", .string(date.description)),
          ("heard", .bool(isHeard)),
        ] + (hasPicture ? [("picture", .bool(true))] : []))
    default: break
    }
  }

  private mutating func setDefinition(_ event: Event, pseudonym: (PersonID) -> String) {
    switch event {
    case .alarmCreated(let alarm), .alarmEdited(let alarm):
      let stored = StoredAlarm(alarm, pseudonym: pseudonym(alarm.person))
      alarmID = alarm.id
      alarmVersion = alarm.version
      payload = stored.payload
      content = stored.content
    case .alarmDeleted(let id, let version):
      alarmID = id
      alarmVersion = version
    case .testRing(nil): break
    case .toneAdded(let tone), .toneRemoved(let tone), .testRing(let tone?):
      toneSHA256 = tone.sha256
      payload = .object([
        ("duration_ms", .integer(Int64(tone.durationMilliseconds))),
        ("loudness_lufs", .number(tone.loudnessLUFS)),
      ])
      content = .object([("name", .string(tone.name))])
    default: break
    }
  }

  private mutating func setPrompt(_ event: Event) {
    switch event {
    case .planned(let prompt):
      alarmVersion = prompt.alarmVersion
      payload = prompt.payload
    case .revised(_, let version): alarmVersion = version
    case .due(_, let late):
      payload = .object([("late_ms", .integer(late))])
    case .acknowledged(_, let until, let stopped), .delayed(_, let until, let stopped):
      payload = .object([("until_ms", .integer(until.milliseconds))] + stopped.members)
    case .held(_, let suppression): payload = .object(suppression.members)
    case .closed(_, let outcome, let reason, let stopped):
      payload = .object(
        [("outcome", .string(outcome.rawValue)), ("reason", .string(reason.rawValue))]
          + stopped.members)
    case .repaired(_, let defect): payload = .object([("defect", .string(defect.rawValue))])
    case .corrected(_, let correction):
      payload = .object([
        ("undone", .string(correction.undone.rawValue)),
        ("answered_ms", .integer(correction.answeredAt.milliseconds)),
        ("phase", correction.state.json),
      ])
    default: break
    }
  }

  private mutating func setRing(_ event: Event) {
    switch event {
    case .ringIntent(_, let ring, let deadline):
      ringNumber = ring.number
      toneSHA256 = ring.toneSHA256
      var members: [(String, JSON)] = [
        ("index", .integer(Int64(ring.index))), ("step", .integer(Int64(ring.step))),
        ("alert", .bool(ring.hasAlert)), ("repetition", .bool(ring.isRepetition)),
        ("gain_db", .number(ring.gainDecibels)),
        ("due_ms", .integer(ring.dueAt.milliseconds)),
        ("intended_ms", .integer(ring.intendedAt.milliseconds)),
        ("started_ms", ring.startedAt.map { .integer($0.milliseconds) } ?? .null),
        ("deadline_ms", .integer(deadline.milliseconds)),
      ]
      if let leading = ring.leadingPrompt {
        members.append(("leading_prompt", .string(leading.description)))
      }
      payload = .object(members)
    case .ringStarted(_, let number, let device, let level):
      ringNumber = number
      payload = .object(SoundLevel.members(level))
      content = .object([("device", .string(device))])
    case .ringEnded(_, let number, let device, let frames, let xruns, let stopped):
      ringNumber = number
      payload = .object([
        ("frames", .integer(Int64(frames))), ("xruns", .integer(Int64(xruns))),
        ("stopped", .bool(stopped)),
      ])
      content = .object([("device", .string(device))])
    case .ringFailed(_, let number, let reason), .ringUncertain(_, let number, let reason):
      ringNumber = number
      content = .object([("reason", .string(reason))])
    default: break
    }
  }

  private mutating func setDevice(_ event: Event) {
    switch event {
    case .serviceStarted(let version):
      payload = .object([("version", .string(version))])
    case .serviceStopped(let reason), .audioLost(let reason):
      content = .object([("reason", .string(reason))])
    case .boot(let previous):
      payload = .object([("previous_boot_id", .string(previous))])
    case .gap(let from, let to, let cause):
      payload = .object([
        ("from_ms", .integer(from.milliseconds)), ("to_ms", .integer(to.milliseconds)),
        ("cause", .string(cause.rawValue)),
      ])
    case .suspended(let from): payload = .object([("from_ms", .integer(from.milliseconds))])
    case .resumed(let asleep): payload = .object([("asleep_ms", .integer(asleep))])
    case .disk(_, let free): payload = .object([("free_bytes", .integer(free))])
    case .clockStep(let milliseconds):
      payload = .object([("step_ms", .integer(milliseconds))])
    case .audioRestored(let device):
      content = .object([("device", .string(device))])
    case .volumeChanged(let device, let change):
      payload = change.stored
      content = .object([("device", .string(device))])
    case .audioFallback(_, let from, let to, let reason):
      content = .object([
        ("from", .string(from)), ("to", .string(to)), ("reason", .string(reason)),
      ])
    case .exportMade(let profile, let layout, let sequence, let sha256):
      payload = .object([
        ("profile", .string(profile)), ("layout", .string(layout)),
        ("through_seq", .integer(sequence)), ("sha256", .string(sha256)),
      ])
    case .purged(let purge): payload = purge.payload
    case .tzChanged(let from, let to), .tzdataChanged(let from, let to):
      payload = .object([("from", .string(from)), ("to", .string(to))])
    default: break
    }
  }
}

extension Stopped {
  /// The payload members that say which rings an answer, a cancellation or an edit stopped.
  fileprivate var members: [(String, JSON)] {
    [
      ("pending", .integer(Int64(pending))), ("sounding", .bool(sounding)),
      ("sounded", .integer(Int64(sounded))),
    ]
  }
}
