/// A reader of archives that `TarHeader` wrote. The reader refuses all other archives.
///
/// The reader reads the name and the size from each header in the archive. From these two values,
/// the reader creates a new header with `TarHeader`. The header in the archive must have exactly
/// the same bytes as this new header. Therefore the reader accepts only plain files. The reader
/// refuses directories, links, devices, sparse files, long names, and the extensions of POSIX and
/// GNU. GNU tar is not safe for this purpose, because it creates the links and devices of an
/// archive.
public struct TarReader {
  /// A part of the archive. For each file, the reader returns these parts in order: the header, the
  /// content in pieces, and the end.
  public enum Part: Hashable, Sendable {
    /// The header of a file.
    ///
    /// - Parameter size: the size of the file in bytes.
    case file(name: String, size: Int)
    case content(ArraySlice<UInt8>)
    case end
  }

  private enum State {
    case header
    /// The reader reads the content of a file.
    ///
    /// - Parameter left: the number of bytes of content that follow.
    /// - Parameter padding: the number of zero bytes after the content.
    case content(left: Int, padding: Int)
    case padding(left: Int)
    /// The reader has read the first of the two blocks of zeros at the end of the archive.
    case ending
    case ended
  }

  private static let blockBytes = 512

  private var state = State.header
  /// The bytes of the present block that the reader has received so far. This block is a header, or
  /// a block of zeros at the end of the archive.
  private var block: [UInt8] = []
  private var names: Set<String> = []

  public init() {}

  /// Reads the next bytes of the archive.
  ///
  /// - Parameter take: a function that receives each part of the archive that the reader finds in
  ///   these bytes.
  /// - Throws: `TarError` if the archive differs from the format of `TarHeader`. If `take` throws
  ///   an error, the function throws the same error.
  public mutating func read(_ bytes: [UInt8], _ take: (Part) throws -> Void) throws {
    var rest = bytes[...]
    while true {
      switch state {
      case .content(left: 0, let padding):
        try take(.end)
        state = .padding(left: padding)
      case .padding(left: 0):
        state = .header
      default:
        if rest.isEmpty { return }
        try step(&rest, take)
      }
    }
  }

  /// Checks that the archive is complete. Call this function after the last call of `read`.
  ///
  /// - Throws: `TarError` if the archive is incomplete.
  public func finish() throws(TarError) {
    guard case .ended = state else { throw TarError("it is incomplete") }
  }

  private mutating func step(
    _ rest: inout ArraySlice<UInt8>, _ take: (Part) throws -> Void
  ) throws {
    switch state {
    case .content(let left, let padding):
      let piece = rest.prefix(left)
      rest = rest.dropFirst(piece.count)
      state = .content(left: left - piece.count, padding: padding)
      try take(.content(piece))
    case .padding(let left):
      let zeros = rest.prefix(left)
      guard zeros.allSatisfy({ $0 == 0 }) else {
        throw TarError("there are unexpected bytes between its files")
      }
      rest = rest.dropFirst(zeros.count)
      state = .padding(left: left - zeros.count)
    case .header, .ending:
      let more = rest.prefix(Self.blockBytes - block.count)
      rest = rest.dropFirst(more.count)
      block += more
      if block.count == Self.blockBytes { try finishBlock(take) }
    case .ended:
      throw TarError("there are unexpected bytes after its end")
    }
  }

  private mutating func finishBlock(_ take: (Part) throws -> Void) throws {
    let isZero = block.allSatisfy { $0 == 0 }
    if case .ending = state {
      guard isZero else { throw TarError("there are unexpected bytes after its end") }
      state = .ended
    } else if isZero {
      state = .ending
    } else {
      let (name, size) = try Self.header(block)
      guard names.insert(name).inserted else { throw TarError("it contains \"\(name)\" twice") }
      state = .content(left: size, padding: TarHeader.padding(size: size).count)
      try take(.file(name: name, size: size))
    }
    block = []
  }

  private static func header(_ block: [UInt8]) throws(TarError) -> (name: String, size: Int) {
    let name = String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self)
    guard isPlain(name) else {
      throw TarError("one of its files has a name that this program does not use")
    }
    let digits = String(decoding: block[124..<135], as: UTF8.self)
    guard let size = Int(digits, radix: 8), size >= 0, size < 1 << 33,
      block == TarHeader.bytes(name: name, size: size)
    else { throw TarError("\"\(name)\" is not a plain file that this program packed") }
    return (name, size)
  }

  /// True if a name is a plain file name, without directories.
  ///
  /// A plain file name has at most 100 characters. A plain file name begins with an ASCII letter or
  /// a digit, and contains only ASCII letters, digits and `-._`.
  private static func isPlain(_ name: String) -> Bool {
    let isLetter = { (byte: UInt8) in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    guard let first = name.utf8.first, isLetter(first), name.utf8.count <= 100 else { return false }
    return name.utf8.allSatisfy { isLetter($0) || "-._".utf8.contains($0) }
  }
}

/// The reason why the reader refuses an archive.
///
/// The caller shows the reason after the name of the archive.
public struct TarError: Error, Hashable, Sendable, CustomStringConvertible {
  public var reason: String

  init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
