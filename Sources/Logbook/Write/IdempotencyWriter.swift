import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue

/// Idempotency records: stored replies. If a program repeats a request, the daemon sends the stored
/// reply again. Idempotency records are not events, and the hash chain does not cover them.
extension Logbook {
  /// Finds the stored reply to the request that the actor marked with this idempotency key.
  ///
  /// - Returns: nil if no reply was stored, or if the reply was deleted later.
  public func idempotencyRecord(actor: String, key: String) throws(LogbookError)
    -> IdempotencyRecord?
  {
    try reading("read the stored reply to a request") { db in
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT digest, status, content_type, headers, body, at_ms FROM receipts
          WHERE actor = ? AND key = ?
          """, arguments: [actor, key])
      guard let row else { return nil }
      let cells = RowReader(row, of: "receipts")
      var headers: [String: String] = [:]
      if case .members(let members) = try JSON(stored: try cells.text(3)) {
        for member in members { headers[member.name] = member.value.string }
      }
      return IdempotencyRecord(
        actor: actor, key: key, requestDigest: try cells.text(0),
        status: Int(try cells.integer(1)), contentType: try cells.text(2), headers: headers,
        body: Array(try cells.text(4).utf8), at: Instant(milliseconds: try cells.integer(5)))
    }
  }

  /// Stores a reply to a request that changed nothing in the record.
  public func keep(_ idempotencyRecord: IdempotencyRecord) throws(LogbookError) {
    var changes = StateDelta()
    changes.idempotencyRecords = [idempotencyRecord]
    try record([], changes)
  }
}

/// Writes idempotency records, and deletes the oldest idempotency records.
struct IdempotencyWriter {
  let db: Database

  func write(_ idempotencyRecord: IdempotencyRecord) throws {
    let headers = JSON.object(
      idempotencyRecord.headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO receipts (actor, key, digest, status, content_type, headers, body, at_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      idempotencyRecord.actor, idempotencyRecord.key, idempotencyRecord.requestDigest,
      idempotencyRecord.status, idempotencyRecord.contentType,
      headers.description, String(decoding: idempotencyRecord.body, as: UTF8.self),
      idempotencyRecord.at.milliseconds,
    ])
    try db.cachedStatement(sql: "DELETE FROM receipts WHERE at_ms < ?")
      .execute(arguments: [
        idempotencyRecord.at.adding(milliseconds: -IdempotencyRecord.keptMilliseconds).milliseconds
      ])
    // It takes longer to count all idempotency records than to write one record. Therefore, the
    // function counts the records only once in `keptSlack` writes. If their number is above the
    // limit, the function deletes the oldest idempotency records.
    if db.lastInsertedRowID % Int64(IdempotencyRecord.keptSlack) == 0 {
      try forgetSurplus(of: idempotencyRecord.actor)
    }
  }

  /// Deletes the oldest idempotency records that are above a limit.
  ///
  /// First, the function applies the limit for one actor to the records of `actor`. Then the
  /// function applies the limit for all actors to the records of all actors.
  ///
  /// Because each actor has a limit, many requests of one actor cannot delete the idempotency
  /// records of other actors.
  private func forgetSurplus(of actor: String) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM receipts WHERE actor = ? AND number <= (
          SELECT number FROM receipts WHERE actor = ? ORDER BY number DESC LIMIT 1 OFFSET ?)
        """
    ).execute(arguments: [actor, actor, IdempotencyRecord.keptCountPerActor])
    try db.cachedStatement(
      sql: """
        DELETE FROM receipts WHERE number <= (
          SELECT number FROM receipts ORDER BY number DESC LIMIT 1 OFFSET ?)
        """
    ).execute(arguments: [IdempotencyRecord.keptCount])
  }
}
