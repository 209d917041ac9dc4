import Alarms
import CivilTime
import EventCoding
import JSONValue

// The bodies of responses. The names of the members are a part of the API. A later version may add
// members, but must not rename a member.

extension JSON {
  /// An alarm and its settings.
  ///
  /// - Parameter supplies: the supplies of the home.
  public static func alarm(_ alarm: Alarm, supplies: [SupplyID: Supply]) -> JSON {
    .object([
      ("id", .string(alarm.id.text)), ("version", .integer(Int64(alarm.version))),
      ("label", .string(alarm.label)), ("instructions", .string(alarm.instructions)),
      ("person", .string(alarm.person.text)), ("schedule", .string(alarm.phrase)),
      ("schedule_detail", alarm.schedule.json), ("zone", .string(alarm.zoneName)),
      ("tone", .optional(alarm.tone)), ("rings", .integer(Int64(alarm.burst.rings))),
      ("spacing", .string(DurationText.text(alarm.burst.spacingSeconds))),
      ("gains", .array(alarm.burst.gainsDecibels.map(JSON.number))),
      ("steps", .steps(alarm.escalation)), ("tell", .notifySteps(alarm.escalation.notifySteps)),
      ("complete_by", .string(DurationText.text(alarm.escalation.completeBySeconds))),
      (
        "complete_step",
        alarm.escalation.completion.map { .step($0, isFirst: true) } ?? .null
      ),
      ("late_window", .string(DurationText.text(alarm.lateWindowSeconds))),
      ("delay", .string(DurationText.text(alarm.delaySeconds))),
      ("delay_limit", .integer(Int64(alarm.delayLimit))),
      ("leads", .array(alarm.earlyReminders.map { .string($0.words) })),
      ("paused_until", .optional(alarm.pauses.until?.description)),
      (
        "skipped",
        .array(
          alarm.pauses.occurrences.map {
            .string(PromptID(alarm: alarm.id, nominalKey: $0).nominal.description)
          })
      ),
      ("exclude", .array(alarm.pauses.days.map { .string($0.text) })),
      ("quiet_hours", .optional(alarm.quiet?.rawValue)), ("image", .optional(alarm.image)),
      ("uid", .optional(alarm.calendarUID)),
      ("uid_revision", .optional(alarm.calendarRevision)),
      ("questions", .questions(alarm.checkIn)),
      ("answers_required", .bool(alarm.checkIn?.holdsCompletion ?? false)),
      ("uses", .uses(alarm.uses, supplies)),
    ])
  }

  /// An occurrence: its instant and its local time. If a clock change moved the occurrence, the
  /// object also contains the kind of the clock change.
  public static func occurrence(_ occurrence: Occurrence, zone: Zone) -> JSON {
    var value = JSON.object([
      ("utc", .string(occurrence.instant.description)),
      ("local", .string(zone.civil(at: occurrence.instant).dateTime.description)),
      ("offset_seconds", .integer(Int64(zone.offsetSeconds(at: occurrence.instant)))),
      ("zone", .string(zone.name)),
    ])
    if let moved = occurrence.moved { value.set("moved", .string(moved == .gap ? "gap" : "fold")) }
    return value
  }

  /// An expected ring: the object of its occurrence. If Prompter will probably suppress the ring,
  /// the object also contains the reason.
  public static func ring(_ ring: ExpectedRing, zone: Zone) -> JSON {
    var value = occurrence(ring.occurrence, zone: zone)
    value.set(ring.suppression, zone: zone)
    value.set(leadsTo: ring.leadsToAt, zone: zone)
    return value
  }

  /// Adds two values about an expected suppression: the reason, and the instant at which the prompt
  /// rings after the suppression.
  public mutating func set(_ suppression: ExpectedSuppression?, zone: Zone) {
    guard let suppression else { return }
    set("suppressed_by", .string(suppression.why.rawValue))
    guard let at = suppression.ringsAt else { return }
    set("rings_utc", .string(at.description))
    set("rings_local", .string(zone.civil(at: at).dateTime.description))
  }

  /// Adds the due time of the main prompt to the object of an early reminder.
  public mutating func set(leadsTo event: Instant?, zone: Zone) {
    guard let event else { return }
    set("leads_to_utc", .string(event.description))
    set("leads_to_local", .string(zone.civil(at: event).dateTime.description))
  }

  /// A due time in the preview of a schedule. The object of an early reminder also contains the
  /// local time of the main occurrence.
  public static func due(_ due: DueTime, zone: Zone) -> JSON {
    var value = occurrence(due.occurrence, zone: zone)
    if !due.alsoNominal.isEmpty { value.set("also_local", .texts(due.alsoNominal)) }
    if let main = due.leadsTo {
      value.set("leads_to_local", .string(zone.civil(at: main.instant).dateTime.description))
    }
    return value
  }

  /// The sound of the first ring of an alarm, as JSON.
  public static func voice(_ voice: ExpectedVoice) -> JSON {
    .object([("kind", .string(voice.kind.rawValue)), ("tone", .optional(voice.tone))])
  }

  /// The warnings for a caretaker about a schedule, as JSON.
  public static func warnings(_ warnings: [ScheduleWarning]) -> JSON {
    .array(
      warnings.map {
        .object([("kind", .string($0.kind.rawValue)), ("text", .string($0.text))])
      })
  }

  /// The response to a request for a preview of a schedule.
  public static func preview(_ preview: SchedulePreview, zone: Zone) -> JSON {
    .object([
      ("occurrences", .array(preview.due.map { .due($0, zone: zone) })),
      ("explanation", .string(preview.report.explanation)),
      ("warnings", warnings(preview.report.warnings)),
    ])
  }

  /// The calling prompt. An answer without the id of a prompt is for the calling prompt.
  public static func calling(_ prompt: Prompt, of alarm: Alarm) -> JSON {
    .object([
      ("id", .string(prompt.id.description)),
      ("rings_sounded", .integer(Int64(prompt.ringsSounded))),
      (
        "acknowledge_first",
        .bool(
          alarm.escalation.hasSecondPhase && !alarm.isAnnouncement && prompt.acknowledgedAt == nil)
      ),
    ])
  }

  /// The effect of an answer on the rings of a prompt.
  ///
  /// The document contains the number of stopped rings, the number of rings that have sounded, and
  /// the flag `sounding`. The flag is true if a ring sounded and the answer stopped this ring.
  public static func stopped(_ stopped: Stopped) -> JSON {
    .object([
      ("stopped", .integer(Int64(stopped.pending))), ("sounding", .bool(stopped.sounding)),
      ("sounded", .integer(Int64(stopped.sounded))),
    ])
  }

  /// A stored recording, as JSON.
  public static func tone(_ tone: Tone) -> JSON {
    .object([
      ("name", .string(tone.name)), ("sha256", .string(tone.sha256)),
      ("duration_ms", .integer(Int64(tone.durationMilliseconds))),
      ("loudness_lufs", .number(tone.loudnessLUFS)),
    ])
  }
}
