import Alarms
import CivilTime
import JSONValue

extension StoredEvent {
  /// Converts the stored form to an event. If a text was erased, this text is empty in the result.
  ///
  /// - Parameter person: a function that returns the id of the person to whom a pseudonym belongs.
  /// - Throws: `EventCodingError` if the row is not a valid event of its type.
  public func event(person: (String) -> PersonID) throws(EventCodingError) -> Event {
    switch StoredEvent.currentType(type) {
    case "alarm_created": .alarmCreated(try alarm(person))
    case "alarm_edited": .alarmEdited(try alarm(person))
    case "alarm_deleted":
      .alarmDeleted(
        try require(alarmID, "alarm_id"), version: try require(alarmVersion, "alarm_version"))
    case "tone_added": .toneAdded(try tone())
    case "tone_removed": .toneRemoved(try tone())
    case "test_ring": .testRing(toneSHA256 == nil ? nil : try tone())
    case "planned", "due", "acknowledged", "delayed", "held", "completed", "declined", "missed",
      "suppressed", "cancelled", "superseded", "correction", "repaired", "revised", "presented",
      "said_again":
      try promptEvent()
    case "escalated", "notified", "notification_failed": try notificationEvent()
    case "inactivity_begun", "inactivity_ended", "inactivity_resumed", "inactivity_escalated",
      "inactivity_notified", "inactivity_notification_failed", "inactivity_suspended":
      try inactivityEvent(person)
    case "notice_due", "notice_sent", "notice_failed", "notice_dropped": try noticeEvent(person)
    case "call_asked", "call_repeated", "call_told", "call_failed": try callEvent(person)
    case "supply_added", "supply_changed", "supply_removed", "supply_refilled", "supply_counted",
      "supply_used", "supply_returned":
      try supplyEvent()
    case "ring_intent", "ring_started", "ring_ended", "ring_failed", "ring_uncertain":
      try ringEvent()
    case "person_added", "person_changed", "person_removed", "person_paused", "person_resumed",
      "phase_changed", "reward":
      try personEvent(person)
    case "enrolled", "withdrawn", "unblinded", "deviation", "adverse_event", "response", "erased",
      "pseudonyms_rekeyed", "diary":
      try studyEvent(person)
    case "image_added", "image_removed", "photo_added": try pictureEvent()
    case "holidays_imported", "holidays_removed": .holidays(try holidayChange())
    case "denied":
      .denied(
        uid: UInt32(clamping: try members.integer("uid")), count: try members.int("count"),
        method: text("method"), path: text("path"))
    default: try deviceEvent()
    }
  }

  var members: StoredMembers { StoredMembers(payload) }

  func require<Value>(_ value: Value?, _ column: String) throws(EventCodingError) -> Value {
    guard let value else {
      throw EventCodingError("cannot read a stored \"\(type)\": it has no \(column)")
    }
    return value
  }

  func instant(_ name: String) throws(EventCodingError) -> Instant {
    Instant(milliseconds: try members.integer(name))
  }

  func text(_ name: String) -> String { content?[name]?.string ?? "" }

  private func alarm(_ person: (String) -> PersonID) throws(EventCodingError) -> Alarm {
    try Alarm(
      id: try require(alarmID, "alarm_id"), version: try require(alarmVersion, "alarm_version"),
      payload: payload, content: content, person: person)
  }

  private func tone() throws(EventCodingError) -> Tone {
    Tone(
      name: text("name"), sha256: try require(toneSHA256, "tone_sha256"),
      durationMilliseconds: try members.int("duration_ms"),
      loudnessLUFS: try members.double("loudness_lufs"))
  }

  private func stopped() throws(EventCodingError) -> Stopped {
    Stopped(
      pending: try members.int("pending"), sounding: try members.bool("sounding"),
      sounded: try members.int("sounded"))
  }

  private func promptEvent() throws(EventCodingError) -> Event {
    let id = try require(promptID, "prompt_id")
    switch type {
    case "planned":
      return .planned(
        try Prompt(
          id: id, alarmVersion: try require(alarmVersion, "alarm_version"), payload: payload))
    case "due": return .due(id, lateMilliseconds: try members.integer("late_ms"))
    case "acknowledged":
      return .acknowledged(id, until: try instant("until_ms"), try stopped())
    case "delayed": return .delayed(id, until: try instant("until_ms"), try stopped())
    case "presented": return .presented(id)
    case "said_again": return .saidAgain(id)
    case "held": return .held(id, try Suppression(members))
    case "repaired": return .repaired(id, try members.choice("defect"))
    case "revised": return .revised(id, version: try require(alarmVersion, "alarm_version"))
    case "correction":
      return .corrected(
        id,
        Correction(
          undone: try members.choice("undone"), answeredAt: try instant("answered_ms"),
          state: try PromptState(json: payload["phase"] ?? .null)))
    default:
      let outcome: Outcome = try members.choice("outcome")
      guard outcome.eventType == type else {
        throw EventCodingError(
          "cannot read a stored \"\(type)\": its outcome is \"\(outcome.rawValue)\"")
      }
      return .closed(id, outcome, reason: try members.choice("reason"), try stopped())
    }
  }

  private func personEvent(_ person: (String) -> PersonID) throws(EventCodingError) -> Event {
    switch type {
    case "person_added":
      return .personAdded(try Person(payload: payload, content: content, person: person))
    case "person_changed":
      return .personChanged(try Person(payload: payload, content: content, person: person))
    case "person_removed":
      return .personRemoved(
        person(try members.string("person")), version: try members.int("version"))
    case "person_paused":
      return .personPaused(
        person(try members.string("person")), try PersonPause(stored: payload))
    case "person_resumed": return .personResumed(person(try members.string("person")))
    case "reward":
      let date = try members.string("date")
      guard let day = try? CivilDate(parsing: date) else {
        throw EventCodingError("cannot read a stored \"reward\": \"\(date)\" is not a date")
      }
      return .rewarded(
        person(try members.string("person")), day, isHeard: try members.bool("heard"),
        hasPicture: payload["picture"]?.bool ?? false)
    default:
      var phases: [StudyPhase] = []
      for phase in try members.array("phases") { phases.append(try StudyPhase(stored: phase)) }
      return .phaseChanged(person(try members.string("person")), phases)
    }
  }

  private func ringEvent() throws(EventCodingError) -> Event {
    let id = try require(promptID, "prompt_id")
    let number = try require(ringNumber, "ring_no")
    switch type {
    case "ring_intent":
      let index = try members.int("index")
      return .ringIntent(
        id,
        Ring(
          number: number, index: index, step: try members.int("step"),
          gainDecibels: try members.double("gain_db"), toneSHA256: toneSHA256,
          hasAlert: try members.bool("alert"),
          // Rows that an earlier version of Prompter recorded do not contain the member
          // `repetition`. In such rows, each ring with an index greater than 0 is a repetition.
          isRepetition: payload["repetition"]?.bool ?? (index > 0),
          leadingPrompt: payload["leading_prompt"]?.string.flatMap { PromptID($0) },
          dueAt: try instant("due_ms"),
          intendedAt: try instant("intended_ms"),
          startedAt: payload["started_ms"]?.integer.map(Instant.init(milliseconds:))),
        deadline: try instant("deadline_ms"))
    case "ring_started":
      return .ringStarted(
        id, number: number, device: text("device"), level: try SoundLevel(payload))
    case "ring_ended":
      return .ringEnded(
        id, number: number, device: text("device"), frames: try members.int("frames"),
        xruns: try members.int("xruns"), stopped: try members.bool("stopped"))
    case "ring_failed": return .ringFailed(id, number: number, reason: text("reason"))
    default: return .ringUncertain(id, number: number, reason: text("reason"))
    }
  }

  private func deviceEvent() throws(EventCodingError) -> Event {
    switch type {
    case "service_start": return .serviceStarted(version: try members.string("version"))
    case "service_stop": return .serviceStopped(reason: text("reason"))
    case "boot": return .boot(previousBootID: try members.string("previous_boot_id"))
    case "heartbeat": return .heartbeat
    case "gap":
      return .gap(
        from: try instant("from_ms"), to: try instant("to_ms"), cause: try members.choice("cause"))
    case "suspend": return .suspended(from: try instant("from_ms"))
    case "resume": return .resumed(asleepMilliseconds: try members.integer("asleep_ms"))
    case "disk_low", "disk_restored":
      return .disk(isLow: type == "disk_low", freeBytes: try members.integer("free_bytes"))
    case "clock_step": return .clockStep(milliseconds: try members.integer("step_ms"))
    case "clock_sync_gained": return .clockSync(gained: true)
    case "clock_sync_lost": return .clockSync(gained: false)
    case "audio_lost": return .audioLost(reason: text("reason"))
    case "audio_restored": return .audioRestored(device: text("device"))
    case "volume_changed":
      return .volumeChanged(device: text("device"), try VolumeChange(stored: members))
    case "audio_fallback":
      return .audioFallback(
        promptID, from: text("from"), to: text("to"), reason: text("reason"))
    case "export_made":
      return .exportMade(
        profile: try members.string("profile"), layout: try members.string("layout"),
        throughSequence: try members.integer("through_seq"),
        sha256: try members.string("sha256"))
    case "purged": return .purged(try Purge(payload: payload))
    case "tz_changed":
      return .tzChanged(from: try members.string("from"), to: try members.string("to"))
    case "tzdata_changed":
      return .tzdataChanged(from: try members.string("from"), to: try members.string("to"))
    default: throw EventCodingError("cannot read a stored event: the type \"\(type)\" is unknown")
    }
  }
}
