import Sentences
import Testing

@testable import Pages

@Suite struct PageAccessTests {
  private static let hosts = ["p0a.localhost:4711"]
  private static let session = String(repeating: "5e", count: 32)
  private static let token = String(repeating: "70", count: 32)

  private func status(
    _ method: String, _ target: String, cookie: [String], host: String = "p0a.localhost:4711"
  ) -> Int? {
    let headers = [
      ("host", host), ("origin", "http://\(host)"), ("sec-fetch-site", "same-origin"),
      ("content-type", "application/json"),
    ]
    let request = PageRequest(
      method: method, target: target,
      headers: headers.map { ($0.0, $0.1) } + cookie.map { ("cookie", $0) })
    let action = request.action(hosts: Self.hosts, session: Self.session)
    return if case .refuse(let status, _) = action { status } else { nil }
  }

  private static let routes = [
    ("GET", "/"), ("GET", "/live"), ("GET", "/main.js"), ("GET", "/screen.css"),
    ("GET", "/picture/\(token)"), ("POST", "/answer"), ("POST", "/seen"),
  ]

  @Test(arguments: routes)
  func `no request is served without the cookie`(method: String, target: String) {
    let cookie = "prompter=\(Self.session)"
    #expect(status(method, target, cookie: [cookie]) == nil)
    #expect(status(method, target, cookie: ["a=b; \(cookie); c=d"]) == nil)
    let wrong = [
      [], [""], ["prompter="], ["prompter=\(Self.token)"], ["Prompter=\(Self.session)"],
      ["prompter=\(Self.session.dropLast())"], ["xprompter=\(Self.session)"],
      [cookie, cookie], ["\(cookie); prompter=x"],
    ]
    for cookie in wrong { #expect(status(method, target, cookie: cookie) == 403) }
  }

  @Test(arguments: routes + [("GET", "/open/\(token)")])
  func `a foreign host is refused before the cookie is read`(method: String, target: String) {
    for host in ["127.0.0.1:4711", "localhost:4711", "evil.example:4711", "p0a.localhost"] {
      let given = status(method, target, cookie: ["prompter=\(Self.session)"], host: host)
      #expect(given == 421)
    }
  }

  @Test func `a token needs no cookie and may come from a file`() {
    let headers = [("host", Self.hosts[0]), ("sec-fetch-site", "cross-site")]
    let request = PageRequest(
      method: "GET", target: "/open/abc", headers: headers.map { ($0.0, $0.1) })
    #expect(request.action(hosts: Self.hosts, session: Self.session) == .giveAccess(token: "abc"))
    #expect(status("POST", "/open/abc", cookie: []) == 403)
  }

  @Test func `a page server for all users knows no token`() {
    let request = PageRequest(
      method: "GET", target: "/open/abc", headers: [("host", Self.hosts[0])].map { ($0.0, $0.1) })
    #expect(
      request.action(hosts: Self.hosts, session: nil)
        == .refuse(status: 404, why: "there is no such page"))
  }

  @Test func `the right token works once`() {
    var access = PageAccess(token: Self.token, session: Self.session)
    let tries = [access.accept(Self.token), access.accept(Self.token)]
    #expect(tries == [true, false])
  }

  @Test func `the right token works after four wrong ones, and not after five`() {
    for (wrong, isAccepted) in [(4, true), (5, false), (6, false)] {
      var access = PageAccess(token: Self.token, session: Self.session)
      let tries = ((0..<wrong).map(String.init) + [Self.token]).map { access.accept($0) }
      #expect(tries == Array(repeating: false, count: wrong) + [isAccepted])
    }
  }

  @Test func `scripts and other sites do not get the cookie`() {
    let access = PageAccess(token: Self.token, session: Self.session)
    #expect(
      access.setCookie == "prompter=\(Self.session); Path=/; HttpOnly; SameSite=Strict")
  }

  @Test func `secrets are equal only as a whole`() {
    #expect(PageAccess.isEqual("abc", "abc"))
    for other in ["", "ab", "abd", "abcd", "xbc"] { #expect(!PageAccess.isEqual("abc", other)) }
  }

  @Test func `the corner says whose screen a caretaker has opened`() {
    var html = ScreenHTML(language: .german, labelLanguage: nil)
    #expect(!html.fragment(.notConnected).contains("corner"))
    html.personName = "<Anna>"
    #expect(
      html.fragment(.notConnected).hasSuffix(
        "<p class=\"corner\">Der Bildschirm von &lt;Anna&gt;, geöffnet von einer "
          + "Betreuungsperson</p>"))
  }
}
