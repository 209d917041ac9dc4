import API
import JSONValue
import Pages
import Sentences
import Testing

@testable import CaretakerPages

@Suite struct CaretakerSiteTests {
  @Test func `a home that does not answer is not shown as an empty day`() {
    let home = SampleCaretakerHome()
    home.lose(.day)
    let page = home.page()
    #expect(page.status == 503)
    #expect(page.html.contains("No connection to the home"))
    #expect(page.html.contains("it is a test") && !page.html.contains("No tasks"))
  }

  @Test func `a refusal of the daemon is shown`() {
    let home = SampleCaretakerHome()
    home.give(.day, #"{"kind": "forbidden", "detail": "cannot read <the day>"}"#, status: 403)
    let page = home.page()
    #expect(page.status == 403 && page.html.contains("cannot read &lt;the day&gt;"))
  }

  @Test func `a reply in another form is named`() {
    let home = SampleCaretakerHome()
    home.give(.status, "{}")
    #expect(home.page().status == 502)
    home.give(.status, "no JSON")
    #expect(home.page().status == 502)
  }

  @Test func `an unknown address is a page that says so`() {
    #expect(SampleCaretakerHome().page(["nothing"]).status == 404)
    #expect(SampleCaretakerHome().page(["nothing"], form: []).status == 404)
  }

  @Test func `each page has an address of its own`() {
    let names = CaretakerSite.pages.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { !CaretakerFile.allCases.map(\.rawValue).contains($0) })
  }

  @Test func `the language comes from the command line, else from the browser`() {
    let home = SampleCaretakerHome()
    func title(_ language: Language?, _ asked: [String]) -> Bool {
      let reply = CaretakerSite(language: language).reply(
        to: Visit(path: [], languages: asked), form: nil, home: home)
      return String(decoding: reply.bytes, as: UTF8.self).contains("<html lang=\"de\">")
    }
    #expect(title(.german, ["en"]))
    #expect(title(nil, ["fr", "de-AT", "en"]))
    #expect(!title(nil, ["fr"]))
  }

  // MARK: Forms

  @Test func `forms are decoded`() {
    let form = FormFields(encoded: "a=1+2&b=%C3%A4&a=%20x%20&c")
    #expect(form?.all("a") == ["1 2", "x"])
    #expect(form?["b"] == "ä" && form?["c"] == "" && form?["d"] == nil)
    #expect(FormFields(encoded: "a=%zz") == nil)
    #expect(FormFields(encoded: String(repeating: "a=1&", count: 501)) == nil)
  }
}

@Suite struct CaretakerRequestTests {
  private static let hosts = ["p0a.localhost:8077"]
  private static let fields = [
    ("host", "p0a.localhost:8077"), ("origin", "http://p0a.localhost:8077"),
    ("sec-fetch-site", "same-origin"), ("cookie", "prompter=secret"),
    ("content-type", "application/x-www-form-urlencoded"),
  ]

  private func action(
    _ method: String, _ target: String, _ headers: [(String, String)] = fields
  ) -> CaretakerAction {
    PageRequest(method: method, target: target, headers: headers.map { ($0.0, $0.1) })
      .caretakerAction(hosts: Self.hosts, session: "secret", version: 3)
  }

  private func status(_ action: CaretakerAction) -> Int? {
    if case .refuse(let status, _) = action { status } else { nil }
  }

  private func changed(_ name: String, _ value: String) -> [(String, String)] {
    Self.fields.map { $0.0 == name ? (name, value) : $0 }
  }

  @Test func `pages, files and forms are found`() {
    #expect(action("GET", "/") == .show(Visit(path: [], version: 3)))
    let alarm = Visit(path: ["alarms", "a/b"], query: FormFields([("x", "1")]), version: 3)
    #expect(action("GET", "/alarms/a%2Fb?x=1") == .show(alarm))
    #expect(action("POST", "/alarms/a%2Fb?x=1") == .take(alarm, .fields))
    #expect(action("GET", "/caretaker.css") == .file(.style))
    #expect(action("GET", "/live") == .live)
  }

  @Test(arguments: ["/", "/live", "/caretaker.js", "/alarms/x", "/open"])
  func `another host, another site and another browser are refused`(target: String) {
    for method in ["GET", "POST"] {
      #expect(status(action(method, target, changed("host", "evil.example"))) == 421)
      #expect(status(action(method, target, changed("cookie", "prompter=other"))) == 403)
      let foreign = changed("sec-fetch-site", "cross-site")
      #expect(status(action(method, target, foreign)) == 403)
    }
    #expect(status(action("POST", target, changed("origin", "null"))) == 403)
    #expect(status(action("POST", target, changed("origin", "http://evil.example"))) == 403)
    #expect(status(action("POST", target, changed("sec-fetch-site", "none"))) == 403)
    #expect(status(action("POST", target, changed("content-type", "text/plain"))) == 415)
    #expect(status(action("PUT", target)) == 405)
  }

  @Test func `an address that cannot be read is refused`() {
    for target in ["", "alarms", "/%zz", "/?a=%zz"] {
      #expect(status(action("GET", target)) == 400)
    }
  }

  @Test func `only the token gives access without the cookie`() {
    let headers = [("host", "p0a.localhost:8077"), ("sec-fetch-site", "cross-site")]
    #expect(action("GET", "/open/abc", headers) == .giveAccess(token: "abc"))
    #expect(status(action("POST", "/open/abc", headers)) == 403)
  }
}
