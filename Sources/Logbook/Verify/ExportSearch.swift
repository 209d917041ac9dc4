import GRDB

/// The result of a search for the event that recorded an export.
public struct ExportSearch: Sendable, Hashable {
  /// The sequence number of the event `export_made`; nil if the record has no such event.
  public var sequence: Int64?
}

extension Logbook {
  /// Searches for the event that recorded the export with this manifest. A purge keeps the events
  /// of exports.
  ///
  /// - Parameter manifest: the SHA-256 of the manifest, in lower-case hex.
  func search(manifest: String) throws(LogbookError) -> ExportSearch {
    try reading("search the record for an export") { db in
      ExportSearch(
        sequence: try Int64.fetchOne(
          db,
          sql: """
            SELECT max(seq) FROM events
            WHERE type = 'export_made' AND json_extract(payload, '$.sha256') = ?
            """, arguments: [manifest]))
    }
  }
}
