import GRDB

extension Logbook {
  /// Reads the name and the SHA-256 of each recording that the home stores.
  public func storedTones() throws(LogbookError) -> [(name: String, sha256: String)] {
    try reading("read the recordings") { db in
      try Row.fetchAll(db, sql: "SELECT name, sha256 FROM tones ORDER BY name").map { row in
        let cells = RowReader(row, of: "tones")
        return (try cells.text(0), try cells.text(1))
      }
    }
  }

  /// Reads the SHA-256 of each picture that the home stores.
  public func storedPictures() throws(LogbookError) -> [String] {
    try reading("read the pictures") { db in
      try String.fetchAll(db, sql: "SELECT sha256 FROM images ORDER BY sha256")
    }
  }
}
