import Testing

@testable import Alarms

/// Checks the limits of each number of an alarm. The smallest and the largest permitted value are
/// accepted. Values outside these limits are refused.
@Suite struct AlarmLimitTests {
  private struct Limit: CustomTestStringConvertible {
    var field: String
    var accepted: [Int64]
    var refused: [Int64]
    /// The smallest and the largest permitted value, in the words of the refusal.
    var words: String
    var set: @Sendable (inout AlarmForm, Int64) -> Void
    var testDescription: String { field }
  }

  private static let limits = [
    Limit(field: "rings", accepted: [1, 20], refused: [0, 21, -1], words: "from 1 to 20") {
      $0.rings = Int($1)
      $0.spacingSeconds = 1
    },
    Limit(
      field: "spacing", accepted: [1, 3_600], refused: [0, 3_601], words: "from 1 to 3600 seconds"
    ) {
      $0.spacingSeconds = $1
      $0.rings = 2
    },
    Limit(
      field: "late_window", accepted: [1, 86_400], refused: [0, 86_401],
      words: "from 1 to 86400 seconds"
    ) { $0.lateWindowSeconds = $1 },
    Limit(
      field: "delay", accepted: [1, 86_400], refused: [0, 86_401], words: "from 1 to 86400 seconds"
    ) { $0.delaySeconds = $1 },
    Limit(field: "delay_limit", accepted: [0, 20], refused: [-1, 21], words: "from 0 to 20") {
      $0.delayLimit = Int($1)
    },
  ]

  @Test(arguments: limits)
  private func `a number outside its limits is refused, and the ends are accepted`(
    limit: Limit
  ) throws {
    for value in limit.accepted + limit.refused {
      var fixture = CoreFixture()
      let found = refusal {
        try fixture.add {
          $0.schedule = "every day 08:00"
          limit.set(&$0, value)
        }
      }
      if limit.accepted.contains(value) {
        #expect(found == nil, "\(value): \(found?.detail ?? "")")
      } else {
        #expect(found?.kind == .invalidField && found?.field == limit.field, "\(value)")
        #expect(
          found?.detail == "\(value) is out of range; it must be \(limit.words)")
        #expect(fixture.home.alarms.isEmpty)
      }
    }
  }

  @Test func `a gain outside its limits is refused, and the ends are accepted`() throws {
    for (gain, isAccepted) in [(-60.0, true), (0, true), (-60.5, false), (0.5, false)] {
      var fixture = CoreFixture()
      let found = refusal {
        try fixture.add {
          $0.schedule = "every day 08:00"
          $0.gainsDecibels = [-6, gain]
        }
      }
      #expect((found == nil) == isAccepted, "\(gain)")
      #expect(isAccepted || found?.field == "gains")
    }
  }

  @Test func `texts have limits, and the longest text is accepted`() throws {
    let rows: [(field: String, longest: Int, set: (inout AlarmForm, String) -> Void)] = [
      ("label", 200, { $0.label = $1 }), ("instructions", 2_000, { $0.instructions = $1 }),
      ("uid", 500, { $0.calendarUID = $1 }),
      ("uid_revision", 2_000, { $0.calendarRevision = $1 }),
    ]
    for row in rows {
      for length in [row.longest, row.longest + 1] {
        var fixture = CoreFixture()
        let found = refusal {
          try fixture.add {
            $0.schedule = "every day 08:00"
            row.set(&$0, String(repeating: "a", count: length))
          }
        }
        #expect((found == nil) == (length == row.longest), "\(row.field) \(length)")
        #expect(found == nil || found?.field == row.field)
      }
    }
  }
}
