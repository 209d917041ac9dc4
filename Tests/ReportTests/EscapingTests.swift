import StudyExport
import Testing

@testable import Report

@Suite struct `Names in a report` {
  @Test func `put no markup into the page, in any column`() throws {
    let hostile = "\u{600}\"'><script>alert(1)</script>\u{301}"
    let cell = Summary.cell(hostile)
    let prompts =
      "prompt_id,person,phase,due_local,outcome,is_delivered,first_answer\n"
      + "1,\(cell),\(cell),2026-12-01T08:00:00.000,\(cell),true,completed\n"
    let responses =
      "prompt_id,person,question,unit,answered_local,value_number\n"
      + ["1", "nan", "inf", "1e300", "2"].enumerated().map {
        "\($0),\(cell),\(cell),\(cell),2026-12-01T08:00:00.000,\($1)\n"
      }.joined()
    let gaps =
      "cause,from_local,to_local\n\(cell),2026-12-01T08:00:00.000,2026-12-01T09:00:00.000\n"
    var study = Study()
    for (file, text) in [
      ("prompts.csv", prompts), ("gaps.csv", gaps), ("responses.csv", responses),
    ] {
      var reader = CSVTableReader()
      try reader.feed(Array(text.utf8)) { study.add($0, of: file) }
    }
    #expect(study.responses.count == 1 && study.responses.first?.value.count == 2)
    let html = ReportPage(
      study, summary: study.summary, estimates: study.estimates, source: hostile
    ).html
    #expect(!html.contains("<script") && !html.contains("'>"))
    #expect(html.contains("&lt;script&gt;") && html.contains("default-src 'none'"))
    #expect(html.contains("<figure id=\"series-"))
  }

  @Test func `do not end a cell of the summary`() {
    #expect(Summary.cell("P-a") == "P-a")
    #expect(Summary.cell("a,\u{301}b") == "\"a,\u{301}b\"")
    #expect(Summary.cell("a\"\u{301}\nb") == "\"a\"\"\u{301}\nb\"")
    #expect(Summary.cell("a\r\nb") == "\"a\r\nb\"")
  }
}
