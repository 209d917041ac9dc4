import Synchronization

/// A pool of connections to the database, for several threads. Only one caller uses a connection at
/// a time.
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
        // This connection is broken. The usual cause is a restart of the database, which also
        // breaks all idle connections. Therefore, remove the idle connections from the pool.
        idle.withLock { $0 = [] }
      }
    }
    return try body(connection)
  }
}
