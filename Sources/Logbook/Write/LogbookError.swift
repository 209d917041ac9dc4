import GRDB

/// The reason why the record could not be read or written.
public enum LogbookError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The directory or the file cannot be opened or created.
  case cannotOpen(path: String, reason: String)
  /// A newer version of Prompter wrote the file.
  case newer(path: String)
  /// The file is damaged, or it is not a record.
  case corrupt(doing: String, reason: String)
  /// The disk is full.
  case full(doing: String)
  /// The disk cannot be written: it is read-only, an input/output error occurred, or the daemon
  /// does not have the permission.
  case unwritable(doing: String, reason: String)
  /// An argument of the operation is wrong or contradicts the record. The record is unchanged.
  case invalid(doing: String, reason: String)
  /// The record does not contain the requested object, for example a prompt. The associated value
  /// is the name of the object.
  case notFound(String)
  /// An error of SQLite for which this type has no specific case.
  case failed(doing: String, reason: String)

  /// A name for the kind of the error. Programs use this name, so it never changes.
  public var kind: String {
    switch self {
    case .cannotOpen: "cannot_open"
    case .newer: "newer"
    case .corrupt: "corrupt"
    case .full: "full"
    case .unwritable: "unwritable"
    case .invalid: "invalid"
    case .notFound: "not_found"
    case .failed: "failed"
    }
  }

  /// One sentence in the form `cannot <do what>: <why>`.
  public var description: String {
    switch self {
    case .cannotOpen(let path, let reason): "cannot open the record \"\(path)\": \(reason)"
    case .newer(let path):
      "cannot open the record \"\(path)\": a newer version of this program wrote it; "
        + "install that version"
    case .corrupt(let doing, let reason): "cannot \(doing): the record is damaged (\(reason))"
    case .full(let doing): "cannot \(doing): no space is left on the disk"
    case .unwritable(let doing, let reason): "cannot \(doing): \(reason)"
    case .invalid(let doing, let reason): "cannot \(doing): \(reason)"
    case .notFound(let what): "there is no \(what)"
    case .failed(let doing, let reason): "cannot \(doing): \(reason)"
    }
  }

  /// - Parameter doing: the operation that failed, as a verb and its object, for example `record 3
  ///   events`.
  init(_ error: any Error, doing: String) {
    switch error {
    case let error as LogbookError: self = error
    case let error as DatabaseError:
      let reason = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
      switch error.resultCode {
      // All SQL statements of this module are constant and tested. If SQLite reports SQLITE_ERROR
      // for a statement, the file does not have the schema of this program.
      case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR:
        self = .corrupt(doing: doing, reason: reason)
      case .SQLITE_FULL: self = .full(doing: doing)
      case .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
        self = .unwritable(doing: doing, reason: reason)
      default: self = .failed(doing: doing, reason: reason)
      }
    default: self = .failed(doing: doing, reason: "\(error)")
    }
  }
}

/// Runs `work`. If `work` throws an error, the function throws a `LogbookError` that contains
/// `doing` as the failed operation.
func explaining<Value>(_ doing: String, _ work: () throws -> Value) throws(LogbookError) -> Value {
  do { return try work() } catch { throw LogbookError(error, doing: doing) }
}
