import Alarms
import CivilTime
import EventCoding
import GRDB
import Glibc
import TestRandom

@testable import Logbook

/// Returns how often a random test runs. If the environment variable PROMPTER_SOAK is set, the
/// result is `count` multiplied by its value.
func soak(_ count: Int) -> Int {
  count * (getenv("PROMPTER_SOAK").flatMap { Int(String(cString: $0)) } ?? 1)
}

/// A directory for one test. The directory is removed when the object is released.
final class TemporaryDirectory {
  let path: String

  init() {
    var template = Array("/tmp/logbook-test-XXXXXX".utf8CString)
    path = String(cString: mkdtemp(&template)!)
  }

  deinit { Self.remove(path) }

  var record: String { path + "/record.sqlite" }

  /// Returns the sorted names of the files in a directory.
  static func list(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func remove(_ path: String) {
    for name in list(path) where unlink("\(path)/\(name)") != 0 { remove("\(path)/\(name)") }
    rmdir(path)
  }
}

func readFile(_ path: String) -> [UInt8] {
  let file = fopen(path, "r")!
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
    bytes += buffer[..<count]
  }
  return bytes
}

func writeFile(_ bytes: [UInt8], to path: String) {
  let file = fopen(path, "w")!
  fwrite(bytes, 1, bytes.count, file)
  fclose(file)
}

/// Removes the triggers that protect a closed record, and changes the record with SQL statements.
func tamper(_ path: String, _ work: (Database) throws -> Void) throws {
  let queue = try DatabaseQueue(path: path)
  try queue.writeWithoutTransaction { db in
    let triggers = try Row.fetchAll(
      db, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    for row in triggers { try db.execute(sql: "DROP TRIGGER \(row[0] as String)") }
    try work(db)
    for row in triggers { try db.execute(sql: row[1] as String) }
  }
  try queue.close()
}

extension Logbook {
  static func open(_ directory: TemporaryDirectory, seed: UInt64 = 1) throws -> Logbook {
    try Logbook(
      directory: directory.path, study: "", random: SeededGenerator(seed: seed))
  }

  func verify(anchor head: Head) throws(LogbookError) -> Verification {
    try verify(anchor: HeadCode(head))
  }

  /// Returns a setting of the database connection that writes.
  func pragma(_ name: String) throws -> String? {
    try pool.writeWithoutTransaction { db in
      try Row.fetchOne(db, sql: "SELECT CAST(\(name) AS TEXT) FROM pragma_\(name)")?[0]
    }
  }
}
