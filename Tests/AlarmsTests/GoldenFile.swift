import Foundation
import Glibc
import Testing

/// A file of `Tests/Golden`, with the text that a test expects.
///
/// If you change the text on purpose, write the file again with `make golden`, and check the
/// changes in the file.
struct GoldenFile {
  /// The folder `Tests`.
  static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()

  private let file: URL

  init(_ name: String) { file = Self.tests.appending(path: "Golden/\(name)") }

  /// Compares a text with the file, and reports the first line that differs.
  ///
  /// - Parameter isTitle: returns true for a line that is the title of the lines after it. The
  ///   report of the first difference contains the title above this difference.
  func expect(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation,
    isTitle: (Substring) -> Bool = { _ in false }
  ) throws {
    if getenv("PROMPTER_WRITE_GOLDEN") != nil { try Data(text.utf8).write(to: file) }
    let expected = try String(contentsOf: file, encoding: .utf8)
    var title: Substring = ""
    for (found, wanted) in zip(text.split(separator: "\n"), expected.split(separator: "\n")) {
      if isTitle(wanted) { title = wanted }
      if found != wanted {
        Issue.record(
          "\(title): \(found)\ninstead of\n\(wanted)", sourceLocation: sourceLocation)
        return
      }
    }
    #expect(text.utf8.count == expected.utf8.count, sourceLocation: sourceLocation)
  }
}
