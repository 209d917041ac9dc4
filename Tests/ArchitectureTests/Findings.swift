import Foundation

/// A place in a file that breaks a rule. The description has the format of a compiler message.
struct Finding: CustomStringConvertible, Equatable {
  var path: String
  /// The number of the line, from 1.
  var line: Int
  var what: String

  var description: String { "\(path):\(line): \(what)" }
}

extension SourceFile {
  /// Finds imports that the table of modules does not permit.
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

  /// Finds the words that the code of the module must not contain.
  func banned(in module: Module) -> [Finding] {
    code.enumerated().flatMap { index, line in
      module.banned.filter { Self.holds(line, word: $0.word) }.map {
        finding(index, "\(module.name) may not say \"\($0.word)\": \($0.why)")
      }
    }
  }

  /// Finds files and functions that are too long to read at once.
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

  /// Finds `try!`, `!`, `fatalError` and similar code without a proof. The proof is a comment on
  /// the same line or on one of the three lines above.
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

  /// Finds catch blocks that do nothing.
  func silentCatches() -> [Finding] {
    let whole = code.joined(separator: "\n")
    return whole.matches(of: /catch[^{}\n]*\{\s*\}/).map { match in
      let line = whole[..<match.range.lowerBound].count(where: { $0 == "\n" })
      return finding(line, "a catch that says nothing")
    }
  }

  /// Finds SQL statements that would change old events of the study record.
  func rewritesOfHistory() -> [Finding] {
    lines.enumerated().compactMap { index, line in
      guard line.contains("events"),
        line.contains(/(?i)(update|delete\s+from|replace\s+into|drop\s+table)\s+"?events\b/)
      else { return nil }
      return finding(index, "the study record is never changed")
    }
  }

  /// Finds paths that exist only on one machine.
  func machinePaths() -> [Finding] {
    lines.enumerated().compactMap { index, line in
      guard ["root/", "home/", "work/", "Users/", "mnt/"].contains(where: line.hasBytes(of:)),
        let match = line.firstMatch(of: /(?:^|[^\w\/:.}])\/(?:root|home|work|Users|mnt)\/\w*/)
      else { return nil }
      return finding(index, "a path of one machine: \(match.0)")
    }
  }

  private func finding(_ index: Int, _ what: String) -> Finding {
    Finding(path: path, line: index + 1, what: what)
  }

  /// Returns whether the line contains the word as a whole word.
  private static func holds(_ line: String, word: String) -> Bool {
    func isWordLike(_ character: Character?) -> Bool {
      character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
    return line.contains(word)
      && line.ranges(of: word).contains { range in
        let before =
          range.lowerBound == line.startIndex ? nil : line[line.index(before: range.lowerBound)]
        let after = range.upperBound == line.endIndex ? nil : line[range.upperBound]
        // `cursor.read(` is a method that only has the same name as the banned function `read(`.
        let isMember = before == "." && word.hasSuffix("(")
        let isDeclared = line[..<range.lowerBound].hasSuffix("func ")
        return !isMember && !isDeclared
          && !(isWordLike(word.first) && isWordLike(before))
          && !(isWordLike(word.last) && isWordLike(after))
      }
  }

  /// Returns the number of lines from the head of a function to its closing brace.
  ///
  /// Returns nil if no function begins on the line, or if the function has no body. The formatter
  /// gives the closing brace the same indentation as the head. The search uses this fact.
  private func functionLength(from index: Int, _ line: String) -> Int? {
    guard ["func ", "init", "subscript("].contains(where: line.hasBytes(of:)),
      line.contains(/^\s*(?:@\w+\s+|[\w()]+\s+)*(?:func\s|init[?(<]|subscript\()/)
    else { return nil }
    guard let indent = indents[index] else { return nil }
    for end in (index + 1)..<max(index + 1, code.count) {
      guard let depth = indents[end], depth <= indent else { continue }
      let later = code[end].dropFirst(depth)
      if depth == indent, later.hasPrefix("}") { return end - index + 1 }
      // The head of a function can continue on further lines with the same indentation.
      if depth == indent, later.contains(/^(?:\)|\{|->|where\b|async\b|throws\b)/) { continue }
      return nil
    }
    return nil
  }
}

extension String {
  /// Returns whether the text contains the bytes of the word. This check is much faster than a
  /// regular expression. The callers use a regular expression only for the few lines that pass this
  /// check.
  fileprivate func hasBytes(of word: String) -> Bool { strstr(self, word) != nil }
}
