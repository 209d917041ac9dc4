import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests the UTC offset in which each profile shows the times of a prompt.
@Suite struct `The clock of a prompt` {
  @Test(
    arguments: [
      (-7_200_001, false), (-7_200_000, true), (-1, true), (0, true), (7_200_000, true),
      (7_200_001, false),
    ] as [(Int64, Bool)])
  func `applies to the two hours before and after the due time`(latency: Int64, isNear: Bool) {
    #expect(RowClock.isNear(latency) == isNear)
  }

  @Test(
    arguments: [
      // The three values of a case, in seconds: the UTC offset of the zone, the time from the due
      // time in UTC to the scheduled local time, and the UTC offset that the export shows.
      (3_600, 3_600, 3_600), (3_600, 0, 0), (3_600, 7_200, 7_200), (3_600, 2_700, 2_700),
      (3_600, 3_599, 3_600), (3_600, -1, 3_600), (3_600, 7_201, 3_600), (3_600, 8_100, 3_600),
      (0, -3_600, -3_600), (0, -4_500, 0), (0, 900, 900), (0, 901, 0),
      // The offsets of some zones are not multiples of 15 minutes, for example local mean times.
      (3_208, 3_208, 3_208), (3_208, 6_808, 6_808), (3_208, 2_308, 2_308), (3_208, 3_600, 3_208),
      (-1_250, 2_350, 2_350), (-1_250, -4_850, -4_850), (-1_250, 0, -1_250),
    ] as [(Int64, Int64, Int64)])
  func `shows the scheduled time if only a clock change moved it`(
    zone: Int64, scheduled: Int64, shown: Int64
  ) {
    let due = Instant(seconds: 1_800_000_000)
    for fold: Int64 in [0, 1] {
      let key = (due.seconds + scheduled) << 1 | fold
      #expect(
        RowClock(.safeHarbor).offset(nominalKey: key, due: due, zone: zone) == shown)
      for profile in [ExportProfile.identified, .limited] {
        #expect(RowClock(profile).offset(nominalKey: key, due: due, zone: zone) == nil)
      }
    }
  }

  @Test func `hides two types of events only in safe harbor`() {
    for type in ["heartbeat", "tzdata_changed", "tz_changed", "planned"] {
      #expect(
        RowClock(.safeHarbor).isHidden(type) == ["heartbeat", "tzdata_changed"].contains(type))
      #expect(!RowClock(.limited).isHidden(type) && !RowClock(.identified).isHidden(type))
    }
    #expect(RowClock(.limited).selection.isEmpty && RowClock(.limited).join.isEmpty)
  }
}
