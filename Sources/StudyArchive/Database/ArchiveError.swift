/// The reason why the archive cannot carry out an operation.
package enum ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The database does not reply. A later attempt can succeed.
  case unavailable(String)
  /// The disk of the database server is full.
  case full(String)
  /// The database refused a statement. `state` is the SQLSTATE of the error.
  case database(state: String, String)
  /// The archive refuses the operation, for example because an argument of the command is wrong.
  /// Usually, a second attempt with the same command would also fail.
  case refused(String)

  /// A fixed name of the reason, for programs. The name of a reason never changes.
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

  /// Converts an error of PostgreSQL to an `ArchiveError`. The SQLSTATE of the error decides the
  /// case (PostgreSQL 15, appendix A).
  static func sorted(state: String, _ message: String) -> ArchiveError {
    switch state {
    case "53100": .full(message)
    // The causes of these codes are: no connection, no memory, too many connections, a stop of the
    // server by an administrator, a lock or a statement that takes too long, and a transaction that
    // must be repeated.
    case "", "53200", "53300", "57P01", "57P02", "57P03", "57014", "55P03", "40001", "40P01":
      .unavailable(message)
    default: state.hasPrefix("08") ? .unavailable(message) : .database(state: state, message)
    }
  }
}
