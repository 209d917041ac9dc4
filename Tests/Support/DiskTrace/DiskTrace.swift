import CDiskTrace
import Foundation

/// A trace of the calls that changed files below a directory, in the order of the calls.
///
/// The trace contains the calls of all threads. It does not contain the calls of child processes.
public struct DiskTrace: Sendable {
  public enum Call: Equatable, Sendable {
    /// A directory was created.
    case create(String)
    /// Bytes of a file were written. For a new file, the first write also means that the file got
    /// its name.
    case write(String)
    /// A file or a directory was synchronised with `fsync`.
    case sync(String)
    case rename(String, String)
    case link(String, String)
    case unlink(String)
  }

  public var calls: [Call]
  /// The files and directories that existed before the first call.
  public var existing: Set<String>

  public init(calls: [Call], existing: Set<String> = []) {
    self.calls = calls
    self.existing = existing
  }

  /// Runs a closure, and returns the calls that changed files below `directory`.
  public init(of directory: String, _ body: () throws -> Void) throws {
    let root = Self.plain(directory)
    existing = Set(
      (FileManager.default.enumerator(atPath: root)?.allObjects ?? []).map { "\(root)/\($0)" })
    let number = disk_trace_begin(root)
    precondition(number >= 0, "too many traces are open")
    let result = Result { try body() }
    let lines = disk_trace_end(number)
    defer { free(lines) }
    calls = lines.map { String(cString: $0).split(separator: "\n").compactMap(Self.call) } ?? []
    try result.get()
  }

  private static func call(_ line: Substring) -> Call? {
    let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    let (first, second) = (plain(words[1]), plain(words[2]))
    switch words[0] {
    case "create": return .create(first)
    case "write": return .write(first)
    case "fsync": return .sync(first)
    case "rename": return .rename(first, second)
    case "link": return .link(first, second)
    case "unlink": return .unlink(first)
    case "unlinkat": return .unlink("\(first)/\(second)")
    default: return nil
    }
  }

  private static func plain(_ path: String) -> String {
    var path = path.replacing("//", with: "/")
    if path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
