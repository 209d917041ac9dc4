import Alarms
import CivilTime
import GRDB

/// The time in which the device monitored the prompts of a phase.
///
/// The time ends with the last event of the export. The gaps do not count: in a gap, the daemon was not
/// running, or a purge removed the rows.
struct PhaseTime {
  private let end: Int64
  /// The gaps, in order and without an overlap.
  private let gaps: [(from: Int64, to: Int64)]

  /// - Parameter hidden: the types of events that the export does not contain.
  init(_ db: Database, without hidden: Set<String>) throws {
    let types = hidden.map { "'\($0)'" }.joined(separator: ", ")
    end =
      try Int64.fetchOne(
        db,
        sql: """
          SELECT wall_utc_ms FROM events WHERE type NOT IN (\(types)) ORDER BY seq DESC LIMIT 1
          """) ?? 0
    let rows = try RawRows(
      db,
      sql: """
        SELECT json_extract(payload, '$.from_ms'), json_extract(payload, '$.to_ms') FROM events
        WHERE type = 'gap'
        """)
    var found: [(from: Int64, to: Int64)] = []
    while let row = try rows.next() { found.append((row.integer(0), row.integer(1))) }
    if let purge = try PurgeInForce.find(in: db)?.purge, let first = purge.firstAt {
      found.append((first.milliseconds, purge.throughAt.milliseconds))
    }
    var joined: [(from: Int64, to: Int64)] = []
    for gap in found.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) })
    where gap.to > gap.from {
      if let last = joined.last, gap.from <= last.to {
        joined[joined.count - 1].to = max(last.to, gap.to)
      } else {
        joined.append(gap)
      }
    }
    gaps = joined
  }

  /// The monitored milliseconds of a period.
  ///
  /// - Parameters:
  ///   - to: the end of the period; nil if the period has no end.
  ///   - clock: converts an instant to the time of the clock that measures the period.
  func milliseconds(
    from: Int64, to: Int64?, on clock: (Int64) -> Int64 = { $0 }
  ) -> Int64 {
    let until = max(from, min(to ?? end, end))
    let lost: Int64 = gaps.reduce(0) { lost, gap in
      let (begin, end) = (max(gap.from, from), min(gap.to, until))
      return end > begin ? lost + clock(end) - clock(begin) : lost
    }
    return max(0, clock(until) - clock(from) - lost)
  }
}
