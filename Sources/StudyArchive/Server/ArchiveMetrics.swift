import Synchronization

/// Counts the requests that the archive has answered since the program started.
package final class Counters: Sendable {
  private struct State {
    var replies: [Int: Int] = [:]
    var rows = 0
    var bytes = 0
  }

  private let state = Mutex(State())

  func count(_ status: Int) { state.withLock { $0.replies[status, default: 0] += 1 } }

  func countBatch(rows: Int, bytes: Int) {
    state.withLock { state in
      state.rows += rows
      state.bytes += bytes
    }
  }

  var lines: [String] {
    let state = state.withLock { $0 }
    return ArchiveMetrics.family("prompter_archive_replies_total", "counter", "Replies by status.")
      + state.replies.sorted { $0.key < $1.key }.map {
        "prompter_archive_replies_total{status=\"\($0.key)\"} \($0.value)"
      }
      + ArchiveMetrics.family(
        "prompter_archive_received_rows_total", "counter", "Rows in the batches of homes.")
      + ["prompter_archive_received_rows_total \(state.rows)"]
      + ArchiveMetrics.family(
        "prompter_archive_received_bytes_total", "counter", "Bytes in the batches of homes.")
      + ["prompter_archive_received_bytes_total \(state.bytes)"]
  }
}

/// The metrics in the text format of Prometheus.
///
/// The metrics also contain a home that never had a contact, because the database contains the list
/// of expected homes.
enum ArchiveMetrics {
  static func text(_ pool: DatabasePool, _ counters: Counters) throws(ArchiveError) -> String {
    let homes = try FleetState.homes(pool)
    let expected = homes.filter(\.isExpected)
    var lines = counters.lines
    func gauge(_ name: String, _ help: String, _ value: (FleetState) -> Int64) {
      lines += family("prompter_archive_\(name)", "gauge", help)
      lines += expected.map { sample(name, $0, value($0)) }
    }
    gauge(
      "home_expected", "1 for each home that the study expects. A home that ended has no sample."
    ) { _ in 1 }
    gauge("home_added_timestamp_seconds", "Time at which the home was added.", \.added)
    gauge(
      "home_enrolled_timestamp_seconds", "Time of the newest enrolment; 0 if there was none."
    ) { $0.enrolled ?? 0 }
    gauge(
      "home_contact_timestamp_seconds",
      "Time of the newest contact; 0 if the home was never heard from."
    ) { $0.contact ?? 0 }
    gauge(
      "home_row_timestamp_seconds", "Time at which the newest row arrived; 0 if no row arrived."
    ) { $0.received ?? 0 }
    gauge("home_backlog_rows", "Rows that the home has not sent yet.", \.backlog)
    lines += family(
      "prompter_archive_home_open_findings", "gauge",
      "Open findings of the home by kind. A kind without an open finding has no sample.")
    for home in expected {
      for (kind, count) in home.findings.sorted(by: { $0.key < $1.key }) {
        lines.append(sample("home_open_findings", home, count, more: ",kind=\"\(kind)\""))
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func family(_ name: String, _ type: String, _ help: String) -> [String] {
    ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
  }

  /// Returns one line of the metrics. The function does not escape the names of homes, sites and
  /// studies, because `HomeRegistry.add` permits only characters that need no escape.
  private static func sample(
    _ name: String, _ home: FleetState, _ value: Int64, more: String = ""
  ) -> String {
    let labels = "study=\"\(home.study)\",site=\"\(home.site)\",home=\"\(home.home)\"\(more)"
    return "prompter_archive_\(name){\(labels)} \(value)"
  }
}
