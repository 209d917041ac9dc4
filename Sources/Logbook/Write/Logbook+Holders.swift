import Alarms
import GRDB

// Finds the users who added alarms, pictures and tones. When a user adds an alarm, a picture or a
// tone, the daemon records an event with this user as the actor.
extension Logbook {
  /// Finds the user who created each alarm that is not deleted. This user is the actor of the first
  /// event of the alarm.
  func alarmCreators(in db: Database) throws -> [AlarmID: String] {
    var found: [AlarmID: String] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT a.alarm_id, CASE WHEN e.type = 'alarm_created' THEN e.actor_id ELSE (
            SELECT f.actor_id FROM events f
            WHERE f.alarm_id = a.alarm_id AND f.type IN ('alarm_created', 'alarm_edited')
            ORDER BY f.alarm_version LIMIT 1) END
        FROM alarms a JOIN events e ON e.seq = a.seq WHERE a.is_deleted = 0
        """)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "alarms")
      if let user = try cells.optionalText(1) { found[AlarmID(try cells.text(0))] = user }
    }
    return found
  }

  /// Finds the users who uploaded each stored picture. The dictionary key is the digest of the
  /// picture.
  func uploaders(in db: Database) throws -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT i.sha256, e.actor_id FROM events e JOIN contents c USING (seq)
        JOIN images i ON i.sha256 = json_extract(c.body, '$.sha256')
        WHERE e.type = 'image_added'
        """)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "images")
      found[try cells.text(0), default: []].insert(try cells.text(1))
    }
    return found
  }

  /// Finds the user who added the present recording of each tone. The dictionary key is the name of
  /// the tone.
  func toneAdders(in db: Database) throws -> [String: String] {
    var found: [String: String] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT t.name, e.actor_id FROM events e LEFT JOIN contents c USING (seq)
        JOIN tones t ON t.sha256 = e.tone_sha256
          AND t.name = coalesce(json_extract(c.body, '$.name'), t.name)
        WHERE e.type = 'tone_added' ORDER BY e.seq
        """)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "tones")
      found[try cells.text(0)] = try cells.text(1)
    }
    return found
  }
}
