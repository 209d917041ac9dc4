import CivilTime

/// One day of a list of holidays.
public struct Holiday: Hashable, Sendable {
  public var date: CivilDate
  /// The name of the holiday, for example `Ascension Day`. The text can be empty.
  public var label: String

  public init(date: CivilDate, label: String) {
    self.date = date
    self.label = label
  }
}

/// A list of holidays that the home stores, for example the public holidays of a region.
///
/// A day that is not in the list is not a holiday. Every day after the last day of the list counts
/// as an ordinary day. Therefore an alarm that uses the list rings on the holidays after this last
/// day.
public struct HolidayList: Hashable, Sendable {
  /// The name of the list, for example `DE-BE`. Prompter compares the names of lists without regard
  /// to upper and lower case.
  public var name: String
  /// The holidays, sorted by date. Each date is in the list once.
  public let days: [Holiday]

  /// - Parameter days: the holidays in any order. If two holidays have the same date, the list
  ///   contains the date once, with both labels.
  public init(name: String, days: [Holiday]) {
    self.name = name
    var labels: [CivilDate: [String]] = [:]
    for day in days {
      let isNew = !day.label.isEmpty && labels[day.date]?.contains(day.label) != true
      labels[day.date, default: []] += isNew ? [day.label] : []
    }
    self.days = labels.sorted { $0.key < $1.key }.map {
      Holiday(date: $0.key, label: String($0.value.joined(separator: ", ").prefix(200)))
    }
  }

  /// Returns the holiday on a date; nil if the date is not in the list.
  public func holiday(on date: CivilDate) -> Holiday? { days.first { $0.date == date } }

  /// Returns the first holiday on a date or after this date; nil if the list ends before the date.
  public func next(from date: CivilDate) -> Holiday? { days.first { $0.date >= date } }

  /// The last date of the list; nil for an empty list.
  public var last: CivilDate? { days.last?.date }

  /// The part of the list that an alarm stores: the name and the dates.
  var exclusion: HolidayExclusion { HolidayExclusion(list: name, days: days.map(\.date)) }
}

/// The change that an event makes to the lists of holidays.
public enum HolidayChange: Hashable, Sendable {
  /// A user imported a list. If the home already has a list with this name, the imported list
  /// replaces it.
  indirect case imported(HolidayList)
  /// The list with this name was removed.
  case removed(String)

  /// The event type in the record.
  public var type: String {
    switch self {
    case .imported: "holidays_imported"
    case .removed: "holidays_removed"
    }
  }
}

/// The holidays on which a schedule is not due.
///
/// The schedule of an alarm contains the dates, and not only the name of the list. Therefore each
/// version of the alarm says on which days this version was not due. If a new import changes the
/// dates of the list, each alarm that uses the list gets a new version.
public struct HolidayExclusion: Hashable, Sendable {
  /// The name of the list; empty if the name was erased.
  public var list: String
  /// The dates, sorted. Each date excludes the whole day.
  public var days: [CivilDate]
  /// The first day on which a schedule of working days can be due. The value is nil for any other
  /// schedule. On a holiday, such a schedule is silent, and it does not move the occurrence to
  /// another day.
  public var workingDaysFrom: CivilDate?

  public init(list: String, days: [CivilDate], workingDaysFrom: CivilDate? = nil) {
    self.list = list
    self.days = days
    self.workingDaysFrom = workingDaysFrom
  }

  /// The words at the end of a phrase, for example `not on holidays DE-BE`.
  var words: String {
    (workingDaysFrom == nil ? "not on holidays" : "holidays") + (list.isEmpty ? "" : " \(list)")
  }
}

extension Schedule {
  /// The holidays on which the schedule is not due; nil if the schedule uses no list.
  public var holidays: HolidayExclusion? {
    guard case .several(let dates) = self else { return nil }
    return dates.holidays
  }

  /// Returns a copy of the schedule that is not due on these holidays; nil if a schedule of this
  /// kind cannot exclude holidays.
  func leavingOut(_ holidays: HolidayExclusion) -> Schedule? {
    switch self {
    case .recurring(let rule, let start):
      return .several(
        RecurringDates(rules: [.init(rule: rule, start: start)], holidays: holidays))
    case .several(var dates):
      dates.holidays = holidays
      return .several(dates)
    case .at, .once, .every, .within, .random, .after: return nil
    }
  }

  /// Returns a copy of the schedule in which the list of holidays has the name `name`. If the
  /// schedule uses no list, the function returns the schedule unchanged.
  public func namingHolidays(_ name: String) -> Schedule {
    guard case .several(var dates) = self else { return self }
    dates.holidays?.list = name
    return .several(dates)
  }
}

/// The rules for lists of holidays.
public enum HolidayRules {
  /// The maximum number of lists in a home.
  public static let lists = 32
  /// The permitted number of dates in a list. A country has about 15 holidays a year, and a region
  /// about 90 days of school holidays.
  public static let dates = 1...1_000
  /// The rule for the label of a holiday.
  static let label = TextRule(0...200, bytes: 800)
  static let nameLength = 1...64
  /// If a list that an alarm uses ends within this number of days, the status of the home reports a
  /// problem.
  public static let warningDays = 60
  /// Words that can follow the name of a list in a phrase. A list cannot have one of these words as
  /// its name.
  static let reserved: Set<String> = [
    "until", "till", "through", "for", "starting", "from", "beginning", "since", "and", "with",
    "also", "at", "by", "latest", "on", "not", "except", "but", "of", "no", "in",
  ]

  /// Checks the name of a new list.
  ///
  /// A name is one word, because the name is a part of a phrase.
  ///
  /// - Throws: `.invalidField` if the name is not valid.
  public static func checkName(_ name: String) throws(Refusal) {
    let isWord = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
        || "._-".unicodeScalars.contains($0)
    }
    guard isWord, nameLength.contains(name.count), name.utf8.count <= 200,
      !reserved.contains(name.lowercased())
    else {
      throw Refusal(
        .invalidField, field: "name",
        "\"\(name.prefix(80))\" cannot be the name of a list of holidays; use one word of 1 to 64 "
          + "letters, digits, dots, dashes and underscores, for example DE-BE")
    }
  }
}
