import StudyExport
import Testing

@testable import Report

@Suite struct `The charts of a trial` {
  private static let header =
    "prompt_id,study_id,person,phase,due_local,due_utc,outcome,is_delivered,first_answer,"
    + "answer_latency_ms,closed_utc\n"

  private func study(_ rows: String, _ others: [String: String] = [:]) throws -> Study {
    var study = Study()
    for (file, text) in [("prompts.csv", Self.header + rows)]
      + others.sorted(by: { $0.key < $1.key })
    {
      var reader = CSVTableReader()
      try reader.feed(Array(text.utf8)) { study.add($0, of: file) }
    }
    return study
  }

  /// Returns a prompt that is due at 08:00 local time. After `minutes`, the person answers the
  /// prompt, or the prompt ends without an answer.
  private static func row(
    _ person: String, _ phase: String, day: Int, isAnswered: Bool, minutes: Int
  ) -> String {
    let date = "2026-12-\(day < 10 ? "0" : "")\(day)"
    let end = "\(date)T07:\(minutes < 10 ? "0" : "")\(minutes):00.000Z"
    return "\(person)\(day),t,\(person),\(phase),\(date)T08:00:00.000,\(date)T07:00:00.000Z,"
      + (isAnswered
        ? "completed,true,completed,\(minutes * 60_000),\(end)\n"
        : "missed_no_response,true,,,\(end)\n")
  }

  @Test func `the time to the answer is one minus the estimate of Kaplan and Meier`() throws {
    // Answers come after 1, 2, 2 and 10 minutes. Prompts without an answer end after 2, 5 and 30
    // minutes. In R, survfit gives 1 − S = 1/7, 3/7 and 1 − (4/7)(1/2).
    let times = [(1, true), (2, true), (2, true), (2, false), (5, false), (10, true), (30, false)]
    let rows = times.enumerated().map {
      Self.row("P-a", "prompted", day: $0 + 1, isAnswered: $1.1, minutes: $1.0)
    }
    let curve = AnswerCurve(try study(rows.joined()).prompts)
    #expect(curve.steps.map(\.minutes) == [1, 2, 10])
    for (step, share) in zip(curve.steps, [1.0 / 7, 3.0 / 7, 1 - 4.0 / 7 / 2]) {
      #expect(abs(step.share - share) < 1e-12)
    }
    #expect(curve.longest == 30 && [0, 2, 3, 30].map { curve.atRisk(at: $0) } == [7, 6, 3, 1])
    #expect(AnswerCurve([]).steps.isEmpty)
  }

  @Test func `people are sorted by their completed share`() throws {
    var rows = ""
    for (person, done) in [("P-a", 1), ("P-b", 4), ("P-c", 2)] {
      for day in 1...4 {
        rows += Self.row(
          person, day < 3 ? "control" : "prompted", day: day, isAnswered: day <= done, minutes: 5)
      }
    }
    let study = try study(rows)
    let plots = Plots(study: study, summary: study.summary)
    let overview = plots.overview.svg
    let places = try ["P-b", "P-c", "P-a"].map {
      try #require(overview.firstRange(of: ">\($0)<")).lowerBound
    }
    #expect(places == places.sorted() && overview.contains("P-c, day 2: 1 of 1"))
    // P-b completed every prompt. P-a completed fewer prompts in the second phase than in the first
    // phase.
    #expect(plots.change.svg.contains("n = 3 enrolled people"))
    #expect(plots.heatMaps.map(\.name) == ["heat", "heat-control", "heat-prompted"])
  }

  @Test func `each person has a panel with the range of the question`() throws {
    let responses =
      "prompt_id,person,question,number,value_number,answered_local\n"
      + "1,P-a,pain,1,3,2026-12-01T08:00:00.000\n2,P-b,pain,1,4,2026-12-02T08:00:00.000\n"
    let known = try study(
      "", ["responses.csv": responses, "instruments.csv": "item,low,high\npain,0,10\npain,0,5\n"])
    #expect(known.ranges["pain"]?.low == 0 && known.ranges["pain"]?.high == 10)
    let svg = try #require(Plots(study: known, summary: known.summary).series.first).svg
    #expect(svg.contains("range 0 to 10") && svg.contains(">P-a<") && svg.contains(">P-b<"))
    let unknown = try study("", ["responses.csv": responses])
    #expect(
      Plots(study: unknown, summary: unknown.summary).series[0].svg.contains("range 3 to 4"))
  }

  @Test func `a chart of columns merges small bins and keeps the total`() {
    func merged(_ counts: [Int]) -> [String] {
      let bins = counts.enumerated().map { ("\($0.offset)", $0.element) }
      return Plots.merged(bins) { first, last in
        "\(first.split(separator: "-")[0])-\(last.split(separator: "-").last!)"
      }.map { "\($0.0): \($0.1)" }
    }
    #expect(merged([5, 0, 9]) == ["0: 5", "1: 0", "2: 9"])
    #expect(merged([1, 0, 2, 3, 7]) == ["0-3: 6", "4: 7"])
    #expect(merged([8, 0, 2]) == ["0-2: 10"])
    #expect(merged([8, 4]) == ["0-1: 12"] && merged([4, 0, 4]) == ["0-2: 8"])
    #expect(merged([1, 2]).isEmpty && merged([0, 0, 3]).isEmpty && merged([]).isEmpty)
    for seed in 0..<500 {
      let counts = (0..<8).map { (seed * 7 + $0 * $0 * 13 + seed / 9) % 11 % 7 }
      let found = merged(counts).map { Int($0.split(separator: " ")[1]) ?? -1 }
      let total = counts.reduce(0, +)
      #expect(found.allSatisfy { $0 == 0 || $0 >= 5 }, "\(counts)")
      #expect(found.reduce(0, +) == (total < 5 ? 0 : total), "\(counts)")
    }
  }

  @Test func `with suppressed small numbers, the page shows no small number and no single person`()
    throws
  {
    // Each of the two people has 10 prompts in each phase. In each phase, P-a misses 2 of the 10
    // prompts, and P-b misses 5.
    var rows = ""
    for (person, missed) in [("P-a", 2), ("P-b", 5)] {
      for day in 1...20 {
        rows += Self.row(
          person, day <= 10 ? "control" : "prompted", day: day, isAnswered: day % 10 >= missed,
          minutes: day)
      }
    }
    let study = try study(rows)
    func page(_ suppressesSmall: Bool) -> String {
      ReportPage(
        study, summary: study.summary, estimates: study.estimates, source: "s",
        suppressesSmall: suppressesSmall
      ).html
    }
    let (whole, hidden) = (page(false), page(true))
    for id in ["change", "time-to-answer", "overview", "persistence", "heat", "rings-P-a"] {
      #expect(!hidden.contains("<figure id=\"\(id)\""))
    }
    for id in ["change", "time-to-answer", "overview", "persistence", "heat"] {
      #expect(whole.contains("<figure id=\"\(id)\""))
    }
    for id in ["funnel", "phases", "completion", "latency", "rings"] {
      #expect(hidden.contains("<figure id=\"\(id)\""))
    }
    // P-a completed 8 of 10 prompts. The 2 missed prompts are a small number. Because 10 − 8 is 2,
    // the page also hides the 8.
    #expect(whole.contains("<td>8 (80.0\u{A0}%)") && !hidden.contains("<td>8 (80.0\u{A0}%)"))
    #expect(hidden.contains("<td>5 (50.0\u{A0}%)") && hidden.contains("<td>small"))
    #expect(!hidden.contains("P-a, day") && hidden.contains("Small numbers are hidden"))
    #expect(!whole.contains("<td>small") && !whole.contains("Small numbers are hidden"))
  }

  @Test func `a larger share is always darker`() {
    let shades = [0.0, 0.25, 0.5, 0.75, 1].map(Drawing.shade)
    #expect(shades.first == "rgb(255,255,255)" && shades.last == "rgb(16,72,130)")
    let sums = shades.map { shade in
      shade.dropFirst(4).dropLast().split(separator: ",").compactMap { Int($0) }.reduce(0, +)
    }
    #expect(sums == sums.sorted(by: >))
  }
}
