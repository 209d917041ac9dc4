/// The page `docs/internals/MODULES.md`, with its table of decisions and its sections.
///
/// The page contains the names of files, functions and types in backquotes.
struct ModulePage {
  /// A name on the page, and the places that can define this name.
  struct Claim {
    /// The number of the line on the page, from 1.
    var line: Int
    /// The files and folders below Sources that can define the name. A folder ends with a slash. At
    /// least one of these files and folders must define the name.
    var places: [String]
    /// The name of a function or type. The name is nil if the check needs only the file or folder.
    var name: String?
  }

  static let path = "docs/internals/MODULES.md"
  /// The names in the rows of the table.
  private(set) var decisions: [Claim] = []
  /// The names in the sections about modules.
  private(set) var descriptions: [Claim] = []
  /// A finding for each row of the table that lacks a file or a name.
  private(set) var findings: [Finding] = []
  private(set) var rowCount = 0

  init(_ page: SourceFile) {
    var part = ""
    var modules: [String] = []
    var folders: [String] = []
    var isList = false
    for (index, line) in page.lines.enumerated() {
      if line.hasPrefix("## ") {
        part = line
        modules = []
      } else if line.hasPrefix("### "), !part.hasPrefix("## Where") {
        modules = Self.modules(of: line)
        folders = modules
      } else if part.hasPrefix("## Where"), line.hasPrefix("| …") {
        readRow(line, index + 1)
      } else if !modules.isEmpty {
        if line.hasPrefix("- ") || line.isEmpty {
          folders = modules
          isList = line.hasPrefix("- Main type") || line.hasPrefix("- Start with")
        }
        readSection(line, index + 1, modules, &folders, isList: isList)
      }
    }
  }

  /// Returns the modules in a heading. Example: `### Simulation, SimulatedDisk and prompter-sim`.
  private static func modules(of heading: String) -> [String] {
    heading.dropFirst(4).replacing(" and ", with: ", ").split(separator: ", ").map { "\($0)/" }
  }

  /// Returns the texts in backquotes.
  private static func quoted(_ text: some StringProtocol) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
  }

  private mutating func readRow(_ line: String, _ number: Int) {
    rowCount += 1
    let cells = line.split(separator: "|")
    guard cells.count == 3, let file = Self.quoted(cells[1]).first, !Self.quoted(cells[2]).isEmpty
    else {
      findings.append(
        Finding(path: Self.path, line: number, what: "a row without a file or a function"))
      return
    }
    decisions += Self.quoted(cells[2]).map { Claim(line: number, places: [file], name: $0) }
  }

  /// Reads the names of types, folders and files in a line of a section.
  ///
  /// If a paragraph names a folder such as `Model/`, the later names of the paragraph are in this
  /// folder. A name begins with a capital letter. In a list of main types, a name can also begin
  /// with a small letter. The name of the module itself does not count.
  private mutating func readSection(
    _ line: String, _ number: Int, _ modules: [String], _ folders: inout [String], isList: Bool
  ) {
    for text in Self.quoted(line) where !text.contains(" ") && !text.hasPrefix("docs/") {
      if text.hasSuffix("/") {
        folders = modules.map { $0 + text }
        descriptions.append(Claim(line: number, places: folders, name: nil))
      } else if text.hasSuffix(".swift") {
        descriptions.append(Claim(line: number, places: folders.map { $0 + text }, name: nil))
      } else if text.contains("/") {
        let place = text.contains(".") ? text : text + "/"
        descriptions.append(Claim(line: number, places: [place], name: nil))
      } else if modules.contains(text + "/") {
        continue
      } else if text.first?.isUppercase == true || (isList && text.first?.isLetter == true) {
        descriptions.append(Claim(line: number, places: folders, name: text))
      }
    }
  }

  /// Returns a finding for each claim that does not agree with the code.
  static func check(_ claims: [Claim], against code: CodeIndex) -> [Finding] {
    claims.compactMap { claim in
      let found = claim.places.filter(code.exists)
      let places = claim.places.joined(separator: " or ")
      guard !found.isEmpty else {
        return Finding(path: path, line: claim.line, what: "there is no \(places)")
      }
      guard let name = claim.name, !found.contains(where: { code.defines(name, in: $0) }) else {
        return nil
      }
      return Finding(path: path, line: claim.line, what: "\(places) does not define \(name)")
    }
  }
}

/// The names that each file below Sources defines.
struct CodeIndex {
  private var names: [String: Set<Substring>] = [:]
  private static let keywords: Set<Substring> = [
    "func", "struct", "class", "enum", "protocol", "actor", "typealias", "case", "var", "let",
    "extension",
  ]

  /// - Parameter files: the files to read. The path of each file begins with `Sources/`.
  init(_ files: [SourceFile]) {
    for file in files {
      names[String(file.path.dropFirst("Sources/".count))] =
        file.path.hasSuffix(".swift") ? Self.swiftNames(file) : Self.functionsOfC(file)
    }
  }

  /// - Parameter place: the path of a file, or of a folder with a slash at the end.
  func exists(_ place: String) -> Bool {
    place.hasSuffix("/") ? names.keys.contains { $0.hasPrefix(place) } : names[place] != nil
  }

  /// Returns whether the file, or a file of the folder, defines the function or type.
  ///
  /// The search uses only the last part of the name, and ignores argument labels. For
  /// `EventState.apply`, it searches for `apply`; for `quiet(for:at:)`, it searches for `quiet`.
  func defines(_ name: String, in place: String) -> Bool {
    let bare = name.prefix { $0 != "(" }.split(separator: ".").last ?? ""
    if !place.hasSuffix("/") { return names[place]?.contains(bare) ?? false }
    return names.contains { $0.key.hasPrefix(place) && $0.value.contains(bare) }
  }

  /// Returns the word after each keyword. The search ignores local values, which have a larger
  /// indentation than members.
  private static func swiftNames(_ file: SourceFile) -> Set<Substring> {
    var names: Set<Substring> = []
    for (line, indent) in zip(file.code, file.indents) {
      guard let indent else { continue }
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }
      for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
        if ["var", "let"].contains(word), indent > 2 { continue }
        names.formUnion(word == "extension" ? next.split(separator: ".").suffix(1) : [next])
      }
    }
    return names
  }

  /// Returns the name before the first parenthesis of each line that is not indented.
  private static func functionsOfC(_ file: SourceFile) -> Set<Substring> {
    var names: Set<Substring> = []
    for line in file.lines where line.first?.isLetter == true {
      guard let end = line.firstIndex(of: "(") else { continue }
      names.formUnion(line[..<end].split { $0 == " " || $0 == "*" }.suffix(1))
    }
    return names
  }
}
