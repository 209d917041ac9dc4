/// The state of one home, for the report and the metrics.
package struct FleetState: Sendable, Hashable {
  package var study: String
  package var site: String
  package var home: String
  package var state: String
  /// The time of the newest contact; nil if the home never had a contact. This time and the next
  /// four times are in seconds since 1970-01-01 00:00 UTC, and come from the clock of the database.
  package var contact: Int64?
  package var received: Int64?
  package var added: Int64
  package var enrolled: Int64?
  package var now: Int64
  /// The number of rows in all streams of the home.
  package var rows: Int64
  /// The number of rows that the archive does not have yet: the number of the home's newest row
  /// minus the number of the head of its stream.
  package var backlog: Int64
  /// The number of open findings. The dictionary key is the kind of the finding. The dictionary
  /// contains only kinds with an open finding.
  package var findings: [String: Int64]

  package var isExpected: Bool { state == "expected" || state == "enrolled" }

  /// A home counts as silent if it had no contact for more than this time, in seconds. The value is
  /// eight times the normal interval between two contacts of a home.
  package static let silentSeconds: Int64 = 7_200

  /// True if the home is expected and silent. If the home never had a contact, the time is counted
  /// from the moment at which an administrator added the home. The alert `PrompterHomeSilent` in
  /// units/archive/prometheus-rules.yml uses the same rule.
  package var isSilent: Bool { isExpected && now - (contact ?? added) > Self.silentSeconds }

  package static func homes(_ pool: DatabasePool) throws(ArchiveError) -> [FleetState] {
    try pool.use { connection throws(ArchiveError) in try homes(connection) }
  }

  static func homes(_ connection: DatabaseConnection) throws(ArchiveError) -> [FleetState] {
    let findings = try openFindings(connection)
    return try connection.rows(
      """
      SELECT h.study, h.site, h.home, h.state,
        extract(epoch FROM max(s.contact_at))::bigint,
        extract(epoch FROM max(s.received_at))::bigint,
        extract(epoch FROM now())::bigint,
        coalesce(sum(s.head_seq - s.start_seq), 0),
        coalesce(max(greatest(s.home_seq - coalesce(s.head_seq, 0), 0))
          FILTER (WHERE s.successor IS NULL), 0),
        extract(epoch FROM h.added_at)::bigint, extract(epoch FROM h.enrolled_at)::bigint
      FROM homes h LEFT JOIN streams s USING (home)
      GROUP BY h.home ORDER BY h.study, h.site, h.home
      """
    ).map { row in
      func number(_ column: Int) -> Int64? { row[column].flatMap { Int64($0) } }
      return FleetState(
        study: row[0] ?? "", site: row[1] ?? "", home: row[2] ?? "", state: row[3] ?? "",
        contact: number(4), received: number(5), added: number(9) ?? 0, enrolled: number(10),
        now: number(6) ?? 0, rows: number(7) ?? 0, backlog: number(8) ?? 0,
        findings: findings[row[2] ?? ""] ?? [:])
    }
  }

  private static func openFindings(
    _ connection: DatabaseConnection
  ) throws(ArchiveError) -> [String: [String: Int64]] {
    var homes: [String: [String: Int64]] = [:]
    let rows = try connection.rows(
      """
      SELECT s.home, f.kind, count(*) FROM findings f JOIN streams s ON s.number = f.stream
      WHERE f.closed_at IS NULL GROUP BY s.home, f.kind
      """)
    for row in rows {
      guard let home = row[0], let kind = row[1] else { continue }
      homes[home, default: [:]][kind] = row[2].flatMap { Int64($0) }
    }
    return homes
  }
}

/// The reason why rows of an expected home are missing.
package enum MissingReason: String, Sendable, CaseIterable {
  /// The home never had a contact, so the archive has no row of this home.
  case neverHeardFrom = "never_heard_from"
  /// The home had contacts earlier, but no contact for more than `FleetState.silentSeconds`.
  case silent
  /// The home has contacts, but no new row arrived for more than `FleetState.stoppedSeconds`. The
  /// probable reason is that the daemon of the home has stopped.
  case noNewRows = "no_new_rows"
}

extension FleetState {
  /// The daemon of a home counts as stopped if the archive received no new row for more than this
  /// time, in seconds. The value is three times the interval of the heartbeats. The alert
  /// `PrompterDaemonStopped` uses the same rule.
  package static let stoppedSeconds: Int64 = 2_700

  /// The reason why rows of the home are missing, and the time since which they are missing. The
  /// value is nil if no rows are missing, or if the study does not expect rows from the home. The
  /// time is the time of the newest contact or of the newest row. If there was no contact or no
  /// row, the time is the time at which the home enrolled or at which an administrator added it.
  package var missing: (reason: MissingReason, since: Int64)? {
    guard isExpected else { return nil }
    guard let contact else { return (.neverHeardFrom, added) }
    if isSilent { return (.silent, contact) }
    let newest = received ?? enrolled ?? added
    return now - newest > Self.stoppedSeconds ? (.noNewRows, newest) : nil
  }
}
