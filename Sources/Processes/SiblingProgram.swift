import Glibc

/// Finds the helper programs of Prompter, which are in the folder of the running program.
package enum SiblingProgram {
  /// Returns the path of a program in the folder of this program. The function does not check
  /// whether the program exists. If the folder is unknown, the function sets `errno`, and the
  /// result is nil.
  package static func path(_ name: String) -> String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &path, path.count)
    guard length > 0 else { return nil }
    let bytes = path[..<length].map { UInt8(bitPattern: $0) }
    let directory = bytes[...(bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
    return String(decoding: directory, as: UTF8.self) + name
  }
}
