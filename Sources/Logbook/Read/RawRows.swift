import GRDB
import GRDBSQLite
import Glibc

/// Reads the cells of a query directly from the memory of SQLite.
///
/// A row of the record has 28 columns, and an export reads most cells of a row at most once. A
/// conversion of the cells to Swift strings would take ten times as long as the writing of the
/// cells. Therefore the export uses the bytes in the memory of SQLite without a conversion.
struct RawRows: ~Copyable {
  private let statement: Statement
  private let handle: OpaquePointer

  /// - Parameter arguments: the values for the parameters of the statement, in order.
  init(_ db: Database, sql: String, arguments: StatementArguments = []) throws {
    statement = try db.makeStatement(sql: sql)
    statement.setUncheckedArguments(arguments)
    handle = statement.sqliteStatement
  }

  /// Reads the next row.
  ///
  /// - Returns: the row; nil at the end.
  func next() throws -> RawRow? {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return RawRow(handle: handle)
    case SQLITE_DONE: return nil
    case let code:
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code),
        message: String(cString: sqlite3_errmsg(sqlite3_db_handle(handle))))
    }
  }

  deinit { sqlite3_reset(handle) }
}

/// The present row of a query. When the query moves to the next row, the texts of the present row
/// become invalid.
struct RawRow {
  let handle: OpaquePointer

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  /// Returns the text of a cell; nil for a null. If the file is damaged, the cell can contain a
  /// number. In this case, the result is the decimal text of the number, and `verify` reports the
  /// damage.
  func text(_ column: Int) -> UnsafeRawBufferPointer? {
    guard let bytes = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return UnsafeRawBufferPointer(start: bytes, count: count)
  }

  func string(_ column: Int) -> String? {
    text(column).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the integer in a cell; 0 for a null.
  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
}

/// Finds members of a stored payload without parsing the whole payload.
///
/// Only Prompter writes payloads. Prompter writes no spaces outside texts, and escapes every
/// quotation mark inside a text. Therefore, `"name":` is always the start of a member `name`. A
/// nested object can have a member with the same name. But the member of the outer object comes
/// first in the payload, so the scan finds this member.
struct PayloadScan {
  let bytes: UnsafeRawBufferPointer

  func integer(_ name: StaticString) -> Int64? {
    number(name).flatMap { Int64($0) }
  }

  func double(_ name: StaticString) -> Double? { number(name).flatMap { Double($0) } }

  func bool(_ name: StaticString) -> Bool? {
    guard let start = value(name), start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    default: return nil
    }
  }

  /// Returns the value of a text member. The value must not contain escapes.
  func word(_ name: StaticString) -> String? {
    guard let start = value(name), start < bytes.count, bytes[start] == UInt8(ascii: "\"") else {
      return nil
    }
    let rest = bytes[(start + 1)...]
    guard let end = rest.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private func number(_ name: StaticString) -> Substring? {
    guard let start = value(name) else { return nil }
    let rest = bytes[start...].prefix {
      $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "]")
    }
    return Substring(decoding: rest, as: UTF8.self)
  }

  /// Returns the index at which the value of the member `name` begins in the payload.
  private func value(_ name: StaticString) -> Int? {
    let count = name.utf8CodeUnitCount
    guard var index = bytes.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    while index + count + 3 <= bytes.count {
      if bytes[index] == UInt8(ascii: "\""), bytes[index + count + 1] == UInt8(ascii: "\""),
        bytes[index + count + 2] == UInt8(ascii: ":"),
        memcmp(bytes.baseAddress! + index + 1, name.utf8Start, count) == 0  // `bytes` is not empty.
      {
        return index + count + 3
      }
      index += 1
    }
    return nil
  }
}
