import Synchronization

/// Connections that several threads share. Only one caller uses a connection at a time.
package final class DatabasePool: Sendable {
  private let database: String
  private let idle = Mutex<[DatabaseConnection]>([])

  package init(_ database: String) { self.database = database }

  /// Runs `body` with an idle connection. If no connection is idle, the function makes a new
  /// connection.
  package func use<T>(
    _ body: (DatabaseConnection) throws(ArchiveError) -> T
  ) throws(ArchiveError) -> T {
    let connection =
      if let found = idle.withLock({ $0.popLast() }) { found } else {
        try DatabaseConnection(database)
      }
    defer {
      if connection.isIdle {
        idle.withLock { $0.append(connection) }
      } else {
        // After a restart of the database, all other idle connections are broken too.
        idle.withLock { $0 = [] }
      }
    }
    return try body(connection)
  }
}
