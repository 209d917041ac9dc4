import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Prints all mutants of some modules. Each line contains one JSON object.
///
///     mutants ROOT MODULE...
@main enum Mutants {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let root = arguments.first, arguments.count > 1 else {
      FileHandle.standardError.write(Data("usage: mutants ROOT MODULE...\n".utf8))
      exit(2)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    for module in arguments.dropFirst() {
      let folder = "Sources/\(module)"
      for file in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").sorted()
      where file.hasSuffix(".swift") {
        for mutant in try find(root: root, file: "\(folder)/\(file)") {
          print(String(decoding: try encoder.encode(mutant), as: UTF8.self))
        }
      }
    }
  }

  private static func find(root: String, file: String) throws -> [Mutant] {
    let source = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
    let parsed = Parser.parse(source: source)
    // The parser does not know the precedence of the operators. `foldAll` adds it.
    let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    guard let tree = folded.as(SourceFileSyntax.self) else { return [] }
    let finder = MutantFinder(file: file, tree: tree)
    finder.walk(tree)
    return finder.mutants
  }
}
