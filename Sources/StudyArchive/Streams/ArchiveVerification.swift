/// The result of a check of all streams.
package struct ArchiveVerification: Sendable, Hashable {
  package var streams = 0
  package var rows: Int64 = 0
  /// The number of sealed rows in all streams.
  package var sealedRows: Int64 = 0
  /// One sentence for each stream with a fault. The sentence describes the first fault of the
  /// stream.
  package var faults: [String] = []

  /// Reads and checks all rows of each stream (see `StreamCheck`).
  package static func run(_ pool: DatabasePool) throws(ArchiveError) -> ArchiveVerification {
    try pool.use { connection throws(ArchiveError) in
      var result = ArchiveVerification()
      for stream in try ArchivedStream.all(connection) {
        var check = StreamCheck(stream)
        try stream.forEachPage(connection) { page throws(ArchiveError) in
          for values in page { check.add(values) }
        }
        check.finish()
        result.add(check)
      }
      return result
    }
  }

  /// Adds the result of the check of one stream to the total.
  mutating func add(_ check: StreamCheck) {
    streams += 1
    rows += check.rows
    sealedRows += check.sealedRows
    if let fault = check.fault { faults.append(fault) }
  }
}
