/// Computes the length of the time in which the device monitored the prompts of a phase.
///
/// The monitored time ends with the last event of the export. The monitored time does not include
/// gaps. In a gap, the daemon was not running, or a purge removed the rows.
public struct PhaseTime: Sendable {
  private let end: Int64
  /// The gaps in order. Two gaps never overlap.
  private let gaps: [(from: Int64, to: Int64)]

  /// Creates the value from the gaps. All times are in milliseconds since 1970.
  ///
  /// - Parameters:
  ///   - end: the time of the last event of the export.
  ///   - gaps: the gaps in any order. Two gaps can overlap. The initializer ignores a gap that ends
  ///     before it begins.
  public init(end: Int64, gaps: [(from: Int64, to: Int64)]) {
    self.end = end
    var joined: [(from: Int64, to: Int64)] = []
    for gap in gaps.sorted(by: { ($0.from, $0.to) < ($1.from, $1.to) })
    where gap.to > gap.from {
      if let last = joined.last, gap.from <= last.to {
        joined[joined.count - 1].to = max(last.to, gap.to)
      } else {
        joined.append(gap)
      }
    }
    self.gaps = joined
  }

  /// The monitored milliseconds of a period.
  ///
  /// - Parameters:
  ///   - to: the end of the period; nil if the period has no end.
  ///   - clock: a function that converts an instant to the time of the clock that measures the
  ///     period.
  public func milliseconds(
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
