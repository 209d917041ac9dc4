import JSONValue
import Sentences
import Testing

@testable import Pages

/// Tests the photo of a finished task.
@Suite struct PhotoTests {
  private func finished() throws -> ScreenState {
    try SampleReading(prompts: [try done("a", secondsAgo: 5)]).decision().state
  }

  private func html(_ state: ScreenState, hasCamera: Bool) -> String {
    ScreenHTML(language: .english, labelLanguage: nil, hasCamera: hasCamera).fragment(state)
  }

  @Test func `only a finished task on the screen takes a photo`() throws {
    #expect(try finished().takesPhoto(of: "a"))
    #expect(try !finished().takesPhoto(of: "b"))
    #expect(!ScreenState.notConnected.takesPhoto(of: "a"))
    let calling = try SampleReading(prompts: [due("a")]).decision().state
    #expect(!calling.takesPhoto(of: "a"))
    let later = prompt(
      "a", "delayed",
      [
        ("delayed_until_utc", .string("2026-11-26T08:06:00.000Z")),
        ("undo_until_utc", .string("2026-11-26T08:01:55.000Z")),
      ])
    let delayed = try SampleReading(prompts: [later]).decision().state
    #expect(delayed.key == "answered a" && !delayed.takesPhoto(of: "a"))
  }

  @Test func `only a screen with a camera offers a photo`() throws {
    #expect(html(try finished(), hasCamera: true).contains("photo-open"))
    #expect(!html(try finished(), hasCamera: false).contains("photo"))
    let calling = try SampleReading(prompts: [due("a")]).decision().state
    #expect(!html(calling, hasCamera: true).contains("photo"))
  }

  @Test func `the page may use the camera only if the screen has one`() {
    func policy(_ hasCamera: Bool) -> String? {
      PageRequest.security(hasCamera: hasCamera).first { $0.name == "permissions-policy" }?.value
    }
    #expect(policy(false)?.contains("camera=()") == true)
    #expect(policy(true)?.contains("camera=(self)") == true)
    #expect(policy(true)?.contains("microphone=()") == true)
  }

  @Test func `a photo is a JPEG file of the own page, with the id of a prompt`() {
    let hosts = ["127.0.0.1:8077"]
    let good = [
      ("host", "127.0.0.1:8077"), ("origin", "http://127.0.0.1:8077"),
      ("content-type", "image/jpeg"), ("prompter-prompt", "a"),
    ]
    func action(without name: String? = nil, _ more: (String, String)...) -> PageRequest.Action {
      let fields = good.filter { field in field.0 != name && !more.contains { $0.0 == field.0 } }
      return PageRequest(method: "POST", target: "/photo", headers: fields + more)
        .action(hosts: hosts)
    }
    #expect(action() == .photo(promptID: "a"))
    #expect(action().bodyLimit == 4 << 20)
    #expect(PageRequest.Action.answer.bodyLimit == 4_096)
    for refused in [
      action(without: "prompter-prompt"), action(("content-type", "application/json")),
      action(("origin", "http://evil.example")), action(without: "origin"),
    ] {
      guard case .refuse = refused else {
        Issue.record("accepted \(refused)")
        continue
      }
    }
  }
}
