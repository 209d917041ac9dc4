import CivilTime

/// A rule that is measured, with its start.
struct Subject {
  var name: String
  var rule: String
  /// The month, the day and the time of the start. The year differs between the measurements.
  var start: String
  var what: String
  var exclusionCount = 0

  /// True if other libraries take seconds for this rule, or do not end.
  var isSlowForPeers: Bool { name.hasPrefix("W") }

  /// The limits in nanoseconds: for each query, and for each occurrence of an expansion. The value
  /// 0 means that there is no limit.
  var bar: (next: Double, expansion: Double) = (0, 0)
}

let subjects: [Subject] = [
  Subject(name: "R01", rule: "FREQ=DAILY", start: "01-01T08:00", what: "daily 08:00", bar: (25, 8)),
  Subject(
    name: "R02", rule: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", start: "01-01T09:30",
    what: "weekdays 09:30", bar: (25, 8)),
  Subject(
    name: "R03", rule: "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH", start: "01-01T10:00",
    what: "every 2 weeks TU,TH", bar: (40, 60)),
  Subject(
    name: "R04", rule: "FREQ=MONTHLY;BYDAY=-1FR", start: "01-01T10:00", what: "last Friday",
    bar: (40, 60)),
  Subject(
    name: "R05", rule: "FREQ=MONTHLY;BYMONTHDAY=31", start: "01-31T10:00", what: "monthly 31st",
    bar: (40, 60)),
  Subject(
    name: "R06", rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", start: "01-01T10:00",
    what: "yearly Feb 29", bar: (60, 60)),
  Subject(
    name: "R07", rule: "FREQ=HOURLY;INTERVAL=6", start: "01-01T06:00", what: "every 6 h",
    bar: (25, 8)),
  Subject(
    name: "R08", rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", start: "01-01T10:00",
    what: "last weekday", bar: (60, 60)),
  Subject(
    name: "R09", rule: "FREQ=MONTHLY;BYDAY=1MO", start: "01-01T10:00", what: "first Monday",
    bar: (40, 60)),
  Subject(
    name: "R10", rule: "FREQ=MINUTELY;INTERVAL=90", start: "01-01T00:00", what: "every 90 min",
    bar: (25, 8)),
  Subject(
    name: "R11", rule: "FREQ=DAILY;BYHOUR=8,14,20", start: "01-01T08:00", what: "08,14,20 h",
    bar: (25, 8)),
  Subject(
    name: "R12", rule: "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", start: "01-01T12:00",
    what: "4th Thu Nov", bar: (40, 60)),
  Subject(
    name: "EX200", rule: "FREQ=DAILY", start: "01-01T08:00", what: "daily, 200 EXDATEs",
    exclusionCount: 200),
  Subject(
    name: "COUNT", rule: "FREQ=DAILY;COUNT=100000", start: "01-01T08:00",
    what: "daily, COUNT=100000"),
  Subject(
    name: "W1", rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SA", start: "01-01T10:00",
    what: "Feb 29 on a Saturday"),
  Subject(
    name: "W2", rule: "FREQ=DAILY;INTERVAL=89;BYMONTHDAY=13;BYDAY=FR", start: "01-01T10:00",
    what: "every 89 days, Fri 13th"),
  Subject(
    name: "W3",
    rule: "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8,12,18;BYSETPOS=-366,-300,-1,99,366",
    start: "01-01T08:00", what: "BYSETPOS in 783 a year"),
  Subject(
    name: "W4", rule: "FREQ=MINUTELY;INTERVAL=1439;BYHOUR=3;BYMINUTE=7;BYDAY=SU",
    start: "01-01T00:00", what: "1439 min, Sun 03:07"),
  Subject(
    name: "W5", rule: "FREQ=MONTHLY;INTERVAL=7;BYMONTHDAY=31;BYDAY=SA", start: "01-01T10:00",
    what: "every 7 months, Sat 31st"),
]
