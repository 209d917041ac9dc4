import API
import Foundation
import JSONValue
import Testing

@testable import CaretakerPages

/// Tests the bursts, the early reminders and the contacts in the form of an alarm. As in a browser,
/// the values that the test sends come from the page.
@Suite struct BurstFormTests {
  private static let edit = ["alarms", "k3v9", "edit"]
  /// Three bursts: the standard burst, a burst with its own gains, and a burst that is as loud as
  /// the last ring of the second burst.
  private static let steps = """
    {"rings": 3, "spacing": "2m", "after": null, "tone": null, "gains": [-6, -3, 0], "urgent": false},
    {"rings": 2, "spacing": "20s", "after": "5m", "tone": "mum", "gains": [-4.5, -1], "urgent": false},
    {"rings": 1, "spacing": "1m", "after": "90s", "tone": null, "gains": [-1], "urgent": true}
    """
  private static let leads =
    #""1 hour before", "2 days before at 19:00", "1 day before", "90 seconds before""#

  private func home(steps: String = steps, leads: String = leads, version: Int = 3)
    -> SampleCaretakerHome
  {
    let home = SampleCaretakerHome()
    let tell = (1...3).map { "{\"contact\": \"c\($0)\", \"after\": \"\($0)m20s\"}" }
    home.giveAlarm(
      alarmDocument(
        version: version, tell: tell.joined(separator: ","), more: ", \"leads\": [\(leads)]"
      )
      .replacing(
        #"{"rings": 3, "spacing": "2m", "after": null, "tone": null, "gains": [-6, -3, 0]}"#,
        with: steps))
    home.give(.editAlarm, "{}")
    return home
  }

  /// Changes some values of the form on a page, and sends the form. The key of a changed value is
  /// the id of its field.
  private func save(
    _ home: SampleCaretakerHome, _ changed: [String: String] = [:], button: String = "save",
    path: [String] = edit
  ) -> (status: Int, html: String, location: String?) {
    let page = home.page(path)
    return home.page(path, form: fields(of: page.html, changed) + [("button", button)])
  }

  private func sent(_ home: SampleCaretakerHome, _ operation: Route.Operation = .editAlarm)
    -> String
  {
    guard case .json(let document)? = home.requests.last(where: { $0.operation == operation })?.body
    else { return "nothing" }
    return document.description
  }

  // MARK: What an alarm has stays

  @Test func `an alarm with all kinds of bursts, early reminders and contacts stays as it is`() {
    let home = home()
    #expect(save(home).location == "/alarms/k3v9")
    #expect(sent(home) == "nothing")
  }

  @Test func `a new label changes only the label`() {
    let home = home()
    _ = save(home, ["label": "New"])
    #expect(sent(home) == #"{"label":"New"}"#)
  }

  @Test func `a new time keeps the early reminders`() {
    let home = home()
    let page = home.page(Self.edit)
    let form = fields(of: page.html, [:]).map { $0 == ("time", "08:00") ? ("time", "08:30") : $0 }
    _ = home.page(Self.edit, form: form + [("button", "save")])
    #expect(
      sent(home)
        == #"{"schedule":"every day 08:30","leads":["1 hours before","2 days before at 19:00","#
        + #""1 days before","90 seconds before"]}"#)
  }

  @Test(arguments: [
    (#"{"local": "2026-11-27T08:00:00"}"#, #""1 hours before""#),
    (#"{"local": "2026-11-27T06:00:00", "leads_to_local": "2026-11-27T08:00:00"}"#, nil),
  ])
  func `a schedule in words keeps the early reminders unless it names others`(
    occurrence: String, leads: String?
  ) {
    let home = home(leads: #""1 hour before""#)
    home.give(.preview, "{\"occurrences\": [\(occurrence)]}")
    let form = fields(of: home.page(Self.edit).html, ["phrase": "every 8 hours"])
    _ = home.page(
      Self.edit, form: form.filter { $0.0 != "way" } + [("way", "typed"), ("button", "save")])
    let more = leads.map { ",\"leads\":[\($0)]" } ?? ""
    #expect(sent(home) == "{\"schedule\":\"every 8 hours\"\(more)}")
  }

  @Test func `a reminder that the page does not understand keeps its words`() {
    let home = home(leads: #""at the next full moon""#)
    #expect(save(home).location == "/alarms/k3v9" && sent(home) == "nothing")
    _ = save(home, ["early-count-1": "3", "early-unit-1": "minutes"])
    #expect(sent(home) == #"{"leads":["at the next full moon","3 minutes before"]}"#)
  }

  @Test func `the times of contacts keep their seconds`() {
    let home = home()
    _ = save(home, ["contact-3": "sofia", "minutes-3": "5"])
    #expect(
      sent(home)
        == #"{"tell":"c1 after 1m20s, then c2 after 2m20s, then c3 after 3m20s, then sofia after 5m"}"#
    )
  }

  // MARK: Changes

  @Test func `a changed burst sends all bursts, with the gains of the others`() {
    let home = home()
    _ = save(home, ["rings-0": "4"])
    #expect(
      sent(home)
        == #"{"steps":[{"rings":4,"spacing":"2m"},"#
        + #"{"rings":2,"spacing":"20s","after":"5m","tone":"mum","gains":[-4.5,-1.0]},"#
        + #"{"rings":1,"spacing":"1m","after":"1m30s","urgent":true}]}"#)
  }

  @Test(arguments: [
    (["burst-loudness-0": "full"], #"{"rings":3,"spacing":"2m","gains":[0]}"#),
    (
      ["burst-tone-0": "dad", "burst-urgent-0": "yes"],
      #"{"rings":3,"spacing":"2m","tone":"dad","urgent":true}"#
    ),
    (["rings-0": "x", "spacing-0": "soon"], #"{"rings":"x","spacing":"soon"}"#),
    (["rings-0": "", "spacing-0": "0,5"], #"{"spacing":"30s"}"#),
  ])
  func `the settings of a burst are sent`(changed: [String: String], document: String) {
    let home = home(steps: Self.steps.split(separator: "\n")[0].dropLast().description)
    _ = save(home, changed)
    #expect(sent(home) == "{\"steps\":[\(document)]}")
  }

  @Test func `a louder burst is sent in words`() {
    let home = home()
    _ = save(home, ["burst-loudness-2": "louder"])
    #expect(sent(home).contains(#""louder, after 1m30s, 1 rings, every 1m, urgent"]"#))
  }

  @Test func `early reminders are set, changed and removed`() {
    let home = home(leads: #""1 hour before""#)
    _ = save(home, ["early-count-0": "30", "early-unit-0": "minutes"])
    #expect(sent(home) == #"{"leads":["30 minutes before"]}"#)
    _ = save(
      home, ["early-count-1": "1", "early-unit-1": "days", "early-time-1": "19:00"])
    #expect(sent(home) == #"{"leads":["1 hours before","1 days before at 19:00"]}"#)
    _ = save(home, ["early-count-0": ""])
    #expect(sent(home) == #"{"leads":[]}"#)
  }

  @Test func `a new alarm sends bursts and early reminders only if they were typed`() {
    let home = home()
    home.give(.addAlarm, #"{"alarm": {"id": "new1"}}"#, status: 201)
    _ = save(home, ["label": "Tea"], path: ["alarms", "new"])
    #expect(sent(home, .addAlarm) == #"{"label":"Tea","person":"anna","schedule":"every day "}"#)
    _ = save(
      home, ["label": "Tea", "rings-0": "2", "early-count-0": "2"], path: ["alarms", "new"])
    #expect(sent(home, .addAlarm).hasSuffix(#""steps":[{"rings":2}],"leads":["2 hours before"]}"#))
  }

  // MARK: Buttons, refusals and two caretakers

  @Test func `a burst is added and removed in the form, and nothing is saved`() {
    let home = home()
    let added = save(home, button: "burst-add")
    #expect(added.html.contains("<legend>Step 4</legend>"))
    #expect(
      added.html.contains("id=\"rings-3\" name=\"rings\"") && added.html.contains(" autofocus"))
    let removed = save(home, button: "burst-remove-1")
    #expect(!removed.html.contains("<legend>Step 3</legend>"))
    #expect(!removed.html.contains("value=\"-4.5 -1\""))
    for button in ["burst-remove-0", "burst-remove-9", "burst-remove", "burst-remove-x"] {
      #expect(save(self.home(), button: button).status != 500)
    }
    #expect(save(home, button: "burst-remove-0").html.contains("<legend>Step 3</legend>"))
    #expect(sent(home) == "nothing")
  }

  @Test(arguments: [
    ("steps", "steps", "A step is not valid."), ("after", "steps", "A step is not valid."),
    ("leads", "leads", "An early reminder is not valid."),
  ])
  func `a refusal is beside its part of the form`(field: String, id: String, words: String) {
    let home = home()
    home.give(
      .editAlarm, "{\"kind\": \"invalid_field\", \"field\": \"\(field)\", \"detail\": \"no <x>\"}",
      status: 422)
    let page = save(home, ["label": "New"])
    #expect(page.status == 422)
    #expect(
      page.html.contains("<span class=\"error\" id=\"error-\(id)\">\(words) no &lt;x&gt;</span>"))
  }

  @Test func `the values of another caretaker are shown in words`() {
    let mine = home()
    let form = fields(of: mine.page(Self.edit).html, ["rings-0": "5", "early-count-0": "9"])
    let now = home(leads: #""2 days before at 19:00""#, version: 4)
    let page = now.page(Self.edit, form: form + [("button", "save")])
    #expect(page.status == 412)
    #expect(page.html.contains("Now saved: rings 3 times, every 2 min; + 5 min, rings 2 times"))
    #expect(
      page.html.contains("-4.5 -1 dB, mum; + 1.5 min") && page.html.contains(", urgent</span>"))
    #expect(page.html.contains("Now saved: 2 days before at 19:00</span>"))
  }

  @Test func `the page of an alarm shows its early reminders`() {
    let page = home().page(["alarms", "k3v9"]).html
    #expect(
      page.contains(
        "<dd>1 hour before, 2 days before at 19:00, 1 day before, 90 seconds before</dd>"))
  }
}

/// Returns the fields of the first form on a page, in the order of the page.
///
/// - Parameter changed: the new values. The key of each value is the id of its field.
private func fields(of html: String, _ changed: [String: String]) -> [(String, String)] {
  let form = html.split(separator: "<form").dropFirst().first ?? ""
  let pattern = /<(input|select|textarea)([^>]*)>([^<]*(?:<option[^>]*>[^<]*<\/option>)*)/
  func plain(_ text: String) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")].reduce(text) {
      $0.replacing($1.0, with: $1.1)
    }
  }
  return form.matches(of: pattern).compactMap { match in
    let attributes = String(match.2)
    func attribute(_ name: String, in text: String) -> String? {
      guard let start = text.range(of: " \(name)=\"")?.upperBound else { return nil }
      return plain(String(text[start...].prefix { $0 != "\"" }))
    }
    guard let name = attribute("name", in: attributes) else { return nil }
    let type = attribute("type", in: attributes)
    if type == "checkbox" || type == "radio", !attributes.contains(" checked") { return nil }
    if let id = attribute("id", in: attributes), let value = changed[id] { return (name, value) }
    switch match.1 {
    case "input": return (name, attribute("value", in: attributes) ?? "")
    case "textarea":
      return (name, plain(String(match.3.drop { $0 == "\n" })).replacing("\n", with: "\r\n"))
    default:
      let options = String(match.3).components(separatedBy: "<option")
      let chosen = options.first { $0.contains(" selected") } ?? options.dropFirst().first ?? ""
      return (name, attribute("value", in: chosen) ?? "")
    }
  }
}
