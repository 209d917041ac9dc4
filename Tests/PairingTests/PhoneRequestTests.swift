import CaretakerPages
import JSONValue
import Pages
import Testing

@testable import Pairing

@Suite struct `A request of a phone` {
  private static let host = "home.local:8443"
  private static let fields = [
    ("host", host), ("origin", "https://\(host)"), ("sec-fetch-site", "same-origin"),
    ("cookie", "\(PageRequest.deviceCookie)=good"),
    ("content-type", "application/x-www-form-urlencoded"),
  ]

  private func action(
    _ method: String, _ target: String, _ changes: [String: String?] = [:]
  ) -> PhoneAction {
    let headers = Self.fields.compactMap { name, value -> (name: String, value: String)? in
      guard let change = changes[name] else { return (name, value) }
      return change.map { (name, $0) }
    }
    return PageRequest(method: method, target: target, headers: headers)
      .phoneAction(host: Self.host, version: 3) { $0 == "good" ? "digest" : nil }
  }

  private func status(_ action: PhoneAction) -> Int? {
    switch action {
    case .refuse(let status, _), .pages(.refuse(let status, _), _): status
    default: nil
    }
  }

  @Test func `with the cookie of a device gets the pages`() {
    #expect(action("GET", "/") == .pages(.show(Visit(path: [], version: 3)), digest: "digest"))
    #expect(action("GET", "/live") == .pages(.live, digest: "digest"))
    #expect(
      action("POST", "/alarms")
        == .pages(.take(Visit(path: ["alarms"], version: 3), .fields), digest: "digest"))
    #expect(status(action("PUT", "/alarms")) == 405)
  }

  @Test(arguments: [
    nil, "\(PageRequest.deviceCookie)=bad", "prompter=good",
    "\(PageRequest.deviceCookie)=good; \(PageRequest.deviceCookie)=good", "good",
  ])
  func `without the cookie of a device gets only the page for the code`(cookie: String?) {
    for target in ["/", "/alarms", "/open/x", "/nothing?x=1"] {
      #expect(action("GET", target, ["cookie": cookie]) == .pairPage)
      #expect(status(action("POST", target, ["cookie": cookie])) == 401)
    }
    #expect(status(action("GET", "/live", ["cookie": cookie])) == 401)
    #expect(action("GET", "/pair", ["cookie": cookie]) == .pairPage)
    #expect(action("POST", "/pair", ["cookie": cookie]) == .pair)
    #expect(action("GET", "/ca.crt", ["cookie": cookie]) == .authority)
    #expect(action("GET", "/caretaker.css", ["cookie": cookie]) == .file(.caretaker(.style)))
    #expect(action("GET", "/pair.js", ["cookie": cookie]) == .file(.own(.pair)))
    #expect(action("GET", "/manifest.json", ["cookie": cookie]) == .file(.own(.manifest)))
  }

  @Test(arguments: ["/", "/live", "/pair", "/caretaker.js", "/alarms/x", "/ca.crt"])
  func `that names another host or comes from another site is refused`(target: String) {
    for method in ["GET", "POST"] {
      for host in ["evil.example", "home.local", "home.local:8443.evil.example", ""] {
        #expect(status(action(method, target, ["host": host])) == 421)
      }
      #expect(status(action(method, target, ["host": nil])) == 421)
      for site in ["cross-site", "same-site"] where target != "/ca.crt" {
        #expect(status(action(method, target, ["sec-fetch-site": site])) == 403)
      }
    }
    for origin in ["null", "https://evil.example", "http://\(Self.host)", nil]
    where target != "/ca.crt" {
      #expect(status(action("POST", target, ["origin": origin])) == 403)
    }
    #expect(status(action("POST", target, ["sec-fetch-site": "none"])) == 403)
  }

  @Test func `finds each icon of the manifest`() throws {
    let manifest = try JSON(parsing: PhoneFile.own(.manifest).bytes)
    for icon in manifest["icons"]?.array ?? [] {
      let file = try #require(
        icon["src"]?.string.flatMap { PhoneFile(name: String($0.dropFirst())) })
      #expect(file.contentType == icon["type"]?.string)
      #expect(file.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }
    #expect(manifest["icons"]?.array?.count == 3)
  }

  @Test func `with a code must be a form`() {
    #expect(status(action("POST", "/pair", ["content-type": "application/json"])) == 415)
  }

  @Test func `gets a cookie that only this server sees, over TLS`() {
    let field = PageRequest.setDeviceCookie("x")
    for part in ["__Host-", "; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/", "34560000"] {
      #expect(field.contains(part))
    }
    #expect(!field.contains("Domain"))
  }
}

@Suite struct `The page for the code` {
  private static let troubles: [PairPage.Trouble] = [
    .refused(.noInvitation), .refused(.wrongCode(triesLeft: 1)), .refused(.wrongCode(triesLeft: 0)),
    .refused(.locked(minutes: 7)), .tooManyDevices, .notSaved,
  ]

  @Test(arguments: [("de-AT", "Telefon hinzufügen"), ("vi", "Thêm điện thoại"), ("fr", "Add this")])
  func `is in the language of the browser`(tag: String, words: String) {
    #expect(PairPage(languages: [tag]).html.contains(words))
  }

  @Test func `says why a code was not accepted, differently for each reason`() {
    let pages = Self.troubles.map { PairPage(languages: ["en"], trouble: $0).html }
    #expect(Set(pages).count == pages.count)
    #expect(pages.allSatisfy { $0.contains("role=\"alert\"") })
    #expect(pages[1].contains("1 more time.") && pages[3].contains("7 minutes"))
    #expect(!PairPage(languages: []).html.contains("role=\"alert\""))
  }
}
