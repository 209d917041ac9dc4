import Alarms
import CivilTime

// Adds a list of holidays to half of the homes, and alarms that leave out these holidays.
extension Workload {
  private static let phrases = [
    "weekdays 09:30 not on holidays DE-BE", "every day 08:00 not on holidays de-be",
    "every day 02:30 not on holidays DE-BE", "every day 07:45 and 20:15 not on holidays",
    "mon,fri 10:00 not on holidays DE-BE and the evening before at 19:00",
    "every 2 days at 11:00 not on holidays DE-BE", "last fri of month 10:00 not on holidays DE-BE",
    "every day 16:00 until 2027-06-30 not on holidays DE-BE", "weekdays 09:30 not on holidays US",
    "last working day of month 09:00 holidays DE-BE", "first working day of month 15:00 holidays",
  ]

  /// Adds a list of holidays, alarms that use the list, and imports that change the dates of the
  /// list. These actions use a separate random number generator, so the other actions of a seed
  /// stay the same.
  mutating func scatterHolidays() {
    var own = SeededRandom(seed: seed, about: 0x486F_6C69)
    guard own.chance(50) else { return }
    actions.append(TimedAction(at: 20_000, .importHolidays(Self.list(&own))))
    for _ in 0..<3 {
      var form = AlarmForm()
      form.label = "Task"
      form.schedule = own.pick(Self.phrases)
      form.person = own.pick(["patient", "anna", "bert"])
      form.rings = Int(own.roll(1...3))
      form.quietHours = own.pick(["hold", "suppress", "ring"])
      actions.append(TimedAction(at: own.roll(31...40) * Self.minute, .add(form)))
    }
    let imports = max(1, 40 * length / (365 * Self.day))
    for _ in 0..<imports {
      let at = own.roll(Self.day / 4...max(Self.day, length))
      let action: Action =
        own.chance(10)
        ? .removeHolidays(own.pick(["DE-BE", "US"])) : .importHolidays(Self.list(&own))
      actions.append(TimedAction(at: at, action))
    }
  }

  /// Returns a list of 1 to 60 dates in the simulated year. The dates are single days and weeks of
  /// school holidays.
  private static func list(_ random: inout SeededRandom) -> HolidayList {
    guard let start = try? CivilDate(year: 2027, month: 1, day: 10) else {
      preconditionFailure("10 January 2027 is a date")
    }
    var days: [Holiday] = []
    for _ in 0..<random.roll(1...20) {
      let first = start.adding(days: Int(random.roll(0...380)))
      for offset in 0..<(random.chance(15) ? 7 : 1) {
        days.append(Holiday(date: first.adding(days: offset), label: ""))
      }
    }
    return HolidayList(name: random.chance(90) ? "DE-BE" : "US", days: days)
  }
}
