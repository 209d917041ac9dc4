import StudyExport
import Testing

@testable import Report

@Suite struct `A report` {
  private static let header =
    "prompt_id,person,phase,due_local,outcome,is_delivered,first_answer,completion_latency_ms,"
    + "first_ring_latency_ms,answer_after_ring_ms,rings_to_answer\n"

  private func study(_ rows: String, gaps: String = "") throws -> Study {
    var study = Study()
    for (file, text) in [("prompts.csv", Self.header + rows), ("gaps.csv", gaps)] {
      var reader = CSVTableReader()
      try reader.feed(Array(text.utf8)) { study.add($0, of: file) }
    }
    return study
  }

  @Test func `prompts that nobody could complete or hear are counted and left out`() throws {
    let summary = try study(
      """
      1,P-a,prompted,2026-12-01T08:00:00.000,completed,true,completed,600000,40,599000,3
      2,P-a,prompted,2026-12-02T08:00:00.000,completed_out_of_window,true,completed,4000000,20,1000,1
      3,P-a,control,2026-12-03T08:00:00.000,suppressed_control_phase,false,,,,,
      4,P-a,prompted,2026-12-04T08:00:00.000,missed_device_off,false,,,,,
      5,P-a,prompted,2026-12-05T08:00:00.000,superseded_by_edit,false,,,,,
      6,P-a,,2026-12-06T08:00:00.000,,false,,,,,

      """
    ).summary
    func n(_ measure: String, _ phase: String = "all") -> Int? {
      summary.row(measure, phase: phase)?.n
    }
    #expect(n("prompts") == 6 && n("planned") == 4 && n("asked") == 3 && n("delivered") == 2)
    #expect(n("excluded_open") == 1 && n("excluded_superseded_by_edit") == 1)
    #expect(n("not_asked_missed_device_off") == 1)
    #expect(n("completed") == 2 && n("completed_within_15_min") == 1)
    #expect(summary.row("completed")?.value == "66.7")
    #expect(n("asked", "control") == 1 && n("completed", "control") == 0)
    #expect(n("prompts", "none") == 1)
    #expect(summary.row("completion_latency_min_median")?.value == "38.3")
    #expect(summary.row("first_ring_latency_s_q1")?.value == "0.0")
  }

  @Test func `a word has the same share everywhere, and the codebook lists every measure`() throws {
    let study = try study(
      """
      1,P-a,prompted,2026-12-01T08:00:00.000,completed,true,completed,600000,40,599000,3
      2,P-a,prompted,2026-12-02T08:00:00.000,declined,true,declined,,20,1000,1
      3,P-a,prompted,2026-12-04T08:00:00.000,missed_device_off,false,,,,,
      4,P-a,prompted,2026-12-05T08:00:00.000,superseded_by_edit,false,,,,,

      """)
    let summary = study.summary
    let page = ReportPage(study, summary: summary, estimates: study.estimates, source: "").html
    for text in [
      "3 of 4 prompts, 75.0 %", "2 of 3 planned, 66.7 %", "2 of 2 asked, 100.0 %",
      "1 of 2 asked, 50.0 %",
    ] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(summary.row("completed")?.value == "50.0")
    #expect(!page.contains("1 of 3"))
    let measures = summary.rows.filter { $0.phase == "all" && $0.person == "all" }.map(\.measure)
    #expect(measures == ExportTable.measures.filter { $0 != ExportTable.monitored })
    #expect(Summary.header == ExportTable.summary.columns.map(\.name).joined(separator: ","))
  }

  @Test func `the monitored time is summed by person and phase, and small numbers can be hidden`()
    throws
  {
    var study = try study(
      (1...9).map {
        "\($0),P-a,\($0 < 4 ? "control" : "prompted"),2026-12-0\($0)T08:00:00.000,completed,true,,60000,,,\n"
      }.joined())
    var reader = CSVTableReader()
    let phases = """
      person,phase_no,phase,monitored_s
      P-a,1,prompted,90000
      P-a,2,prompted,3600
      P-a,3,control,0
      P-b,1,prompted,7200

      """
    try reader.feed(Array(phases.utf8)) { study.add($0, of: "phases.csv") }
    let summary = study.summary
    for (phase, n, hours) in [("all", 2, "26.0"), ("prompted", 2, "26.0"), ("control", 0, "0.0")] {
      // P-b has no prompt that counts, so the hours of all people are the hours of P-a.
      for person in ["all", "P-a"] {
        let row = summary.row(ExportTable.monitored, phase: phase, person: person)
        #expect(row?.n == n && row?.value == hours && row?.isSmall == false, "\(phase) \(person)")
      }
    }
    let (whole, hidden) = (summary.csv(), summary.csv(suppressesSmall: true))
    #expect(whole.contains("\ncontrol,all,completed,3,3,100.0,true\n"))
    #expect(hidden.contains("\ncontrol,all,completed,,,,true\n"))
    #expect(hidden.contains("\nprompted,all,completed,6,6,100.0,false\n"))
    #expect(whole.contains("\nall,all,completed,9,9,100.0,false\n"))
    let lines = hidden.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(lines.allSatisfy { $0.count == 7 && ($0[3].isEmpty == ($0[6] == "true")) })
  }

  @Test func `quantiles are of type 7`() {
    #expect(Summary.quantile([], quarter: 2) == nil)
    #expect(Summary.quantile([5], quarter: 3) == 5)
    #expect((1...3).map { Summary.quantile([1, 2, 3, 4], quarter: $0) } == [1.75, 2.5, 3.25])
    #expect(Summary.decimal(0.25) == "0.2" && Summary.decimal(-0.35) == "-0.3")
  }

  @Test
  func `a person who stops answering for a week has discontinued on the last day with an answer`()
    throws
  {
    func row(_ person: String, _ day: Int, _ isAnswered: Bool) -> String {
      "x,\(person),,2026-12-\(day < 10 ? "0" : "")\(day)T08:00:00.000,"
        + "\(isAnswered ? "completed" : "missed_no_response"),true,\(isAnswered ? "completed" : ""),,,,\n"
    }
    var rows = ""
    for day in 1...20 {
      rows += row("P-a", day, day <= 5) + row("P-b", day, true) + row("P-c", day, day <= 14)
    }
    let persistence = Persistence(try study(rows).prompts)
    #expect(
      Set(persistence.people) == [
        Persistence.Person(days: 5, isEvent: true), Persistence.Person(days: 20, isEvent: false),
      ])
    #expect(persistence.people.count == 3)
    #expect(persistence.survival(before: 7) == 1 - 1.0 / 3)
    #expect(persistence.survival(before: 5) == 1)
  }

  @Test func `the days of a control phase do not count for persistence`() throws {
    func row(_ person: String, _ day: Int, _ phase: String, _ isAnswered: Bool) -> String {
      "x,\(person),\(phase),2026-12-\(day < 10 ? "0" : "")\(day)T08:00:00.000,"
        + "\(isAnswered ? "completed" : "missed_no_response"),true,\(isAnswered ? "completed" : ""),,,,\n"
    }
    var rows = ""
    for day in 1...24 {
      // P-a does not answer in the control phase of ten days. P-a answers once more, two days
      // before the last day.
      rows += row("P-a", day, (6...15).contains(day) ? "control" : "prompted", day <= 5)
      // P-b does not answer after day 7. The days 16 to 24 are nine days with prompts outside the
      // control phase.
      rows += row("P-b", day, (6...15).contains(day) ? "control" : "prompted", day <= 7)
      rows += row("P-c", day, "control", false)
    }
    rows += row("P-a", 22, "prompted", true)
    let persistence = Persistence(try study(rows).prompts)
    #expect(
      Set(persistence.people) == [
        Persistence.Person(days: 14, isEvent: false), Persistence.Person(days: 5, isEvent: true),
      ])
  }

  @Test func `the page loads nothing, runs nothing and escapes its values`() throws {
    let study = try study(
      "1,<script>&,\"a\"\"b\",2026-12-01T08:00:00.000,completed,true,completed,1,2,3,1\n")
    let html = ReportPage(study, summary: study.summary, estimates: study.estimates, source: "<b>")
      .html
    #expect(!html.contains("<script") && !html.contains("src=") && !html.contains("href="))
    #expect(html.components("http") == 2 && html.contains("&lt;script&gt;&amp;"))
  }

  @Test func `an empty study still gives a page`() {
    let html = ReportPage(
      Study(), summary: Study().summary, estimates: Study().estimates, source: ""
    ).html
    for name in [
      "funnel", "completion", "latency", "rings", "heat", "raster", "persistence", "phases",
      "change", "time-to-answer", "overview",
    ] {
      #expect(html.contains("<figure id=\"\(name)\">"))
    }
  }
}

extension String {
  /// Returns the number of parts into which `word` divides the text.
  fileprivate func components(_ word: String) -> Int {
    split(separator: word, omittingEmptySubsequences: false).count
  }
}

@Suite struct `The prompts that a report counts` {
  private func study(_ rows: String) throws -> Study {
    var study = Study()
    var reader = CSVTableReader()
    let text = "prompt_id,study_id,person,due_local,outcome\n" + rows
    try reader.feed(Array(text.utf8)) { study.add($0, of: "prompts.csv") }
    var answers = CSVTableReader()
    let responses =
      "prompt_id,person,question,number,value_number,answered_local\n"
      + "1,P-a,pain,1,3,2026-12-01T08:00:00.000\n2,P-a,pain,1,4,2026-12-02T08:00:00.000\n"
    try answers.feed(Array(responses.utf8)) { study.add($0, of: "responses.csv") }
    return study
  }

  private static let one = """
    1,trial-1,P-a,2026-12-01T08:00:00.000,completed
    2,,P-a,2026-12-02T08:00:00.000,completed
    3,trial-1,P-b,2026-12-02T08:00:00.000,missed_no_response

    """

  @Test(arguments: [
    (true, Study.Selection.study("trial-1"), "1.0"), (true, .everybody, "6.0"),
    (false, .study("trial-1"), "7.0"), (false, .everybody, "7.0"),
  ])
  func `the monitored time of another study does not count`(
    namesStudies: Bool, selection: Study.Selection, hours: String
  ) throws {
    var chosen = try study(Self.one + "4,trial-2,P-a,2026-12-03T08:00:00.000,completed\n")
    // P-a does not allow the study "earlier" to use the data.
    let files = [
      "phases.csv": """
      person,phase_no,phase,monitored_s,study_id
      P-a,1,prompted,3600,earlier
      P-a,2,prompted,3600,trial-1
      P-a,3,control,7200,trial-2
      P-a,4,control,10800,

      """,
      "participants.csv": "person,study_id,arm,data_use\nP-a,earlier,,none\nP-a,trial-1,,\n",
    ]
    for (name, text) in files {
      var reader = CSVTableReader()
      let text = namesStudies ? text : text.replacing("monitored_s,study_id", with: "monitored_s,x")
      try reader.feed(Array(text.utf8)) { chosen.add($0, of: name) }
    }
    try chosen.select(selection)
    #expect(
      chosen.summary.row(ExportTable.monitored, phase: "all", person: "P-a")?.value == hours)
  }

  @Test func `the only study of an export is chosen, with its responses`() throws {
    var chosen = try study(Self.one)
    try chosen.select(.onlyStudy)
    #expect(chosen.prompts.map(\.id) == ["1", "3"])
    #expect(chosen.responses["pain"]?.keys.sorted() == ["1"])
    #expect(chosen.selection.contains("Counted: 2 prompts of the study trial-1. Not"))
    #expect(chosen.selection.contains("Not counted: 1 other prompt."))
    var all = try study(Self.one)
    try all.select(.everybody)
    #expect(all.prompts.count == 3 && all.selection == "Counted: all 3 prompts.")
  }

  @Test func `one of several studies must be named, and an unknown one is refused`() throws {
    var several = try study(Self.one + "4,trial-2,P-c,2026-12-02T08:00:00.000,completed\n")
    #expect {
      try several.select(.onlyStudy)
    } throws: {
      "\($0)".contains("trial-1, trial-2") && "\($0)".contains("--study")
    }
    #expect(throws: StudyChoiceError.self) { try several.select(.study("trial-3")) }
    try several.select(.study("trial-2"))
    #expect(several.prompts.map(\.id) == ["4"])
    var none = try study("1,,P-a,2026-12-01T08:00:00.000,completed\n")
    try none.select(.onlyStudy)
    #expect(none.prompts.count == 1)
  }
}
