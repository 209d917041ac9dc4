import CivilTime
import Testing

@testable import Alarms

private func split(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

private let tuesdayToFriday = "every Tuesday and Wednesday and Thursday and Friday"

@Suite struct `The words of an everyday phrase` {
  @Test(
    arguments: [
      ("8:00-20:00", "from 8:00 to 20:00"), ("8–20", "from 8 to 20"), ("8-", "8-"),
      ("mon-fri", "mon to fri"), ("mo-fr", "mo to fr"), ("mon-wed-fri", "mon wed fri"),
      ("mon-wed-x", "mon-wed-x"), ("mon-", "mon-"), ("mon-8", "mon-8"), ("mon/wed", "mon wed"),
      ("mon/wed/weekends", "mon wed weekends"), ("mon/x", "mon/x"), ("8am/8pm", "8am and 8pm"),
      ("8:00/9", "8:00/9"), ("8/20", "8/20"), ("8am/9am/10am", "8am/9am/10am"),
      ("a.m.", "am"), ("8a.m.", "8am"), ("8:30p.m", "8:30pm"), ("8:00.", "8:00"), ("8.", "8."),
      ("mon. 8:00", "mon 8:00"), ("8 & 9 + 10 @ 11", "8 and 9 and 10 at 11"), ("2x", "2 times"),
      ("x", "x"), ("ax", "ax"), ("3x/day", "3 times a day"), ("3x/week", "3x/week"),
      ("(8:00)! ? ;", "8:00"), ("8 o’clock o`clock", "8 o'clock o'clock"),
      ("please remind me 8:00 thanks", "8:00"), ("8:00 please ring 9:00", "8:00 please ring 9:00"),
      ("8:00 not on sunday", "8:00 except sunday"),
      ("8:00 not on holidays", "8:00 not on holidays"),
      ("8:00 without holiday", "8:00 without holiday"),
      ("half an hour before holidays", "30 minutes before holidays"),
      ("1.5 hours", "90 minutes"), ("in 0.1 hours", "in 6 minutes"), ("2.5 hour", "150 minutes"),
      ("999.9 hours", "59994 minutes"), ("1000.5 hours", "1000.5 hours"),
      ("1.55 hours", "1.55 hours"), ("1.x hours", "1.x hours"), ("x.5 hours", "x.5 hours"),
      ("1.5 minutes", "1.5 minutes"), ("1.5.5 hours", "1.5.5 hours"),
      ("monday and every thursday 8:00", "monday and thursday 8:00"),
      ("monday and on thursday and each friday", "monday and thursday and friday"),
      ("monday and every day", "monday and every day"),
      ("monday or every thursday", "monday or every thursday"),
      ("every 3rd day", "every 3 days"), ("every second week", "every 2 weeks"),
      ("8:00 every 2nd month", "8:00 every 2 months"), ("every 31st year", "every 31 years"),
      ("every 1st day", "every 1st day"), ("every 32nd day", "every 32nd day"),
      ("every 3rd hour", "every 3rd hour"), ("3rd day", "3rd day"),
      ("20 minutes from now", "in 20 minutes"), ("from now", "in"), ("now", "now"),
      ("in 20 minutes time", "in 20 minutes"), ("20 minutes time", "20 minutes time"),
      ("8-hourly", "every 8 hours"), ("8 hourly at 6", "every 8 hours at 6"),
      ("8-hourly at 6", "every 8 hours at 6"), ("9 hourly", "9 hourly"), ("8 at 9", "8 at 9"),
    ] as [(String, String)])
  func `become words that the reader knows`(typed: String, words: String) {
    #expect(EverydayWords.plain(split(typed)).joined(separator: " ") == words)
  }

  @Test(
    arguments: [
      ("monday to friday 8:00", "weekdays 8:00"), ("sat - sun", "weekends"),
      ("mon to sun", "every day"), ("sun to sat", "every day"), ("mon to mon", "every Monday"),
      ("fri till mon", "every Monday and Friday and Saturday and Sunday"),
      ("from monday through friday", "weekdays"), ("fr until sa", "every Friday and Saturday"),
      ("8:00 on every mon thru wed 9:00", "8:00 every Monday and Tuesday and Wednesday 9:00"),
      ("at mon to wed", "at every Monday and Tuesday and Wednesday"),
      ("each mon to tue and thu to fri", "every Monday and Tuesday and every Thursday and Friday"),
      ("monday to", "monday to"), ("monday", "monday"), ("monday to 8:00", "monday to 8:00"),
      ("monday and friday", "monday and friday"), ("8:00 to monday", "8:00 to monday"),
      (
        "every day except sunday",
        "every Monday and Tuesday and Wednesday and Thursday and Friday and Saturday"
      ),
      ("each day except sat and sun", "weekdays"), ("daily but on weekends 8:00", "weekdays 8:00"),
      ("daily except for the weekdays", "weekends"),
      ("daily except mon or weekends", tuesdayToFriday),
      ("weekdays except mon 8:00", "\(tuesdayToFriday) 8:00"),
      ("8:00 every weekday but monday", "8:00 \(tuesdayToFriday)"),
      ("each weekday but mon tue wed thu", "every Friday"),
      ("every day except weekdays and weekends", "every day except weekdays and weekends"),
      ("mondays except sunday", "mondays except sunday"), ("except sunday", "except sunday"),
      ("every day except", "every day except"), ("every day except on", "every day except on"),
      ("every other day except sunday", "every other day except sunday"),
      ("each except sunday", "each except sunday"), ("day except sunday", "day except sunday"),
    ] as [(String, String)])
  func `give the weekdays of a range or an exception`(typed: String, words: String) {
    #expect(EverydayDays.weekdays(split(typed)).joined(separator: " ") == words)
  }

  /// A result has the dates, the day and the month, or only the day of the month. The number after
  /// the comma is the number of words of the date.
  @Test(
    arguments: [
      ("24 december 18:00", "24/12, 2"), ("24th of december 18:00", "24/12, 3"),
      ("first of may", "1/5, 3"), ("december 24", "24/12, 2"), ("december the 24th", "24/12, 3"),
      ("dec 24. 8:00", "24/12, 2"), ("december 8:00", "none"), ("december", "none"),
      ("december the", "none"), ("december 0830", "none"), ("24 december 1999", "24/12, 2"),
      ("24 december 2000", "2000-12-24, 3"), ("24 of december 2026 8:00", "2026-12-24, 4"),
      ("december the 24th 2200", "2200-12-24, 4"), ("24 december 2201", "24/12, 2"),
      ("31 february 2027", "31/2, 2"), ("15th", "the 15, 1"), ("15. 8:00", "the 15, 1"),
      ("1st 20", "the 1, 1"), ("15", "none"), ("first", "none"), ("32nd", "none"), ("0th", "none"),
      ("15th of", "none"), ("15th monday", "none"), ("15th weekdays", "none"),
      ("15th and 20th", "none"), ("15th 20th", "none"), ("15th day", "none"),
      ("15th working day", "none"), ("15th every month", "none"), ("15th in may", "none"),
      ("24.12.2026 8:00", "2026-12-24, 1"), ("24/12/2026", "2026-12-24, 1"),
      ("12/24/2026", "2026-12-24, 1"), ("24-12-2026", "2026-12-24, 1"),
      ("3/4/2027", "2027-04-03 2027-03-04, 1"), ("3-4-2027", "2027-04-03 2027-03-04, 1"),
      ("3.4.2027", "2027-04-03, 1"), ("4/4/2027", "2027-04-04, 1"), ("13/13/2027", "none"),
      ("4.13.2027", "none"), ("2026/12/24", "2026-12-24, 1"), ("2026.12.24", "2026-12-24, 1"),
      ("2026-12-24", "none"), ("2026/24/12", "none"), ("999/1/2", "none"), ("1000/1/2", "none"),
      ("1/2/1999", "none"), ("1/1/2000", "2000-01-01, 1"), ("1/1/2200", "2200-01-01, 1"),
      ("1/1/2201", "none"), ("24.12.", "24/12, 1"), ("1.1.", "1/1, 1"), ("31.12.", "31/12, 1"),
      ("0.1.", "none"), ("32.1.", "none"), ("1.0.", "none"), ("1.13.", "none"), ("24.12", "none"),
      ("24/12/", "none"), ("24.12.26.", "none"), ("24:12:2026", "none"), ("monday", "none"),
      ("", "none"),
    ] as [(String, String)])
  func `give a date`(typed: String, wanted: String) {
    guard let (found, count) = EverydayDays.date(split(typed)[...]) else {
      #expect(wanted == "none", "\(typed)")
      return
    }
    let text =
      switch found {
      case .dates(let dates): dates.map { "\($0)" }.joined(separator: " ")
      case .yearly(let day, let month): "\(day)/\(month)"
      case .monthly(let day): "the \(day)"
      }
    #expect("\(text), \(count)" == wanted, "\(typed)")
  }

  @Test(
    arguments: [
      ("2026-11-30", "31st", "2026-12-31"), ("2026-11-30", "30th", "2026-11-30"),
      ("2026-12-31", "31st", "2026-12-31"), ("2026-12-31", "3rd", "2027-01-03"),
      ("2026-12-15", "14th", "2027-01-14"), ("2026-01-31", "30th", "2026-03-30"),
      ("2027-11-30", "29th", "2027-12-29"),
    ])
  func `give the next date with a day of the month`(typed: String, day: String, date: String) throws
  {
    let local = CivilDateTime(date: try CivilDate(parsing: typed), time: .midnight)
    var reasons: [String] = []
    let found = EverydayDates(local: local).variants(of: ["on", day, "8:00"], &reasons)
    #expect(found == [[date, "8:00"], ["the", day, "of", "every", "month", "8:00"]])
  }

  /// A result has the hour, the minute, the suffix, and a "0" if the hour begins with 0.
  @Test(
    arguments: [
      ("8", "8"), ("08", "8 0"), ("0", "0"), ("00", "0 0"), ("20", "20"), ("24", "24"),
      ("25", nil), ("8.30", "8:30"), ("8:05", "8:5"), ("08:30", "8:30 0"), ("8h30", "8:30"),
      ("8h", "8 h"), ("8uhr", "8 h"), ("8:30uhr", "8:30 h"), ("8:30h", "8:30 h"),
      ("0830", "8:30 0"), ("2030", "20:30"), ("0830am", "8:30 am 0"), ("0859", "8:59 0"),
      ("0860", nil), ("830", nil), ("12345", nil), ("8am", "8 am"), ("8:30pm", "8:30 pm"),
      ("8:59", "8:59"), ("8:60", nil), ("8:5", nil), ("8h5", nil), ("8:305", nil), ("8.", nil),
      ("8:", nil), ("8x", nil), ("8:30:15", nil), ("24:00", "24:0"), ("24:01", nil),
      ("2400", "24:0"), ("2401", nil), ("", nil), ("h", nil), (":30", nil), ("-8", nil),
    ] as [(String, String?)])
  func `give the digits of a time`(word: String, wanted: String?) {
    let text = EverydayTime.digits(word).map { digits in
      let minute = digits.minute.map { ":\($0)" } ?? ""
      let suffix = digits.suffix.isEmpty ? "" : " \(digits.suffix)"
      return "\(digits.hour)\(minute)\(suffix)\(digits.hasZero ? " 0" : "")"
    }
    #expect(text == wanted, "\(word)")
  }
}
