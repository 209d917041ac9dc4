import Synchronization

/// Counts requests since the start of the program.
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
/// A home that was never heard from has a sample, too: the list of expected homes is in the
/// database.
enum ArchiveMetrics {
  static func text(_ pool: DatabasePool, _ counters: Counters) throws(ArchiveError) -> String {
    let homes = try FleetState.homes(pool)
    var lines = counters.lines
    lines += family(
      "prompter_archive_home_expected", "gauge",
      "1 for each home that the study expects and that is not withdrawn or revoked.")
    let expected = homes.filter(\.isExpected)
    lines += expected.map { sample("home_expected", $0, "1") }
    lines += family(
      "prompter_archive_home_contact_timestamp_seconds", "gauge",
      "Time of the newest contact; 0 if the home was never heard from.")
    lines += expected.map { sample("home_contact_timestamp_seconds", $0, "\($0.contact ?? 0)") }
    lines += family(
      "prompter_archive_home_row_timestamp_seconds", "gauge",
      "Time at which the newest row arrived; 0 if no row arrived.")
    lines += expected.map { sample("home_row_timestamp_seconds", $0, "\($0.received ?? 0)") }
    lines += family(
      "prompter_archive_home_backlog_rows", "gauge", "Rows that the home has not sent yet.")
    lines += expected.map { sample("home_backlog_rows", $0, "\($0.backlog)") }
    lines += family("prompter_archive_home_open_findings", "gauge", "Open findings of the home.")
    lines += expected.map { sample("home_open_findings", $0, "\($0.findings)") }
    return lines.joined(separator: "\n") + "\n"
  }

  static func family(_ name: String, _ type: String, _ help: String) -> [String] {
    ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
  }

  /// The names of homes, sites and studies need no escapes: see `HomeRegistry.add`.
  private static func sample(_ name: String, _ home: FleetState, _ value: String) -> String {
    let labels = "study=\"\(home.study)\",site=\"\(home.site)\",home=\"\(home.home)\""
    return "prompter_archive_\(name){\(labels)} \(value)"
  }
}
