import Alarms
import CivilTime
import JSONValue

/// The stored form of an alarm, which has two parts: payload and content.
///
/// The hash chain covers the payload. The content contains the texts, so that Prompter can erase
/// them.
public struct StoredAlarm: Hashable, Sendable {
  /// The part of the alarm that the hash chain covers: the person (a pseudonym), the schedule, the
  /// zone, the bursts, the late window, and the other fields without typed text.
  public var payload: JSON
  /// The content of the alarm: the label, the instructions, the typed schedule, the names of tones
  /// and contacts, the texts of questions, the digest of the picture, and the UID and the revision
  /// of the calendar event.
  public var content: JSON

  /// Encodes an alarm.
  ///
  /// - Parameter pseudonym: the pseudonym of the person in the record.
  public init(_ alarm: Alarm, pseudonym: String) {
    var members: [(String, JSON)] = [
      ("person", .string(pseudonym)), ("schedule", alarm.schedule.payload),
      ("zone", .string(alarm.zoneName)),
    ]
    members += alarm.burst.payloadMembers
    members += [
      ("late_window_s", .integer(alarm.lateWindowSeconds)),
      ("delay_s", .integer(alarm.delaySeconds)),
      ("delay_limit", .integer(Int64(alarm.delayLimit))),
    ]
    // If an optional member is empty, the stored form does not contain the member. Earlier versions
    // of Prompter did not have all these members. If the present version encodes an alarm of an
    // earlier version again, the stored form stays the same.
    if !alarm.earlyReminders.isEmpty {
      members.append(("leads", .array(alarm.earlyReminders.map(\.json))))
    }
    if alarm.pauses != .none { members.append(("pauses", alarm.pauses.json)) }
    if let quiet = alarm.quiet { members.append(("quiet_hours", .string(quiet.rawValue))) }
    if alarm.isAnnouncement { members.append(("announcement", .bool(true))) }
    if !alarm.uses.isEmpty { members.append(("uses", .array(alarm.uses.map(\.stored)))) }
    if let message = alarm.message { members.append(("message", .string(message.rawValue))) }
    if let checkIn = alarm.checkIn { members.append(("check_in", checkIn.payload)) }
    payload = .object(members + alarm.escalation.payloadMembers)
    // The digest of a picture is content, so that Prompter can erase the digest. Reason: anyone
    // with a copy of the picture could compute the digest, and find out that this home used the
    // picture.
    let image = alarm.image.map { [("image", JSON.string($0))] } ?? []
    let uid = alarm.calendarUID.map { [("uid", JSON.string($0))] } ?? []
    let revision = alarm.calendarRevision.map { [("uid_revision", JSON.string($0))] } ?? []
    let holidays = (alarm.schedule.holidays?.list).map { [("holidays", JSON.string($0))] } ?? []
    content = .object(
      [
        ("label", .string(alarm.label)), ("instructions", .string(alarm.instructions)),
        ("phrase", .string(alarm.phrase)), ("tone", .optional(alarm.tone)),
      ] + image + uid + revision + holidays + alarm.escalation.contentMembers
        + (alarm.checkIn.map { [("questions", $0.content)] } ?? []))
  }
}

extension Alarm {
  /// Decodes an alarm.
  ///
  /// - Parameter content: the texts; nil if the texts were erased. In the result, an erased text is
  ///   empty.
  /// - Parameter person: a function that returns the id of the person to whom a pseudonym belongs.
  /// - Parameter rule: a function that parses the text of a rule; see `Schedule.RuleReader`.
  public init(
    id: AlarmID, version: Int, payload: JSON, content: JSON?,
    person: (String) -> PersonID,
    rule: Schedule.RuleReader = { text throws(CivilTimeError) in try RecurrenceRule(parsing: text) }
  ) throws(EventCodingError) {
    let members = StoredMembers(payload)
    let burst = try Burst(payload: payload)
    guard let schedule = payload["schedule"] else {
      throw EventCodingError("cannot read the stored alarm \"\(id)\": it has no schedule")
    }
    self.init(
      id: id, version: version, person: person(try members.string("person")),
      label: content?["label"]?.string ?? "",
      instructions: content?["instructions"]?.string ?? "",
      schedule: try Schedule(json: schedule, rule: rule), phrase: content?["phrase"]?.string ?? "",
      zoneName: try members.string("zone"), tone: content?["tone"]?.string,
      burst: burst,
      lateWindowSeconds: try members.integer("late_window_s"),
      delaySeconds: try members.integer("delay_s"),
      delayLimit: try members.int("delay_limit"),
      earlyReminders: try (payload["leads"]?.array ?? []).map { (json) throws(EventCodingError) in
        try EarlyReminder(json: json)
      },
      pauses: try payload["pauses"].map { (json) throws(EventCodingError) in try Pauses(json: json)
      }
        ?? .none,
      quiet: payload["quiet_hours"] == nil ? nil : try members.choice("quiet_hours"))
    escalation = try Escalation(payload: payload, content: content, burst: burst)
    isAnnouncement = payload["announcement"]?.bool ?? false
    message = payload["message"] == nil ? nil : try members.choice("message")
    if let stored = payload["check_in"] {
      checkIn = try CheckIn(payload: stored, content: content?["questions"])
    }
    image = content?["image"]?.string
    calendarUID = content?["uid"]?.string
    calendarRevision = content?["uid_revision"]?.string
    for use in payload["uses"]?.array ?? [] { uses.append(try SupplyUse(stored: use)) }
    if let list = content?["holidays"]?.string {
      self.schedule = self.schedule.namingHolidays(list)
    }
  }
}
