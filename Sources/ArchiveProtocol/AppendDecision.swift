/// The values of a stored stream that `AppendDecision.decide` needs.
public struct StoredStream: Sendable {
  /// The head before the oldest stored row; nil if the archive has no row of the stream.
  public var start: ArchiveHead?
  /// The newest stored row; nil if the archive has no row of the stream.
  public var head: ArchiveHead?
  /// The hashes of the stored rows that a batch may contain again. Each key is the number of a row.
  public var hashes: [Int64: String]

  public init(start: ArchiveHead?, head: ArchiveHead?, hashes: [Int64: String] = [:]) {
    (self.start, self.head, self.hashes) = (start, head, hashes)
  }

  /// A stream that contains no row.
  public static let empty = StoredStream(start: nil, head: nil)

  /// Returns the hash of the row with this number; nil if the archive cannot know the hash.
  func hash(at sequence: Int64) -> String? {
    if let start, sequence == start.sequence { return start.hash }
    if let head, sequence == head.sequence { return head.hash }
    return hashes[sequence]
  }
}

/// The archive's decision about a batch of rows.
public enum AppendDecision: Sendable, Hashable {
  /// The archive stores these rows (at least one row). `head` becomes the head of the stream.
  case accept(rows: [ArchiveRow], head: ArchiveHead)
  /// There is nothing to store: the archive already has each row of the batch, or the batch is
  /// empty. An empty batch only shows that the home is running.
  case nothingNew
  /// The batch does not follow the head of the stream. The link of the home must continue from the
  /// archive's head.
  case gap
  /// The home and the archive have different rows with the number `at`, or they know different
  /// hashes of the row before the batch. `common` is the number of the newest row that is certainly
  /// the same in the home and in the archive.
  case fork(at: Int64, common: Int64?)
  /// The rows of the batch are not a hash chain.
  case broken(at: Int64, BrokenReason)

  public enum BrokenReason: String, Sendable, CaseIterable {
    /// The number of a row is not the number of the previous row plus 1.
    case sequence
    /// The `prev_hash` of a row is not the hash of the previous row.
    case link
    /// The hash of a row is not the hash of its values.
    case hash
  }

  /// Decides about a batch.
  ///
  /// The function first checks that the batch is a hash chain, because only a hash chain can prove
  /// a fork. A damaged row must not open a new stream.
  ///
  /// - Parameters:
  ///   - stream: the stored part of the stream. Its `hashes` contain all stored rows from the row
  ///     `after` to the last row of the batch.
  ///   - after: the row before the batch, as the home knows this row.
  ///   - digest: a function that computes the SHA-256 of the bytes, in lower-case hexadecimal.
  public static func decide(
    stream: StoredStream, after: ArchiveHead, rows: [ArchiveRow],
    digest: (_ bytes: [UInt8]) -> String
  ) -> AppendDecision {
    if let broken = firstBreak(in: rows, after: after, digest: digest) { return broken }
    guard let head = stream.head, let start = stream.start else {
      return rows.last.map { .accept(rows: rows, head: $0.head) } ?? .nothingNew
    }
    guard after.sequence <= head.sequence, after.sequence >= start.sequence else { return .gap }
    guard stream.hash(at: after.sequence) == after.hash else {
      return .fork(at: after.sequence, common: nil)
    }
    let overlap = rows.prefix { $0.sequence <= head.sequence }
    if let other = overlap.first(where: { stream.hash(at: $0.sequence) != $0.hash }) {
      return .fork(at: other.sequence, common: other.sequence - 1)
    }
    let new = Array(rows.dropFirst(overlap.count))
    return new.last.map { .accept(rows: new, head: $0.head) } ?? .nothingNew
  }

  /// Finds the first row that does not continue the hash chain.
  private static func firstBreak(
    in rows: [ArchiveRow], after: ArchiveHead, digest: (_ bytes: [UInt8]) -> String
  ) -> AppendDecision? {
    guard after.sequence > 0 || after == .genesis else { return .broken(at: 1, .link) }
    var last = after
    for row in rows {
      guard last.sequence < .max, row.sequence == last.sequence + 1 else {
        return .broken(at: row.sequence, .sequence)
      }
      guard row.previousHash == last.hash else { return .broken(at: row.sequence, .link) }
      if case .plain(let plain) = row, plain.computedHash(digest: digest) != plain.hash {
        return .broken(at: row.sequence, .hash)
      }
      last = row.head
    }
    return nil
  }
}
