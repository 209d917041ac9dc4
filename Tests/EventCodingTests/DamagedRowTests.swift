import Alarms
import CivilTime
import JSONValue
import Testing

@testable import EventCoding

@Suite struct `A stored row that is not valid` {
  private let id = PromptID(alarm: AlarmID("k3v9"), nominalKey: 8)

  private func row(_ type: String, _ payload: String, content: String? = nil) throws -> StoredEvent
  {
    StoredEvent(
      type: type, promptID: id, ringNumber: 1, alarmID: AlarmID("k3v9"), alarmVersion: 1,
      toneSHA256: nil, payload: try JSON(stored: payload),
      content: try content.map { try JSON(stored: $0) })
  }

  @Test(arguments: [
    (
      "completed", #"{"outcome":"declined"}"#,
      #"cannot read a stored "completed": its outcome is "declined""#
    ),
    ("erased", #"{"scope":"all"}"#, #"cannot read a stored erasure: the scope "all" is unknown"#),
    ("due", #"{"late_ms":"1"}"#, #"cannot read the stored event: "late_ms" is not an integer"#),
    (
      "gap", #"{"from_ms":1,"to_ms":2,"cause":"x"}"#,
      #"cannot read the stored event: "cause" cannot be "x""#
    ),
    ("boot", "{}", #"cannot read the stored event: "previous_boot_id" is not a text"#),
    (
      "reward", #"{"person":"P","date":"today","heard":true}"#,
      #"cannot read a stored "reward": "today" is not a date"#
    ),
    (
      "volume_changed", #"{"cause":"x"}"#,
      #"cannot read a stored change of volume: its cause is "x""#
    ),
    (
      "holidays_imported", #"{"days":["x"]}"#,
      #"cannot read a stored "holidays_imported": "x" is not a date"#
    ),
    ("person_paused", #"{"person":"P"}"#, "cannot read a stored pause: it has no until_ms"),
    ("tone_added", "{}", #"cannot read a stored "tone_added": it has no tone_sha256"#),
    (
      "response", #"{"question":"q","number":1,"kind":"mood","value":"x"}"#,
      #"cannot read a stored answer: it is not a "mood""#
    ),
    (
      "response", #"{"question":"q","number":1,"kind":"number","value":"x"}"#,
      #"cannot read a stored answer: it is not a "number""#
    ),
    (
      "response", #"{"question":"q","number":1,"kind":"flag","value":1}"#,
      #"cannot read a stored answer: it is not a "flag""#
    ),
    (
      "planned",
      #"{"due_ms":1,"zone":"UTC","utc_offset_s":0,"also_nominal":"x","phase":{"name":"planned"}}"#,
      #"cannot read the stored prompt: "x" is not a local time"#
    ),
    (
      "planned", #"{"due_ms":1,"zone":"UTC","utc_offset_s":0,"phase":{"name":"x"}}"#,
      #"cannot read the stored prompt: the state "x" is unknown"#
    ),
  ])
  func `is refused with the reason`(type: String, payload: String, reason: String) throws {
    let row = try row(type, payload)
    #expect(throws: EventCodingError(reason)) { try row.event { _ in .patient } }
  }

  private func alarm(_ schedule: String, _ more: String = "") throws -> StoredEvent {
    try row(
      "alarm_created",
      #"{"person":"P","schedule":\#(schedule),"zone":"UTC","rings":1,"spacing_s":60,"#
        + #""gains_db":[0],"late_window_s":1,"delay_s":1,"delay_limit":1\#(more)}"#)
  }

  private static let once = #"{"kind":"once","date_time":"2026-12-01T08:00:00"}"#
  private static let window =
    #"{"from":"08:00:00","to":"20:00:00","weekdays":[1],"first_day":"2026-12-01"}"#

  @Test(arguments: [
    (#"{"kind":"x"}"#, ""), (#"{"kind":"once","date_time":"x"}"#, ""),
    (#"{"kind":"at","at":"x"}"#, ""),
    (#"{"kind":"recurring","rule":"x","start":"2026-12-01T08:00:00"}"#, ""),
    (#"{"kind":"several","rules":[],"dates":["x"],"excluded":[],"excluded_days":[]}"#, ""),
    (#"{"kind":"several","rules":[],"dates":[],"excluded":[7],"excluded_days":[]}"#, ""),
    (#"{"kind":"several","rules":[],"dates":[],"excluded":[],"excluded_days":["x"]}"#, ""),
    (#"{"kind":"every_within","every_seconds":60}"#, ""),
    (
      #"{"kind":"every_within","every_seconds":60,"window":{"from":"x","to":"20:00:00","weekdays":[],"first_day":"2026-12-01"}}"#,
      ""
    ),
    (
      #"{"kind":"every_within","every_seconds":60,"window":{"from":"08:00:00","to":"20:00:00","weekdays":[8],"first_day":"2026-12-01"}}"#,
      ""
    ),
    (#"{"kind":"after","after_seconds":60,"latest":"x"}"#, ""),
    (Self.once, #","leads":[{}]"#), (Self.once, #","leads":[{"days":1,"at":"x"}]"#),
    (Self.once, #","pauses":{"until":null,"occurrences":["x"],"days":[]}"#),
    (Self.once, #","pauses":{"until":null,"occurrences":[],"days":["x"]}"#),
    (Self.once, #","pauses":{"until":"x","occurrences":[],"days":[]}"#),
    (Self.once, #","quiet_hours":"x""#), (Self.once, #","message":"x""#),
    (Self.once, #","tell_after_s":["x"]"#), (Self.once, #","later_steps":[{}]"#),
    (Self.once, #","completion":{}"#), (Self.once, #","uses":[{"supply":"s"}]"#),
    (
      Self.once,
      #","check_in":{"holds_completion":true,"questions":[{"name":"q","kind":"x","required":true}]}"#
    ),
    (
      Self.once,
      #","check_in":{"holds_completion":true,"questions":[{"name":"q","kind":"scale","required":true,"min":2,"max":1}]}"#
    ),
    (
      Self.once,
      #","check_in":{"holds_completion":true,"questions":[{"name":"q","kind":"number","unit":"kg","required":true,"min":2,"max":1}]}"#
    ),
  ])
  func `an alarm is refused`(schedule: String, more: String) throws {
    let row = try alarm(schedule, more)
    #expect(throws: EventCodingError.self) { try row.event { _ in .patient } }
  }

  @Test func `an alarm with texts that are missing or too few is read with empty texts`() throws {
    let questions =
      #"{"holds_completion":true,"questions":[{"name":"q","kind":"scale","required":true,"min":1,"max":1},"#
      + #"{"name":"c","kind":"choices","required":false,"choices":["a","b"]}]}"#
    var row = try alarm(
      Self.once,
      #","tell_after_s":[1,2],"later_steps":[{"rings":1,"spacing_s":60,"gains_db":[],"urgent":true,"#
        + #""pause_s":9}],"check_in":\#(questions)"#)
    row.content = try JSON(
      stored: #"{"tell":["anna"],"later_tones":[],"questions":[{"text":"Pain?"},"#
        + #"{"text":"Which?","choices":["A"]}]}"#)
    guard case .alarmCreated(let alarm) = try row.event(person: { _ in .patient }) else {
      Issue.record("it is another event")
      return
    }
    #expect(alarm.escalation.notifySteps.map(\.contact) == ["anna", ""])
    #expect(alarm.escalation.later.map(\.tone) == [nil] && alarm.escalation.later[0].isUrgent)
    let choices = [Choice(name: "a", text: "A"), Choice(name: "b", text: "")]
    #expect(alarm.checkIn?.questions.map(\.text) == ["Pain?", "Which?"])
    #expect(alarm.checkIn?.questions.map(\.kind) == [.scale(1...1), .choices(choices)])
    #expect(alarm.quiet == nil && alarm.message == nil && !alarm.isAnnouncement)
    row.content = nil
    guard case .alarmCreated(let erased) = try row.event(person: { _ in .patient }) else { return }
    #expect(erased.checkIn?.questions.map(\.text) == ["", ""])
    #expect(erased.escalation.notifySteps.map(\.contact) == ["", ""])
  }

  @Test func `a row of an earlier version is read with its earlier names`() throws {
    let since = Instant(milliseconds: 5)
    let rows: [(String, String, Event)] = [
      ("told", #"{"grade":1,"attempt":2}"#, .notified(id, position: 1, contact: "", attempt: 2)),
      (
        "telling_failed", #"{"grade":1,"attempt":2,"last":true}"#,
        .notificationFailed(id, position: 1, contact: "", attempt: 2, isLast: true, reason: "")
      ),
      ("silence_begun", #"{"person":"P"}"#, .inactivity(.patient, .begun)),
      ("silence_ended", #"{"person":"P"}"#, .inactivity(.patient, .ended(answered: nil))),
      ("silence_resumed", #"{"person":"P"}"#, .inactivity(.patient, .resumed)),
      ("silence_set_aside", #"{"person":"P"}"#, .inactivity(.patient, .stopUntilLater)),
      (
        "silence", #"{"person":"P","grade":0,"since_ms":5,"silence_h":3}"#,
        .inactivity(.patient, .notifying(position: 0, contact: "", since: since, hours: 3))
      ),
      (
        "silence_told", #"{"person":"P","grade":0,"attempt":1}"#,
        .inactivity(.patient, .notified(position: 0, contact: "", attempt: 1))
      ),
      (
        "silence_telling_failed", #"{"person":"P","grade":0,"attempt":1,"last":false}"#,
        .inactivity(
          .patient, .failed(position: 0, contact: "", attempt: 1, isLast: false, reason: ""))
      ),
    ]
    #expect(Set(rows.map(\.0)) == Set(StoredEvent.earlierTypes.keys))
    for (type, payload, event) in rows {
      #expect(try row(type, payload).event { _ in .patient } == event)
      let current = StoredEvent.currentType(type)
      #expect(current == event.type && StoredEvent.storedTypes(current) == [current, type])
    }
    let person = try Person(
      payload: try JSON(
        stored: #"{"person":"P","version":1,"silence_h":3,"silence_tell_after_s":[60]}"#),
      content: try JSON(stored: #"{"name":"Anna","silence_tell":["bob"]}"#)
    ) { _ in .patient }
    #expect(
      person.inactivity
        == InactivityRule(hours: 3, notifySteps: [NotifyStep(contact: "bob", afterSeconds: 60)]))
  }

  @Test func `a ring of an earlier version repeats the task unless it is the first`() throws {
    let times = #""due_ms":1,"intended_ms":1,"deadline_ms":2"#
    for (index, isRepetition) in [(0, false), (1, true)] {
      let members =
        #""index":\#(index),"step":0,"alert":true,"gain_db":0,\#(times)"#
      guard
        case .ringIntent(_, let ring, _) = try row("ring_intent", "{\(members)}")
          .event(person: { _ in .patient }),
        case .ringing(let other, _) = try PromptState(
          json: try JSON(stored: #"{"name":"ringing","number":1,\#(members)}"#))
      else {
        Issue.record("it is another event")
        return
      }
      #expect(ring.isRepetition == isRepetition && other.isRepetition == isRepetition)
    }
  }
}
