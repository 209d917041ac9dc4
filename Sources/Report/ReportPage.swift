/// The page of `prompter report`: one file that loads nothing and runs nothing.
public struct ReportPage {
  private let study: Study
  private let summary: Summary
  private let source: String

  /// Creates the page.
  ///
  /// - Parameter source: the source of the data, shown on the page: the manifest of the export.
  public init(_ study: Study, summary: Summary, source: String) {
    self.study = study
    self.summary = summary
    self.source = source
  }

  /// The whole page.
  public var html: String {
    let plots = Plots(study: study, summary: summary)
    var pictures = [
      plots.funnel, plots.phases, plots.completion, plots.latency, plots.rings, plots.heatMap,
      plots.persistence,
    ]
    pictures += plots.series + plots.rasters
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>A study of prompts</title><style>\(Self.style)</style></head><body>
      <h1>A study of prompts</h1>
      <p>\(Drawing.escaped(source))</p>
      \(pictures.map(\.svg).joined())
      <h2>What is counted, and what is not</h2>
      \(exclusions)
      <h2>By phase and person</h2>
      \(table)
      <h2>How it is counted</h2>
      \(Self.method)
      </body></html>

      """
  }

  private var exclusions: String {
    let rows = summary.rows.filter { row in
      row.phase == Summary.all && row.person == Summary.all
        && (row.measure.hasPrefix("excluded_") || row.measure.hasPrefix("not_asked_")
          || ["prompts", "planned", "asked"].contains(row.measure))
    }
    return "<div class=\"wide\"><table id=\"exclusions\"><tr><th>measure<th>prompts</tr>"
      + rows.map { "<tr><td>\(Drawing.escaped($0.measure))<td>\($0.n)</tr>" }.joined()
      + "</table></div>"
  }

  /// The measures that readers compare. summary.csv has all measures.
  private static let compared: [(measure: String, title: String)] = [
    ("prompts", "prompts"), ("planned", "planned"), ("asked", "asked"), ("delivered", "delivered"),
    ("answered", "answered"), ("completed", "completed"),
    ("completed_within_30_min", "within ±30 min"),
    ("first_ring_latency_s_median", "first ring, s"),
    ("answer_after_ring_s_median", "answer after ring, s"),
    ("completion_latency_min_median", "completion, min"), ("rings_to_answer_median", "rings"),
  ]

  /// The maximum number of people in the table.
  private static let mostPeople = 100

  private var table: String {
    var text = "<p>Prompts; the last four columns are medians.</p><div class=\"wide\">"
    text += "<table id=\"phases-table\"><tr><th>phase<th>person"
    text += Self.compared.map { "<th>\($0.title)" }.joined() + "</tr>"
    var groups: [(String, String)] = []
    for row in summary.rows where row.measure == "prompts" {
      groups.append((row.phase, row.person))
    }
    let people = Set(groups.map(\.1)).sorted().filter { $0 != Summary.all }
    let shown = Set(people.prefix(Self.mostPeople) + [Summary.all])
    for (phase, person) in groups where shown.contains(person) {
      text += "<tr><td>\(Drawing.escaped(phase))<td>\(Drawing.escaped(person))"
      for (measure, _) in Self.compared {
        text += "<td>\(cell(summary.row(measure, phase: phase, person: person)))"
      }
      text += "</tr>"
    }
    let rest = people.count - Self.mostPeople
    return text + "</table></div>"
      + (rest > 0 ? "<p>And \(rest) more people: see summary.csv.</p>" : "")
  }

  private func cell(_ row: SummaryRow?) -> String {
    guard let row else { return "" }
    guard row.of != nil else { return row.measure == "prompts" ? "\(row.n)" : row.value ?? "" }
    return "\(row.n)" + (row.value.map { " (\($0)\u{A0}%)" } ?? "")
  }

  private static let method = """
    <p>The same numbers are in summary.csv; analysis.py and analysis.R of the export compute them from
    prompts.csv alone.</p>
    <ul>
    <li><b>Excluded</b>: prompts that nobody was expected to complete: still open, in quiet hours, over the cap,
    paused, cancelled, replaced by an edit, or merely something that was said. The others are <b>planned</b>.</li>
    <li><b>Not asked</b>: the device could not: off, asleep, without a speaker or a clock. The others are
    <b>asked</b>, and shares of answers are shares of those. Prompts of a control phase are asked without a sound.</li>
    <li><b>Delivered</b>: at least one ring truly sounded.</li>
    <li><b>Within ±n minutes</b>: completed no more than n minutes before or after the due time.</li>
    <li><b>Quartiles</b> are those that R calls type 7.</li>
    <li><b>Persistence</b>: somebody has discontinued after the last day on which they answered, where at least
    seven days followed on the last of which they were still asked; others are censored.</li>
    </ul>
    """

  private static let style = """
    body{font:15px/1.45 sans-serif;max-width:60em;margin:1em auto;padding:0 1em;color:#1b1b1b}
    figure{margin:1.5em 0;break-inside:avoid}figcaption{font-weight:bold;margin-bottom:.4em}
    figure{overflow-x:auto}svg{width:100%;min-width:36em;height:auto;font-family:sans-serif}
    .wide{overflow-x:auto}table{border-collapse:collapse;font-size:11px}td,th{border:1px solid #999;padding:2px 6px;text-align:right}
    td:first-child,th:first-child,td:nth-child(2),th:nth-child(2){text-align:left}
    @media print{figure{overflow:visible}svg{min-width:0}.wide{overflow:visible}table{font-size:8px}body{font-size:11px;max-width:none}svg{max-height:22cm}}
    """
}
