import CivilTime

/// A table of all homes, and a page that shows this table.
package struct FleetReport: Sendable {
  /// The numbers of due, completed, declined and missed prompts of one home.
  package struct Prompts: Sendable, Hashable {
    package var due: Int64 = 0
    package var done: Int64 = 0
    package var declined: Int64 = 0
    /// The number of missed prompts. The dictionary key is the outcome, for example
    /// `missed_device_off`.
    package var missed: [String: Int64] = [:]
  }

  package var homes: [FleetState]
  package var prompts: [String: Prompts]

  package init(homes: [FleetState], prompts: [String: Prompts]) {
    (self.homes, self.prompts) = (homes, prompts)
  }

  package init(_ pool: DatabasePool) throws(ArchiveError) {
    homes = try FleetState.homes(pool)
    let rows = try pool.use { connection throws(ArchiveError) in
      try connection.rows(
        // If the device was off at the due time, the record contains no event `due`. Therefore the
        // query also counts prompts whose outcome begins with `missed_`.
        """
        SELECT home, outcome, count(*) FROM prompts
        WHERE became_due OR outcome LIKE 'missed\\_%' GROUP BY home, outcome
        """)
    }
    prompts = [:]
    for row in rows {
      guard let home = row[0], let count = row[2].flatMap({ Int64($0) }) else { continue }
      prompts[home, default: Prompts()].add(outcome: row[1], count)
    }
  }

  /// The outcomes of missed prompts, in the order of their columns in the report.
  package static let causes = [
    "missed_no_response", "missed_audio_failed", "missed_device_off", "missed_suspended",
    "missed_clock_invalid",
  ]

  private static let names =
    [
      "study", "site", "home", "state", "expected", "heard_from", "silent", "rows",
      "newest_contact_utc", "newest_row_utc", "backlog", "open_findings", "due", "done", "declined",
    ] + causes

  private func values(_ home: FleetState) -> [String] {
    let counts = prompts[home.home] ?? Prompts()
    let findings = home.findings.values.reduce(0, +)
    return [
      home.study, home.site, home.home, home.state, "\(home.isExpected)",
      "\(home.contact != nil)", "\(home.isSilent)", "\(home.rows)",
      home.contact.map(Self.time) ?? "", home.received.map(Self.time) ?? "", "\(home.backlog)",
      "\(findings)", "\(counts.due)", "\(counts.done)", "\(counts.declined)",
    ] + Self.causes.map { "\(counts.missed[$0] ?? 0)" }
  }

  /// The content of the file `summary.csv`, with one row for each home.
  package var summary: String {
    ([Self.names] + homes.map(values)).map { $0.joined(separator: ",") + "\n" }.joined()
  }

  /// The content of the file `index.html`.
  package var page: String {
    var rows = ""
    for home in homes {
      let cells = values(home).map { "<td>\($0)</td>" }.joined()
      rows += "<tr\(home.isSilent ? " class=\"silent\"" : "")>\(cells)</tr>\n"
    }
    let heads = Self.names.map { "<th>\($0.replacing("_", with: " "))</th>" }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>Homes of the study</title>
      <style>
      body { font-family: sans-serif; margin: 2em; }
      table { border-collapse: collapse; }
      th, td { border: 1px solid #bbb; padding: 0.3em 0.5em; text-align: right; }
      th:nth-child(-n+4), td:nth-child(-n+4) { text-align: left; }
      .silent { background: #fde8e4; }
      </style>
      </head>
      <body>
      <h1>Homes of the study</h1>
      \(sites)
      <p>A home is silent if it had no contact for \(FleetState.silentSeconds / 3600) hours. The
      backlog is the number of rows that the home has not sent yet. The file <a
      href="summary.csv">summary.csv</a> contains the same table.</p>
      <table>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(rows)</tbody>
      </table>
      </body>
      </html>

      """
  }

  /// An HTML list with three numbers for each site: the expected homes, the expected homes that had
  /// a contact, and the expected homes that are silent.
  private var sites: String {
    var seen: [String] = []
    for home in homes where !seen.contains("\(home.study) \(home.site)") {
      seen.append("\(home.study) \(home.site)")
    }
    let items = seen.map { name in
      let homes = homes.filter { "\($0.study) \($0.site)" == name }
      let expected = homes.filter(\.isExpected)
      let heard = expected.filter { $0.contact != nil }
      return "<li>\(name): \(expected.count) expected, \(heard.count) heard from, "
        + "\(expected.filter(\.isSilent).count) silent</li>"
    }
    return "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
  }

  /// Converts a time to a text in the format of RFC 3339, in UTC.
  ///
  /// - Parameter seconds: the time in seconds since 1970-01-01 00:00 UTC.
  private static func time(_ seconds: Int64) -> String {
    Instant(seconds: seconds).description
  }
}

extension FleetReport.Prompts {
  /// Adds a number of prompts that became due.
  ///
  /// - Parameter outcome: the outcome of these prompts; nil if they are open.
  mutating func add(outcome: String?, _ count: Int64) {
    due += count
    switch outcome {
    case "completed", "completed_out_of_window": done += count
    case "declined": declined += count
    case .some(let text) where text.hasPrefix("missed_"): missed[text, default: 0] += count
    default: break
    }
  }
}
