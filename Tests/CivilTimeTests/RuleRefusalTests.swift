import CivilTime
import Testing

/// Checks how the parser refuses recurrence rules, and which position of the fault it reports.
@Suite struct `A wrong recurrence rule` {
  private static let rows: [(rule: String, reason: String)] = [
    ("", "expected the name of a rule part such as FREQ at position 1"),
    ("FREQ", "expected \"=\" after FREQ at position 5"),
    (
      "FREQ=", "expected SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY at position 6"
    ),
    (
      "FREQ=X",
      "expected SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY at position 6"
    ),
    ("FREQ=DAILY;", "expected the name of a rule part such as FREQ at position 12"),
    ("FREQ=DAILY;;COUNT=1", "expected the name of a rule part such as FREQ at position 12"),
    ("COUNT=1", "FREQ is missing (position 1)"),
    ("FREQ=DAILY;FREQ=DAILY", "FREQ is given twice (position 12)"),
    ("FREQ=DAILY;COUNT=0", "COUNT must be 1 to 999999999 (position 18)"),
    ("FREQ=DAILY;COUNT=-1", "expected a number at position 18"),
    ("FREQ=DAILY;COUNT=x", "expected a number at position 18"),
    ("FREQ=DAILY;COUNT=1;UNTIL=20270101", "COUNT and UNTIL cannot both be given (position 20)"),
    ("FREQ=DAILY;INTERVAL=0", "INTERVAL must be 1 to 999999999 (position 21)"),
    ("FREQ=DAILY;INTERVAL=99999999999", "INTERVAL must be 1 to 999999999 (position 21)"),
    ("FREQ=DAILY;UNTIL=2027011", "expected a date such as 20261224 at position 25"),
    ("FREQ=DAILY;UNTIL=20271301", "there is no month 13 (position 22)"),
    ("FREQ=DAILY;UNTIL=20270230", "February 2027 has 28 days (position 24)"),
    ("FREQ=DAILY;UNTIL=00000101", "the year must be 0001 to 9999 (position 18)"),
    ("FREQ=DAILY;UNTIL=20270101T", "expected a time such as 180000 at position 27"),
    ("FREQ=DAILY;UNTIL=20270101T240000", "there is no hour 24; hours are 00 to 23 (position 27)"),
    (
      "FREQ=DAILY;UNTIL=20270101T236000",
      "there is no minute 60; minutes are 00 to 59 (position 29)"
    ),
    (
      "FREQ=DAILY;UNTIL=20270101T235961",
      "there is no second 61; seconds are 00 to 59 (position 31)"
    ),
    ("FREQ=DAILY;UNTIL=20270101T2359", "expected a time such as 180000 at position 31"),
    ("FREQ=DAILY;UNTIL=20270101T235959X", "expected \";\" or the end of the rule at position 33"),
    ("FREQ=DAILY;BYHOUR=24", "BYHOUR must be 0 to 23 (position 19)"),
    ("FREQ=DAILY;BYHOUR=-1", "expected a number at position 19"),
    ("FREQ=DAILY;BYMINUTE=60", "BYMINUTE must be 0 to 59 (position 21)"),
    ("FREQ=DAILY;BYSECOND=61", "BYSECOND must be 0 to 60 (position 21)"),
    ("FREQ=DAILY;BYHOUR=1,", "expected a number at position 21"),
    ("FREQ=DAILY;BYHOUR=,1", "expected a number at position 19"),
    ("FREQ=DAILY;BYDAY=XX", "expected MO, TU, WE, TH, FR, SA or SU at position 18"),
    ("FREQ=DAILY;BYDAY=1MO", "a number in BYDAY needs FREQ=MONTHLY or FREQ=YEARLY (position 12)"),
    ("FREQ=MONTHLY;BYDAY=0MO", "the number in BYDAY cannot be 0 (position 20)"),
    ("FREQ=MONTHLY;BYDAY=54MO", "the number in BYDAY must be -53 to 53 (position 20)"),
    ("FREQ=YEARLY;BYDAY=-54MO", "the number in BYDAY must be -53 to 53 (position 19)"),
    ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY cannot be 0 (position 25)"),
    ("FREQ=MONTHLY;BYMONTHDAY=32", "BYMONTHDAY must be -31 to 31 (position 25)"),
    ("FREQ=MONTHLY;BYMONTHDAY=-32", "BYMONTHDAY must be -31 to 31 (position 25)"),
    ("FREQ=WEEKLY;BYMONTHDAY=1", "BYMONTHDAY cannot be used with FREQ=WEEKLY (position 13)"),
    ("FREQ=YEARLY;BYYEARDAY=0", "BYYEARDAY cannot be 0 (position 23)"),
    ("FREQ=YEARLY;BYYEARDAY=367", "BYYEARDAY must be -366 to 366 (position 23)"),
    ("FREQ=MONTHLY;BYYEARDAY=1", "BYYEARDAY cannot be used with FREQ=MONTHLY (position 14)"),
    ("FREQ=YEARLY;BYWEEKNO=54", "BYWEEKNO must be -53 to 53 (position 22)"),
    ("FREQ=YEARLY;BYWEEKNO=0", "BYWEEKNO cannot be 0 (position 22)"),
    ("FREQ=MONTHLY;BYWEEKNO=1", "BYWEEKNO needs FREQ=YEARLY (position 14)"),
    ("FREQ=YEARLY;BYMONTH=13", "BYMONTH must be 1 to 12 (position 21)"),
    ("FREQ=YEARLY;BYMONTH=0", "BYMONTH must be 1 to 12 (position 21)"),
    ("FREQ=DAILY;BYSETPOS=1", "BYSETPOS needs another BY… part to choose from (position 12)"),
    ("FREQ=DAILY;BYHOUR=1;BYSETPOS=0", "BYSETPOS cannot be 0 (position 30)"),
    ("FREQ=DAILY;BYHOUR=1;BYSETPOS=367", "BYSETPOS must be -366 to 366 (position 30)"),
    ("FREQ=DAILY;WKST=XX", "expected MO, TU, WE, TH, FR, SA or SU at position 17"),
    ("FREQ=DAILY;BYEASTER=1", "BYEASTER is not a part of a rule (position 12)"),
    ("FREQ=DAILY COUNT=1", "expected \";\" or the end of the rule at position 11"),
    ("FREQ=DAILY;BYHOUR=8 ", "expected \";\" or the end of the rule at position 20"),
  ]

  @Test(arguments: rows.indices)
  func `is refused with its fault and the position of the fault`(index: Int) {
    let (rule, reason) = Self.rows[index]
    do throws(CivilTimeError) {
      Issue.record("\(rule) was read as \(try RecurrenceRule(parsing: rule))")
    } catch {
      let text = "\(error)"
      #expect(text.contains("\"\(rule)\"") && text.hasSuffix(": \(reason)"), "\(text)")
    }
  }
}
