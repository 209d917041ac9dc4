import API
import Foundation
import JSONValue
import Sentences
import Testing

@testable import CaretakerPages

private let tones = """
  {"tones": [
    {"name": "dad-pills", "sha256": "00", "duration_ms": 3240, "loudness_lufs": -23.46},
    {"name": "mum", "sha256": "01", "duration_ms": 960, "loudness_lufs": -9}]}
  """

@Suite struct VoicesPageTests {
  private func home() -> SampleCaretakerHome {
    let home = SampleCaretakerHome()
    home.give(.listTones, tones)
    return home
  }

  /// Sends the form that stores a recording, with the bytes of a file.
  private func store(
    _ home: SampleCaretakerHome, _ fields: [(String, String)], bytes: [UInt8]? = [1, 2, 3]
  ) -> (status: Int, html: String, location: String?) {
    var form = FormFields([("key", "0123456789abcdef"), ("button", "store")] + fields)
    if let bytes { form.files = [FormFields.File(field: "file", name: "x.wav", bytes: bytes)] }
    let reply = CaretakerSite(language: .english).reply(
      to: Visit(path: ["voices"], version: 7), form: form, home: home)
    return (reply.status, String(decoding: reply.bytes, as: UTF8.self), reply.location)
  }

  @Test func `the list shows length and loudness`() {
    let page = home().page(["voices"]).html
    #expect(page.contains("3.2 s · loudness −23.5 LUFS") && page.contains("1.0 s · loudness −9.0"))
    #expect(page.contains("href=\"/voices/dad-pills\""))
    #expect(page.contains("enctype=\"multipart/form-data\""))
    #expect(page.contains("data-left=\"{n} s left\""))
    let empty = SampleCaretakerHome()
    empty.give(.listTones, #"{"tones": []}"#)
    #expect(empty.page(["voices"]).html.contains("There are no recordings yet."))
  }

  @Test func `a file goes to the daemon as it is`() {
    let home = home()
    home.give(
      .addTone, #"{"tone": {"name": "dad", "duration_ms": 1000, "loudness_lufs": -20.0}}"#,
      status: 201)
    let page = store(home, [("name", "dad")])
    #expect(page.status == 303 && page.location == "/voices/dad?saved=store")
    let sent = home.requests.last
    #expect(sent?.operation == .addTone && sent?.parameters == ["name": "dad"])
    #expect(sent?.body == .bytes(contentType: "application/octet-stream", [1, 2, 3]))
    #expect(sent?.query == [:] && sent?.key == "0123456789abcdef-store")
    _ = store(home, [("name", "dad"), ("replace", "yes")])
    #expect(home.requests.last?.query == ["replace": "yes"])
  }

  @Test func `without a file, nothing is sent and the name stays`() {
    let home = home()
    let page = store(home, [("name", "dad <x>")], bytes: nil)
    #expect(page.status == 422 && page.html.contains("Nothing was stored"))
    #expect(page.html.contains("value=\"dad &lt;x&gt;\""))
    #expect(!home.requests.contains { $0.operation == .addTone })
  }

  @Test func `a refused recording says why`() {
    let home = home()
    home.give(
      .addTone, #"{"kind": "bad_tone", "detail": "cannot use <it>: it is silent"}"#, status: 422)
    let page = store(home, [("name", "dad")])
    #expect(page.status == 422 && page.html.contains("cannot use &lt;it&gt;: it is silent"))
    home.give(
      .addTone, #"{"kind": "invalid_field", "field": "name", "detail": "name: no <spaces>"}"#,
      status: 422)
    let named = store(home, [("name", "a b")])
    #expect(named.html.contains("id=\"error-name\">name: no &lt;spaces&gt;"))
  }

  @Test(arguments: [
    ([("button", "play")], Route.Operation.playTone, "/voices/mum?saved=play"),
    ([("button", "rename"), ("name", "mum-2")], .renameTone, "/voices/mum-2?saved=rename"),
    ([("button", "remove")], .removeTone, "/voices?saved=remove"),
  ])
  func `each button is one request`(
    form: [(String, String)], operation: Route.Operation, location: String
  ) {
    let home = home()
    home.give(operation, "{}")
    let page = home.page(["voices", "mum"], form: form + [("key", "0123456789abcdef")])
    #expect(page.location == location)
    #expect(home.requests.last?.parameters == ["name": "mum"])
  }

  @Test func `a recording in use names another one`() {
    let home = home()
    let shown = home.page(["voices", "mum"]).html
    #expect(shown.contains("<option value=\"dad-pills\">") && !shown.contains("value=\"mum\">mum<"))
    home.give(.removeTone, #"{"kind": "in_use", "detail": "cannot remove <mum>"}"#, status: 409)
    let page = home.page(
      ["voices", "mum"], form: [("button", "remove"), ("replace_with", "dad-pills")])
    #expect(page.status == 409 && page.html.contains("cannot remove &lt;mum&gt;"))
    let sent = home.requests.first { $0.operation == .removeTone }
    #expect(sent?.query == ["replace_with": "dad-pills"])
  }

  @Test func `the sound is that of the daemon`() {
    let home = home()
    home.give(.toneSound, "RIFF")
    let page = home.page(["voices", "mum", "sound"])
    #expect(page.status == 200 && page.html == "RIFF")
    #expect(home.page(["voices", "nobody"]).status == 404)
    #expect(home.page(["voices"], form: [("button", "erase")]).status == 404)
  }
}

@Suite struct MultipartFormTests {
  private static let body = [
    "--xyz", "Content-Disposition: form-data; name=\"name\"", "", "d\u{E4}d", "--xyz",
    "Content-Disposition: form-data; name=\"file\"; filename=\"a;b.wav\"",
    "Content-Type: audio/wav", "", "\u{1}\u{2}\r\n--xy", "--xyz--", "",
  ].joined(separator: "\r\n")

  private func form(_ text: String, boundary: String = "xyz") -> FormFields? {
    FormFields(Array(text.utf8), coding: .parts(boundary: boundary))
  }

  @Test func `fields and files are found`() {
    let form = form(Self.body)
    #expect(form?["name"] == "d\u{E4}d" && form?.files.count == 1)
    #expect(form?.files.first?.field == "file")
    #expect(form?.files.first?.bytes == Array("\u{1}\u{2}\r\n--xy".utf8))
  }

  @Test func `a field without a chosen file is empty`() {
    let empty =
      "--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n"
      + "Content-Type: application/octet-stream\r\n\r\n\r\n--xyz--\r\n"
    #expect(form(empty) == FormFields())
  }

  @Test func `no part of a form makes another one`() {
    let count = Self.body.utf8.count
    for length in 0..<count - 4 {
      let cut = Array(Self.body.utf8.prefix(length))
      #expect(FormFields(cut, coding: .parts(boundary: "xyz")) == nil, "\(length)")
    }
    #expect(form(Self.body, boundary: "abc") == nil)
    #expect(form("--xyz\r\nContent-Type: a\r\n\r\nb\r\n--xyz--") == nil)
  }

  @Test func `only a form is read`() {
    #expect(
      FormCoding(contentType: "multipart/form-data; boundary=\"a b\"") == .parts(boundary: "a b"))
    #expect(FormCoding(contentType: "application/x-www-form-urlencoded; charset=utf-8") == .fields)
    for type in [nil, "text/plain", "multipart/form-data", "multipart/form-data; boundary="] {
      #expect(FormCoding(contentType: type) == nil)
    }
    let long = String(repeating: "a", count: 71)
    #expect(FormCoding(contentType: "multipart/form-data; boundary=\(long)") == nil)
  }
}

extension CaretakerGalleryTests {
  static let voiceSamples = [
    Sample(name: "voices-empty", path: ["voices"]) { $0.give(.listTones, #"{"tones": []}"#) },
    Sample(name: "voices", path: ["voices"]) { $0.give(.listTones, tones) },
    Sample(name: "voice", path: ["voices", "dad-pills"], query: [("saved", "store")]) {
      $0.give(.listTones, tones)
    },
  ]
}
