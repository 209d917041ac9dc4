import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests the exact names and texts in the export of a person's own data.
@Suite struct `A row about a person in the own data` {
  private let directory = TemporaryDirectory()
  private static let anna = PersonID("anna")

  @Test func `names only patients and the daemon, and no contact`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    let prompt = timeline.prompt(alarm, due: 0)
    let notice = Notice(number: 1, kind: .test, contact: "bob")
    let admin = Actor(role: .admin, id: "uid:0", source: "socket")
    let events: [(Event, Actor)] = [
      (.alarmCreated(alarm), Timeline.caretaker), (.planned(prompt), .daemon("engine")),
      (.presented(prompt.id), Timeline.patient), (.saidAgain(prompt.id), admin),
      (.escalated(prompt.id, position: 0, contact: "bob", reason: .noAnswer), .daemon("engine")),
      (.notified(prompt.id, position: 0, contact: "bob", attempt: 1), .daemon("engine")),
      (
        .notificationFailed(
          prompt.id, position: 0, contact: "bob", attempt: 2, isLast: true, reason: "bob is away"),
        .daemon("engine")
      ),
      (.call(Self.anna, number: 1, .asked(reply: AlarmID("r1"))), Timeline.patient),
      (.call(Self.anna, number: 1, .told(contact: "bob")), .daemon("engine")),
      (.notice(notice, .sent(attempt: 1)), .daemon("engine")),
      (.response(prompt.id, Response(question: "q", number: 1, value: .text("hi"))), admin),
    ]
    for (place, (event, actor)) in events.enumerated() {
      try timeline.add(Int64(place), event, by: actor)
    }
    let path = "\(directory.path)/own"
    _ = try timeline.logbook.writeOwnData(of: Self.anna, pictures: [], to: path)
    let rows = Table("\(path)/events.csv").rows
    let expected: [(actor: String, hasContent: Bool)] = [
      ("another", true), ("daemon", false), ("uid:1001", false), ("another", false),
      ("daemon", false), ("daemon", false), ("daemon", false), ("uid:1001", false),
      ("daemon", false), ("another", true),
    ]
    #expect(rows.map { $0["actor_id"] } == expected.map(\.actor))
    #expect(rows.map { $0["content"] != "" } == expected.map(\.hasContent))
    #expect(rows.map { $0["seq"] } == (1...9).map { "\($0)" } + ["11"])
    let whole = "\(directory.path)/whole"
    _ = try timeline.logbook.writeExport(to: whole, profile: .identified)
    let all = Table("\(whole)/events.csv").rows
    #expect(all.map { $0["actor_id"] } == events.map(\.1.id))
    #expect(all[4]["content"] == #"{"contact":"bob"}"#)
  }

  @Test func `is replaced by a sentence in each empty part of the page`() throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .personAdded(Person(id: Self.anna, version: 1)))
    let path = "\(directory.path)/own"
    let summary = try timeline.logbook.writeOwnData(of: Self.anna, pictures: [], to: path)
    let page = String(decoding: readFile("\(path)/my-data.html"), as: UTF8.self)
    #expect(
      page.split(separator: "<h1>").last.map(String.init) == """
        Recorded data about anna</h1>
        <h2>Alarms</h2>
        <p>None.</p>
        <h2>Prompts</h2>
        <p>None.</p>
        <h2>Answers</h2>
        <p>None.</p>
        <h2>Diary</h2>
        <p>None.</p>
        </body></html>

        """)
    #expect(summary.throughSequence == 1 && summary.headHash == timeline.logbook.head.hash)
    #expect(summary.firstBadSequence == nil && summary.files.last?.name == "datapackage.json")
    #expect(summary.files.last?.sha256 == summary.manifestSHA256)
    #expect(
      summary.files.map(\.name).sorted() == TemporaryDirectory.list(path))
  }
}
