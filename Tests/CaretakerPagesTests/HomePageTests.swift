import API
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

extension SampleCaretakerHome {
  /// Sets the replies of the home: the status of a device, contacts, a pause and holidays.
  fileprivate func giveDevice(
    usable: String = "true", level: String = "60", contact: String = "null",
    pause: String = "null"
  ) {
    give(
      .status,
      """
      {"clock": {"utc": "2026-11-26T08:01:00.000Z", "state": "synced"}, "zone": "UTC",
       "problems": [], "version": "0.2.0",
       "speaker": {"usable": \(usable), "last_heard_utc": "2026-11-26T07:00:00.000Z", "devices": [
         {"name": "plughw:<0>", "usable": \(usable), "level_percent": \(level),
          "calibrated_percent": 70, "ring_level_percent": 80}]},
       "machine": {"free_bytes": 2147483648}, "record": {"events": 4711, "writable": true}}
      """)
    give(
      .listContacts,
      """
      {"contacts": [
        {"name": "sofia", "alarms": 3, "calls": true, "last_reached_utc": "2026-11-25T18:00:00.000Z",
         "last_failure_utc": \(contact), "last_failure": \(contact == "null" ? "null" : "\"exit 1 <x>\"")},
        {"name": "ben", "alarms": 1, "calls": false, "last_reached_utc": null,
         "last_failure_utc": null, "last_failure": null}]}
      """)
    give(.listPeople, "{\"people\": [{\"id\": \"anna\", \"name\": \"Anna\", \"pause\": \(pause)}]}")
    giveSupplies()
    give(
      .listHolidays,
      """
      {"holidays": [{"name": "DE-BE", "count": 10, "first": "2026-01-01", "last": "2026-12-26",
        "next": {"date": "2026-12-25", "label": "1. Weihnachtstag"}, "alarms": [{"id": "a", "label": "Walk"}]}]}
      """)
  }
}

@Suite struct HomePageTests {
  private func home(
    usable: String = "true", level: String = "60", contact: String = "null",
    pause: String = "null"
  ) -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveDevice(usable: usable, level: level, contact: contact, pause: pause)
    return home
  }

  @Test func `the page shows the state of each part of the device`() {
    let page = home().page(["home"]).html
    #expect(page.contains("No problems."))
    #expect(page.contains("works. Last sound: today 07:00."))
    #expect(page.contains("is set by a time source.") && page.contains("2048 MiB free"))
    #expect(page.contains("4711 events"))
    #expect(page.contains("Level of plughw:&lt;0&gt; in percent") && !page.contains("<0>"))
    #expect(page.contains("value=\"70\""))
    #expect(page.contains("last reached: yesterday 18:00 · 3 alarms · for calls"))
    #expect(page.contains("not reached yet · 1 alarm</p>"))
    #expect(page.contains("next: 1. Weihnachtstag, Friday, 25 December 2026"))
  }

  @Test func `a finding has the words of the doctor, and hints come last`() {
    let sample = home()
    sample.find([
      HomeFinding(check: "disk", grade: .well, text: "fine", fix: nil),
      HomeFinding(check: "clock", grade: .silent, text: "not <trusted>", fix: "set the <clock>"),
      HomeFinding(check: "level", grade: .note, text: "not calibrated", fix: nil),
    ])
    let page = sample.page(["home"]).html
    #expect(
      page.contains("not &lt;trusted&gt;") && page.contains("What to do: set the &lt;clock&gt;"))
    #expect(page.contains("1 hint") && page.contains("not calibrated"))
    #expect(!page.contains("fine<") && !page.contains("No problems."))
  }

  @Test func `a contact that failed after it was reached is marked`() {
    let page = home(contact: "\"2026-11-26T07:30:00.000Z\"").page(["home"]).html
    #expect(page.contains("The last attempt failed (today 07:30): exit 1 &lt;x&gt;"))
    let old = home(contact: "\"2026-11-25T17:30:00.000Z\"").page(["home"]).html
    #expect(!old.contains("The last attempt failed"))
  }

  @Test(arguments: [
    (
      [("button", "ring"), ("device", "hw:0"), ("percent", "40")], Route.Operation.testRing,
      [:], #"{"device":"hw:0","percent":40}"#
    ),
    ([("button", "ring")], .testRing, [:], "{}"),
    (
      [("button", "level"), ("device", "hw:0"), ("percent", "x")], .setLevel, [:],
      #"{"device":"hw:0","percent":"x"}"#
    ),
    ([("button", "contact"), ("contact", "sofia")], .testContact, ["name": "sofia"], "{}"),
    (
      [("button", "pause"), ("person", "anna"), ("until", "2026-12-01")], .pausePerson,
      ["id": "anna"], #"{"until":"2026-12-01"}"#
    ),
    ([("button", "pause"), ("person", ""), ("until", "")], .pauseEverybody, [:], "{}"),
    ([("button", "resume"), ("person", "anna")], .resumePerson, ["id": "anna"], "{}"),
    ([("button", "resume"), ("person", "")], .resumeEverybody, [:], "{}"),
  ])
  func `each button is one request`(
    form: [(String, String)], operation: Route.Operation, parameters: [String: String],
    body: String
  ) {
    let sample = home()
    sample.give(operation, #"{"device": "hw:0", "state": "sent"}"#)
    let page = sample.page(["home"], form: form + [("key", "0123456789abcdef")])
    #expect(page.status == 303 && page.location?.hasPrefix("/home?saved=") == true)
    let sent = sample.requests.last
    #expect(sent?.operation == operation && sent?.parameters == parameters)
    #expect(sample.sentDocument.description == body)
  }

  @Test(arguments: [
    ([("saved", "ring"), ("device", "hw:<0>")], "The test ring was played on hw:&lt;0&gt;."),
    ([("saved", "stopped")], "An alarm interrupted the test ring."),
    (
      [("saved", "failed"), ("contact", "ben"), ("why", "exit <1>")],
      "The test message to ben failed: exit &lt;1&gt;"
    ),
    ([("saved", "waiting"), ("contact", "ben")], "is not known yet"),
    ([("saved", "pause")], "The pause is saved."),
    ([("saved", "supply"), ("supply", "<box>")], "The amount of &lt;box&gt; is saved."),
  ])
  func `the page says what a button did`(query: [(String, String)], words: String) {
    #expect(home().page(["home"], query: query).html.contains(words))
  }

  /// A button of a form, and the request that the page sends for this button.
  struct Pressed: Sendable {
    var button: String
    var field: (String, String)
    var operation: Route.Operation
    var name: String?
    var body: String
  }

  private static let pressed: [Pressed] = [
    Pressed(
      button: "louder", field: ("percent", "60"), operation: .testRing, body: #"{"percent":70}"#),
    Pressed(
      button: "louder", field: ("percent", "95"), operation: .testRing, body: #"{"percent":100}"#),
    Pressed(
      button: "quieter", field: ("percent", "5"), operation: .testRing, body: #"{"percent":1}"#),
    Pressed(
      button: "quieter", field: ("percent", "x"), operation: .testRing, body: #"{"percent":"x"}"#),
    Pressed(
      button: "refill", field: ("amount", "28"), operation: .refillSupply, name: "s1",
      body: #"{"amount":28}"#),
    Pressed(
      button: "count", field: ("amount", "few"), operation: .countSupply, name: "s1",
      body: #"{"left":"few"}"#),
  ]

  @Test(arguments: pressed)
  func `the buttons for the level and for supplies are requests`(pressed: Pressed) {
    let sample = home()
    sample.give(pressed.operation, #"{"device": "hw:0"}"#)
    let form = [("button", pressed.button), ("supply", "s1"), pressed.field]
    let page = sample.page(["home"], form: form)
    #expect(page.location?.hasPrefix("/home?saved=") == true)
    #expect(sample.requests.last?.operation == pressed.operation)
    #expect(sample.requests.last?.parameters["name"] == pressed.name)
    #expect(sample.sentDocument.description == pressed.body)
  }

  @Test func `after a test ring, the field keeps the level of the test`() {
    let sample = home()
    sample.give(.testRing, #"{"device": "plughw:<0>", "stopped": false}"#)
    let form = [("button", "louder"), ("device", "plughw:<0>"), ("percent", "70")]
    let address = sample.page(["home"], form: form).location
    #expect(address == "/home?saved=ring&device=plughw%3A%3C0%3E&percent=80")
    let page = sample.page(
      ["home"], query: [("saved", "ring"), ("device", "plughw:<0>"), ("percent", "80")]
    ).html
    #expect(page.contains("value=\"80\"") && !page.contains("value=\"70\""))
    let other = sample.page(["home"], query: [("device", "another"), ("percent", "80")]).html
    #expect(other.contains("value=\"70\""))
  }

  @Test func `each supply shows what is left, and how long it lasts`() {
    let page = home().page(["home"]).html
    #expect(page.contains("6 tablets left · for 3 days"))
    #expect(page.contains("<p class=\"state\">is low</p>") && page.contains("Take the pills"))
    #expect(page.contains("<p>28 left</p>") && page.contains("Blue &lt;box&gt;"))
    let sample = home()
    sample.give(.listSupplies, #"{"supplies": []}"#)
    #expect(sample.page(["home"]).html.contains("There are no supplies yet."))
  }

  @Test func `a refused amount is beside its field`() {
    let sample = home()
    sample.give(
      .refillSupply, #"{"kind": "invalid_field", "detail": "it <is> wrong"}"#, status: 422)
    let form = [("button", "refill"), ("supply", "s2"), ("amount", "\"2")]
    let page = sample.page(["home"], form: form)
    #expect(page.status == 422)
    #expect(page.html.contains("id=\"error-amount-1\">Write a whole number."))
    #expect(page.html.contains("it &lt;is&gt; wrong") && page.html.contains("value=\"&quot;2\""))
    #expect(!page.html.contains("error-amount-0"))
  }

  // MARK: Adding, changing and removing a supply

  private static let typed = [
    ("supply", "s1"), ("name", "Aricept"), ("unit", "pills"), ("low_at", ""), ("left", "30"),
    ("old-name", "Donepezil"), ("old-unit", "tablets"), ("old-low_at", "7"),
  ]

  @Test(arguments: [
    ("add_supply", Route.Operation.addSupply, #"{"name":"Aricept","unit":"pills","left":30}"#),
    ("change_supply", .changeSupply, #"{"name":"Aricept","unit":"pills","low_at":"none"}"#),
    ("remove_supply", .removeSupply, "{}"),
  ])
  func `a supply is added, changed and removed`(
    button: String, operation: Route.Operation, body: String
  ) {
    let sample = home()
    sample.give(operation, #"{"supply": {"name": "<Aricept>"}}"#)
    let page = sample.page(["home"], form: Self.typed + [("button", button)])
    let saved = page.location?.split(separator: "?").last.map(String.init) ?? ""
    #expect(saved.hasPrefix("saved=supply_") && saved.hasSuffix("supply=%3CAricept%3E"))
    #expect(sample.requests.last?.operation == operation)
    #expect(sample.requests.last?.parameters["name"] == (button == "add_supply" ? nil : "s1"))
    if button != "remove_supply" { #expect(sample.sentDocument.description == body) }
    let word = saved.split(separator: "&").first?.dropFirst(6).description ?? ""
    let next = sample.page(["home"], query: [("saved", word), ("supply", "<x>")]).html
    #expect(next.contains("role=\"status\">&lt;x&gt; is "))
  }

  @Test func `a change sends only the name if nothing else differs`() {
    let sample = home()
    sample.give(.changeSupply, #"{"supply": {"name": "Aricept"}}"#)
    let form =
      Self.typed.filter { !["unit", "low_at"].contains($0.0) } + [
        ("unit", "tablets"), ("low_at", "7"), ("button", "change_supply"),
      ]
    _ = sample.page(["home"], form: form)
    #expect(sample.sentDocument.description == #"{"name":"Aricept"}"#)
  }

  @Test(arguments: [
    ("add_supply", "low_at", "error-supply-low_at-new"),
    ("change_supply", "name", "error-supply-name-0"),
    ("change_supply", "", "<p class=\"error\">no &lt;x&gt;</p>"),
    ("remove_supply", "", "<p class=\"error\">no &lt;x&gt;</p>"),
  ])
  func `a refused change of a supply is in its form, and what was typed stays`(
    button: String, field: String, mark: String
  ) {
    let sample = home()
    let refusal = "{\"kind\": \"invalid_field\", \"field\": \"\(field)\", \"detail\": \"no <x>\"}"
    for operation in [Route.Operation.addSupply, .changeSupply, .removeSupply] {
      sample.give(operation, refusal, status: 422)
    }
    let page = sample.page(["home"], form: Self.typed + [("button", button)])
    #expect(page.status == 422 && page.html.contains(mark))
    #expect(page.html.contains("value=\"Aricept\"") == (button != "remove_supply"))
    #expect(page.html.contains(" open><summary"))
  }

  @Test func `a paused person has a button that ends the pause`() {
    let page = home(pause: #"{"until_local": "2026-11-28T00:00:00"}"#).page(["home"]).html
    #expect(page.contains("paused until Saturday, 28 November 2026, 00:00"))
    #expect(page.contains("value=\"resume\"") && !page.contains("value=\"pause\""))
    let open = home(pause: #"{"until_local": null}"#).page(["home"]).html
    #expect(open.contains("paused without an end"))
    let never = home().page(["home"]).html
    #expect(never.contains("value=\"pause\"") && !never.contains("value=\"resume\""))
  }

  @Test func `without a speaker, the test has no level`() {
    let page = home(usable: "false").page(["home"]).html
    #expect(page.contains("cannot be used: alarms are silent."))
    #expect(page.contains("value=\"ring\"") && !page.contains("value=\"level\""))
    #expect(!home(level: "null").page(["home"]).html.contains("value=\"level\""))
  }

  @Test func `a refusal is explained, and unknown buttons do nothing`() {
    let sample = home()
    sample.give(.testRing, #"{"kind": "speaker_busy", "detail": "cannot <play>"}"#, status: 409)
    let page = sample.page(["home"], form: [("button", "ring")])
    #expect(page.status == 409 && page.html.contains("cannot &lt;play&gt;"))
    #expect(sample.page(["home"], form: [("button", "erase")]).status == 404)
    #expect(sample.page(["home", "x"]).status == 404)
  }
}

extension CaretakerGalleryTests {
  static let deviceSamples = [
    Sample(name: "home", path: ["home"], query: [("saved", "sent"), ("contact", "sofia")]) {
      home in
      home.giveDevice()
      home.givePhones()
      home.find([
        HomeFinding(
          check: "level", grade: .note, text: "the level of plughw:0,0 is not calibrated",
          fix: "prompter doctor --calibrate")
      ])
    },
    Sample(name: "home-problems", path: ["home"]) { home in
      home.giveDevice(
        usable: "false", contact: "\"2026-11-26T07:30:00.000Z\"",
        pause: #"{"until_local": "2026-11-28T00:00:00"}"#)
      home.give(
        .listPeople,
        """
        {"people": [{"id": "anna", "name": "Anna", "pause": {"until_local": "2026-11-28T00:00:00"}},
          {"id": "hugo", "name": "Hugo", "pause": null}]}
        """)
      home.give(.listHolidays, #"{"holidays": []}"#)
      home.find([
        HomeFinding(
          check: "speaker", grade: .silent, text: "plughw:0,0: no such device",
          fix:
            "list the devices: aplay -L; name one in the configuration: devices = [\"plughw:0,0\"]"),
        HomeFinding(
          check: "disk", grade: .warning, text: "41 MiB free for /var/lib/prompter",
          fix: "free some space: journalctl --vacuum-size=50M; apt-get clean"),
      ])
    },
  ]
}
