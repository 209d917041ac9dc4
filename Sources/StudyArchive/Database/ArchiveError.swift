/// The reason why the archive cannot do something.
package enum ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The database does not answer. Trying again later can help.
  case unavailable(String)
  /// The disk of the database is full.
  case full(String)
  /// The database refused a statement; `state` is its SQLSTATE.
  case database(state: String, String)
  /// The person who runs the program must change the command.
  case refused(String)

  /// The stable kind.
  package var kind: String {
    switch self {
    case .unavailable: "unavailable"
    case .full: "full"
    case .database: "database"
    case .refused: "refused"
    }
  }

  package var description: String {
    switch self {
    case .unavailable(let why): "cannot reach the database: \(why)"
    case .full(let why): "cannot store rows: the disk of the database is full: \(why)"
    case .database(let state, let why): "cannot use the database: \(why) (SQLSTATE \(state))"
    case .refused(let why): why
    }
  }

  /// Sorts an error of PostgreSQL by its SQLSTATE (PostgreSQL 15, appendix A).
  static func sorted(state: String, _ message: String) -> ArchiveError {
    switch state {
    case "53100": .full(message)
    // No connection, no memory, too many connections, an administrator stops the server, a lock or a statement
    // takes too long, a transaction must be repeated.
    case "", "53200", "53300", "57P01", "57P02", "57P03", "57014", "55P03", "40001", "40P01":
      .unavailable(message)
    default: state.hasPrefix("08") ? .unavailable(message) : .database(state: state, message)
    }
  }
}
