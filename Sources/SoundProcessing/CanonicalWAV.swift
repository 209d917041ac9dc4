@preconcurrency import Glibc

/// The only format in which Prompter stores sounds: PCM WAV, 48 kHz, mono, signed 16 bit, 44 bytes
/// of header.
package enum CanonicalWAV {
  package static let rate = 48_000
  static let headerBytes = 44
  /// The maximum size of a file in bytes. A file of this size has space for 60 s of sound, and for
  /// RIFF chunks without sound.
  static let longestBytes = 10 << 20

  package struct Fault: Error, CustomStringConvertible {
    package var description: String
  }

  /// Returns the bytes of a WAV file that contains `samples`.
  package static func encode(_ samples: [Int16]) -> [UInt8] {
    let size = samples.count * 2
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerBytes + size)
    func append(_ value: Int, _ width: Int) {
      for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
    bytes += "RIFF".utf8
    append(36 + size, 4)
    bytes += "WAVEfmt ".utf8
    append(16, 4)
    append(1, 2)
    append(1, 2)
    append(rate, 4)
    append(rate * 2, 4)
    append(2, 2)
    append(16, 2)
    bytes += "data".utf8
    append(size, 4)
    samples.withUnsafeBytes { bytes += $0 }
    return bytes
  }

  /// Reads the samples of a stored recording.
  ///
  /// - Throws: `Fault` with a sentence if the file cannot be read or does not have the canonical
  ///   format.
  package static func load(_ path: String) throws(Fault) -> [Int16] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Fault(description: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Fault(description: "it is not a regular file")
    }
    guard status.st_size <= longestBytes else {
      throw Fault(description: "it is larger than \(longestBytes >> 20) MiB")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Fault(description: String(cString: strerror(errno))) }
      if count == 0 { break }
      filled += count
    }
    return try decode(bytes[..<filled])
  }

  /// Finds the chunk `data` of a RIFF file, and checks the chunk `fmt `.
  package static func decode(_ bytes: ArraySlice<UInt8>) throws(Fault) -> [Int16] {
    func number(_ at: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(bytes[bytes.startIndex + at + $1]) << (8 * $1) }
    }
    func tag(_ at: Int) -> String {
      let start = bytes.startIndex + at
      return String(decoding: bytes[start..<start + 4], as: UTF8.self)
    }
    guard bytes.count >= headerBytes, tag(0) == "RIFF", tag(8) == "WAVE" else {
      throw Fault(description: "it is not a WAV file")
    }
    var at = 12
    var isCanonical = false
    while at + 8 <= bytes.count {
      let size = number(at + 4, 4)
      let end = at + 8 + size
      if tag(at) == "fmt ", size >= 16, end <= bytes.count {
        isCanonical =
          number(at + 8, 2) == 1 && number(at + 10, 2) == 1 && number(at + 12, 4) == rate
          && number(at + 22, 2) == 16
      } else if tag(at) == "data" {
        guard isCanonical else {
          throw Fault(description: "it is not 48 kHz mono 16 bit PCM")
        }
        guard end <= bytes.count else { throw Fault(description: "it is incomplete") }
        guard size >= 2 else { throw Fault(description: "it contains no sound") }
        let start = bytes.startIndex + at + 8
        return [Int16](unsafeUninitializedCapacity: size / 2) { samples, count in
          // The file is little-endian. Debian has Swift only for little-endian machines, so copy
          // the bytes without a change.
          bytes[start..<start + size / 2 * 2].withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(samples).copyMemory(from: source)
          }
          count = size / 2
        }
      }
      at = end + size & 1
    }
    throw Fault(description: "it has no data chunk")
  }
}
