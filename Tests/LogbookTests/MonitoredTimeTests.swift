import Alarms
import CivilTime
import TestRandom
import Testing

@testable import Logbook

@Suite struct `Monitored time` {
  private var random = SeededGenerator(seed: 3)

  /// Returns random events of a home (heartbeats and gaps), and the length of each gap.
  private mutating func rows() -> [(event: Event, reading: ClockReading, silence: Int64)] {
    var (wall, boot, name) = (Int64(1_796_000_000_000), Int64(5_000_000_000), 1)
    var rows: [(Event, ClockReading, Int64)] = []
    func reading() -> ClockReading {
      ClockReading(
        wall: Instant(milliseconds: wall), bootNanoseconds: boot, bootID: "boot \(name)",
        clockState: .synced)
    }
    rows.append((.heartbeat, reading(), 0))
    for _ in 0..<200 {
      let before = wall
      let isSilent = random.next().isMultiple(of: 7)
      let most: UInt64 = isSilent ? 90_000_000 : 900_000
      let passed = Int64(random.next(upperBound: most)) + 1
      wall += passed
      boot += passed * 1_000_000
      if isSilent, random.next().isMultiple(of: 2) {
        name += 1
        boot = 7_000_000_000
      }
      if isSilent { rows.append((.serviceStarted(version: "1"), reading(), 0)) }
      let gap = Event.gap(
        from: Instant(milliseconds: before), to: Instant(milliseconds: wall), cause: .crash)
      rows.append((isSilent ? gap : .heartbeat, reading(), isSilent ? passed : 0))
    }
    return rows
  }

  private func watch(_ rows: [(event: Event, reading: ClockReading, silence: Int64)])
    -> MonitoredTime
  {
    var watch = MonitoredTime()
    for row in rows { watch.add(row.event, at: row.reading) }
    watch.finish()
    return watch
  }

  @Test mutating func `monitored time and gaps together are the whole time`() {
    for _ in 0..<soak(50) {
      let rows = rows()
      let found = watch(rows)
      let elapsed =
        (rows.last?.reading.wall.milliseconds ?? 0) - (rows.first?.reading.wall.milliseconds ?? 0)
      #expect(found.elapsedMilliseconds == elapsed)
      #expect(found.gapMilliseconds == rows.map(\.silence).reduce(0, +))
      #expect(found.unexplainedMilliseconds == 0)
      #expect(found.monitoredMilliseconds + found.gapMilliseconds == elapsed)
    }
  }

  @Test mutating func `a long time without events and without a gap is not explained`() throws {
    var rows = rows()
    let place = try #require(rows.lastIndex { $0.silence > 16 * 60_000 })
    let silence = rows.remove(at: place).silence
    #expect(watch(rows).unexplainedMilliseconds == silence)
  }

  /// Each case contains two events. The expected values are the elapsed time, the time in gaps and
  /// the unexplained time between the events, in milliseconds.
  @Test(
    arguments: [
      // The longest normal pause, and a pause that is one millisecond longer.
      (960_000, "a", nil, [960_000, 0, 0]), (960_001, "a", nil, [960_001, 0, 960_001]),
      // After a start of the device, even a pause of one millisecond is not explained. If the clock
      // was set back, no time has passed.
      (1, "b", nil, [1, 0, 1]), (-5, "b", nil, [0, 0, 0]),
      // A gap explains the whole pause, also if the length of the gap is different from the length
      // of the pause.
      (960_001, "a", 900_000, [960_001, 900_000, 0]), (7, "b", 5, [7, 5, 0]),
      (10, "a", -5, [10, 0, 0]),
    ] as [(Int64, String, Int64?, [Int64])])
  func `a pause of 16 minutes is normal, and a restart is not`(
    passed: Int64, boot: String, gap: Int64?, expected: [Int64]
  ) {
    func reading(_ at: Int64, _ boot: String) -> ClockReading {
      ClockReading(
        wall: Instant(milliseconds: at), bootNanoseconds: at * 1_000_000, bootID: boot,
        clockState: .synced)
    }
    let start = Instant(milliseconds: 1_000)
    let event =
      gap.map { Event.gap(from: start, to: start.adding(milliseconds: $0), cause: .crash) }
      ?? .heartbeat
    var watch = MonitoredTime()
    watch.add(.heartbeat, at: reading(1_000, "a"))
    watch.add(event, at: reading(1_000 + passed, boot))
    watch.finish()
    let found = [
      watch.elapsedMilliseconds, watch.gapMilliseconds, watch.unexplainedMilliseconds,
    ]
    #expect(found == expected)
    #expect(watch.monitoredMilliseconds == max(0, expected[0] - expected[1] - expected[2]))
  }
}
