import GRDB
import Synchronization

/// A row of `sqlite_schema`: a table, index, trigger or view, and its SQL statement.
private struct SchemaRow: Hashable, Comparable {
  var type: String
  var name: String
  var table: String
  /// The SQL statement that creates the object. The text is empty if SQLite itself created the
  /// object, for example the index of a primary key.
  var sql: String

  /// The type and the name of the schema object, for example `table "events"`. A `?` replaces each
  /// character that is not safe to print.
  var title: String {
    let plain = name.unicodeScalars.prefix(60).map { scalar in
      scalar.isASCII && scalar.value >= 0x20 && scalar != "\"" && scalar.value != 0x7F
        ? Character(scalar) : "?"
    }
    return "\(type) \"\(String(plain))\""
  }

  static func < (left: SchemaRow, right: SchemaRow) -> Bool {
    (left.name, left.type, left.table, left.sql) < (right.name, right.type, right.table, right.sql)
  }
}

extension Schema {
  /// The SQL that protects a new connection to a database file. The SQL must run on each new
  /// connection, because a different program can have written the file.
  ///
  /// The first pragma forbids calls of functions with side effects in the SQL code of the schema.
  /// With the second pragma, SQLite checks each page when it reads the page.
  static let mistrust = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"

  /// The table in which GRDB keeps the names of the applied migrations.
  private static let listTable = "grdb_migrations"

  /// Refuses a record with foreign schema content.
  ///
  /// Foreign content is all schema content that the migrations of this program do not create. A
  /// trigger, a view, a generated column or a virtual table can run SQL when the record is read or
  /// written. The hash chain does not cover the schema. Therefore, the statements in
  /// `sqlite_schema` must be exactly the statements of the applied migrations. This function reads
  /// a table only after it has checked the `CREATE TABLE` statement of this table. The function
  /// does not check a record that a newer version of Prompter wrote.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name of an attached database.
  ///   - doing: the words for the operation in the error message, for example `open the record`.
  /// - Throws: `.corrupt` if the schema differs from the expected schema. The error contains the
  ///   first difference.
  static func prove(
    _ db: Database, schema: String = "main", _ migrator: DatabaseMigrator = Schema.migrator,
    doing: String
  ) throws {
    if let problem = try problem(in: db, schema: schema, migrator) {
      throw LogbookError.corrupt(doing: doing, reason: problem)
    }
  }

  /// Returns true if a database is a record of this program. Also returns true if the database is
  /// empty and can become a record.
  static func isRecord(_ db: Database) throws -> Bool {
    // When GRDB creates a record, it first creates the table of migrations. If a file contains only
    // this table, the program stopped while it created the record. Such a file counts as empty.
    let tables =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> '\(listTable)'") ?? 0
    return try tables == 0 || Int64.fetchOne(db, sql: "PRAGMA application_id") == applicationID
  }

  /// Returns the problem that `prove` reports. The result is nil if the schema is exactly the
  /// schema that the applied migrations create. The result is also nil if the schema is empty, or
  /// if a newer version of Prompter has changed the schema.
  static func problem(
    in db: Database, schema: String = "main", _ migrator: DatabaseMigrator = Schema.migrator
  ) throws -> String? {
    let found = try rows(of: db, schema)
    if found.isEmpty { return nil }
    let list = try expected(migrator, through: 1).filter { $0.table == listTable }
    guard list.allSatisfy(found.contains) else { return "it has no list of migrations" }
    let applied = Set(
      try String.fetchAll(db, sql: "SELECT identifier FROM \(schema).\(listTable)"))
    let known = migrator.migrations
    guard applied.isSubset(of: known) else { return nil }
    guard applied == Set(known.prefix(applied.count)) else {
      return "a migration is missing from the list of applied migrations"
    }
    // If `applied` is empty, the creation of the record was interrupted. Such a record must contain
    // only the table of migrations.
    return difference(
      found, applied.isEmpty ? list : try expected(migrator, through: applied.count))
  }

  private static func difference(_ found: [SchemaRow], _ expected: [SchemaRow]) -> String? {
    if found == expected { return nil }
    if let strange = found.first(where: { !expected.contains($0) }) {
      return expected.contains { $0.name == strange.name && $0.type == strange.type }
        ? "its \(strange.title) was changed"
        : "it contains the \(strange.title), which this program does not create"
    }
    let missing = expected.first { !found.contains($0) }
    return missing.map { "its \($0.title) is missing" } ?? "it contains something twice"
  }

  private static func rows(of db: Database, _ schema: String) throws -> [SchemaRow] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT CAST(type AS TEXT), CAST(name AS TEXT), CAST(tbl_name AS TEXT),
          coalesce(CAST(sql AS TEXT), '')
        FROM \(schema).sqlite_schema
        """
    ).map { row in
      SchemaRow(
        type: row[0] ?? "", name: row[1] ?? "", table: row[2] ?? "", sql: row[3] ?? "")
    }.sorted()
  }

  /// A cache of schemas. Each key is a list of migration names. The value for a key is the schema
  /// that these migrations create.
  private static let made = Mutex<[[String]: [SchemaRow]]>([:])

  /// Returns the schema that the first `count` migrations create.
  private static func expected(
    _ migrator: DatabaseMigrator, through count: Int
  ) throws -> [SchemaRow] {
    let names = Array(migrator.migrations.prefix(count))
    let isOurs = Schema.migrator.migrations.starts(with: names)
    if isOurs, let known = made.withLock({ $0[names] }) { return known }
    let queue = try DatabaseQueue()
    defer { rest(queue) }
    if let last = names.last { try migrator.migrate(queue, upTo: last) }
    let expected = try queue.read { try rows(of: $0, "main") }
    if isOurs { made.withLock { $0[names] = expected } }
    return expected
  }
}
