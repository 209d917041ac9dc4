import CZlib

/// Compresses and expands bytes in the format of gzip (RFC 1952), with zlib.
public enum GZip {
  /// The reason why bytes cannot be expanded.
  public enum Failure: Error, Sendable, Hashable {
    /// The bytes are not one whole gzip member, or a checksum is wrong.
    case damaged
    /// The expanded bytes are more than the limit.
    case tooLarge
  }

  private static let piece = 65_536

  public static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard prompter_deflate_begin(&stream) == Z_OK else {
      preconditionFailure("there is no memory for zlib")
    }
    defer { deflateEnd(&stream) }
    var result: [UInt8] = []
    let code = run(&stream, over: bytes, into: &result, limit: .max) { deflate(&$0, Z_FINISH) }
    precondition(code == Z_STREAM_END, "deflate with enough memory reaches its end")
    return result
  }

  /// Expands exactly one gzip member.
  ///
  /// - Parameter limit: the maximum number of expanded bytes. The function never needs more memory
  ///   than `limit` plus 64 KiB.
  public static func expand(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard prompter_inflate_begin(&stream) == Z_OK else {
      preconditionFailure("there is no memory for zlib")
    }
    defer { inflateEnd(&stream) }
    var result: [UInt8] = []
    let code = run(&stream, over: bytes, into: &result, limit: limit) { inflate(&$0, Z_NO_FLUSH) }
    guard result.count <= limit else { throw .tooLarge }
    guard code == Z_STREAM_END, stream.avail_in == 0 else { throw .damaged }
    return result
  }

  /// Calls `step` until it reports an end or an error, or until `result` has more than `limit`
  /// bytes.
  private static func run(
    _ stream: inout z_stream, over bytes: [UInt8], into result: inout [UInt8], limit: Int,
    step: (inout z_stream) -> Int32
  ) -> Int32 {
    var input = bytes
    var output = [UInt8](repeating: 0, count: piece)
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while true {
        let (code, count) = output.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          let code = step(&stream)
          return (code, output.count - Int(stream.avail_out))
        }
        result += output[..<count]
        if code != Z_OK || result.count > limit { return code }
        if count == 0 && stream.avail_in == 0 { return Z_BUF_ERROR }
      }
    }
  }
}
