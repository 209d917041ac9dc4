import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

/// Tests exact values of an export that no other test of an export checks.
@Suite struct `A value of the export` {
  private let directory = TemporaryDirectory()
  private static let dayMilliseconds: Int64 = 86_400_000

  private func export(
    _ timeline: Timeline, _ layout: ExportLayout = .frictionless,
    _ profile: ExportProfile = .identified
  ) throws -> String {
    let path = "\(directory.path)/\(layout)-\(profile)"
    _ = try timeline.logbook.writeExport(to: path, profile: profile, layout: layout)
    return path
  }

  /// Records a prompt that is due `day` days after the start. The prompt ends one second after its
  /// due time.
  private func add(
    _ alarm: Alarm, day: Int64, _ outcome: Outcome, second: Int64 = 0, _ timeline: inout Timeline
  ) throws {
    let prompt = timeline.prompt(alarm, due: day * 86_400 + second)
    try timeline.add(0, .planned(prompt))
    try timeline.add(
      day * Self.dayMilliseconds + (second + 1) * 1_000,
      .closed(prompt.id, outcome, reason: .none, .nothing))
  }

  @Test func `expected completions and their gaps are runs of days`() throws {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    var lunch = timeline.alarm("lunch")
    lunch.isAnnouncement = true
    for alarm in [alarm, lunch] { try timeline.add(0, .alarmCreated(alarm)) }
    try add(lunch, day: 0, .completed, &timeline)
    let days: [(Int64, Outcome)] = [
      (0, .completed), (2, .completed), (3, .declined), (4, .missedNoResponse),
      (6, .missedDeviceOff), (7, .missedDeviceOff), (8, .unknownCrash), (10, .unknownCrash),
      (11, .suppressedPaused),
    ]
    for (day, outcome) in days { try add(alarm, day: day, outcome, &timeline) }
    try add(alarm, day: 4, .completedOutOfWindow, second: 60, &timeline)
    // A prompt that is not due yet does not count. An open prompt that is due counts.
    try timeline.add(0, .planned(timeline.prompt(alarm, due: 12 * 86_400)))
    let open = timeline.prompt(alarm, due: 13 * 86_400)
    try timeline.add(0, .planned(open))
    try timeline.add(13 * Self.dayMilliseconds, .due(open.id, lateMilliseconds: 0))
    let path = try export(timeline, .cleanadh)
    func rows(_ name: String, _ columns: [String]) -> [[String]] {
      Table("\(path)/\(name).csv").rows.map { row in columns.map { row[$0] ?? "?" } }
    }
    #expect(
      rows("Regimen", ["Monitor", "ExpectedOpenings", "StartDate", "EndDate"]) == [
        ["pills", "1", "2027-01-15", "2027-01-15"], ["pills", "0", "2027-01-16", "2027-01-16"],
        ["pills", "1", "2027-01-17", "2027-01-18"], ["pills", "2", "2027-01-19", "2027-01-19"],
        ["pills", "0", "2027-01-20", "2027-01-20"], ["pills", "1", "2027-01-21", "2027-01-23"],
        ["pills", "0", "2027-01-24", "2027-01-24"], ["pills", "1", "2027-01-25", "2027-01-25"],
        ["pills", "0", "2027-01-26", "2027-01-27"], ["pills", "1", "2027-01-28", "2027-01-28"],
      ])
    #expect(
      rows("NonMonitoredPeriods", ["Monitor", "StartDate", "EndDate", "Comments"]) == [
        ["pills", "2027-01-21", "2027-01-22", "missed_device_off"],
        ["pills", "2027-01-23", "2027-01-23", "unknown_crash"],
        ["pills", "2027-01-25", "2027-01-25", "unknown_crash"],
      ])
    #expect(
      rows("EMInfo", ["Monitor", "StartDate", "EndDate"]) == [
        ["pills", "2027-01-15", "2027-01-28"]
      ])
    #expect(
      rows("eventlist", ["Monitor", "Date"]).sorted { $0[1] < $1[1] } == [
        ["pills", "2027-01-15 08:00:01"], ["pills", "2027-01-17 08:00:01"],
        ["pills", "2027-01-19 08:01:01"],
      ])
  }

  private static let scale = Question(
    name: "pain", text: "Pain?", kind: .scale(0...10), isRequired: true)
  private static let number = Question(
    name: "pain", text: "Pain?", kind: .number(unit: .one, -1...10), isRequired: false)
  private static let mood = Question(name: "mood", text: "Mood?", kind: .mood, isRequired: false)
  private static let yesNo = Question(name: "ok", text: "Well?", kind: .yesNo, isRequired: true)
  private static let words = Question(name: "note", text: "Note?", kind: .text, isRequired: false)
  private static let food = Question(
    name: "food", text: "Food?",
    kind: .choices([Choice(name: "tea", text: "Tea"), Choice(name: "milk", text: "Milk")]),
    isRequired: false)
  private static let fever = Question(
    name: "fever", text: "Fever?", kind: .temperature(.fahrenheit), isRequired: false)

  @Test func `each kind of question has its range, unit and choices, and a version of its words`()
    throws
  {
    var timeline = try Timeline(in: directory)
    var alarm = timeline.alarm("pills")
    let questions = [
      Self.scale, Self.mood, Self.yesNo, Self.words, Self.food, Self.fever,
    ]
    alarm.checkIn = CheckIn(questions: questions, holdsCompletion: false)
    try timeline.add(0, .alarmCreated(alarm))
    // In version 2, the question about the mood has other words than in version 1. In version 3,
    // the question about the pain has a different type than in version 2.
    alarm.version = 2
    alarm.checkIn?.questions[1].text = "How are you?"
    alarm.checkIn?.questions.removeLast(3)
    try timeline.add(1, .alarmEdited(alarm))
    alarm.version = 3
    alarm.checkIn?.questions[0] = Self.number
    alarm.checkIn?.questions.removeLast()
    try timeline.add(2, .alarmEdited(alarm))
    var other = timeline.alarm("walk")
    other.checkIn = CheckIn(questions: [Self.mood], holdsCompletion: true)
    try timeline.add(3, .alarmCreated(other))
    let columns = [
      "alarm_id", "alarm_version", "item", "position", "wording_version", "kind", "low", "high",
      "unit", "choices", "is_required", "wording",
    ]
    let rows = Table("\(try export(timeline))/instruments.csv").rows.map { row in
      columns.map { row[$0] ?? "?" }.joined(separator: " ")
    }
    #expect(
      rows == [
        "pills 1 pain 1 1 scale 0.0 10.0   true Pain?",
        "pills 1 mood 2 1 mood 0.0 2.0  bad|fair|good false Mood?",
        "pills 1 ok 3 1 yes_no 0.0 1.0  no|yes true Well?",
        "pills 1 note 4 1 text     false Note?",
        "pills 1 food 5 1 choices    tea|milk false Food?",
        "pills 1 fever 6 1 temperature 86.0 113.0 [degF]  false Fever?",
        "pills 2 pain 1 1 scale 0.0 10.0   true Pain?",
        "pills 2 mood 2 2 mood 0.0 2.0  bad|fair|good false How are you?",
        "pills 2 ok 3 1 yes_no 0.0 1.0  no|yes true Well?",
        "pills 3 pain 1 2 number -1.0 10.0 1  false Pain?",
        "pills 3 mood 2 2 mood 0.0 2.0  bad|fair|good false How are you?",
        "walk 1 mood 1 1 mood 0.0 2.0  bad|fair|good false Mood?",
      ])
  }

  @Test func `an answer for m-Path is in the column of its kind, and the people are numbered`()
    throws
  {
    var timeline = try Timeline(in: directory)
    var (first, second) = (timeline.alarm("a"), timeline.alarm("b", of: "bob"))
    first.checkIn = CheckIn(questions: [Self.scale, Self.mood, Self.yesNo], holdsCompletion: false)
    second.checkIn = CheckIn(
      questions: [Self.number, Self.words, Self.food, Self.mood], holdsCompletion: false)
    var lunch = timeline.alarm("lunch")
    lunch.isAnnouncement = true
    for alarm in [first, second, lunch] { try timeline.add(0, .alarmCreated(alarm)) }
    let answers: [(Alarm, [Response])] = [
      (
        first,
        [
          Response(question: "pain", number: 1, value: .number(6)),
          Response(question: "pain", number: 2, value: .number(7)),
          Response(question: "mood", number: 1, value: .mood(.good)),
          Response(question: "ok", number: 1, value: .flag(true)),
        ]
      ),
      (
        second,
        [
          Response(question: "pain", number: 1, value: .number(3.5), unit: "1"),
          Response(question: "note", number: 1, value: .text("fine")),
          Response(question: "food", number: 1, value: .choices(["tea", "milk"])),
          Response(question: "mood", number: 1, value: .mood(.bad)),
        ]
      ),
      (lunch, []),
    ]
    for (place, (alarm, responses)) in answers.enumerated() {
      let prompt = timeline.prompt(alarm, due: Int64(place))
      try timeline.add(0, .planned(prompt))
      for response in responses { try timeline.add(1, .response(prompt.id, response)) }
      try timeline.add(2, .closed(prompt.id, .completed, reason: .none, .nothing))
    }
    let path = try export(timeline, .mpath)
    let text = String(decoding: readFile("\(path)/mpath_basic.csv"), as: UTF8.self)
    let lines = text.split(separator: "\n").map { line in
      line.split(separator: ";", omittingEmptySubsequences: false).map { cell in
        let isQuoted = cell.hasPrefix("\"")
        return (isQuoted ? String(cell.dropFirst().dropLast()) : String(cell))
          .replacing("\"\"", with: "\"")
      }
    }
    let columns = [
      "pain_sliderNeutralPos_int", "mood_sliderNeutralPos_int", "ok_yesno_int",
      "pain_sliderNeutralPos_doubleList", "note_open_string", "food_multipleChoice_stringList",
    ]
    #expect(lines.map { Array($0.suffix(6)) }.first == columns)
    #expect(
      lines.dropFirst().map { [$0[0], $0[9]] + $0.suffix(6) } == [
        ["1", "a", "7", "2", "1", "", "", ""],
        ["2", "b", "", "0", "", "3.5", "fine", "\"tea\",\"milk\""],
      ])
  }

  @Test func `a prompt has the least reliable clock state and the largest error of its events`()
    throws
  {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    let cases: [([(ClockState, Int?)], state: String, error: String)] = [
      ([(.synced, nil), (.synced, nil)], "synced", ""),
      ([(.synced, 0), (.synced, nil)], "synced", "0"),
      ([(.synced, 4), (.synced, 3)], "synced", "4"), ([(.synced, 3), (.synced, 4)], "synced", "4"),
      ([(.unsynced, nil), (.synced, 2)], "unsynced", "2"),
      ([(.unsynced, nil), (.unset, nil)], "unset", ""),
      ([(.unset, nil), (.unsynced, 1)], "unset", "1"),
    ]
    for (place, (readings, _, _)) in cases.enumerated() {
      let prompt = timeline.prompt(alarm, due: Int64(place))
      let events: [Event] = [
        .planned(prompt), .closed(prompt.id, .cancelledBeforeDue, reason: .none, .nothing),
      ]
      for (event, (state, error)) in zip(events, readings) {
        try timeline.add(1_000, event, clock: state, errorMilliseconds: error)
      }
    }
    let rows = Table("\(try export(timeline))/prompts.csv").rows
      .sorted { ($0["due_utc"] ?? "") < ($1["due_utc"] ?? "") }
    #expect(rows.map { $0["clock_state"] } == cases.map(\.state))
    #expect(rows.map { $0["clock_error_ms"] } == cases.map(\.error))
  }

  @Test func `without the plan of a study, a prompt has the last phase and the first study`() throws
  {
    var timeline = try Timeline(in: directory)
    let alarm = timeline.alarm("pills")
    try timeline.add(0, .alarmCreated(alarm))
    let prompt = timeline.prompt(alarm, due: 0)
    try timeline.add(1, .planned(prompt), phase: .prompted)
    try timeline.add(2, .due(prompt.id, lateMilliseconds: 0), phase: .prompted, study: "one")
    try timeline.add(
      3, .closed(prompt.id, .completed, reason: .none, .nothing), phase: .control, study: "two")
    let rows = Table("\(try export(timeline))/prompts.csv").rows
    #expect(rows.map { $0["phase"] } == ["control"] && rows.map { $0["study_id"] } == ["one"])
  }

  @Test func `the code of a participant in the first row of the record is exported`() throws {
    var timeline = try Timeline(in: directory)
    let enrolment = Enrolment(study: "trial", pseudonym: "A-017", from: timeline.start)
    try timeline.add(0, .enrolled(PersonID("anna"), enrolment))
    let rows = Table("\(try export(timeline, .frictionless, .limited))/participants.csv").rows
    #expect(rows.map { $0["participant"] } == ["A-017"] && rows.map { $0["seq"] } == ["1"])
  }
}
