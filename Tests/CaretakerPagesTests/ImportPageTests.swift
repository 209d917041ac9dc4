import API
import CivilTime
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

private let report = """
  {"alarms": [
     {"action": "set", "alarm": {"label": "Dentist <x>"}, "explanation": "once on 1 December at 09:00"},
     {"action": "changed", "alarm": {"label": "Walk"}, "changes": ["schedule", "label"]},
     {"action": "unchanged", "alarm": {"label": "Tea", "schedule": "every day 16:00"}}],
   "removed": [{"action": "removed", "alarm": {"label": "Choir"}, "reason": "it was cancelled"}],
   "notes": [{"line": 12, "property": "ATTENDEE", "reason": "an alarm has no <guests>"}]}
  """

@Suite struct ImportPageTests {
  private static let calendar = Array("BEGIN:VCALENDAR".utf8)

  private func send(
    _ home: SampleCaretakerHome, _ fields: [(String, String)], file: [UInt8]? = calendar
  ) -> (status: Int, html: String) {
    var form = FormFields([("all_day", "09:00"), ("person", "anna")] + fields)
    if let file { form.files = [FormFields.File(field: "file", name: "a.ics", bytes: file)] }
    let reply = CaretakerSite(language: .english).reply(
      to: Visit(path: ["import"], version: 7), form: form, home: home)
    return (reply.status, String(decoding: reply.bytes, as: UTF8.self))
  }

  private func home() throws -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveCalendar(.success(try JSON(parsing: Array(report.utf8))))
    return home
  }

  @Test func `the preview changes nothing, and keeps the file for the import`() throws {
    let home = try home()
    let page = send(home, [("button", "look")])
    #expect(
      home.calendars == [
        CalendarRequest(
          file: Self.calendar, person: "anna", allDay: try ClockTime(parsing: "09:00"),
          isTrial: true)
      ])
    for words in [
      "Dentist &lt;x&gt;", "would be set", "once on 1 December at 09:00", "would be changed",
      "schedule, label", "stays as it is", "would be removed", "it was cancelled", "1 note",
      "line 12, ATTENDEE: an alarm has no &lt;guests&gt;",
    ] { #expect(page.html.contains(words), "\(words)") }
    #expect(page.html.contains("name=\"content\" value=\"QkVHSU46VkNBTEVOREFS\""))
    #expect(page.html.contains("value=\"import\""))
  }

  @Test func `the import takes the file of the preview`() throws {
    let home = try home()
    let page = send(
      home, [("button", "import"), ("content", "QkVHSU46VkNBTEVOREFS")], file: nil)
    #expect(home.calendars.map(\.isTrial) == [false])
    #expect(home.calendars.map(\.file) == [Self.calendar])
    #expect(page.html.contains("Imported: 1 set, 1 changed, 1 removed."))
    #expect(!page.html.contains("value=\"import\""))
  }

  @Test func `without a change there is nothing to import`() throws {
    let home = SampleCaretakerHome()
    home.giveCalendar(
      .success(
        try JSON(
          parsing: Array(#"{"alarms": [{"action": "unchanged", "alarm": {"label": "Tea"}}]}"#.utf8))
      ))
    let page = send(home, [("button", "look")])
    #expect(page.html.contains("Nothing would change.") && !page.html.contains("value=\"import\""))
    home.giveCalendar(.success(.object([])))
    #expect(send(home, [("button", "look")]).html.contains("The file contains no alarm."))
  }

  @Test func `a missing, large or unreadable file is explained`() throws {
    let home = try home()
    #expect(send(home, [("button", "look")], file: nil).status == 422)
    #expect(send(home, [("button", "import"), ("content", "%")], file: nil).status == 422)
    let large = [UInt8](repeating: 65, count: ImportPage.largest + 1)
    #expect(send(home, [("button", "look")], file: large).html.contains("at most 2 MiB"))
    var form = FormFields([("all_day", "9"), ("button", "look")])
    form.files = [FormFields.File(field: "file", name: "a.ics", bytes: Self.calendar)]
    let reply = CaretakerSite(language: .english).reply(
      to: Visit(path: ["import"]), form: form, home: home)
    #expect(String(decoding: reply.bytes, as: UTF8.self).contains("id=\"error-all_day\""))
    #expect(home.calendars.isEmpty)
    home.giveCalendar(
      .failure(HomeRefusal(status: 422, kind: "bad_calendar", detail: "cannot read <it>")))
    let page = send(home, [("button", "look")])
    #expect(page.status == 422 && page.html.contains("cannot read &lt;it&gt;"))
  }

  @Test func `an unknown button does nothing`() throws {
    let home = try home()
    #expect(send(home, [("button", "erase")]).status == 404)
    #expect(home.page(["import", "x"]).status == 404 && home.calendars.isEmpty)
  }
}

extension CaretakerGalleryTests {
  static let importSamples = [
    Sample(name: "import", path: ["import"]),
    Sample(
      name: "import-preview", path: ["import"],
      form: [
        ("button", "look"), ("all_day", "09:00"), ("person", "anna"),
        ("content", "QkVHSU46VkNBTEVOREFS"),
      ]
    ) { home in
      if let sample = try? JSON(parsing: Array(report.utf8)) { home.giveCalendar(.success(sample)) }
    },
  ]
}
