import API
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

/// Returns a message in the JSON format of `GET /v1/messages`.
private func message(
  _ state: String, text: String = "Lunch is ready", kind: String = "message",
  wanted: String = "null", answer: String = "null", contact: String = "null",
  sent: String = "2026-11-26T07:30:00.000Z"
) -> String {
  """
  {"kind": "\(kind)", "id": "m1@2026-11-26T07:30:00", "sent_utc": "\(sent)", "person": "anna",
   "from": "ben", "text": \(JSON.string(kind == "call" ? "" : text)), "answer_wanted": \(wanted),
   "state": "\(state)", "answer": \(answer), "contact": \(contact)}
  """
}

extension SampleCaretakerHome {
  fileprivate func giveMessages(_ rows: String...) {
    give(.listMessages, "{\"messages\": [\(rows.joined(separator: ","))]}")
    give(.listTones, #"{"tones": [{"name": "dad"}]}"#)
  }

  /// The body of the last request with which a page changed something.
  var sentDocument: JSON {
    guard case .json(let document) = requests.last(where: { $0.key != nil })?.body else {
      return .null
    }
    return document
  }
}

@Suite struct MessagesPageTests {
  private static let form = [
    ("key", "0123456789abcdef"), ("button", "say"), ("text", "Lunch is <ready>"),
    ("person", "anna"), ("answer", "yes_no"), ("expires", "90"), ("repeat", "4"), ("tone", ""),
  ]

  private func home(_ rows: String...) -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.give(.listMessages, "{\"messages\": [\(rows.joined(separator: ","))]}")
    home.give(.listTones, #"{"tones": []}"#)
    return home
  }

  @Test(arguments: [
    ("accepted", "null", "null", "has not sounded yet"), ("sounded", "null", "null", ">sounded<"),
    ("sounded", "\"heard\"", "null", "sounded, no answer yet"),
    ("heard", "\"heard\"", "null", ">heard<"),
    ("answered", "\"yes_no\"", "\"yes\"", "answered: yes"),
    ("answered", "\"yes_no\"", "\"no\"", "answered: no"),
    ("declined", "\"heard\"", "null", ">declined<"),
    ("expired", "\"heard\"", "null", "nobody answered in time"),
    ("suppressed", "null", "null", "stayed silent on purpose"),
    ("cancelled", "\"heard\"", "null", ">called off<"),
  ])
  func `each state of a message has its words`(
    state: String, wanted: String, answer: String, words: String
  ) {
    let page = home(message(state, wanted: wanted, answer: answer)).page(["messages"]).html
    #expect(page.contains(words), "\(page)")
    #expect(page.contains("today 07:30 · ben to Anna"))
  }

  @Test func `a call says who was notified, or that nobody was`() {
    let page = home(
      message("told", kind: "call", contact: "\"sofia\""), message("failed", kind: "call"),
      message("waiting", kind: "call", sent: "2026-11-25T18:00:00.000Z")
    ).page(["messages"]).html
    #expect(page.contains("Please call back") && page.contains("sofia was notified"))
    #expect(page.contains("<li class=\"bad call\">"))
    #expect(page.contains("nobody could be notified: please call now"))
    #expect(page.contains("yesterday 18:00 · Anna"))
    #expect(!page.contains("value=\"cancel\""))
  }

  @Test func `only an open message can be called off`() {
    func offers(_ state: String, _ wanted: String) -> Bool {
      home(message(state, wanted: wanted)).page(["messages"]).html.contains("value=\"cancel\"")
    }
    #expect(offers("accepted", "null") && offers("sounded", "\"heard\""))
    #expect(!offers("sounded", "null") && !offers("heard", "\"heard\""))
    let open = home(message("accepted"))
    open.give(.cancel, "{}")
    let page = open.page(
      ["messages"],
      form: [("key", "0123456789abcdef"), ("button", "cancel"), ("prompt", "m1@1")])
    #expect(page.location == "/messages?saved=cancel")
    #expect(open.requests.last?.operation == .cancel)
    #expect(open.requests.last?.parameters == ["id": "m1@1"])
  }

  @Test func `a message goes to the daemon with the values of the form`() {
    let home = home()
    home.give(.say, #"{"voice": null, "next": {"utc": "2026-11-26T08:01:00.000Z"}}"#)
    let page = home.page(["messages"], form: Self.form)
    #expect(page.status == 303 && page.location == "/messages?saved=said")
    #expect(
      home.sentDocument.description
        == "{\"text\":\"Lunch is <ready>\",\"person\":\"anna\",\"answer\":\"yes_no\","
        + "\"expires\":\"1h30m\",\"repeat\":4}")
  }

  @Test func `a message without an answer has no repetitions`() {
    let home = home()
    home.give(.say, #"{"voice": "no <espeak>", "next": {}}"#)
    let form =
      Self.form.filter { $0.0 != "answer" } + [
        ("answer", ""), ("tone", "dad"), ("in_quiet_hours", "yes"),
      ]
    let page = home.page(["messages"], form: form.filter { !($0.0 == "tone" && $0.1 == "") })
    #expect(page.location == "/messages?saved=said&chime=no%20%3Cespeak%3E")
    let sent = home.sentDocument
    #expect(sent["answer"] == nil && sent["expires"] == nil && sent["repeat"] == nil)
    #expect(sent["tone"]?.string == "dad" && sent["in_quiet_hours"]?.string == "ring")
    let shown = home.page(["messages"], query: [("saved", "said"), ("chime", "no <espeak>")]).html
    #expect(shown.contains("Only a chime sounds: no &lt;espeak&gt;"))
  }

  @Test(arguments: [
    (
      #"{"suppressed_by": "quiet_hours", "rings_local": "2026-11-27T07:00:00"}"#,
      "waits&at=2026-11-27T07%3A00%3A00"
    ),
    (#"{"suppressed_by": "paused"}"#, "silent"),
  ])
  func `the page says if the message does not sound now`(next: String, saved: String) {
    let home = home()
    home.give(.say, "{\"voice\": null, \"next\": \(next)}")
    #expect(home.page(["messages"], form: Self.form).location == "/messages?saved=\(saved)")
    let waits = home.page(
      ["messages"], query: [("saved", "waits"), ("at", "2026-11-27T07:00:00")])
    #expect(waits.html.contains("after the quiet hours: tomorrow 07:00"))
    let silent = home.page(["messages"], query: [("saved", "silent")])
    #expect(silent.html.contains("stays silent"))
  }

  @Test func `a refused message keeps its words, with the reason beside the field`() {
    let home = home()
    home.give(
      .say,
      #"{"kind": "invalid_field", "field": "expires", "detail": "expires: <30s> is too short"}"#,
      status: 422)
    let page = home.page(["messages"], form: Self.form)
    #expect(page.status == 422)
    #expect(page.html.contains("value=\"Lunch is &lt;ready&gt;\""))
    #expect(page.html.contains("<details id=\"more\" open>"))
    #expect(page.html.contains("id=\"error-expires\""))
    #expect(page.html.contains("expires: &lt;30s&gt; is too short"))
    #expect(page.html.contains("value=\"yes_no\" selected"))
  }

  @Test func `the page shows twenty messages, and all on request`() {
    let rows = (0..<21).map { _ in message("heard") }.joined(separator: ",")
    let home = home(rows)
    let page = home.page(["messages"]).html
    #expect(page.contains("href=\"/messages?all\""))
    #expect(page.components(separatedBy: "Lunch is ready").count == 21)
    #expect(home.requests.last { $0.operation == .listMessages }?.query == ["limit": "21"])
    #expect(!home.page(["messages"], query: [("all", "")]).html.contains("?all"))
  }

  @Test func `every text of a person is escaped`() {
    let page = home(message("accepted", text: "<img src=x>", contact: "\"<b>\""))
      .page(["messages"]).html
    #expect(!page.contains("<img") && !page.contains("<b>"))
  }

  @Test func `an unknown button and a longer address are not found`() {
    #expect(home().page(["messages"], form: [("button", "erase")]).status == 404)
    #expect(home().page(["messages", "x"]).status == 404)
  }
}

extension CaretakerGalleryTests {
  static let messageSamples = [
    Sample(name: "messages-empty", path: ["messages"]) { $0.giveMessages() },
    Sample(name: "messages", path: ["messages"], query: [("saved", "said")]) { home in
      home.giveMessages(
        message(
          "accepted", text: "Sofia comes at three", wanted: "\"heard\"",
          sent: "2026-11-26T08:00:00.000Z"),
        message("told", kind: "call", contact: "\"Sofia\""),
        message("heard", wanted: "\"heard\"", sent: "2026-11-26T07:05:00.000Z"),
        message(
          "answered", text: "Shall I come at six?", wanted: "\"yes_no\"", answer: "\"no\"",
          sent: "2026-11-25T16:00:00.000Z"),
        message(
          "expired", text: "Please put the bin out", wanted: "\"heard\"",
          sent: "2026-11-25T12:00:00.000Z"),
        message("failed", kind: "call", sent: "2026-11-23T21:10:00.000Z"))
    },
    Sample(
      name: "messages-refused", path: ["messages"],
      form: [
        ("key", "0123456789abcdef"), ("button", "say"), ("text", "Lunch"), ("expires", "0"),
        ("answer", "heard"), ("person", "anna"),
      ], status: 422
    ) { home in
      home.giveMessages(message("sounded", text: String(repeating: "Donaudampfschiff", count: 12)))
      home.give(
        .say,
        #"{"kind": "invalid_field", "field": "expires", "detail": "expires: 0s is not in 1m to 24h"}"#,
        status: 422)
    },
  ]
}
