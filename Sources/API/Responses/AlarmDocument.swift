import Alarms
import CivilTime
import EventCoding
import JSONValue

extension Alarm {
  /// Reads an alarm from the output of `JSON.alarm`.
  ///
  /// - Throws: `EventCodingError` if the document does not have the format of `JSON.alarm`.
  public init(document: JSON) throws(EventCodingError) {
    let members = StoredMembers(document)
    func seconds(_ name: String) throws(EventCodingError) -> Int64 {
      guard let seconds = DurationText.seconds(try members.string(name)) else {
        throw EventCodingError("cannot read the alarm: \"\(name)\" is not a duration")
      }
      return seconds
    }
    var earlyReminders: [EarlyReminder] = []
    for earlyReminder in document["leads"]?.array ?? [] {
      do {
        earlyReminders.append(try EarlyReminder(words: earlyReminder.string ?? ""))
      } catch {
        throw EventCodingError("cannot read the alarm: \(error)")
      }
    }
    let until = document["paused_until"]?.string.flatMap { try? CivilDateTime(parsing: $0) }
    let id = AlarmID(try members.string("id"))
    let skipped = (document["skipped"]?.array ?? []).compactMap { name in
      name.string.flatMap { PromptID("\(id)@\($0)")?.nominalKey }
    }
    let days = (document["exclude"]?.array ?? []).compactMap { range in
      range.string.flatMap { ClosedRange<CivilDate>(text: $0) }
    }
    let burst = Burst(
      rings: try members.int("rings"), spacingSeconds: try seconds("spacing"),
      gainsDecibels: try members.array("gains").compactMap(\.double))
    self.init(
      id: id, version: try members.int("version"), person: PersonID(try members.string("person")),
      label: try members.string("label"), instructions: try members.string("instructions"),
      schedule: try Schedule(json: document["schedule_detail"] ?? .null),
      phrase: try members.string("schedule"), zoneName: try members.string("zone"),
      tone: document["tone"]?.string,
      burst: burst,
      lateWindowSeconds: try seconds("late_window"), delaySeconds: try seconds("delay"),
      delayLimit: try members.int("delay_limit"), earlyReminders: earlyReminders,
      pauses: Pauses(until: until, occurrences: skipped, days: days),
      quiet: document["quiet_hours"]?.string.flatMap(QuietOverride.init(rawValue:)))
    escalation = try Escalation(document: document, burst: burst)
    image = document["image"]?.string
    calendarUID = document["uid"]?.string
    calendarRevision = document["uid_revision"]?.string
    checkIn = try CheckIn(document: document)
    for json in document["uses"]?.array ?? [] {
      let use = StoredMembers(json)
      uses.append(
        SupplyUse(
          supply: SupplyID(try use.string("supply_id")), amount: Int64(try use.int("amount"))))
    }
  }
}

extension ClosedRange<CivilDate> {
  /// Reads a day, such as `2026-12-24`, or a range of days, such as `2026-12-24/2026-12-26`.
  fileprivate init?(text: String) {
    let parts = text.split(separator: "/").compactMap { try? CivilDate(parsing: String($0)) }
    guard let first = parts.first, let last = parts.last, first <= last else { return nil }
    self = first...last
  }
}
