import CivilTime
import Testing

@testable import Alarms

/// Checks which hour the home reports if a person's alarms together exceed the hourly limit.
@Suite struct HourOverLimitTests {
  /// 15 January 2027, 00:00 in Berlin.
  private static let midnight = Instant(seconds: 1_800_000_000 - 9 * 3_600)

  /// The time of day of an alarm, and the number of its rings. The rings are one minute apart. The
  /// first ring is not a repetition.
  private typealias Task = (time: String, rings: Int)

  /// Returns the hour in which these alarms exceed the limit of 4 repetitions; nil if no hour does.
  /// The label of each alarm is its position in the list.
  private func hour(_ tasks: [Task]) throws -> HourOverLimit? {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 4 }
    for (index, task) in tasks.enumerated() {
      try fixture.add("\(index)") {
        $0.schedule = "every day \(task.time)"
        $0.rings = task.rings
      }
    }
    let found = fixture.home.hoursOverLimit(at: fixture.now, fixture.environment)
    #expect(found.count <= 1)
    return found.first?.hour
  }

  private func at(_ hour: Int64, _ minute: Int64) -> Instant {
    Self.midnight.adding(seconds: hour * 3_600 + minute * 60)
  }

  @Test func `as many repetitions as the limit are not too many, and one more is`() throws {
    #expect(try hour([("10:00", 4), ("10:30", 2)]) == nil)
    let found = try #require(try hour([("10:00", 4), ("10:30", 3)]))
    #expect(found.limit == 4 && found.repetitions == 5)
    #expect(found.from == at(10, 1) && found.person == .patient)
    #expect(found.labels == ["0", "1"])
  }

  @Test func `an hour ends before the repetition that is 3600 seconds after its first`() throws {
    // Repetitions come at 10:01, 10:02, 10:03, 11:00, 11:01 and 11:02. No hour contains more than
    // four of them.
    #expect(try hour([("10:00", 4), ("10:59", 4)]) == nil)
    // Repetitions come at 10:01, 10:02, 10:03, 10:59, 11:00 and 11:01. The hour from 10:01 contains
    // the first five of them.
    let found = try #require(try hour([("10:00", 4), ("10:58", 4)]))
    #expect(found.repetitions == 5 && found.from == at(10, 1))
  }

  @Test func `of equally full hours the first counts, and a fuller hour counts before it`() throws {
    let two: [Task] = [("10:00", 4), ("10:10", 4), ("14:00", 4), ("14:10", 4)]
    let first = try #require(try hour(two))
    #expect(first.from == at(10, 1) && first.repetitions == 6 && first.labels == ["0", "1"])
    let fuller = try #require(try hour(two + [("14:20", 2)]))
    #expect(
      fuller.from == at(14, 1) && fuller.repetitions == 7 && fuller.labels == ["2", "3", "4"])
  }

  @Test func `labels are in the order of the first repetitions, and at most 5`() throws {
    let found = try #require(
      try hour([
        ("10:50", 2), ("10:40", 2), ("10:30", 2), ("10:20", 2), ("10:10", 2), ("10:00", 2),
      ]))
    #expect(found.repetitions == 6)
    #expect(found.labels == ["5", "4", "3", "2", "1"])
  }

  @Test func `people are in the order of their ids, and each has an own limit`() throws {
    var fixture = CoreFixture()
    for name in ["eva", "bob", "dora", "carl"] {
      try fixture.person(name) { $0.ringsPerHour = name == "dora" ? 10 : 4 }
      for time in ["10:00", "10:10"] {
        try fixture.add {
          $0.person = name
          $0.schedule = "every day \(time)"
          $0.rings = 4
        }
      }
    }
    let found = fixture.home.hoursOverLimit(at: fixture.now, fixture.environment)
    #expect(found.map(\.hour.person.text) == ["bob", "carl", "eva"])
    let carl = fixture.home.hoursOverLimit(
      of: PersonID("carl"), at: fixture.now, fixture.environment)
    #expect(carl.map(\.hour.person.text) == ["carl"])
  }
}
