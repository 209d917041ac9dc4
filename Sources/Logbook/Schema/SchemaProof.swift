import GRDB
import Synchronization

/// A row of `sqlite_schema`: a table, index, trigger or view, and the statement that made it.
private struct SchemaRow: Hashable, Comparable {
  var type: String
  var name: String
  var table: String
  /// Empty for the indexes that SQLite makes for a key.
  var sql: String

  /// `table "events"`; a name that a stranger chose is made safe to print.
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
  /// How a connection is opened to a file that others may have written: nothing in its schema may call a
  /// function that has effects, and its pages are checked as they are read.
  static let mistrust = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"

  /// Where GRDB keeps the names of the migrations that were applied.
  private static let listTable = "grdb_migrations"

  /// Refuses a record that holds anything but what this program's migrations make.
  ///
  /// A trigger, a view, a generated column or a virtual table in a file runs when the record is read or
  /// written, also after its rows were proven, and stays in it. So the statements in `sqlite_schema` must
  /// be exactly those that the migrations make, up to the one that was applied last. This reads only
  /// tables whose statement was compared before. A newer program's record is not judged here.
  ///
  /// - Parameters:
  ///   - schema: `main`, or what the database is attached as.
  ///   - doing: for the error: the verb and its object.
  /// - Throws: `.corrupt` with the first difference.
  static func prove(
    _ db: Database, schema: String = "main", _ migrator: DatabaseMigrator = Schema.migrator,
    doing: String
  ) throws {
    if let problem = try problem(in: db, schema: schema, migrator) {
      throw LogbookError.corrupt(doing: doing, reason: problem)
    }
  }

  /// Whether a database is a record of this program, or is about to become one.
  static func isRecord(_ db: Database) throws -> Bool {
    // The list of what was migrated comes first. Alone it is a record whose making was cut short.
    let tables =
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> '\(listTable)'") ?? 0
    return try tables == 0 || Int64.fetchOne(db, sql: "PRAGMA application_id") == applicationID
  }

  /// What `prove` finds; nil if the record is as the migrations make it.
  static func problem(
    in db: Database, schema: String = "main", _ migrator: DatabaseMigrator = Schema.migrator
  ) throws -> String? {
    let found = try rows(of: db, schema)
    if found.isEmpty { return nil }
    let list = try expected(migrator, through: 1).filter { $0.table == listTable }
    guard list.allSatisfy(found.contains) else { return "it has no list of its migrations" }
    let applied = Set(
      try String.fetchAll(db, sql: "SELECT identifier FROM \(schema).\(listTable)"))
    let known = migrator.migrations
    guard applied.isSubset(of: known) else { return nil }
    guard applied == Set(known.prefix(applied.count)) else {
      return "a migration is missing from the list of those that were applied"
    }
    // A record whose making was cut short has the list alone.
    return difference(
      found, applied.isEmpty ? list : try expected(migrator, through: applied.count))
  }

  private static func difference(_ found: [SchemaRow], _ expected: [SchemaRow]) -> String? {
    if found == expected { return nil }
    if let strange = found.first(where: { !expected.contains($0) }) {
      return expected.contains { $0.name == strange.name && $0.type == strange.type }
        ? "its \(strange.title) is not as this program makes it"
        : "it holds \(strange.type == "index" ? "an" : "a") \(strange.title) that this program does not make"
    }
    let missing = expected.first { !found.contains($0) }
    return missing.map { "its \($0.title) is missing" } ?? "it holds something twice"
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

  /// What the first migrations make, by their names. Only those of the program itself are kept.
  private static let made = Mutex<[[String]: [SchemaRow]]>([:])

  /// What the first `count` migrations make.
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
