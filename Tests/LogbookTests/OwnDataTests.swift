import Alarms
import CivilTime
import GRDB
import StudyExport
import Testing

@testable import Logbook

@Suite struct `A person's own data` {
  private let directory = TemporaryDirectory()
  private static let day = CivilDate(dayNumber: 20_790)

  /// Records all kinds of events of an alarm of this person. Each text contains `word`.
  private func live(
    _ person: PersonID, _ word: String, _ history: inout History, _ logbook: Logbook
  ) throws -> Prompt {
    history.word = word
    var alarm = try history.alarm()
    alarm.person = person
    alarm.instructions = "\(word) how"
    let prompt = history.prompt(alarm)
    let ring = Ring(
      number: 1, index: 0, gainDecibels: -6, toneSHA256: nil, dueAt: prompt.dueAt,
      intendedAt: prompt.dueAt)
    let events: [Event] = [
      .personAdded(Person(id: person, version: 1, name: "\(word) name")),
      .enrolled(person, Enrolment(study: "trial", pseudonym: word, arm: "AB", from: prompt.dueAt)),
      .alarmCreated(alarm), .planned(prompt), .due(prompt.id, lateMilliseconds: 0),
      .ringIntent(prompt.id, ring, deadline: prompt.dueAt.adding(seconds: 60)),
      .ringStarted(prompt.id, number: 1, device: "\(word) device"),
      .escalated(prompt.id, position: 0, contact: "CONTACT", reason: .noAnswer),
      .response(prompt.id, Response(question: "note", number: 1, value: .text("\(word) <answer>"))),
      .closed(prompt.id, .completed, reason: .none, .nothing),
      .diary(
        DiaryEntry(
          person: person, subject: .day(Self.day), completion: 2, burden: nil, note: "\(word) day",
          number: 1)),
      .diary(
        DiaryEntry(
          person: person, subject: .prompt(prompt.id), completion: 3, burden: 1,
          note: "\(word) prompt", number: 1)),
      .diary(
        DiaryEntry(
          person: person, subject: .day(Self.day), completion: 1, burden: 4, note: "\(word) again",
          number: 2)),
      .withdrawn(person, Withdrawal(reason: "\(word) reason")),
    ]
    for event in events { try history.write(event, into: logbook) }
    return prompt
  }

  private func both() throws -> (logbook: Logbook, prompt: Prompt) {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 5)
    let anna = try live(PersonID("MINE"), "MINE", &history, logbook)
    _ = try live(PersonID("CANARY"), "CANARY", &history, logbook)
    try history.write(.toneAdded(history.tone()), into: logbook)
    try history.write(.heartbeat, into: logbook)
    return (logbook, anna)
  }

  @Test func `it contains all recorded words of the person and nothing of another person`() throws {
    let (logbook, prompt) = try both()
    let path = "\(directory.path)/mine"
    let picture = OwnPicture(name: "picture-1.png", bytes: [1, 2, 3])
    _ = try logbook.writeOwnData(of: PersonID("MINE"), pictures: [picture], to: path)
    let files = TemporaryDirectory.list(path)
    let all = Dictionary(
      uniqueKeysWithValues: files.map {
        ($0, String(decoding: readFile("\(path)/\($0)"), as: UTF8.self))
      })
    let caretakerEvents = try logbook.events(after: 0, limit: .max).filter {
      $0.actorRole == "caretaker"
    }
    #expect(!caretakerEvents.isEmpty)
    let other = try #require(
      try logbook.pool.read { try Logbook.readPseudonyms(in: $0)[PersonID("CANARY")] })
    for secret in ["CANARY", "CONTACT", other, "uid:1000"] {
      let found = all.filter { $0.key != "codebook.csv" && $0.value.contains(secret) }.keys.sorted()
      #expect(found == [], "\(secret)")
    }
    let page = try #require(all["my-data.html"])
    for words in ["MINE", "how", "&lt;answer&gt;", "day", "prompt", "Done in time"] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!page.contains("<answer>") && page.contains("picture-1.png"))
    let prompts = Table("\(path)/prompts.csv").rows
    #expect(prompts.map { $0["prompt_id"] } == [prompt.id.description])
    #expect(Table("\(path)/rings.csv").rows.count == 1)
    #expect(Table("\(path)/responses.csv").rows.map { $0["words"] } == ["MINE <answer>"])
    #expect(Table("\(path)/participants.csv").rows.map { $0["reason"] } == ["MINE reason"])
    #expect(Table("\(path)/diary.csv").rows.count == 3)
    #expect(!files.contains("gaps.csv") && !files.contains("tones.csv"))
    #expect(throws: LogbookError.self) {
      try logbook.writeOwnData(of: PersonID("nobody"), pictures: [], to: path + "2")
    }
    guard run("python3 -c 'import frictionless'").status == 0 else { return }
    let found = run(
      "python3 -c 'import frictionless, sys; r = frictionless.validate(sys.argv[1]); "
        + "print(r.valid, r.flatten([\"title\", \"message\"])[:5])' \(path)/datapackage.json")
    #expect(found.output == "True []\n")
  }

  /// The text of the page that the next test expects. The text begins with the heading of the page.
  private static let page = """
    Recorded data about anna</h1>
    <h2>Alarms</h2>
    <table><thead><tr><th>Set on<th>Label<th>Instructions<th>Schedule</thead><tbody>
    <tr><td>2027-01-15 07:59<td>Pills<td>with &lt;water&gt;<td>every day
    </tbody></table>
    <h2>Prompts</h2>
    <table><thead><tr><th>Due<th>Label<th>Outcome<th>Ended<th>Rings</thead><tbody>
    <tr><td>2027-01-15 08:00<td>Pills<td>Done in time: within the late window, or before the \
    deadline that the answer &quot;on my way&quot; set<td>2027-01-15 08:01<td>0
    <tr><td>2027-01-15 08:01<td>Pills<td>Open<td><td>1
    </tbody></table>
    <h2>Answers</h2>
    <table><thead><tr><th>When<th>Question<th>Answer<th>By</thead><tbody>
    <tr><td>2027-01-15 08:00<td>weight<td>61.5 kg<td>patient
    <tr><td>2027-01-15 08:00<td>mood<td>good <td>patient
    <tr><td>2027-01-15 08:00<td>note<td>tired &amp; cold <td>patient
    </tbody></table>
    <h2>Diary</h2>
    <table><thead><tr><th>Day or prompt<th>Done (0 to 3)<th>Burden (0 to 4)<th>Note</thead><tbody>
    <tr><td>1970-01-02<td>2<td><td>ok
    <tr><td>pills@2027-01-15T08:00:00<td>2<td>4<td>ok
    </tbody></table>
    </body></html>

    """

  @Test func `the page has a row for each alarm, prompt, answer and diary entry`() throws {
    var timeline = try Timeline(in: directory)
    var alarm = timeline.alarm("pills")
    (alarm.instructions, alarm.phrase) = ("with <water>", "every day")
    let prompts = (0..<3).map { timeline.prompt(alarm, due: $0 * 60) }
    let anna = PersonID("anna")
    try timeline.add(-60_000, .alarmCreated(alarm))
    for prompt in prompts { try timeline.add(-1, .planned(prompt)) }
    func respond(_ question: String, _ value: Response.Value, _ unit: String? = nil) throws {
      let response = Response(question: question, number: 1, value: value, unit: unit)
      try timeline.add(1_000, .response(prompts[0].id, response), by: Timeline.patient)
    }
    try respond("weight", .number(61.5), "kg")
    try respond("mood", .mood(.good))
    try respond("note", .text("tired & cold"))
    try timeline.add(65_000, .closed(prompts[0].id, .completed, reason: .none, .nothing))
    try timeline.add(65_001, .due(prompts[1].id, lateMilliseconds: 0))
    let ring = Ring(
      number: 1, index: 0, gainDecibels: -6, toneSHA256: nil, dueAt: prompts[1].dueAt,
      intendedAt: prompts[1].dueAt)
    try timeline.add(65_002, .ringIntent(prompts[1].id, ring, deadline: timeline.at(99_000)))
    try timeline.add(65_003, .ringStarted(prompts[1].id, number: 1, device: "card"))
    for (subject, burden) in [
      (.day(CivilDate(dayNumber: 1)), nil), (.prompt(prompts[0].id), 4),
    ] as [(DiaryEntry.Subject, Int?)] {
      let entry = DiaryEntry(
        person: anna, subject: subject, completion: 2, burden: burden, note: "ok", number: 1)
      try timeline.add(70_000, .diary(entry))
    }
    let path = "\(directory.path)/page"
    _ = try timeline.logbook.writeOwnData(of: anna, pictures: [], to: path)
    let page = String(decoding: readFile("\(path)/my-data.html"), as: UTF8.self)
    #expect(page.split(separator: "<h1>").last.map(String.init) == Self.page)
    _ = try timeline.logbook.writeOwnData(
      of: anna, pictures: [OwnPicture(name: "a.png", bytes: [1])], to: path + "2")
    let other = String(decoding: readFile("\(path)2/my-data.html"), as: UTF8.self)
    #expect(other.hasSuffix("<h2>Pictures</h2>\n<p><img src=\"a.png\" alt=\"\">\n</body></html>\n"))
  }

  @Test func `a diary is a table with its corrections in order, and the newest entry is marked`()
    throws
  {
    let (logbook, prompt) = try both()
    func rows(_ profile: ExportProfile) throws -> [[String: String]] {
      let path = "\(directory.path)/\(profile)"
      _ = try logbook.writeExport(to: path, profile: profile)
      return Table("\(path)/diary.csv").rows
    }
    let all = try rows(.identified)
    #expect(all.count == 6)
    let mine = all.prefix(3)
    #expect(mine.map { $0["about_local"] } == [Self.day.description, "", Self.day.description])
    #expect(mine.map { $0["prompt_id"] } == ["", prompt.id.description, ""])
    #expect(mine.map { $0["number"] } == ["1", "1", "2"])
    #expect(mine.map { $0["is_current"] } == ["false", "true", "true"])
    #expect(mine.map { $0["completion"] } == ["2", "3", "1"])
    #expect(mine.map { $0["burden"] } == ["", "1", "4"])
    #expect(mine.map { $0["note"] } == ["MINE day", "MINE prompt", "MINE again"])
    let safe = try rows(.safeHarbor)
    #expect(safe[0]["note"] == nil && safe[0]["about_local"] == nil)
    #expect(safe.map { $0["is_current"] } == all.map { $0["is_current"] })
  }

  @Test func `a withdrawal is listed with its day, its reason and the data that are kept`() throws {
    let (logbook, _) = try both()
    var history = History(seed: 77)
    func rows(_ name: String) throws -> [[String: String]] {
      _ = try logbook.writeExport(to: "\(directory.path)/\(name)", profile: .identified)
      return Table("\(directory.path)/\(name)/participants.csv").rows
        .sorted { ($0["seq"] ?? "") < ($1["seq"] ?? "") }
    }
    var found = try rows("before")
    #expect(found.map { $0["kept"] } == ["all", "all"])
    #expect(Set(found.map { $0["reason"] }) == ["MINE reason", "CANARY reason"])
    #expect(found.allSatisfy { $0["withdrawn_utc"]?.hasPrefix("2026-") == true })
    try logbook.record([history.record(.erased(.words(PersonID("MINE"))))], StateDelta())
    found = try rows("after")
    #expect(Set(found.map { $0["kept"] }) == ["no_words", "all"])
    #expect(Set(found.map { $0["reason"] }) == ["", "CANARY reason"])
  }

  @Test func `an undone answer does not count anywhere`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 8)
    let alarm = try history.alarm()
    let prompt = history.prompt(alarm)
    for event: Event in [
      .alarmCreated(alarm), .planned(prompt), .due(prompt.id, lateMilliseconds: 0),
      .closed(prompt.id, .completed, reason: .none, .nothing),
    ] { try history.write(event, into: logbook) }
    let answered = try #require(try logbook.events(after: 3, limit: 1).first?.wallMilliseconds)
    try history.write(
      .corrected(
        prompt.id,
        Correction(
          undone: .completed, answeredAt: Instant(milliseconds: answered),
          state: .waiting(ring: 0, at: prompt.dueAt))), into: logbook)
    func row(_ name: String) throws -> [String: String] {
      _ = try logbook.writeExport(to: "\(directory.path)/\(name)", profile: .limited)
      return try #require(Table("\(directory.path)/\(name)/prompts.csv").rows.first)
    }
    var found = try row("undone")
    for column in [
      "first_answer", "first_answer_role", "first_answer_source", "answered_utc",
      "answer_latency_ms",
      "completion_latency_ms", "rings_to_answer", "outcome", "closed_utc", "closed_role",
    ] { #expect(found[column] == "", "\(column)") }
    #expect(found["corrections"] == "1" && found["state"] == "open")
    try history.write(.closed(prompt.id, .declined, reason: .away, .nothing), into: logbook)
    found = try row("again")
    #expect(found["first_answer"] == "declined" && found["completion_latency_ms"] == "")
    #expect(try logbook.verify().isOK)
  }
}
