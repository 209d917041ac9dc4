import API
import Alarms
import ArgumentParser
import CivilTime
import ClientKit
import Glibc
import ICalendar
import JSONValue

/// `prompter holidays import`: stores the all-day events of an iCalendar file as a list of
/// holidays.
struct HolidaysImport: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Store the all-day events of an iCalendar file as holidays.",
    discussion: """
      The command reads all-day events of one day or several days, and yearly rules. It leaves out \
      events with a time of day, and names them. Many calendars also contain days on which people \
      work, for example Valentine's Day: check the dates that the command prints, and use --category \
      to leave out such days.

      If the home already has a list with this name, the command shows the difference and asks. \
      Without a terminal it needs --replace. Each alarm that uses the list is then planned anew.

      Example: prompter holidays import berlin.ics --name DE-BE
      """)

  @Argument(help: "The iCalendar file.", completion: .file(extensions: ["ics"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      "The name of the list (default: the calendar name in the file).", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Read only events with this category, or whose description begins with this line.",
      valueName: "category"))
  var category: String?

  @Flag(help: "Replace the list with this name, and ask no question.")
  var replace = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if connection.queue {
      throw ValidationError("--queue: an import needs the home, because it shows what changes.")
    }
  }

  func run() throws {
    let client = connection.client
    let tree = try CalendarSource.read(file)
    let status = try client.send(Request(.status)).document()
    let zone = SystemZones.zone(status.text("zone")) ?? SystemZones.home()
    let today = zone.civil(at: TextFormat.now()).dateTime.date
    let calendar = ICalendarHolidays(
      tree, today: today, category: category)
    let list = HolidayList(name: try listName(calendar), days: calendar.days)
    if !connection.json {
      for note in calendar.notes { Terminal.printError("Note: \(note).") }
    }
    guard let last = list.last, last >= today else { throw empty(list) }
    let isReplacing = try replaces(list, client)
    let request = Request(
      .importHolidays, ["name": list.name], query: [("replace", isReplacing ? "yes" : nil)]
    ).with([("days", .array(list.days.map(\.json)))])
    try connection.carryOut(request) { reply in
      Self.words(try reply.document(), isReplacing: isReplacing, today: today)
    }
  }

  /// Returns the name of the list: the value of the option, or the calendar name of the file as one
  /// word.
  private func listName(_ calendar: ICalendarHolidays) throws -> String {
    if let name { return name }
    let words = calendar.name?.split { $0.isWhitespace || $0 == "," || $0 == "/" } ?? []
    let name = words.joined(separator: "-")
    do throws(Refusal) {
      try HolidayRules.checkName(name)
    } catch {
      throw Failure.badUsage(
        "cannot import \(file): the file contains no name that a list can have; give one with --name"
      )
    }
    return name
  }

  private func empty(_ list: HolidayList) -> Failure {
    let filter = category.map { " with the category \"\($0)\"" } ?? ""
    return .refused(
      list.days.isEmpty
        ? "cannot import \(file): it contains no all-day event\(filter); get another file"
        : "cannot import \(file): all of its dates\(filter) are in the past; get a newer file")
  }

  /// Returns true if the command must replace a list with the same name; false if there is no such
  /// list. Without `--replace`, the function shows the difference between the two lists. In a
  /// terminal, it also asks the user; otherwise it throws.
  private func replaces(_ list: HolidayList, _ client: Client) throws -> Bool {
    let lists = try client.send(Request(.listHolidays)).document().list("holidays")
    guard let name = NameMatch.find(list.name, in: lists.map { $0.text("name") }) else {
      return false
    }
    if replace { return true }
    let former = try client.send(Request(.showHolidays, ["name": name])).document().list("days")
    Terminal.printError(HolidayText.difference(from: former, to: list.days.map(\.json)))
    guard isatty(0) == 1, !connection.json else {
      throw Failure.refused(
        "there is already a list of holidays \"\(name)\"; choose another name (--name), or replace "
          + "it (--replace)")
    }
    Terminal.write(Array("Replace the list \(name)? [y]es, [n]o: ".utf8), to: 2)
    guard readLine()?.lowercased().first == "y" else { throw QuietExit(exitCode: 1) }
    return true
  }

  /// Returns the reply of the daemon as a text: the changes of the list, and the holidays of the
  /// next year.
  private static func words(_ reply: JSON, isReplacing: Bool, today: CivilDate) -> String {
    let list = reply["holidays"] ?? .null
    let days = TextFormat.counted(list.count("count"), "day")
    var lines = [
      "\(isReplacing ? "Replaced" : "Imported") the list of holidays \(list.text("name")): \(days), "
        + "the last on \(list.text("last"))."
    ]
    if isReplacing {
      lines.append(HolidayText.change(added: reply.list("added"), removed: reply.list("removed")))
    } else {
      let end = today.adding(days: 366).description
      let next = reply.list("added").filter {
        $0.text("date") >= today.description && $0.text("date") < end
      }
      if !next.isEmpty { lines += ["The days of the next year:", HolidayText.days(next)] }
    }
    let planned = reply.list("planned").map { "\"\(TextFormat.oneLine($0.text("label")))\"" }
    if !planned.isEmpty { lines.append("Planned anew: \(planned.joined(separator: ", ")).") }
    return lines.joined(separator: "\n")
  }
}

extension HolidayText {
  /// Returns a text about the changes of a list, for example `Added: 2027-01-01 New Year. Removed:
  /// nothing.`
  static func change(added: [JSON], removed: [JSON]) -> String {
    func words(_ days: [JSON]) -> String {
      if days.isEmpty { return "nothing" }
      let shown = days.prefix(10).map(day).joined(separator: ", ")
      return days.count > 10 ? "\(shown) and \(days.count - 10) more" : shown
    }
    return "Added: \(words(added)).\nRemoved: \(words(removed))."
  }

  /// Returns a text about the difference between two lists of dates.
  static func difference(from former: [JSON], to new: [JSON]) -> String {
    let (before, after) = (Set(former.map { $0.text("date") }), Set(new.map { $0.text("date") }))
    return change(
      added: new.filter { !before.contains($0.text("date")) },
      removed: former.filter { !after.contains($0.text("date")) })
  }
}
