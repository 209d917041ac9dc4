import API
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

extension SampleCaretakerHome {
  /// Sets the replies of the home: a study, and a user who is also a researcher.
  fileprivate func giveStudy(isEmpty: Bool = false) {
    give(
      .status,
      """
      {"clock": {"utc": "2026-11-26T08:01:00.000Z"}, "zone": "UTC", "problems": [],
       "you": {"roles": ["caretaker", "researcher"]}}
      """)
    give(
      .listParticipants,
      isEmpty
        ? #"{"participants": []}"#
        : """
        {"participants": [
          {"person": "anna", "study": "trial-1", "pseudonym": "P07", "arm": "ABBA",
           "from_local": "2026-11-02T00:00:00", "to_local": null, "withdrawn": false, "current": true},
          {"person": "hugo", "study": "trial-1", "pseudonym": "", "arm": null,
           "from_local": "2026-09-01T00:00:00", "to_local": "2026-10-01T00:00:00",
           "withdrawn": true, "current": false}]}
        """)
    give(
      .listPhases,
      isEmpty
        ? #"{"phases": []}"#
        : """
        {"phases": [
          {"person": "anna", "kind": "prompted", "from_local": "2026-11-16T00:00:00",
           "to_local": "2026-11-30T00:00:00", "current": true},
          {"person": "anna", "kind": "washout", "from_local": "2026-11-30T00:00:00",
           "to_local": "2026-12-07T00:00:00", "current": false},
          {"person": "anna", "kind": "control", "from_local": "2026-12-07T00:00:00",
           "to_local": "2026-12-21T00:00:00", "current": false}]}
        """)
  }
}

@Suite struct StudyPageTests {
  private func home() -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveStudy()
    return home
  }

  @Test func `only a researcher sees the link`() {
    #expect(home().page().html.contains("href=\"/study\""))
    #expect(!SampleCaretakerHome().page().html.contains("href=\"/study\""))
  }

  @Test func `the page lists enrolments and phases`() {
    let page = home().page(["study"]).html
    #expect(page.contains("P07") && page.contains("trial-1 · Arm: ABBA"))
    #expect(page.contains("Monday, 2 November 2026, 00:00 – no end"))
    #expect(page.contains("(the code was erased)") && page.contains("withdrawn"))
    #expect(page.components(separatedBy: "value=\"withdraw\"").count == 2)
    for kind in ["with alarms", "wash-out, with alarms", "without alarms (control)"] {
      #expect(page.components(separatedBy: "<strong>\(kind)</strong>").count == 2, "\(kind)")
    }
    for kind in ["prompted", "control", "run_in", "washout", "follow_up"] {
      #expect(page.contains("<option value=\"\(kind)\">"), "\(kind)")
    }
    #expect(page.components(separatedBy: "value=\"end\"").count == 2)
  }

  @Test(arguments: [
    (
      "enrol",
      [
        ("person", "anna"), ("pseudonym", "P07"), ("study", ""), ("arm", "AB"),
        ("start", "2026-12-01"), ("end", ""),
      ], Route.Operation.enrol,
      #"{"person":"anna","pseudonym":"P07","arm":"AB","start":"2026-12-01"}"#
    ),
    (
      "withdraw", [("person", "anna"), ("reason", "moved")], .withdraw,
      #"{"person":"anna","reason":"moved"}"#
    ),
    (
      "phase", [("person", "anna"), ("kind", "control"), ("from", ""), ("to", "2026-12-14")],
      .setPhase, #"{"person":"anna","kind":"control","to":"2026-12-14"}"#
    ),
    ("end", [("person", "anna")], .endPhase, #"{"person":"anna"}"#),
    (
      "crossover",
      [("person", "anna"), ("start", ""), ("days", "14"), ("order", "ABBA")], .crossover,
      #"{"person":"anna","days":14,"order":"ABBA"}"#
    ),
    (
      "crossover",
      [
        ("person", "anna"), ("days", "14"), ("order", "AB"), ("run_in_days", "3"),
        ("washout_days", "7"), ("follow_up_days", "14"),
      ], .crossover,
      #"{"person":"anna","days":14,"order":"AB","run_in_days":3,"washout_days":7,"follow_up_days":14}"#
    ),
  ])
  func `each form is one request`(
    button: String, fields: [(String, String)], operation: Route.Operation, body: String
  ) {
    let home = home()
    home.give(operation, "{}")
    let page = home.page(
      ["study"], form: fields + [("button", button), ("key", "0123456789abcdef")])
    #expect(page.location == "/study?saved=\(button)")
    #expect(home.requests.last?.operation == operation)
    #expect(home.sentDocument.description == body)
  }

  @Test func `a refused form stays open with its values`() {
    let home = home()
    home.give(
      .crossover,
      #"{"kind": "invalid_field", "field": "days", "detail": "days: <x> is no number"}"#,
      status: 422)
    let page = home.page(
      ["study"],
      form: [("button", "crossover"), ("person", "anna"), ("days", "x\""), ("order", "AB")])
    #expect(page.status == 422 && page.html.contains("days: &lt;x&gt; is no number"))
    #expect(page.html.contains("<details id=\"form-crossover\" open>"))
    #expect(page.html.contains("value=\"x&quot;\"") && page.html.contains("value=\"AB\""))
    #expect(page.html.contains("<details id=\"form-phase\"><summary>"))
  }

  @Test func `a download names the rule and the day`() {
    let form = FormFields([
      ("button", "export"), ("profile", "limited"), ("layout", "mpath"),
    ])
    let reply = CaretakerSite(language: .english).reply(
      to: Visit(path: ["study"]), form: form, home: home())
    #expect(reply.status == 200)
    #expect(reply.download?.request.query == ["profile": "limited", "layout": "mpath"])
    #expect(reply.download?.name == "prompter-limited-2026-11-26.tar")
    let other = CaretakerSite(language: .english).reply(
      to: Visit(path: ["study"]), form: FormFields([("button", "export"), ("profile", "a/b")]),
      home: home())
    #expect(other.download?.name == "prompter-safe_harbor-2026-11-26.tar")
  }

  @Test(arguments: [
    ("report.html", "text/html; charset=utf-8"), ("summary.csv", "text/csv; charset=utf-8"),
    ("estimates.csv", "text/csv; charset=utf-8"),
  ])
  func `a report is a file for the browser`(file: String, type: String) {
    let home = home()
    home.giveReport(.success([1, 2]))
    let reply = CaretakerSite(language: .english).reply(
      to: Visit(path: ["study"]),
      form: FormFields([("button", file), ("profile", "limited"), ("report_study", "trial-1")]),
      home: home)
    #expect(reply.status == 200 && reply.bytes == [1, 2] && reply.contentType == type)
    #expect(reply.fileName == "prompter-limited-2026-11-26-\(file)")
    #expect(home.reportRequests.map(\.file.rawValue) == [file])
    #expect(home.reportRequests.map(\.study) == ["trial-1"])
  }

  @Test func `a report without a study counts all prompts, with the strictest rule`() {
    let home = home()
    _ = home.page(
      ["study"], form: [("button", "report.html"), ("profile", "all"), ("report_study", "")])
    #expect(
      home.reportRequests == [ReportRequest(file: .page, profile: "safe_harbor", study: nil)])
    _ = home.page(["study"], form: [("button", "other.csv")])
    #expect(home.reportRequests.count == 1)
  }

  @Test func `a report that cannot be made says why beside the study`() {
    let home = home()
    home.giveReport(
      .failure(
        HomeRefusal(status: 422, kind: "unknown_study", field: "report_study", detail: "no <x>")))
    let page = home.page(
      ["study"],
      form: [("button", "report.html"), ("profile", "limited"), ("report_study", "")])
    #expect(page.status == 422 && page.html.contains("id=\"error-report_study\""))
    #expect(page.html.contains("no &lt;x&gt;"))
    #expect(page.html.contains("value=\"limited\" checked>"))
    #expect(page.html.contains("<option value=\"\" selected>"))
  }

  @Test func `somebody without the role gets the refusal of the daemon`() {
    let home = SampleCaretakerHome()
    home.give(
      .listParticipants, #"{"kind": "forbidden", "detail": "only for researchers"}"#, status: 403)
    #expect(home.page(["study"]).status == 403)
    #expect(home.page(["study"], form: [("button", "erase")]).status == 404)
  }
}

extension CaretakerGalleryTests {
  static let studySamples = [
    Sample(name: "study-empty", path: ["study"]) { $0.giveStudy(isEmpty: true) },
    Sample(
      name: "study-refused", path: ["study"], form: [("button", "report.html")], status: 422
    ) { home in
      home.giveStudy()
      home.giveReport(
        .failure(
          HomeRefusal(
            status: 422, kind: "unknown_study", field: "report_study",
            detail: "cannot report: it contains no prompt of the study \"trial-1\"")))
    },
    Sample(name: "study", path: ["study"], query: [("saved", "enrol")]) { home in
      home.giveStudy()
      home.give(
        .listPeople,
        #"{"people": [{"id": "anna", "name": "Anna"}, {"id": "hugo", "name": "Hugo"}]}"#)
    },
  ]
}
