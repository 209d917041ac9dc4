import API
import CivilTime
import FoundationEssentials
import JSONValue

/// The page "Import", which makes alarms from a calendar file. The page first shows a preview of
/// the changes. The preview changes nothing.
///
/// The preview keeps the file in the page, in Base64. Therefore, the server stores nothing between
/// the preview and the import, and the import reads exactly the file of the preview.
struct ImportPage: CaretakerPage {
  let name = "import"
  let link: CaretakerSentence? = .importPage

  /// The maximum size of a calendar file, in bytes. In the page, the file is in Base64 and needs
  /// one third more space.
  static let largest = 2 << 20

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    return .content(ImportHTML(context, ImportForm(context)).content)
  }

  func take(_ fields: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.count == 1 else { return .missing }
    let form = ImportForm(fields)
    var html = ImportHTML(context, form)
    let button = fields.text(PageContext.buttonField)
    guard ["look", "import"].contains(button) else { return .missing }
    guard let file = form.file, !file.isEmpty, file.count <= Self.largest else {
      html.isFileMissing = true
      return .content(html.content)
    }
    guard let allDay = try? ClockTime(parsing: form.allDay) else {
      html.refusal = HomeRefusal(
        status: 422, kind: "invalid_field", field: "all_day",
        detail: "all_day: \"\(form.allDay)\" is not a time; write it like 09:00")
      return .content(html.content)
    }
    let isTrial = button == "look"
    let result = try context.home.importCalendar(
      CalendarRequest(
        file: file, person: form.person.isEmpty ? nil : form.person, allDay: allDay,
        isTrial: isTrial))
    switch result {
    case .success(let report): html.report = ImportReport(report, isTrial: isTrial)
    case .failure(let refusal): html.refusal = refusal
    }
    return .content(html.content)
  }
}

/// The values of the form on the page "Import".
struct ImportForm: Sendable, Hashable {
  var person = ""
  /// The time of day of an all-day event without a reminder.
  var allDay = "09:00"
  /// The calendar file; nil if the person chose no file.
  var file: [UInt8]?

  init(_ context: PageContext) {
    let people = context.household.people
    person = people.count == 1 ? people[0].id : ""
  }

  init(_ fields: FormFields) {
    (person, allDay) = (fields.text("person"), fields.text("all_day"))
    file =
      fields.files.first { $0.field == "file" }?.bytes
      ?? Data(base64Encoded: fields.text("content")).map { Array($0) }
  }
}

/// The changes that an import made or would make.
struct ImportReport: Sendable, Hashable {
  /// The kind of change that the import makes to an alarm.
  enum Action: String, Sendable {
    case set = "set"
    case changed = "changed"
    case removed = "removed"
    case unchanged = "unchanged"
  }

  struct Line: Sendable, Hashable {
    var action: Action
    var label: String
    /// A description of the alarm by the daemon, or the reason for a removal, in English.
    var detail: String
  }

  var rows: [Line]
  /// The notes about parts of the file that an alarm cannot contain, and about refusals.
  var notes: [String]
  var isTrial: Bool

  init(_ report: JSON, isTrial: Bool) {
    self.isTrial = isTrial
    let documents = (report["alarms"]?.array ?? []) + (report["removed"]?.array ?? [])
    rows = documents.compactMap { document in
      guard let action = document["action"]?.string.flatMap(Action.init) else { return nil }
      let alarm = document["alarm"] ?? .null
      let changes = (document["changes"]?.array ?? []).compactMap(\.string)
      let detail =
        document["reason"]?.string ?? document["explanation"]?.string
        ?? (changes.isEmpty ? alarm["schedule"]?.string : changes.joined(separator: ", ")) ?? ""
      return Line(action: action, label: alarm["label"]?.string ?? "", detail: detail)
    }
    notes = (report["notes"]?.array ?? []).compactMap { note in
      guard let line = note["line"]?.integer, let reason = note["reason"]?.string else {
        return nil
      }
      return "line \(line), \(note["property"]?.string ?? ""): \(reason)"
    }
  }

  func count(_ action: Action) -> Int { rows.count { $0.action == action } }

  /// True if an import would change something.
  var changesSomething: Bool { rows.contains { $0.action != .unchanged } }
}

/// A calendar file for the home.
public struct CalendarRequest: Sendable, Hashable {
  public var file: [UInt8]
  /// The person of the alarms; nil if the home has only one person.
  public var person: String?
  /// The time of day of an all-day event without a reminder.
  public var allDay: ClockTime
  /// True if the home only returns the changes that it would make.
  public var isTrial: Bool
}
