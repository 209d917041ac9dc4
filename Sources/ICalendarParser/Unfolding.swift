import CICal
import Glibc

/// Unfolds the lines of a file with libical.
enum Unfolding {
  /// Passes the lines of a file to libical. libical calls `fill` again and again. Each call copies
  /// the next piece of a line.
  private final class Source {
    let lines: [(number: Int, bytes: ArraySlice<UInt8>)]
    var index = 0
    /// The number of bytes of the present line that `fill` has already copied for libical.
    var offset = 0

    init(_ lines: [(number: Int, bytes: ArraySlice<UInt8>)]) { self.lines = lines }

    /// Copies the next bytes into a buffer, like `fgets`. The result is false after the last line.
    func fill(_ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Bool {
      guard index < lines.count, size > 1 else { return false }
      let line = lines[index].bytes
      let rest = line.dropFirst(offset).prefix(size - 1)
      var count = 0
      for byte in rest {
        buffer[count] = CChar(bitPattern: byte)
        count += 1
      }
      offset += count
      if offset == line.count, count < size - 1 {
        buffer[count] = 0x0A
        count += 1
        index += 1
        offset = 0
      }
      buffer[count] = 0
      return true
    }
  }

  /// Joins folded lines. A fold can split the bytes of a character, so the result contains bytes
  /// and not texts.
  ///
  /// - Parameter lines: the lines of the file without line ends and zero bytes. No line is empty.
  /// - Returns: the unfolded lines, each with the number of its first line in the file.
  static func unfolded(
    _ lines: [(number: Int, bytes: ArraySlice<UInt8>)]
  ) -> [(number: Int, bytes: ArraySlice<UInt8>)] {
    /// For each unfolded line, the number of its first line in the file, and the blanks at the end
    /// of the unfolded line.
    var places: [(number: Int, blanks: ArraySlice<UInt8>)] = []
    for (number, bytes) in lines {
      let blanks = bytes[(bytes.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.endIndex - 1)...]
      let isFold = bytes.first == 0x20 || bytes.first == 0x09
      if isFold, !places.isEmpty {
        places[places.count - 1].blanks = blanks.dropFirst()
      } else {
        places.append((number, blanks.dropFirst()))
      }
    }
    let source = Source(lines)
    guard let parser = icalparser_new() else { return [] }
    defer { icalparser_free(parser) }
    return withExtendedLifetime(source) {
      icalparser_set_gen_data(parser, Unmanaged.passUnretained(source).toOpaque())
      var unfolded: [(number: Int, bytes: ArraySlice<UInt8>)] = []
      while let line = icalparser_get_line(
        parser,
        { buffer, size, data in
          guard let buffer, let data else { return nil }
          let source = Unmanaged<Source>.fromOpaque(data).takeUnretainedValue()
          return source.fill(buffer, size) ? buffer : nil
        })
      {
        let text = UnsafeBufferPointer(start: line, count: strlen(line)).map {
          UInt8(bitPattern: $0)
        }
        free(line)
        // The first call of `icalparser_get_line` returns an empty line that is not in the file.
        if text.isEmpty { continue }
        let place = unfolded.count < places.count ? places[unfolded.count] : (number: 0, blanks: [])
        // libical removes the blanks at the end of a line. But a text can end with blanks, so add
        // the blanks of the line again.
        unfolded.append((place.number, (text + place.blanks)[...]))
      }
      return unfolded
    }
  }
}
