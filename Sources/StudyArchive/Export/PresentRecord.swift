import ArchiveProtocol

/// The rows of each stream that belong to the present record of its home.
///
/// After a fork, a home has several streams. Its present record is the newest stream, and the rows of the
/// streams before it up to the fork: a home that purged its oldest rows does not send them again. If two
/// streams have a row with the same number, the newer stream counts, as in the view `prompt_facts`.
struct PresentRecord {
  private struct Part {
    /// The newest row that belongs to the record.
    var last: Int64
    /// The rows that a newer stream has.
    var newer: [ClosedRange<Int64>]
  }

  /// By the name of the stream.
  private var parts: [String: Part] = [:]
  /// The row before the oldest row of each home.
  private var starts: [String: Int64] = [:]

  /// - Parameter streams: all streams, in the order in which they were opened.
  init(_ streams: [ArchivedStream]) {
    var known: [String: ArchivedStream] = [:]
    var newest: [String: ArchivedStream] = [:]
    for stream in streams {
      known[stream.stream] = stream
      // A home that enrolled again has a stream without a row until it sends its record again.
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

  /// True if a row of a stream belongs to the record of the home.
  func contains(_ sequence: Int64, of stream: ArchivedStream) -> Bool {
    guard let part = parts[stream.stream], sequence <= part.last else { return false }
    return !part.newer.contains { $0.contains(sequence) }
  }

  /// The number of the row before the oldest row of a home; nil if the archive has no row.
  func start(of home: String) -> Int64? { starts[home] }
}
