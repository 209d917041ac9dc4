import ArchiveProtocol

/// For each stream, the rows that belong to the present record of its home.
///
/// After a fork, a home has several streams. The present record of the home consists of all rows of
/// the newest stream, and of the rows of each earlier stream up to its fork. The rows of the
/// earlier streams are necessary, because a home cannot send its purged rows again. If two streams
/// contain a row with the same number, the row of the newer stream belongs to the present record.
/// The view `prompt_facts` uses the same rule.
struct PresentRecord {
  private struct Part {
    /// The number of the newest row of this stream that belongs to the present record.
    var last: Int64
    /// The numbers of the rows that newer streams of the home contain.
    var newer: [ClosedRange<Int64>]
  }

  /// For each stream, the part of the stream that belongs to the present record of its home. The
  /// dictionary key is the name of the stream.
  private var parts: [String: Part] = [:]
  /// For each home, the number of the row before its oldest row.
  private var starts: [String: Int64] = [:]

  /// - Parameter streams: all streams, in the order in which the archive opened them.
  init(_ streams: [ArchivedStream]) {
    var known: [String: ArchivedStream] = [:]
    var newest: [String: ArchivedStream] = [:]
    for stream in streams {
      known[stream.stream] = stream
      // Ignore a stream without rows and without an earlier stream (`parent`), because it contains
      // no part of the record. A new stream after a fork counts even without rows, because the rows
      // of its earlier stream belong to the record.
      if stream.head != nil || stream.parent != nil { newest[stream.home] = stream }
    }
    for (home, stream) in newest { addParts(of: home, from: stream, known) }
  }

  private mutating func addParts(
    of home: String, from newest: ArchivedStream, _ known: [String: ArchivedStream]
  ) {
    var part = Part(last: .max, newer: [])
    var next: ArchivedStream? = newest
    while let stream = next, parts[stream.stream] == nil {
      parts[stream.stream] = part
      let first = stream.start.sequence + 1
      if let head = stream.head, head.sequence >= first {
        part.newer.append(first...head.sequence)
        if first <= part.last { starts[home] = min(starts[home] ?? .max, first - 1) }
      }
      guard let parent = stream.parent.flatMap({ known[$0] }), let fork = stream.parentSequence
      else { return }
      part.last = min(part.last, fork)
      next = parent
    }
  }

  /// Returns true if a row of a stream belongs to the present record of the home.
  func contains(_ sequence: Int64, of stream: ArchivedStream) -> Bool {
    guard let part = parts[stream.stream], sequence <= part.last else { return false }
    return !part.newer.contains { $0.contains(sequence) }
  }

  /// Returns the number of the row before the oldest row of a home; nil if the archive has no row
  /// of this home.
  func start(of home: String) -> Int64? { starts[home] }
}
