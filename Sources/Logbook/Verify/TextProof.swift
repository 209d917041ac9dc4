import EventCoding
import GRDB
import JSONValue

/// Checks that exactly the erased texts are missing from the record.
///
/// The hash chain does not cover the texts, so that an erasure can delete them. But the row of each
/// erasure lists the rows whose texts the erasure deleted, and the hash chain covers this list. If
/// a text is missing and no erasure lists its row, a different program deleted the text. If a text
/// exists although an erasure lists its row, the text came back from an old copy.
struct TextProof {
  /// The member of the payload of an `erased` event that lists the rows.
  static let member = "texts"

  private var missing = RowRanges()
  private var erased: [RowRanges] = []
  /// The sequence number of the newest erasure without a list of rows; 0 if every erasure has a
  /// list. Versions before 0.2.0 recorded no list.
  private var unlistedThrough: Int64 = 0

  /// Adds the next row. The caller must add the rows in their order.
  mutating func add(_ stored: EventRow, hasText: Bool) throws {
    if stored.payloadDigest != nil, !hasText { missing.append(stored.sequence) }
    guard stored.type == "erased" else { return }
    guard let list = try JSON(stored: stored.payload)[Self.member] else {
      unlistedThrough = stored.sequence
      return
    }
    guard let rows = list.string.flatMap({ RowRanges($0) }) else {
      throw VerificationFault(
        stored.sequence, "row \(stored.sequence) has no list of erased texts that can be read")
    }
    erased.append(rows)
  }

  /// Compares the missing texts with the erased texts. Call this function after the last row.
  func finding(_ db: Database) throws -> VerificationFault? {
    let erased = RowRanges.union(erased)
    var (count, first) = (0, Int64?.none)
    for row in missing.ranges.joined() where row > unlistedThrough && !erased.contains(row) {
      count += 1
      first = first ?? row
    }
    if let first {
      return VerificationFault(
        first,
        "the free text of \(count == 1 ? "row \(first)" : "\(count) rows, the first is row \(first),") "
          + "is missing, and no erasure deleted it")
    }
    for range in erased.ranges {
      let row = try Int64.fetchOne(
        db, sql: "SELECT min(seq) FROM contents WHERE seq BETWEEN ? AND ?",
        arguments: [range.lowerBound, range.upperBound])
      if let row {
        return VerificationFault(row, "the free text of row \(row) was erased, and is there again")
      }
    }
    return nil
  }
}
