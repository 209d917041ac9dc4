import Testing

@testable import Pages

@Suite struct PageRequestTests {
  private static let hosts = ["127.0.0.1:8077", "localhost:8077"]
  private static let picture = String(repeating: "0a", count: 32)

  private func action(
    _ method: String, _ target: String, _ headers: [(String, String)]
  ) -> PageRequest.Action {
    PageRequest(method: method, target: target, headers: headers.map { ($0.0, $0.1) })
      .action(hosts: Self.hosts)
  }

  private func status(_ action: PageRequest.Action) -> Int? {
    if case .refuse(let status, _) = action { status } else { nil }
  }

  private static let answer = [
    ("host", "127.0.0.1:8077"), ("origin", "http://127.0.0.1:8077"),
    ("sec-fetch-site", "same-origin"), ("content-type", "application/json"),
  ]

  @Test func `the documents of the page are found`() {
    let host = [("host", "localhost:8077")]
    #expect(action("GET", "/", host) == .page)
    #expect(action("GET", "/live", host) == .live)
    #expect(action("GET", "/screen.css", host) == .file(.style))
    #expect(action("GET", "/press.js", host) == .file(.press))
    #expect(action("GET", "/picture/\(Self.picture)", host) == .picture(id: Self.picture))
    #expect(action("POST", "/answer", Self.answer) == .answer)
    #expect(action("POST", "/seen", Self.answer) == .seen)
    #expect(action("POST", "/alive", Self.answer) == .alive)
    #expect(action("POST", "/question", Self.answer) == .question)
  }

  @Test(arguments: [
    "", "/x", "screen.css", "/../screen.css", "/picture/", "/picture/..",
    "/picture/\(picture)0", "/?a", "//", "/picture/\(picture.uppercased())",
  ])
  func `another path is refused`(target: String) {
    #expect(status(action("GET", target, [("host", "127.0.0.1:8077")])) == 404)
  }

  @Test(arguments: ["/", "/live", "/main.js", "/answer"])
  func `a foreign host is refused on every path`(target: String) {
    let method = target == "/answer" ? "POST" : "GET"
    for host in ["evil.example:8077", "127.0.0.1", "127.0.0.1:80", ""] {
      let headers = Self.answer.map { $0.0 == "host" ? ("host", host) : $0 }
      #expect(status(action(method, target, headers)) == 421)
    }
    #expect(status(action(method, target, [])) == 421)
    let twice = Self.answer + [("host", "evil.example")]
    #expect(status(action(method, target, twice)) == 421)
  }

  @Test(arguments: [
    ("origin", "http://evil.example", 403), ("origin", "null", 403),
    ("sec-fetch-site", "cross-site", 403), ("sec-fetch-site", "same-site", 403),
    ("sec-fetch-site", "none", 403), ("content-type", "text/plain", 415),
    ("content-type", "application/x-www-form-urlencoded", 415),
  ])
  func `an answer from another page is refused`(name: String, value: String, expected: Int) {
    let headers = Self.answer.map { $0.0 == name ? (name, value) : $0 }
    #expect(status(action("POST", "/answer", headers)) == expected)
    #expect(status(action("POST", "/seen", headers)) == expected)
    #expect(status(action("POST", "/alive", headers)) == expected)
    #expect(status(action("POST", "/question", headers)) == expected)
  }

  @Test func `an answer without an origin or a type is refused`() {
    #expect(status(action("POST", "/answer", Self.answer.filter { $0.0 != "origin" })) == 403)
    #expect(
      status(action("POST", "/answer", Self.answer.filter { $0.0 != "content-type" })) == 415)
  }

  @Test(arguments: [
    ("POST", "/"), ("PUT", "/answer"), ("GET", "/answer"), ("HEAD", "/"), ("POST", "/live"),
  ])
  func `another method is refused`(method: String, target: String) {
    #expect(status(action(method, target, Self.answer)) == 405)
  }

  @Test func `another site cannot read the screen`() {
    let headers = [("host", "127.0.0.1:8077"), ("sec-fetch-site", "cross-site")]
    #expect(status(action("GET", "/live", headers)) == 403)
    #expect(status(action("GET", "/", headers)) == 403)
  }

  @Test func `an answer is read from JSON`() {
    let key = "0f8fad5b-d9cb-469f-a165-70867728950e"
    let body = #"{"prompt":"a@2026-12-01T08:00:00","answer":"delay","key":"\#(key)"}"#
    let form = AnswerForm(body: Array(body.utf8))
    #expect(form?.promptID == "a@2026-12-01T08:00:00")
    #expect(form?.answer == .delay)
    #expect(form?.key == key)
  }

  @Test(arguments: [
    "", "[]", #"{"prompt":"a","answer":"cancel","key":"0123456789abcdef"}"#,
    #"{"prompt":"a","answer":"delay","key":"short"}"#,
    #"{"prompt":"a","answer":"delay","key":"0123456789abcdeF"}"#,
    #"{"prompt":1,"answer":"delay","key":"0123456789abcdef"}"#,
    #"{"answer":"delay","key":"0123456789abcdef"}"#,
  ])
  func `another body is not an answer`(body: String) {
    #expect(AnswerForm(body: Array(body.utf8)) == nil)
  }

  @Test func `a painted task is read from JSON`() {
    #expect(SeenForm(body: Array(#"{"prompt":"a"}"#.utf8))?.promptID == "a")
    #expect(SeenForm(body: Array(#"{"prompt":1}"#.utf8)) == nil)
    #expect(SeenForm(body: []) == nil)
  }

  @Test func `the page may run only its own modules`() {
    let policy = PageRequest.security.first { $0.name == "content-security-policy" }?.value ?? ""
    #expect(policy.contains("default-src 'none'"))
    #expect(policy.contains("script-src 'self';"))
    #expect(policy.contains("require-trusted-types-for 'script'"))
    #expect(!policy.contains("unsafe"))
  }
}
