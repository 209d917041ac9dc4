import Foundation

/// A place that breaks a rule, written as a compiler writes it.
struct Finding: CustomStringConvertible, Equatable {
  var path: String
  /// From 1.
  var line: Int
  var what: String

  var description: String { "\(path):\(line): \(what)" }
}

extension SourceFile {
  /// Imports that the table does not allow.
  func forbiddenImports(in module: Module) -> [Finding] {
    code.enumerated().compactMap { index, line in
      guard line.contains("import"),
        let match = line.firstMatch(of: /(?:^|\s)import\s+(?:\w+\s+(?=\w))?(\w+)/)
      else { return nil }
      let imported = String(match.1)
      if module.mayImport.contains(imported) { return nil }
      return finding(index, "\(module.name) may not import \(imported)")
    }
  }

  /// Words that the code of the module must not contain.
  func banned(in module: Module) -> [Finding] {
    code.enumerated().flatMap { index, line in
      module.banned.filter { Self.holds(line, word: $0.word) }.map {
        finding(index, "\(module.name) may not say \"\($0.word)\": \($0.why)")
      }
    }
  }

  /// A file or a function that nobody reads in one sitting.
  func oversize(fileLines: Int, functionLines: Int) -> [Finding] {
    var findings: [Finding] = []
    if lines.count > fileLines {
      findings.append(finding(0, "\(lines.count) lines; \(fileLines) at most"))
    }
    for (index, line) in code.enumerated() {
      guard let length = functionLength(from: index, line), length > functionLines else { continue }
      findings.append(
        finding(index, "a function of \(length) lines; \(functionLines) at most"))
    }
    return findings
  }

  /// `try!`, `!`, `fatalError` and their like without a sentence of proof beside or above.
  func unproven() -> [Finding] {
    code.enumerated().compactMap { index, line in
      guard line.utf8.contains(where: { $0 == UInt8(ascii: "!") }) || line.contains("fatalError"),
        let match = line.firstMatch(of: /try!|as!|fatalError\(|[\w\)\]]!(?![=\w])/)
      else {
        return nil
      }
      let above = lines[max(0, index - 3)...index]
      if above.contains(where: { $0.contains("//") }) { return nil }
      return finding(index, "\"\(match.0)\" needs a sentence of proof")
    }
  }

  /// A catch that does nothing at all.
  func silentCatches() -> [Finding] {
    let whole = code.joined(separator: "\n")
    return whole.matches(of: /catch[^{}\n]*\{\s*\}/).map { match in
      let line = whole[..<match.range.lowerBound].count(where: { $0 == "\n" })
      return finding(line, "a catch that says nothing")
    }
  }

  /// Statements that would change the study record's past.
  func rewritesOfHistory() -> [Finding] {
    lines.enumerated().compactMap { index, line in
      guard line.contains("events"),
        line.contains(/(?i)(update|delete\s+from|replace\s+into|drop\s+table)\s+"?events\b/)
      else { return nil }
      return finding(index, "the study record is never changed")
    }
  }

  /// Paths that exist on one machine only.
  func machinePaths() -> [Finding] {
    lines.enumerated().compactMap { index, line in
      guard line.utf8.contains(UInt8(ascii: "/")),
        let match = line.firstMatch(of: /(?:^|[^\w\/:.}])\/(?:root|home|work|Users|mnt)\/\w*/)
      else { return nil }
      return finding(index, "a path of one machine: \(match.0)")
    }
  }

  private func finding(_ index: Int, _ what: String) -> Finding {
    Finding(path: path, line: index + 1, what: what)
  }

  /// Whether the word stands in the line by itself and not as the end or the start of another one.
  private static func holds(_ line: String, word: String) -> Bool {
    func isWordLike(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    return line.contains(word)
      && line.ranges(of: word).contains { range in
        let before =
          range.lowerBound == line.startIndex ? nil : line[line.index(before: range.lowerBound)]
        let after = range.upperBound == line.endIndex ? nil : line[range.upperBound]
        // A method of the same name, as in `cursor.read(`, is somebody's own.
        let isMember = before == "." && word.hasSuffix("(")
        let isDeclared = line[..<range.lowerBound].hasSuffix("func ")
        return !isMember && !isDeclared
          && !(isWordLike(word.first) && isWordLike(before))
          && !(isWordLike(word.last) && isWordLike(after))
      }
  }

  /// The lines from a function's head to its closing brace; nil where the line begins none, or where
  /// it has no body. The formatter's indentation is what the brace is found by.
  private func functionLength(from index: Int, _ line: String) -> Int? {
    guard line.contains(/^\s*(?:@\w+\s+|[\w()]+\s+)*(?:func\s|init[?(<]|subscript\()/) else {
      return nil
    }
    guard let indent = indents[index] else { return nil }
    for end in (index + 1)..<max(index + 1, code.count) {
      guard let depth = indents[end], depth <= indent else { continue }
      let later = code[end].dropFirst(depth)
      if depth == indent, later.hasPrefix("}") { return end - index + 1 }
      if depth == indent, later.hasPrefix(")") || later.hasPrefix("where") { continue }
      return nil
    }
    return nil
  }
}
