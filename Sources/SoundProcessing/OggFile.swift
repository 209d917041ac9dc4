/// The pages of an Ogg file (RFC 3533).
package struct OggFile {
  /// One part of a chained file. The parts follow one another. Each part contains one stream, or
  /// several interleaved streams.
  package struct Link {
    package var bytes: Range<Int>
    /// The key is the serial number of a stream. The value is true if the file contains the last
    /// page of this stream.
    fileprivate(set) var hasEnded: [Int: Bool] = [:]
    fileprivate var codings: [[UInt8]] = []
    fileprivate var hasData = false
  }

  package private(set) var links: [Link] = []

  /// - Parameter start: the index of the byte at which the first page begins.
  package init(_ upload: [UInt8], from start: Int) {
    var at = start
    while at + 27 <= upload.count {
      guard upload.hasTag("OggS", at: at) else {
        // No page begins here, because the file is damaged between two pages. Continue at the next
        // page.
        guard let next = Self.nextPage(upload, after: at) else { break }
        at = next
        continue
      }
      let flags = upload[at + 5]
      let serial = upload.number(at + 14, 4) ?? 0
      let segments = Int(upload[at + 26])
      guard at + 27 + segments <= upload.count else { break }
      let body = at + 27 + segments
      let length = upload[at + 27..<body].reduce(0) { $0 + Int($1) }
      let isComplete = body + length <= upload.count
      let isFirst = flags & 2 != 0
      // A page with the flag "first page" begins a new stream. If pages with data precede this
      // page, it also begins the next link. If no page with data is between several first pages,
      // all their streams belong to one link.
      if links.isEmpty || isFirst && links[links.count - 1].hasData {
        links.append(Link(bytes: at..<at))
      }
      let link = links.count - 1
      if isFirst {
        links[link].codings.append(Array(upload[body..<min(body + 8, upload.count)]))
        links[link].hasEnded[serial] = false
      } else {
        links[link].hasData = true
      }
      if flags & 4 != 0, isComplete { links[link].hasEnded[serial] = true }
      at = min(body + length, upload.count)
      links[link].bytes = links[link].bytes.lowerBound..<at
    }
  }

  private static func nextPage(_ upload: [UInt8], after start: Int) -> Int? {
    var at = start + 1
    while at + 27 <= upload.count {
      if upload[at] == 0x4f, upload.hasTag("OggS", at: at) { return at }
      at += 1
    }
    return nil
  }

  /// True if each link has one stream, which is coded with Vorbis or Opus.
  var isVorbisOrOpus: Bool {
    links.allSatisfy { link in
      link.codings.count == 1
        && (link.codings[0].hasTag("\u{1}vorbis") || link.codings[0].hasTag("OpusHead"))
    }
  }

  /// True if the file contains the last page of each stream. Every encoder marks the last page of a
  /// stream.
  package var isComplete: Bool {
    links.allSatisfy { !$0.hasEnded.values.contains(false) }
  }
}
