import API
import Foundation
import Sentences
import Testing

@testable import CaretakerPages

/// Tests sample pages. If the environment variable `PROMPTER_WRITE_CARETAKER` contains a directory,
/// the tests also write the pages into this directory. The tests in Tests/Caretaker open the
/// written pages in a browser.
@Suite struct CaretakerGalleryTests {
  @Test(arguments: Language.allCases)
  func `the gallery shows each page`(language: Language) throws {
    for sample in Self.samples {
      let home = SampleCaretakerHome()
      sample.prepare(home)
      let page = home.page(sample.path, query: sample.query, form: sample.form, language: language)
      #expect(page.status == sample.status, "\(sample.name): \(page.html)")
      try write(page.html, sample.name, language)
    }
  }

  /// A sample page. To test a new page, add a sample to `samples`.
  struct Sample: Sendable {
    var name: String
    var path: [String] = []
    var query: [(String, String)] = []
    var form: [(String, String)]?
    var status = 200
    /// A closure that sets the replies of the daemon for this page.
    var prepare: @Sendable (SampleCaretakerHome) -> Void = { _ in }
  }

  static let samples =
    todaySamples + alarmSamples + messageSamples + historySamples + deviceSamples + phoneSamples
    + voiceSamples
    + importSamples + studySamples + [
      Sample(name: "missing", path: ["nothing"], status: 404),
      Sample(name: "not-connected", status: 503) { $0.lose(.day) },
    ]

  private func write(_ html: String, _ name: String, _ language: Language) throws {
    guard let path = ProcessInfo.processInfo.environment["PROMPTER_WRITE_CARETAKER"] else { return }
    let folder = URL(filePath: path).appending(path: language.rawValue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(html.utf8).write(to: folder.appending(path: "\(name).html"))
    let web = URL(filePath: path).appending(path: "web")
    try FileManager.default.createDirectory(at: web, withIntermediateDirectories: true)
    for file in CaretakerFile.allCases {
      try Data(file.bytes).write(to: web.appending(path: file.rawValue))
    }
  }
}

// MARK: Today

extension CaretakerGalleryTests {
  static let todaySamples = [
    Sample(name: "today-empty"),
    Sample(name: "today") { day($0) },
    Sample(name: "today-saved", query: [("saved", "done"), ("prompt", "k3@2026-11-26T07:30:00")]) {
      day($0)
    },
    Sample(
      name: "today-refused",
      form: [
        ("key", "0123456789abcdef"), ("prompt", "k4@2026-11-26T08:00:00"), ("button", "later"),
      ], status: 409
    ) { home in
      day(home)
      home.give(
        .delay, #"{"kind": "conflict", "detail": "cannot delay the prompt: it has ended"}"#,
        status: 409)
    },
    Sample(name: "today-problems") { home in
      day(home)
      home.give(
        .status,
        """
        {"clock": {"utc": "2026-11-26T08:01:00.000Z"}, "zone": "UTC", "problems": [
          {"kind": "speaker_unusable", "detail": "the speaker \\"hw:1\\" is not connected"},
          {"kind": "supply_low", "detail": "Donepezil is low: 4 of at least 10 are left"}]}
        """)
    },
    Sample(name: "today-long") { home in
      let label = String(repeating: "Take the very long medicine <with> “signs” & more. ", count: 4)
      let word = String(repeating: "Donaudampfschifffahrt", count: 9)
      home.give(
        .day,
        """
        {"tasks": [\(dayTask(label, "08:00", "waiting", prompt: "k4@2026-11-26T08:00:00")),
          \(dayTask(word, "09:00", "to_come", prompt: "k5@2026-11-26T09:00:00"))]}
        """)
    },
  ]

  /// Sets the replies of the home to a morning in which each state of a task occurs.
  private static func day(_ home: SampleCaretakerHome) {
    let told = #"{"contact": "Sofia", "local": "2026-11-26T07:20:00"}"#
    home.give(
      .day,
      """
      {"tasks": [
        \(dayTask("Wake up", "06:30", "done", prompt: "k1@2026-11-26T06:30:00", changed: "06:33")),
        \(dayTask("Breakfast", "07:00", "missed", prompt: "k2@2026-11-26T07:00:00", notified: told)),
        \(dayTask("Feed the cat", "07:30", "done", prompt: "k3@2026-11-26T07:30:00", changed: "08:00")),
        \(dayTask("Take the pills", "08:00", "waiting", prompt: "k4@2026-11-26T08:00:00")),
        \(dayTask("Lunch", "12:00", "to_come", prompt: "k5@2026-11-26T12:00:00")),
        \(dayTask("Call Ben", "15:00", "cancelled", prompt: "k6@2026-11-26T15:00:00", changed: "07:50")),
        \(dayTask("Evening pills", "20:00", "to_come"))]}
      """)
    home.give(
      .listPrompts,
      """
      {"prompts": [
        {"id": "k3@2026-11-26T07:30:00", "undo_until_utc": "2026-11-26T08:01:30.000Z"},
        {"id": "k4@2026-11-26T08:00:00", "delays_left": 2,
         "next_notification_utc": "2026-11-26T08:20:00.000Z"}]}
      """)
    home.give(
      .listPeople, #"{"people": [{"id": "anna", "name": "Anna"}, {"id": "hugo", "name": "Hugo"}]}"#)
  }
}
