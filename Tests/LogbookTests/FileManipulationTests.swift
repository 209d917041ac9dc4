import EventCoding
import Foundation
import GRDB
import TestRandom
import Testing

@testable import Logbook

/// Tests changes to the bytes of the record file. Each check compares the changed record with a
/// head code that is stored elsewhere.
@Suite struct `Manipulations of the record file` {
  /// The tables that the verification does not check. These tables contain no data of a study. They
  /// contain the receipts of requests with an idempotency key, and settings of the device such as
  /// keys.
  private static let unchecked: Set<String> = ["receipts", "settings", "sqlite_sequence"]

  @Test func `three hundred manipulations of bytes are found or change no data`() throws {
    let directory = TemporaryDirectory()
    let logbook = try Logbook.open(directory)
    var history = History(seed: 21)
    try history.playAtOnce(30, into: logbook)
    let code = try #require(HeadCode(HeadCode(logbook.head).description))
    try logbook.close()
    let whole = try Data(contentsOf: URL(filePath: directory.record))
    let copy = "\(directory.path)/copy.sqlite"
    let honest = try #require(try read(copy, whole, code))
    var (found, harmless) = (0, [String: Int]())
    for seed in 0..<UInt64(soak(300)) {
      var random = SeededGenerator(seed: seed)
      let (kind, bytes) = Self.changed(whole, &random)
      if bytes == whole { continue }
      guard let tables = try read(copy, bytes, code) else {
        found += 1
        continue
      }
      let changed = Set(honest.keys).union(tables.keys).filter { honest[$0] != tables[$0] }
      #expect(changed.isSubset(of: Self.unchecked), "seed \(seed), \(kind): \(changed)")
      // The verification found no fault. The manipulation changed free space of a page, or a field
      // of the file header that SQLite ignores.
      harmless[kind, default: 0] += 1
    }
    #expect(found > 100, "found \(found), harmless: \(harmless)")
  }

  /// Returns the rows of all tables; returns nil if the verification of the record finds a fault.
  private func read(_ path: String, _ bytes: Data, _ code: HeadCode) throws -> [String: [String]]? {
    for end in ["", "-wal", "-shm", "-journal"] {
      try? FileManager.default.removeItem(atPath: path + end)
    }
    try bytes.write(to: URL(filePath: path))
    do {
      let queue = try DatabaseQueue(path: path)
      return try queue.read { db in
        guard try Logbook.verification(of: db, anchors: [code]).isOK else { return nil }
        let names = try String.fetchAll(
          db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_stat1'")
        return try names.reduce(into: [:]) { tables, name in
          tables[name] = try Row.fetchAll(db, sql: "SELECT * FROM \"\(name)\"").map(\.description)
            .sorted()
        }
      }
    } catch is DatabaseError {
      return nil
    } catch is LogbookError {
      return nil
    }
  }

  private static func changed(_ whole: Data, _ random: inout SeededGenerator) -> (String, Data) {
    var bytes = whole
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0...5, using: &random) {
    case 0:
      bytes[place] ^= UInt8.random(in: 1...255, using: &random)
      return ("byte changed", bytes)
    case 1:
      bytes.remove(at: place)
      return ("byte removed", bytes)
    case 2:
      bytes.insert(.random(in: 0...255, using: &random), at: place)
      return ("byte inserted", bytes)
    case 3:
      let page = 4_096
      let pages = bytes.count / page
      let (one, other) = (
        Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random)
      )
      let former = bytes[one * page..<(one + 1) * page]
      bytes.replaceSubrange(
        one * page..<(one + 1) * page, with: bytes[other * page..<(other + 1) * page])
      bytes.replaceSubrange(other * page..<(other + 1) * page, with: former)
      return ("pages swapped", bytes)
    case 4:
      let length = min(Int.random(in: 1...64, using: &random), bytes.count - place)
      bytes.replaceSubrange(place..<place + length, with: Data(count: length))
      return ("bytes cleared", bytes)
    default: return ("cut", bytes.prefix(place))
    }
  }
}
