import CPQ
import Glibc

/// A connection to PostgreSQL.
///
/// libpq permits several threads to use a connection, but only one thread at a time. `DatabasePool`
/// ensures that only one thread uses a connection at a time. Therefore the class can be `@unchecked
/// Sendable`.
package final class DatabaseConnection: @unchecked Sendable {
  private let handle: OpaquePointer
  /// The name of each prepared statement. The dictionary key is the SQL text of the statement. The
  /// program runs the same few statements many times. The server parses and plans a prepared
  /// statement only once.
  private var prepared: [String: String] = [:]

  /// Connects to the database.
  ///
  /// - Parameter database: a URL (`postgresql:///prompter?host=/run/postgresql`) or a list of
  ///   keywords (`host=/run/postgresql dbname=prompter`), as psql accepts them.
  package init(_ database: String) throws(ArchiveError) {
    guard let handle = PQconnectdb(database) else {
      throw .unavailable("there is no memory for a connection")
    }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else { throw .unavailable(Self.message(of: handle)) }
    try run(
      """
      SET search_path = prompter, pg_catalog;
      SET client_encoding = 'UTF8';
      SET TimeZone = 'UTC';
      SET synchronous_commit = on;
      SET client_min_messages = warning;
      SET statement_timeout = '60s';
      SET lock_timeout = '10s';
      SET idle_in_transaction_session_timeout = '60s'
      """)
  }

  deinit { PQfinish(handle) }

  /// True if another caller can use the connection now.
  var isIdle: Bool {
    PQstatus(handle) == CONNECTION_OK && PQtransactionStatus(handle) == PQTRANS_IDLE
  }

  /// Runs statements that have no parameters. The function ignores their results.
  package func run(_ script: String) throws(ArchiveError) {
    let result = PQexec(handle, script)
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
    default: throw failure(result)
    }
  }

  /// Runs one statement.
  ///
  /// - Parameter parameters: the values of `$1`, `$2` and so on. The value nil means null.
  /// - Returns: the rows of the result. The value nil in a row means null.
  @discardableResult
  package func rows(
    _ sql: String, _ parameters: [String?] = []
  ) throws(ArchiveError) -> [[String?]] {
    let name = try prepare(sql)
    var values = parameters.map { text in text.map { UnsafePointer(strdup($0)) } ?? nil }
    defer { for value in values { free(UnsafeMutablePointer(mutating: value)) } }
    let count = Int32(parameters.count)
    let result =
      name.map { PQexecPrepared(handle, $0, count, &values, nil, nil, 0) }
      ?? PQexecParams(handle, sql, count, nil, &values, nil, nil, 0)
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK: return []
    case PGRES_TUPLES_OK: break
    default: throw failure(result)
    }
    let columns = PQnfields(result)
    return (0..<PQntuples(result)).map { row in
      (0..<columns).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }

  /// Prepares a statement for later calls. A ROLLBACK does not remove a prepared statement.
  ///
  /// - Returns: the name of the prepared statement; nil if the function does not prepare the
  ///   statement. The function does not prepare a FETCH, for example, because the next FETCH can
  ///   return different columns.
  private func prepare(_ sql: String) throws(ArchiveError) -> String? {
    guard ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].contains(where: sql.hasPrefix) else {
      return nil
    }
    if let name = prepared[sql] { return name }
    let name = "s\(prepared.count)"
    let result = PQprepare(handle, name, sql, 0, nil)
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure(result) }
    prepared[sql] = name
    return name
  }

  /// Adds rows to a table with COPY.
  ///
  /// - Parameters:
  ///   - sql: the statement `COPY table (columns) FROM STDIN`.
  ///   - lines: the rows in the text format of COPY.
  func copy(_ sql: String, _ lines: [UInt8]) throws(ArchiveError) {
    let begun = PQexec(handle, sql)
    defer { PQclear(begun) }
    guard PQresultStatus(begun) == PGRES_COPY_IN else { throw failure(begun) }
    let isSent = lines.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        PQputCopyData(handle, bytes.baseAddress, Int32(bytes.count)) == 1
      }
    }
    guard isSent, PQputCopyEnd(handle, nil) == 1 else {
      throw .unavailable(Self.message(of: handle))
    }
    // libpq requires that the caller reads all results. The last result is nil.
    var failure: ArchiveError?
    while let result = PQgetResult(handle) {
      if PQresultStatus(result) != PGRES_COMMAND_OK, failure == nil {
        failure = self.failure(result)
      }
      PQclear(result)
    }
    if let failure { throw failure }
  }

  /// Runs `body` in a transaction. If `body` throws, the transaction is rolled back.
  package func transaction<T>(
    _ body: () throws(ArchiveError) -> T
  ) throws(ArchiveError) -> T {
    try run("BEGIN")
    let value: T
    do throws(ArchiveError) {
      value = try body()
    } catch {
      // If the connection is broken, this call fails. In this case, the server itself rolls back.
      PQclear(PQexec(handle, "ROLLBACK"))
      throw error
    }
    // If a statement in the transaction has failed, COMMIT reports success but rolls back. The
    // command tag of the result is then ROLLBACK and not COMMIT. Therefore check the command tag.
    let result = PQexec(handle, "COMMIT")
    defer { PQclear(result) }
    guard PQresultStatus(result) == PGRES_COMMAND_OK,
      String(cString: PQcmdStatus(result)) == "COMMIT"
    else { throw failure(result) }
    return value
  }

  private func failure(_ result: OpaquePointer?) -> ArchiveError {
    // PG_DIAG_SQLSTATE is the character constant 'C', which Swift imports as an integer.
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    let primary = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
    guard PQstatus(handle) == CONNECTION_OK else {
      return .unavailable(primary ?? Self.message(of: handle))
    }
    return .sorted(state: state ?? "", primary ?? Self.message(of: handle))
  }

  private static func message(of handle: OpaquePointer) -> String {
    var text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    while text.last?.isNewline == true { text.removeLast() }
    return text.replacing("\n", with: " ")
  }
}
