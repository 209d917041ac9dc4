import API
import ArgumentParser
import CivilTime
import ClientKit
import JSONValue

/// `prompter holidays`: manages the lists of holidays that the home keeps.
struct HolidaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holidays", abstract: "Import and list holidays on which alarms do not ring.",
    discussion: """
      An alarm leaves out the holidays of a list if its schedule says so, for example \
      "weekdays 08:00 not on holidays DE-BE". On a day that is not in the list, the alarm rings.

      Examples:
        prompter holidays import berlin.ics --name DE-BE
        prompter holidays
        prompter add "Day centre" --schedule "weekdays 08:00 not on holidays DE-BE"
      """,
    subcommands: [
      HolidaysList.self, HolidaysImport.self, HolidaysShow.self, HolidaysRemove.self,
    ], defaultSubcommand: HolidaysList.self)
}

/// `prompter holidays list`: shows all lists of holidays.
struct HolidaysList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the lists of holidays, and the alarms that use them.",
    discussion: "Example: prompter holidays list")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listHolidays)) { reply in
      let lists = try reply.document().list("holidays")
      if lists.isEmpty {
        return "The home has no list of holidays. To import one: prompter holidays import FILE.ics"
      }
      var table = Table("LIST", "DAYS", "FIRST", "LAST", "NEXT HOLIDAY", "USED BY")
      for list in lists {
        let labels = list.list("alarms").map { TextFormat.oneLine($0.text("label")) }
        table.add(
          .init(list.text("name")), .init("\(list.count("count"))"), .init(list.text("first")),
          .init(list.text("last")),
          .init(list["next"].map { HolidayText.day($0) } ?? "none", Self.emphasis(of: list)),
          .init(labels.isEmpty ? "no alarm" : labels.joined(separator: ", ")))
      }
      return table.text
    }
  }

  private static func emphasis(of list: JSON) -> Emphasis? {
    list["next"] == .null && !list.list("alarms").isEmpty ? .bad : nil
  }
}

/// `prompter holidays show`: shows the dates of one list of holidays.
struct HolidaysShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the dates of a list of holidays.",
    discussion: "Example: prompter holidays show DE-BE")

  @Argument(help: "The name of the list.")
  var name: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.showHolidays, ["name": name])) { reply in
      HolidayText.days(try reply.document().list("days"))
    }
  }
}

/// `prompter holidays remove`: removes a list of holidays that no alarm uses.
struct HolidaysRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a list of holidays that no alarm uses.",
    discussion: "Example: prompter holidays remove DE-BE")

  @Argument(help: "The name of the list.")
  var name: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.removeHolidays, ["name": name])) { reply in
      let list = try reply.document()["holidays"] ?? .null
      return "Removed the list of holidays \(list.text("name"))."
    }
  }
}

/// Texts that describe holidays.
enum HolidayText {
  /// Returns the text for one holiday, for example `2027-05-06 Ascension Day`.
  static func day(_ day: JSON) -> String {
    let label = TextFormat.oneLine(day.text("label"))
    return day == .null ? "none" : day.text("date") + (label.isEmpty ? "" : " \(label)")
  }

  /// Returns a table of holidays. Each line contains one holiday and its weekday.
  static func days(_ days: [JSON]) -> String {
    let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    var table = Table()
    for day in days {
      let weekday = (try? CivilDate(parsing: day.text("date")))?.weekday.rawValue
      table.add(
        .init(weekday.map { names[$0 - 1] } ?? ""), .init(day.text("date")),
        .init(day.text("label")))
    }
    return table.text
  }
}
