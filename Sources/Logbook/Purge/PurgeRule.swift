import Alarms
import EventCoding
import GRDB
import JSONValue
import MessageDigest

/// The SQL that selects the rows that remain in the record after a purge.
///
/// A purge covers the rows up to `through` and removes most of them. The daemon must still be able
/// to compute the present state from the remaining rows. Therefore, the rows in the following list
/// remain, and `Scan` checks that these rows are sufficient:
///
/// - all rows about people, inactivity, phases, enrolments, recordings, supplies, holidays,
///   exports, erasures and purges,
/// - all responses and diary entries, because charts show them, and because a person can still
///   correct them,
/// - all versions of each alarm that is not deleted, of each alarm whose newest version is in a row
///   after row `through`, and of each alarm with a prompt that the purge keeps,
/// - all rows of these prompts:
///   - open prompts,
///   - prompts whose answer can still be undone,
///   - prompts of alarms that still exist, if the due time is after the time of row `through` (see
///     `end`), or less than two days before this time,
///   - prompts with an `escalated` event within the last hour,
///   - prompts with events in the rows after row `through`,
/// - clock steps since the first `due` event of the prompts above,
/// - clock steps since the start of the last two inactivity periods of each person, because the
///   last period can still continue,
/// - notices and calls of the last eleven days, because a restarted daemon repeats a notice without
///   a result, and needs the ten newest summaries of each contact,
/// - `ring_intent`, `ring_started` and `clock_step` events of the last two hours, because the
///   hourly limit counts the rings, and a clock step moves the times of earlier rings,
/// - rows about pictures that still exist or whose digest was erased, rows about calibrated
///   volumes, and the last reward of each person,
/// - row `through` and the last row of each earlier purge, because the hash chain continues after
///   these rows, and because each archive ends with such a row.
struct PurgeRule {
  /// The sequence number of the last row that the purge covers.
  let through: Int64

  private static let lasting = [
    "adverse_event", "deviation", "diary", "enrolled", "erased", "export_made", "person_added",
    "person_changed",
    "holidays_imported", "holidays_removed", "person_paused", "person_removed", "person_resumed",
    "phase_changed", "pseudonyms_rekeyed",
    "purged", "response",
    "inactivity_begun", "inactivity_ended", "inactivity_escalated",
    "inactivity_notification_failed", "inactivity_notified", "inactivity_resumed",
    "inactivity_suspended", "supply_added", "supply_changed", "supply_counted",
    "supply_refilled", "supply_removed", "supply_returned", "supply_used", "tone_added",
    "tone_removed", "unblinded", "withdrawn",
  ].flatMap(StoredEvent.storedTypes)

  /// The maximum age of the notices that a purge keeps, in milliseconds. The value is eleven days.
  private static let noticeMilliseconds: Int64 = 11 * 86_400_000

  private static let newest = "(SELECT wall_utc_ms FROM events ORDER BY seq DESC LIMIT 1)"

  /// The types of events at which the range of a purge can end. The last row of the range remains
  /// in the record, so the event in this row must not change the state.
  static let lastTypes = [
    "boot", "clock_sync_gained", "clock_sync_lost", "disk_low", "disk_restored", "export_made",
    "heartbeat", "resume", "service_start", "service_stop", "suspend",
  ]

  /// The maximum age of the rings that a purge keeps: two hours, in milliseconds.
  ///
  /// The hourly limit counts only the rings of the last hour. But if a person set the clock forward
  /// after a ring, this ring seems to be older than it really is. Therefore, the purge keeps the
  /// rings of two hours, and not only of one hour.
  private static let ringMilliseconds = 7_200_000

  /// The maximum duration of a notification, in milliseconds. The value is one hour. The purge
  /// keeps a prompt if a notification about this prompt can still be in progress. After a crash,
  /// the daemon repeats the notification, and then the daemon needs the prompt.
  private static let notificationMilliseconds = 3_600_000

  /// The time for which a purge keeps a prompt after the due time of the prompt. The value is two
  /// days, in milliseconds.
  ///
  /// The id of a prompt contains its civil time. The same civil time can occur a second time, up to
  /// 26 hours later. This happens if the home moves to a zone in the west, or if new time-zone data
  /// move the clock back. At the second occurrence, the daemon must know the id of the prompt that
  /// has ended, so that this prompt does not ring again.
  private static let civilTimeMilliseconds = 2 * 86_400_000

  /// SQL for the earlier of two times: the time of row `through`, and the time of the newest row.
  /// If a person set the clock back, the time of the newest row can be before the time of row
  /// `through`. If a prompt is due before the earlier time, the prompt is in the past for both
  /// clocks: the clock at row `through`, and the present clock.
  private var end: String {
    "min(\(Self.newest), (SELECT wall_utc_ms FROM events WHERE seq = \(through)))"
  }

  /// The SQL for three temporary tables of a purge. The purge keeps the prompts in `staying` and
  /// removes the prompts in `going`. A prompt is in one of these two tables only if it has an event
  /// in row `through` or in an earlier row. The purge keeps the alarms in `used`.
  private var parts: String {
    """
    WITH below AS MATERIALIZED (
      SELECT DISTINCT prompt_id FROM events NOT INDEXED
      WHERE seq <= \(through) AND prompt_id IS NOT NULL
    ), staying AS MATERIALIZED (
      SELECT b.prompt_id FROM below b JOIN prompts p USING (prompt_id)
      WHERE p.phase <> 'closed' OR p.closed_ms >= \(Self.newest) - \(LastAnswer.undoMilliseconds)
        OR p.due_ms >= \(end) - \(Self.civilTimeMilliseconds)
          AND p.alarm_id IN (SELECT alarm_id FROM alarms WHERE is_deleted = 0)
        OR EXISTS (
          SELECT 1 FROM events f WHERE f.prompt_id = b.prompt_id AND f.type = 'escalated'
            AND f.wall_utc_ms >= \(Self.newest) - \(Self.notificationMilliseconds))
        OR (SELECT max(f.seq) FROM events f WHERE f.prompt_id = b.prompt_id) > \(through)
    ), going AS MATERIALIZED (
      SELECT prompt_id FROM below WHERE prompt_id NOT IN (SELECT prompt_id FROM staying)
    ), used AS MATERIALIZED (
      SELECT alarm_id FROM alarms WHERE is_deleted = 0 OR seq > \(through)
      UNION SELECT alarm_id FROM prompts WHERE prompt_id NOT IN (SELECT prompt_id FROM going)
    )
    """
  }

  /// An SQL query for the rows up to `through` that the purge keeps, in order.
  var keptRows: String {
    let lasting = Self.lasting.map { "'\($0)'" }.joined(separator: ", ")
    return """
      \(parts)
      SELECT e.seq FROM events e NOT INDEXED LEFT JOIN contents c USING (seq)
      WHERE e.seq <= \(through) AND (
        e.type IN (\(lasting))
        OR e.prompt_id IN (SELECT prompt_id FROM staying)
        OR e.type IN ('alarm_created', 'alarm_edited', 'alarm_deleted')
          AND e.alarm_id IN (SELECT alarm_id FROM used)
        OR e.type IN ('image_added', 'image_removed', 'photo_added')
          AND (c.body IS NULL OR json_extract(c.body, '$.sha256') IN (SELECT sha256 FROM images))
        OR e.type = 'volume_changed' AND json_extract(e.payload, '$.cause') = 'calibrated'
        OR e.type = 'reward' AND e.seq IN (
          SELECT max(seq) FROM events WHERE type = 'reward' AND seq <= \(through) GROUP BY person)
        OR e.type IN ('notice_due', 'notice_sent', 'notice_failed', 'notice_dropped',
          'call_asked', 'call_repeated', 'call_told', 'call_failed')
          AND e.wall_utc_ms >= \(Self.newest) - \(Self.noticeMilliseconds)
        OR e.type = 'clock_step' AND e.seq >= (
          SELECT min(f.seq) FROM events f
          WHERE f.type = 'due' AND f.prompt_id IN (SELECT prompt_id FROM staying))
        OR e.type = 'clock_step' AND e.seq >= (
          SELECT min(b.seq) FROM (
            SELECT seq, row_number() OVER (PARTITION BY person ORDER BY seq DESC) AS place
            FROM events WHERE type IN ('inactivity_begun', 'silence_begun')) b
          WHERE b.place <= 2)
        OR e.type IN ('ring_intent', 'ring_started', 'clock_step')
          AND e.wall_utc_ms >= \(Self.newest) - \(Self.ringMilliseconds)
        OR e.seq = \(through)
        OR e.seq IN (SELECT json_extract(payload, '$.through_seq') FROM events WHERE type = 'purged')
      ) ORDER BY e.seq
      """
  }

  /// An SQL query for the prompts that the purge removes.
  var goingPrompts: String { "\(parts) SELECT prompt_id FROM going" }

  /// An SQL query for the alarms that the purge keeps.
  var usedAlarms: String { "\(parts) SELECT alarm_id FROM used" }

  /// Computes the number of rows that the purge keeps, and one SHA-256 over the hashes of these
  /// rows.
  func seal(in db: Database) throws -> (kept: Int, digest: String) {
    try Self.seal(
      in: db, "SELECT hash FROM events WHERE seq IN (\(keptRows)) ORDER BY seq")
  }

  /// - Parameter sql: a query that selects the hashes of the kept rows, in the order of the
  ///   sequence numbers.
  static func seal(in db: Database, _ sql: String) throws -> (kept: Int, digest: String) {
    var digest = SHA256Digest()
    var count = 0
    let hashes = try String.fetchCursor(db, sql: sql)
    while let hash = try hashes.next() {
      digest.update(Array(hash.utf8))
      count += 1
    }
    return (count, hexadecimal(digest.finish()))
  }
}

extension PurgeRule {
  /// Removes all rows up to `through`, except the rows that `keptRows` selects.
  ///
  /// - Throws: `.invalid` if the number or the digest of the remaining rows differs from the value
  ///   in `purge`. If the function throws this error, the record is unchanged.
  func carryOut(_ purge: Purge, in db: Database) throws {
    try db.execute(
      sql: """
        CREATE TEMP TABLE purge_kept AS \(keptRows);
        CREATE TEMP TABLE purge_going AS \(goingPrompts);
        CREATE TEMP TABLE purge_used AS \(usedAlarms)
        """)
    let found = try Self.seal(
      in: db,
      "SELECT hash FROM events WHERE seq IN (SELECT seq FROM temp.purge_kept) ORDER BY seq")
    guard found.kept == purge.kept, found.digest == purge.keptDigest else {
      throw LogbookError.invalid(
        doing: "purge the record", reason: "the record changed after the purge was prepared")
    }
    try db.execute(
      sql: """
        DELETE FROM prompts WHERE prompt_id IN (SELECT prompt_id FROM temp.purge_going);
        DELETE FROM alarms WHERE is_deleted = 1
          AND alarm_id NOT IN (SELECT alarm_id FROM temp.purge_used)
        """)
    try Self.remove(in: db, through: through, keeping: "temp.purge_kept")
    try db.execute(
      sql: """
        DROP TABLE temp.purge_kept; DROP TABLE temp.purge_going; DROP TABLE temp.purge_used
        """)
  }

  /// - Parameter kept: the name of a table. The column `seq` of this table contains the sequence
  ///   numbers of the rows that must stay in the record.
  static func remove(in db: Database, through: Int64, keeping kept: String) throws {
    // A trigger forbids the deletion of rows. The purge drops this trigger and creates the trigger
    // again in the same transaction. Therefore, other connections always find the trigger.
    try db.execute(
      sql: """
        DROP TRIGGER main.events_no_delete;
        DELETE FROM main.contents WHERE seq <= \(through) AND seq NOT IN (SELECT seq FROM \(kept));
        DELETE FROM main.events WHERE seq <= \(through) AND seq NOT IN (SELECT seq FROM \(kept));
        \(Schema.noDeletion)
        """)
  }
}

/// A completed purge, with the sequence number of its event.
struct PurgeInForce {
  /// The sequence number of the `purged` event.
  let sequence: Int64
  let purge: Purge

  /// Finds the newest purge that was completed.
  ///
  /// A purge was completed if the record contains exactly the rows that should remain according to
  /// the `purged` event. If a record was recovered from an older copy, it can still contain rows
  /// that the newest purge should have removed. In this case, the function finds an earlier purge.
  /// If no purge was completed, the hash chain starts with row 1.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Returns: nil if no purge was completed.
  static func find(in db: Database, schema: String = "main") throws -> PurgeInForce? {
    let rows = try Row.fetchAll(
      db, sql: "SELECT seq, payload FROM \(schema).events WHERE type = 'purged' ORDER BY seq DESC")
    for row in rows {
      let cells = RowReader(row, of: "events")
      guard let payload = try? JSON(stored: try cells.text(1)),
        let purge = try? Purge(payload: payload)
      else { continue }
      let below = "FROM \(schema).events WHERE seq <= \(purge.throughSequence)"
      guard try Int.fetchOne(db, sql: "SELECT count(*) \(below)") == purge.kept else { continue }
      let found = try PurgeRule.seal(in: db, "SELECT hash \(below) ORDER BY seq")
      guard found.digest == purge.keptDigest else { continue }
      return PurgeInForce(sequence: try cells.integer(0), purge: purge)
    }
    return nil
  }
}
