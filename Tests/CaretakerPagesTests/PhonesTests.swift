import API
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

private let devices = """
  {"device": 3, "user": "sofia", "kind": "iPhone", "added": "2026-11-20", "used": "2026-11-26"},
  {"device": 4, "user": "sofia", "kind": "Android", "added": "2026-11-01", "used": "2026-11-24"}
  """

private let code = """
  {"user": "sofia", "code": "01234567", "address": "https://home.local:8443",
   "link": "https://home.local:8443/pair#0", "expires_seconds": 600,
   "qr_rows": ["1110", "0001", "0000", "1011"]}
  """

extension SampleCaretakerHome {
  /// Sets the replies of the server for phones. The default list contains two phones.
  func givePhones(
    manages: String = "own", mayAdd: Bool = true, _ devices: String = devices
  ) {
    givePhones(
      "{\"devices\": [\(devices)], \"manages\": \"\(manages)\", \"may_add\": \(mayAdd)}")
  }

  fileprivate func giveHome() {
    give(.listContacts, #"{"contacts": []}"#)
    give(.listHolidays, #"{"holidays": []}"#)
  }
}

@Suite struct `The phones on the page Home` {
  private func home(
    manages: String = "own", mayAdd: Bool = true, _ devices: String = devices
  ) -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.giveHome()
    home.givePhones(manages: manages, mayAdd: mayAdd, devices)
    return home
  }

  @Test func `have a name, the day of the last use and a button`() {
    let page = home(devices.replacing("Android", with: "<b>")).page(["home"]).html
    #expect(page.contains("iPhone, device 3") && page.contains("&lt;b&gt;, device 4"))
    #expect(page.contains("Last used: Today. Added: Friday, 20 November 2026."))
    #expect(page.contains("aria-label=\"Remove the access of iPhone, device 3\""))
    #expect(page.contains("href=\"/phones\"") && !page.contains(">sofia<"))
    #expect(home("").page(["home"]).html.contains("No phone has access."))
    #expect(home(manages: "all").page(["home"]).html.contains(">sofia</span>"))
  }

  @Test func `are marked on the phone itself, which cannot add a phone`() {
    let sample = home(
      mayAdd: false, devices.replacing("\"device\": 3,", with: "\"device\": 3, \"this\": true,"))
    let page = sample.page(["home"]).html
    #expect(page.contains("You use this device now."))
    #expect(!page.contains("href=\"/phones\"") && page.contains("A phone cannot add another"))
    #expect(sample.page(["phones"]).status == 403)
    let refused = sample.page(["phones"], form: [("button", "invite")])
    #expect(refused.status == 403 && !refused.html.contains("class=\"digits\""))
    #expect(sample.phoneRequests.allSatisfy { $0 == .list })
  }

  @Test func `say why they are not known, and the page still appears`() {
    let sample = SampleCaretakerHome()
    sample.giveHome()
    let page = sample.page(["home"])
    #expect(page.status == 200 && page.html.contains("They need the package prompter-web."))
    #expect(page.html.contains("cannot reach prompter-web") && page.html.contains("id=\"pauses\""))
    #expect(sample.page(["phones"]).status == 503)
  }

  @Test func `lose their access with one button`() {
    let sample = home()
    let done = sample.page(["home"], form: [("button", "revoke"), ("phone", "4")])
    #expect(done.location == "/home?saved=revoke&phone=4")
    #expect(sample.phoneRequests == [.revoke(number: 4)])
    let page = sample.page(["home"], query: [("saved", "revoke"), ("phone", "4")]).html
    #expect(page.contains("Device 4 has no access now."))
    sample.refusePhones(#"{"kind": "not_found", "detail": "cannot find <4>"}"#, status: 404)
    let refused = sample.page(["home"], form: [("button", "revoke"), ("phone", "4")])
    #expect(refused.status == 404 && refused.html.contains("cannot find &lt;4&gt;"))
    #expect(sample.page(["home"], form: [("button", "revoke"), ("phone", "x")]).status == 404)
  }

  @Test func `are added with a QR code and 8 digits`() {
    let sample = home()
    sample.giveCode(code)
    let question = sample.page(["phones"]).html
    #expect(question.contains("value=\"invite\"") && !question.contains("name=\"user\""))
    let page = sample.page(["phones"], form: [("button", "invite"), ("user", "ben")])
    #expect(page.status == 200 && page.html.contains("0123 4567"))
    #expect(page.html.contains("viewBox=\"0 0 12 12\""))
    #expect(page.html.contains("M4 4h3v1h-3zM7 5h1v1h-1zM4 7h1v1h-1zM6 7h2v1h-2z"))
    #expect(page.html.contains("in the next 10 minutes") && !page.html.contains("data-live"))
    // The code is for the user who opened the page. The page ignores the user name in the form.
    #expect(sample.phoneRequests.last == .invite(user: nil))
  }

  @Test func `are added for another user by an administrator, with the refusal beside the field`() {
    let sample = home(manages: "all")
    #expect(sample.page(["phones"]).html.contains("name=\"user\""))
    sample.refusePhones(
      #"{"kind": "invalid_field", "field": "user", "detail": "it must be <a name>"}"#, status: 422)
    let page = sample.page(["phones"], form: [("button", "invite"), ("user", "b n")])
    #expect(page.status == 422 && page.html.contains("id=\"error-user\""))
    #expect(page.html.contains("it must be &lt;a name&gt;") && page.html.contains("value=\"b n\""))
    #expect(sample.phoneRequests.last == .invite(user: "b n"))
  }
}

extension CaretakerGalleryTests {
  static let phoneSamples = [
    Sample(name: "phones", path: ["home"], query: [("saved", "revoke"), ("phone", "2")]) { home in
      home.giveHome()
      home.givePhones(
        manages: "all",
        devices.replacing(
          "\"device\": 3,", with: "\"device\": 3, \"this\": true,"))
    },
    Sample(name: "phone-question", path: ["phones"]) { $0.givePhones(manages: "all") },
    Sample(
      name: "phone-refused", path: ["phones"],
      form: [("button", "invite"), ("user", "eve")], status: 403
    ) { home in
      home.givePhones(manages: "all")
      home.refusePhones(
        #"{"kind": "forbidden", "field": "user", "detail": "cannot make a code for 'eve'"}"#,
        status: 403)
    },
    Sample(name: "phone-code", path: ["phones"], form: [("button", "invite")]) { home in
      home.givePhones()
      // The pattern has as many squares as a real QR code. A phone cannot read this pattern.
      let rows = (0..<33).map { row in
        (0..<33).map { column in
          let corner = [(row, column), (row, 32 - column), (32 - row, column)].contains {
            $0.0 < 8 && $0.1 < 8
          }
          let (inner, outer) = (
            max(abs(min(row, 32 - row) - 3), abs(min(column, 32 - column) - 3)), 4
          )
          let isDark =
            corner ? inner != 2 && inner < outer : (row * row + column * 7 + row * column) % 3 == 0
          return isDark ? "1" : "0"
        }.joined()
      }
      let list = rows.map { "\"\($0)\"" }.joined(separator: ", ")
      home.giveCode(code.replacing(#""1110", "0001", "0000", "1011""#, with: list))
    },
  ]
}
