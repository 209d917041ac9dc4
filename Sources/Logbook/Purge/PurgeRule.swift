import Alarms
import EventCoding
import GRDB
import JSONValue
import MessageDigest

/// Which rows of the record's beginning stay when it is purged, as SQL.
///
/// What is there now must follow from what is left: `Scan` adds it up again and compares. So these stay:
///
/// - all that is said of people, of their silences, of phases and parts in studies, of recordings, of what was handed out, erased
///   or purged; what was answered to questions and written in diaries, for charts and corrections go on from it,
/// - of alarms that are set, or that a prompt which stays belongs to, every version,
/// - of prompts that are open, that may still be taken back, that ended before they were due and are due after the
///   beginning, of which somebody was to be told within the last hour, or of which something is told later, every
///   row; and how the clock was set since the first of them rang,
/// - of each person's last two silences, one of which may go on, how the clock was set since they began,
/// - what rings of the last hours began, for the cap of an hour counts them,
/// - pictures that are there, how loud cards were settled, each person's last reward,
/// - the last row of the beginning, and of each beginning before it: the chain goes on from there, and the
///   archives end with it.
struct PurgeRule {
  /// The last row of the beginning.
  let through: Int64

  private static let lasting = [
    "diary", "enrolled", "erased", "export_made", "person_added", "person_changed",
    "person_removed", "phase_changed", "pseudonyms_rekeyed", "purged", "response",
    "inactivity_begun", "inactivity_ended", "inactivity_escalated",
    "inactivity_notification_failed", "inactivity_notified", "inactivity_resumed",
    "inactivity_suspended", "tone_added", "tone_removed", "withdrawn",
  ].flatMap(StoredEvent.storedTypes)

  private static let newest = "(SELECT wall_utc_ms FROM events ORDER BY seq DESC LIMIT 1)"

  /// A beginning ends with one of these: that row stays, and nothing follows from it.
  static let lastTypes = [
    "boot", "clock_sync_gained", "clock_sync_lost", "disk_low", "disk_restored", "export_made",
    "heartbeat", "resume", "service_start", "service_stop", "suspend",
  ]

  /// Twice what the cap looks back, for the clock may have been set.
  private static let ringMilliseconds = 7_200_000

  /// Whoever is being told meanwhile is told again after a crash; no attempt takes that long.
  private static let notificationMilliseconds = 3_600_000

  /// What was due before this is over by the clock, too.
  private var end: String {
    "min(\(Self.newest), (SELECT wall_utc_ms FROM events WHERE seq = \(through)))"
  }

  /// `staying` and `going` prompts of the beginning, and the alarms that are `used`.
  private var parts: String {
    """
    WITH below AS MATERIALIZED (
      SELECT DISTINCT prompt_id FROM events NOT INDEXED
      WHERE seq <= \(through) AND prompt_id IS NOT NULL
    ), staying AS MATERIALIZED (
      SELECT b.prompt_id FROM below b JOIN prompts p USING (prompt_id)
      WHERE p.phase <> 'closed' OR p.closed_ms >= \(Self.newest) - \(LastAnswer.undoMilliseconds)
        OR p.due_ms >= \(end) AND p.alarm_id IN (SELECT alarm_id FROM alarms WHERE is_deleted = 0)
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

  /// The rows that stay, in order.
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
        OR e.type = 'clock_step' AND e.seq >= (
          SELECT min(f.seq) FROM events f
          WHERE f.type = 'due' AND f.prompt_id IN (SELECT prompt_id FROM staying))
        OR e.type = 'clock_step' AND e.seq >= (
          SELECT min(b.seq) FROM (
            SELECT seq, row_number() OVER (PARTITION BY person ORDER BY seq DESC) AS place
            FROM events WHERE type IN ('inactivity_begun', 'silence_begun')) b
          WHERE b.place <= 2)
        OR e.type IN ('ring_started', 'clock_step')
          AND e.wall_utc_ms >= \(Self.newest) - \(Self.ringMilliseconds)
        OR e.seq = \(through)
        OR e.seq IN (SELECT json_extract(payload, '$.through_seq') FROM events WHERE type = 'purged')
      ) ORDER BY e.seq
      """
  }

  /// The prompts that go.
  var goingPrompts: String { "\(parts) SELECT prompt_id FROM going" }

  /// The alarms that stay in the lists.
  var usedAlarms: String { "\(parts) SELECT alarm_id FROM used" }

  /// - Returns: how many rows stay, and the digest of their hashes.
  func seal(in db: Database) throws -> (kept: Int, digest: String) {
    try Self.seal(
      in: db, "SELECT hash FROM events WHERE seq IN (\(keptRows)) ORDER BY seq")
  }

  /// - Parameter sql: gives the hashes in order.
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
  /// Takes away what does not stay.
  ///
  /// - Throws: `.invalid` where what stays is not what the event says: nothing is done then.
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
        doing: "purge the record", reason: "it is not what it was when that was decided")
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

  /// - Parameter kept: a table whose `seq` names the rows that stay.
  static func remove(in db: Database, through: Int64, keeping kept: String) throws {
    // Nothing else ever deletes a row, and nobody sees the record without the trigger.
    try db.execute(
      sql: """
        DROP TRIGGER main.events_no_delete;
        DELETE FROM main.contents WHERE seq <= \(through) AND seq NOT IN (SELECT seq FROM \(kept));
        DELETE FROM main.events WHERE seq <= \(through) AND seq NOT IN (SELECT seq FROM \(kept));
        \(Schema.noDeletion)
        """)
  }
}

/// What was purged, as it is found.
struct PurgeInForce {
  /// The row that tells of it.
  let sequence: Int64
  let purge: Purge

  /// The newest purge that was carried out: exactly the rows that it says are left of the beginning.
  ///
  /// A copy from before may hold more than the newest says, after a recovery; then an earlier one counts, or the
  /// chain from the first row on.
  ///
  /// - Parameter schema: `main`, or what the database is attached as.
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
