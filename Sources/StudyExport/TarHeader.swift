/// The 512-byte header of a file in a tar archive (POSIX.1-1988 "ustar").
///
/// All files in an archive have the same owner, mode and time. Therefore two exports of the same
/// record have the same bytes.
public enum TarHeader {
  /// The end of an archive: two blocks of zeros.
  public static let end = [UInt8](repeating: 0, count: 1_024)

  /// Writes a header.
  ///
  /// - Parameters:
  ///   - name: a relative path without `..`, with at most 100 bytes of ASCII.
  ///   - size: the length of the file in bytes, less than 8 GiB.
  public static func bytes(name: String, size: Int) -> [UInt8] {
    precondition(
      name.utf8.count <= 100 && size < 1 << 33, "a name has up to 100 bytes, a file under 8 GiB")
    var block = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      block.replaceSubrange(offset..<(offset + text.utf8.count), with: text.utf8)
    }
    put(name, at: 0)
    put("0000644\0", at: 100)
    put("0000000\0", at: 108)
    put("0000000\0", at: 116)
    put(octal(size) + "\0", at: 124)
    put(octal(0) + "\0", at: 136)
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar\0" + "00", at: 257)
    let sum = block.reduce(0) { $0 + Int($1) }
    put(String(octal(sum).suffix(6)) + "\0 ", at: 148)
    return block
  }

  /// The zero bytes after the content of a file. These bytes fill the last block of 512 bytes.
  public static func padding(size: Int) -> [UInt8] {
    [UInt8](repeating: 0, count: (512 - size % 512) % 512)
  }

  /// The length of an archive, in bytes. `sizes` contains the sizes of the files in the archive.
  public static func archiveBytes(_ sizes: [Int]) -> Int {
    sizes.reduce(end.count) { $0 + 512 + $1 + (512 - $1 % 512) % 512 }
  }

  /// Converts a number to octal digits. If there are fewer than eleven digits, the function adds
  /// leading zeros.
  private static func octal(_ value: Int) -> String {
    let digits = String(value, radix: 8)
    return String(repeating: "0", count: max(0, 11 - digits.count)) + digits
  }
}
