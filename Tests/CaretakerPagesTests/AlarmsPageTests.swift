import API
import CivilTime
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

@Suite struct AlarmsPageTests {
  private static let edit = ["alarms", "k3v9", "edit"]

  private func home(_ alarm: String = alarmDocument()) -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveAlarm(alarm)
    return home
  }

  private func sent(_ home: SampleCaretakerHome) -> String {
    guard case .json(let document) = home.requests.last?.body else { return "" }
    return document.description
  }

  @Test func `an alarm shows its rings and notifications on one line of time`() {
    let page = home().page(["alarms", "k3v9"]).html
    #expect(page.contains("today 20:00"))
    let timeline = page.split(separator: "<ol class=\"timeline\">")[1].split(separator: "</ol>")[0]
    #expect(timeline.contains("20:00</span><span>rings 3 times, every 2 min (dad)"))
    #expect(timeline.contains("20:10</span><span>sofia is notified"))
    #expect(page.contains("How bad is the &lt;pain&gt;?") && !page.contains("<pain>"))
  }

  @Test func `later bursts and contacts count from the one before`() throws {
    let document = """
      {"id": "a", "version": 1, "label": "x", "person": "p", "schedule": "s", "tone": null,
       "steps": [{"rings": 3, "spacing": "2m", "after": null, "tone": null},
         {"rings": 1, "spacing": "1m", "after": "5m", "tone": "mum"}],
       "tell": [{"contact": "sofia", "after": "4m"}, {"contact": "ben", "after": "15m"}]}
      """
    let alarm = try AlarmReading(JSON(parsing: Array(document.utf8)), more: .object([]))
    #expect(
      EscalationTimeline(alarm).entries == [
        .init(seconds: 0, step: .rings(count: 3, spacing: 120, tone: nil)),
        .init(seconds: 240, step: .notify(contact: "sofia")),
        .init(seconds: 540, step: .rings(count: 1, spacing: 60, tone: "mum")),
        .init(seconds: 1_140, step: .notify(contact: "ben")),
      ])
  }

  // MARK: The form

  @Test(arguments: [
    ("FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30", "every day 08:30, 20:30"),
    ("FREQ=WEEKLY;BYDAY=MO,FR;BYHOUR=9;BYMINUTE=5;BYSECOND=0", "every monday,friday 09:05"),
    (
      "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;UNTIL=20261231T080000", "every day 08:00 until 2026-12-31"
    ),
  ])
  func `days, times and a last day become fields, and again a phrase`(
    rule: String, phrase: String
  ) throws {
    let alarm = try AlarmReading(
      JSON(parsing: Array(alarmDocument(rule: rule).utf8)), more: .object([]))
    #expect(AlarmForm(alarm).way == .guided && AlarmForm(alarm).schedule == phrase)
  }

  @Test(arguments: [
    "FREQ=DAILY;INTERVAL=2;BYHOUR=8;BYMINUTE=0", "FREQ=WEEKLY;BYDAY=1MO;BYHOUR=8;BYMINUTE=0",
    "FREQ=DAILY;BYHOUR=8;BYMINUTE=0,30", "FREQ=MONTHLY;BYMONTHDAY=1", "FREQ=DAILY;COUNT=3",
  ])
  func `another schedule stays a phrase`(rule: String) throws {
    let document = alarmDocument(rule: rule, phrase: "as typed")
    let alarm = try AlarmReading(JSON(parsing: Array(document.utf8)), more: .object([]))
    #expect(AlarmForm(alarm).way == .typed && AlarmForm(alarm).schedule == "as typed")
  }

  @Test func `a new alarm is set with the fields that have a value`() {
    let home = home()
    home.give(.addAlarm, #"{"alarm": {"id": "new1"}}"#, status: 201)
    let form = alarmFields([
      ("tone", ""), ("rings", ""), ("spacing", ""), ("contact", ""), ("instructions", ""),
      ("button", "save"),
    ])
    #expect(home.page(["alarms", "new"], form: form).location == "/alarms/new1?saved=set")
    let wanted = #"{"label":"Take the pills","person":"anna","schedule":"every day 08:00"}"#
    #expect(sent(home) == wanted)
    #expect(home.requests.last?.key == "0123456789abcdef-save")
  }

  @Test func `an edit sends only what changed, with the version of the form`() {
    let home = home()
    home.give(.editAlarm, "{}")
    let form = alarmFields([
      ("time", "08:30"), ("contact", "sofia"), ("contact", "ben"), ("minutes", "10"),
      ("minutes", "2,5"), ("button", "save"),
    ])
    #expect(home.page(Self.edit, form: form).location == "/alarms/k3v9?saved=edit")
    #expect(
      sent(home)
        == #"{"schedule":"every day 08:30","tell":"sofia after 10m, then ben after 2m30s"}"#)
    #expect(home.requests.last?.version == 3)
  }

  @Test func `an edit without a change sends nothing`() {
    let home = home()
    let form = alarmFields([("button", "save")])
    #expect(home.page(Self.edit, form: form).location == "/alarms/k3v9")
    #expect(!home.requests.contains { $0.operation == .editAlarm })
  }

  @Test func `a refusal is beside its field, and every typed value is kept`() {
    let home = home()
    home.give(
      .addAlarm, #"{"kind": "invalid_field", "field": "alarm.label", "detail": "too <long>"}"#,
      status: 422)
    let form = alarmFields([("label", "My \"task\""), ("day", "sunday"), ("button", "save")])
    let page = home.page(["alarms", "new"], form: form)
    #expect(page.status == 422)
    #expect(page.html.contains("<span class=\"error\" id=\"error-label\">too &lt;long&gt;</span>"))
    #expect(page.html.contains("aria-invalid=\"true\" aria-describedby=\"error-label\""))
    for value in [
      "value=\"My &quot;task&quot;\"", "value=\"sunday\" checked", "value=\"08:00\"",
      "<option value=\"dad\" selected>", "Two white ones.\nWith water.",
    ] { #expect(page.html.contains(value), "\(value)") }
  }

  @Test func `a duplicate is saved if the caretaker insists`() {
    let home = home()
    home.give(.addAlarm, #"{"kind": "duplicate", "detail": "there is one"}"#, status: 409)
    let page = home.page(["alarms", "new"], form: alarmFields([("button", "save")]))
    #expect(page.html.contains("value=\"anyway\""))
    _ = home.page(["alarms", "new"], form: alarmFields([("button", "anyway")]))
    // After the first refusal, the page also requests the recordings and the contacts. The test
    // therefore searches for the last request that adds an alarm.
    guard case .json(let body) = home.requests.last(where: { $0.operation == .addAlarm })?.body
    else {
      Issue.record("no alarm was sent")
      return
    }
    #expect(body["duplicate"] == .bool(true))
  }

  // MARK: Two caretakers

  @Test func `a change by another caretaker is explained, and nothing is lost`() {
    let home = home(alarmDocument(version: 4, label: "White pills"))
    home.give(.editAlarm, "{}")
    let typed = alarmFields([("label", "All pills"), ("button", "save")])
    let page = home.page(Self.edit, form: typed)
    #expect(page.status == 412)
    #expect(page.html.contains("caretaker ben changed this alarm (today 07:59)."))
    #expect(
      page.html.contains("value=\"All pills\"") && page.html.contains("Now saved: White pills"))
    #expect(!home.requests.contains { $0.operation == .editAlarm })
    // The page now shows version 4. If the caretaker saves the form again, the request contains
    // version 4.
    #expect(page.html.contains("name=\"version\" value=\"4\""))
    let again = typed.map { $0.0 == "version" ? ("version", "4") : $0 }
    #expect(home.page(Self.edit, form: again).status == 303)
    #expect(home.requests.last?.version == 4 && sent(home) == #"{"label":"All pills"}"#)
  }

  @Test func `a change in the last moment is explained, too`() {
    let home = home()
    home.give(.editAlarm, #"{"kind": "version_conflict", "detail": "it is 4"}"#, status: 412)
    let page = home.page(Self.edit, form: alarmFields([("label", "All"), ("button", "save")]))
    #expect(page.status == 412 && page.html.contains("value=\"All\""))
  }

  // MARK: Preview, pauses, removal

  @Test func `the preview shows rings, words and warnings, and changes nothing`() {
    let home = home()
    let page = home.page(["alarms", "preview"], form: alarmFields)
    #expect(page.html.contains("Understood as: every day at 08:00 and 20:00"))
    #expect(page.html.contains("tomorrow 08:00") && page.html.contains("&quot;Lunch&quot; rings"))
    #expect(home.requests.allSatisfy { [.status, .listPeople, .preview].contains($0.operation) })
    // Each preview of a form is a new request. The key of a preview is therefore different from the
    // key of the form.
    #expect(home.requests.last?.key?.hasPrefix("0123456789abcdef-") == false)
  }

  @Test(arguments: [
    ("pause", #"{"paused_until":"2026-12-01"}"#), ("resume", #"{"paused_until":""}"#),
    ("skip", #"{"skip_next":1}"#), ("exclude", #"{"exclude":["2026-12-24","2026-12-31"]}"#),
  ])
  func `pauses become edits`(button: String, body: String) {
    let home = home()
    home.give(.editAlarm, "{}")
    let form = [("button", button), ("until", "2026-12-01"), ("days", "2026-12-24\r\n2026-12-31")]
    #expect(home.page(["alarms", "k3v9"], form: form).location == "/alarms/k3v9?saved=\(button)")
    #expect(sent(home) == body)
  }

  @Test func `the recording of the alarm is played at home`() {
    let home = home()
    home.give(.playTone, "{}")
    let page = home.page(["alarms", "k3v9"], form: [("button", "play")])
    #expect(page.location == "/alarms/k3v9?saved=play")
    #expect(home.requests.last?.operation == .playTone)
    #expect(home.requests.last?.parameters == ["name": "dad"])
  }

  private func sendsPicture(
    _ home: SampleCaretakerHome, button: String = "picture", _ bytes: [UInt8]?
  ) -> (status: Int, html: String, location: String?) {
    var form = FormFields([("key", "0123456789abcdef"), ("button", button), ("version", "3")])
    if let bytes {
      form.files = [FormFields.File(field: "picture", name: "x.jpg", bytes: bytes)]
    }
    let reply = CaretakerSite(language: .english).reply(
      to: Visit(path: ["alarms", "k3v9", "picture"]), form: form, home: home)
    return (reply.status, String(decoding: reply.bytes, as: UTF8.self), reply.location)
  }

  @Test func `a picture is stored, and the alarm shows it`() {
    let home = home()
    home.give(.addImage, #"{"image": {"id": "abc"}}"#)
    home.give(.editAlarm, "{}")
    #expect(sendsPicture(home, [9, 8]).location == "/alarms/k3v9?saved=picture")
    let changes = home.requests.suffix(2)
    #expect(changes.map(\.operation) == [.addImage, .editAlarm])
    #expect(changes.first?.body == .bytes(contentType: "application/octet-stream", [9, 8]))
    #expect(sent(home) == #"{"image":"abc"}"# && changes.last?.version == 3)
    // The page sends two requests. Each request needs its own key.
    #expect(changes.first?.key != changes.last?.key)
    let removed = sendsPicture(home, button: "no_picture", nil)
    #expect(removed.location == "/alarms/k3v9?saved=no_picture" && sent(home) == #"{"image":""}"#)
  }

  @Test func `a missing or refused picture is explained beside its field, and nothing changes`() {
    let home = home()
    home.give(.addImage, #"{"kind": "bad_image", "detail": "no <picture>"}"#, status: 422)
    let refused = sendsPicture(home, [1])
    #expect(refused.status == 422 && refused.html.contains("no &lt;picture&gt;"))
    #expect(refused.html.contains("id=\"error-picture\""))
    let missing = sendsPicture(home, nil)
    #expect(missing.status == 422 && missing.html.contains("Nothing was stored: choose a picture."))
    #expect(!home.requests.contains { $0.operation == .editAlarm })
    #expect(sendsPicture(home, button: "erase", nil).status == 404)
  }

  @Test func `only an alarm with a picture has the button that removes it`() {
    #expect(!home().page(["alarms", "k3v9"]).html.contains("value=\"no_picture\""))
    let document = alarmDocument().replacing("\"image\": null", with: "\"image\": \"abc\"")
    #expect(home(document).page(["alarms", "k3v9"]).html.contains("value=\"no_picture\""))
  }

  @Test func `an alarm is removed after a question`() {
    let home = home()
    home.give(.removeAlarm, "{}")
    #expect(home.page(["alarms", "k3v9", "remove"]).html.contains("Remove “Take the pills”?"))
    #expect(!home.requests.contains { $0.operation == .removeAlarm })
    let page = home.page(["alarms", "k3v9", "remove"], form: [("button", "remove")])
    #expect(page.location == "/alarms?saved=removed")
  }

  @Test func `a refused pause and an unknown address change nothing`() {
    let home = home()
    home.give(.editAlarm, #"{"kind": "invalid_field", "detail": "no date"}"#, status: 422)
    let page = home.page(["alarms", "k3v9"], form: [("button", "pause"), ("until", "x")])
    #expect(page.status == 422 && page.html.contains("Nothing was changed: no date"))
    #expect(home.page(["alarms", "k3v9"], form: [("button", "erase")]).status == 404)
    #expect(home.page(["alarms", "k3v9", "erase"]).status == 404)
  }
}
