import Testing

@testable import CivilTime

/// Returns the local times of the first occurrences of a rule from its start.
func firstTimes(
  _ rule: String, from start: String, zone: String, count: Int
) throws -> [String] {
  let zone = try SystemZone.named(zone)
  let recurrence = try Recurrence(
    rule: RecurrenceRule(parsing: rule), start: local(start), zone: zone)
  var times: [String] = []
  var last = Instant(milliseconds: zone.resolve(try local(start)).instant.milliseconds - 1)
  while times.count < count, let next = recurrence.next(after: last) {
    #expect(next.instant > last)
    times.append(zone.civil(at: next.instant).dateTime.description)
    last = next.instant
  }
  return times
}

@Suite("Recurrence")
struct RecurrenceTests {
  @Test func `daily at 02:30 on the night when the clocks go forward`() throws {
    let times = try firstTimes(
      "FREQ=DAILY", from: "2026-03-28T02:30", zone: "Europe/Berlin", count: 3)
    #expect(times == ["2026-03-28T02:30:00", "2026-03-29T03:30:00", "2026-03-30T02:30:00"])
  }

  @Test func `weekly on two days at two times`() throws {
    let times = try firstTimes(
      "FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=9,18", from: "2026-11-24T09:00", zone: "Europe/Berlin",
      count: 5)
    #expect(
      times == [
        "2026-11-24T09:00:00", "2026-11-24T18:00:00", "2026-11-26T09:00:00",
        "2026-11-26T18:00:00", "2026-12-01T09:00:00",
      ])
  }
}
