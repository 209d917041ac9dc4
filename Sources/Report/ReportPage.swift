import StudyExport

/// The page of `prompter report`. The page is one file, loads no additional file and runs no
/// script.
public struct ReportPage {
  private let study: Study
  private let summary: Summary
  private let estimates: Estimates
  private let source: String
  private let suppressesSmall: Bool

  /// Creates the page of a report.
  ///
  /// - Parameters:
  ///   - source: a sentence that contains the last event, the head and the profile of the export.
  ///   - suppressesSmall: true if the page must hide numbers from 1 to 4, and must leave out the
  ///     charts that show single people or single prompts.
  public init(
    _ study: Study, summary: Summary, estimates: Estimates, source: String,
    suppressesSmall: Bool = false
  ) {
    self.study = study
    self.summary = summary
    self.estimates = estimates
    self.source = source
    self.suppressesSmall = suppressesSmall
  }

  /// The whole page as HTML.
  public var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Study report</title><style>\(Self.style)</style></head><body>
    <h1>Study report</h1>
    <p>\(HTMLText.escaped(source))</p>
    <h2>Estimates</h2>
    \(EstimatesTable(estimates: estimates, suppressesSmall: suppressesSmall).html)
    <h2>Charts</h2>
    \(suppressesSmall ? Self.leftOut : "")\(pictures.map(\.svg).joined())
    <h2>Included and excluded prompts</h2>
    \(exclusions)
    <h2>By phase and person</h2>
    \(table)
    <h2>Method</h2>
    \(Self.method)
    </body></html>

    """
  }

  /// The charts of the page. With `suppressesSmall`, the page has only the charts that show numbers
  /// of prompts. The other charts show single people, or show single prompts as steps of a curve.
  private var pictures: [Drawing] {
    let plots = Plots(study: study, summary: summary, suppressesSmall: suppressesSmall)
    let ofNumbers = [plots.funnel, plots.phases, plots.completion, plots.latency, plots.rings]
    if suppressesSmall { return ofNumbers }
    return [plots.change, plots.timeToAnswer, plots.overview] + ofNumbers + [plots.persistence]
      + plots.heatMaps + plots.series + plots.rasters
  }

  private static let leftOut = """
    <p>Small numbers are hidden: "\(Summary.hidden)" stands for a number from 1 to 4, or for a number that differs from
    its group by 1 to 4. The charts of single people and of single prompts are left out. Other numbers can still
    reveal a hidden number, for example if only one number of a sum is hidden.</p>

    """

  private var exclusions: String {
    let rows = summary.rows.filter { row in
      row.phase == Summary.all && row.person == Summary.all
        && (row.measure.hasPrefix("excluded_") || row.measure.hasPrefix("not_asked_")
          || ["prompts", "planned", "asked"].contains(row.measure))
    }
    return "<div class=\"wide\"><table id=\"exclusions\"><tr><th>measure<th>prompts</tr>"
      + rows.map {
        let n = suppressesSmall && $0.isSmall ? Summary.hidden : "\($0.n)"
        return "<tr><td>\(HTMLText.escaped($0.measure))<td>\(n)</tr>"
      }.joined()
      + "</table></div>"
  }

  /// The measures that the table of the page shows. The file summary.csv contains all measures.
  private static let compared: [(measure: String, title: String)] = [
    ("prompts", "prompts"), ("planned", "planned"), ("asked", "asked"), ("delivered", "delivered"),
    ("answered", "answered"), ("completed", "completed"),
    ("completed_within_30_min", "within ±30 min"),
    ("first_ring_latency_s_median", "first ring, s"),
    ("answer_after_ring_s_median", "answer after ring, s"),
    ("completion_latency_min_median", "completion, min"), ("rings_to_answer_median", "rings"),
    (ExportTable.monitored, "monitored, h"),
  ]

  /// The maximum number of people in the table "By phase and person". If there are more people than
  /// this maximum, the page says how many people are not in the table, and names the file
  /// summary.csv.
  private static let mostPeople = 100

  private var table: String {
    var text =
      "<p>Numbers of prompts. The last columns are medians, and the monitored hours.</p><div class=\"wide\">"
    text += "<table id=\"phases-table\"><tr><th>phase<th>person"
    text += Self.compared.map { "<th>\($0.title)" }.joined() + "</tr>"
    var groups: [(String, String)] = []
    for row in summary.rows where row.measure == "prompts" {
      groups.append((row.phase, row.person))
    }
    let people = Set(groups.map(\.1)).sorted().filter { $0 != Summary.all }
    let shown = Set(people.prefix(Self.mostPeople) + [Summary.all])
    for (phase, person) in groups where shown.contains(person) {
      text += "<tr><td>\(HTMLText.escaped(phase))<td>\(HTMLText.escaped(person))"
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
    if suppressesSmall, row.isSmall { return Summary.hidden }
    guard row.of != nil else { return row.measure == "prompts" ? "\(row.n)" : row.value ?? "" }
    return "\(row.n)" + (row.value.map { " (\($0)\u{A0}%)" } ?? "")
  }

  private static let method = """
    <p>summary.csv contains the same numbers. The scripts analysis.py and analysis.R of the export compute summary.csv
    from prompts.csv and phases.csv, and estimates.csv from prompts.csv and participants.csv.</p>
    <ul>
    <li><b>Excluded</b>: prompts that nobody was expected to complete. They are still open, or they were suppressed
    by quiet hours, the hourly limit or a pause, cancelled, or replaced by an edit. Announcements are excluded, too.
    All other prompts are <b>planned</b>.</li>
    <li><b>Not asked</b>: planned prompts for which the device could not ask. It was off or asleep, it had no working
    speaker or no valid clock, or it crashed. All other planned prompts are <b>asked</b>. Shares of answers are shares
    of asked prompts. In a control phase, prompts are asked without a sound.</li>
    <li><b>Delivered</b>: a ring was played to its end, or the prompt was answered while a ring sounded.</li>
    <li><b>Answered</b>: a person completed, acknowledged, delayed or declined the prompt.</li>
    <li><b>Within ±n min</b>: completed at most n minutes before or after the due time.</li>
    <li><b>Monitored</b>: the hours of a phase before the end of the record, without the gaps.</li>
    <li><b>Small</b>: summary.csv marks a row if its number, or the rest of its group, is from 1 to 4.</li>
    <li><b>Quartiles</b>: computed as type 7 of R.</li>
    <li><b>Persistence</b>: a person discontinued on the last day with an answer if the device still asked the
    person at least seven days later. Other people are censored on the last day on which the device asked. Days of a
    control phase do not count, because no prompt rings on these days.</li>
    <li><b>Time to the answer</b>: from the due time to the first answer, for asked prompts. A prompt without an answer
    is censored at its end.</li>
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
