/// Converts HTML to plain text. Calendar programs write descriptions in HTML. Without this
/// conversion, the patient would hear and see the tags.
enum HTMLText {
  /// Returns the text without tags; nil if the text contains neither tags of HTML nor character
  /// references.
  static func plain(_ text: String) -> String? {
    let scalars = Array(text.unicodeScalars)
    var reader = Reader(scalars)
    reader.readAll()
    return reader.isHTML ? reader.result : nil
  }

  /// The HTML elements that begin on a new line.
  private static let blocks: Set<String> = [
    "address", "article", "blockquote", "body", "center", "dd", "div", "dl", "dt", "footer", "form",
    "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "ol", "p", "pre",
    "section", "table", "tbody", "thead", "tr", "ul",
  ]
  private static let others: Set<String> = [
    "a", "abbr", "b", "big", "br", "code", "em", "font", "head", "i", "img", "html-blob", "ins",
    "link", "meta", "o:p", "s", "script", "small", "span", "strike", "strong", "style", "sub",
    "sup", "td", "th", "title", "tt", "u", "del", "label", "colgroup", "col",
  ]
  /// The HTML elements whose content a browser does not show on the page.
  private static let hidden: Set<String> = ["head", "script", "style", "title"]

  private struct Reader {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var text = String.UnicodeScalarView()
    /// The number of line feeds that the converter must write before the next character. If the
    /// number is 0 and `hasBlank` is true, the converter must write a blank.
    private var lines = 0
    private var hasBlank = false
    /// The name of the open hidden element; empty if no hidden element is open.
    private var hiddenElement = ""
    /// For each open list, the number of its next item. The value is nil for an unordered list.
    private var lists: [Int?] = []
    /// True if the converter must replace each line feed of the HTML text by a blank.
    private let joinsLines: Bool
    private(set) var isHTML = false
    /// False after the converter has found a comment without an end. From then on, the converter
    /// does not search for the ends of comments. Otherwise, the conversion of a text with many open
    /// comments would take a long time.
    private var hasComments = true

    var result: String { String(text) }

    init(_ scalars: [Unicode.Scalar]) {
      self.scalars = scalars
      var joins = false
      for index in scalars.indices where scalars[index] == "<" {
        if let tag = Self.tag(scalars, at: index), blocks.contains(tag.name) || tag.name == "br" {
          joins = true
          break
        }
      }
      joinsLines = joins
    }

    mutating func readAll() {
      while index < scalars.count {
        let scalar = scalars[index]
        if scalar == "<", skipComment() { continue }
        if scalar == "<", let tag = Self.tag(scalars, at: index) {
          isHTML = true
          index = tag.end
          apply(tag)
          continue
        }
        if scalar == "&", let (character, end) = reference() {
          isHTML = true
          index = end
          if hiddenElement.isEmpty { add(character) }
          continue
        }
        index += 1
        if hiddenElement.isEmpty { add(scalar) }
      }
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "\n", "\r":
        if joinsLines { hasBlank = true } else if scalar == "\n" { lines += 1 }
      case " ", "\t", "\u{A0}": hasBlank = true
      default:
        flush()
        text.append(scalar)
      }
    }

    private mutating func flush() {
      if lines > 0, !text.isEmpty {
        for _ in 0..<min(lines, 2) { text.append("\n") }
      } else if hasBlank, !text.isEmpty {
        text.append(" ")
      }
      lines = 0
      hasBlank = false
    }

    private mutating func add(words: String) {
      for scalar in words.unicodeScalars { add(scalar) }
    }

    private mutating func apply(_ tag: Tag) {
      if !hiddenElement.isEmpty {
        if tag.isEnd, tag.name == hiddenElement { hiddenElement = "" }
        return
      }
      if hidden.contains(tag.name) {
        if !tag.isEnd { hiddenElement = tag.name }
        return
      }
      if blocks.contains(tag.name) { lines = max(lines, 1) }
      switch tag.name {
      case "br": lines += 1
      case "td", "th": hasBlank = true
      case "ul": if tag.isEnd { _ = lists.popLast() } else { lists.append(nil) }
      case "ol": if tag.isEnd { _ = lists.popLast() } else { lists.append(0) }
      case "li" where !tag.isEnd:
        if let number = lists.last ?? nil {
          lists[lists.count - 1] = number + 1
          add(words: "\(number + 1). ")
        } else {
          add(words: "- ")
        }
      default: break
      }
    }

    /// Skips a comment or a declaration such as `<!DOCTYPE html>`.
    private mutating func skipComment() -> Bool {
      guard hasComments, index + 1 < scalars.count,
        scalars[index + 1] == "!" || scalars[index + 1] == "?"
      else {
        return false
      }
      let isComment = scalars[index...].starts(with: "<!--".unicodeScalars)
      var end = index + 2
      while end < scalars.count {
        if scalars[end] == ">",
          !isComment || (end > index + 5 && scalars[end - 1] == "-" && scalars[end - 2] == "-")
        {
          index = end + 1
          return true
        }
        end += 1
      }
      hasComments = false
      return false
    }

    struct Tag {
      var name: String
      var isEnd: Bool
      /// The index of the first character after the tag.
      var end: Int
    }

    /// The maximum length of a tag. Without a maximum, a text with many `<` would take a long time.
    private static let longestTag = 4_000

    /// Reads the HTML tag that begins at the index `start`. The result is nil if no tag begins at
    /// this index. A text such as `a < b` contains no tag.
    static func tag(_ scalars: [Unicode.Scalar], at start: Int) -> Tag? {
      var index = start + 1
      let isEnd = index < scalars.count && scalars[index] == "/"
      if isEnd { index += 1 }
      var name = ""
      while index < scalars.count, name.utf8.count < 12,
        scalars[index].properties.isAlphabetic
          || "0123456789:-".unicodeScalars.contains(scalars[index])
      {
        name.unicodeScalars.append(scalars[index])
        index += 1
      }
      name = name.lowercased()
      guard blocks.contains(name) || others.contains(name), index < scalars.count,
        scalars[index] == ">" || scalars[index] == "/" || scalars[index].properties.isWhitespace
      else { return nil }
      var quote: Unicode.Scalar?
      for end in index..<min(scalars.count, index + longestTag) {
        let scalar = scalars[end]
        if let open = quote {
          if scalar == open { quote = nil }
        } else if scalar == "\"" || scalar == "'" {
          quote = scalar
        } else if scalar == ">" {
          return Tag(name: name, isEnd: isEnd, end: end + 1)
        }
      }
      return nil
    }

    /// Returns the character that the reference at the present index names, and the index after
    /// this reference.
    private func reference() -> (Unicode.Scalar, Int)? {
      guard let end = scalars[index...].prefix(12).firstIndex(of: ";") else { return nil }
      var name = String.UnicodeScalarView()
      name.append(contentsOf: scalars[(index + 1)..<end])
      let text = String(name)
      var scalar = names[text]
      if text.hasPrefix("#x") || text.hasPrefix("#X") {
        scalar = UInt32(text.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      } else if text.hasPrefix("#") {
        scalar = UInt32(text.dropFirst()).flatMap(Unicode.Scalar.init)
      }
      return scalar.map { ($0, end + 1) }
    }
  }

  /// The named character references that the converter knows. The dictionary contains the names of
  /// all characters of ISO 8859-1, and the names of some other common letters and signs.
  private static let names: [String: Unicode.Scalar] = {
    var names: [String: Unicode.Scalar] = [
      "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—",
      "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„",
      "bull": "•", "hellip": "…", "euro": "€", "trade": "™", "OElig": "Œ", "oelig": "œ",
      "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "lsaquo": "‹", "rsaquo": "›", "ensp": " ",
      "emsp": " ", "thinsp": " ", "zwnj": "\u{200C}", "zwj": "\u{200D}", "rarr": "→", "larr": "←",
      "minus": "−", "le": "≤", "ge": "≥", "ne": "≠", "infin": "∞", "check": "✓", "dagger": "†",
      "permil": "‰", "prime": "′", "Prime": "″",
    ]
    for (offset, name) in latin1.split(separator: " ").enumerated() {
      names[String(name)] = Unicode.Scalar(UInt8(160 + offset))
    }
    return names
  }()

  /// The names of the characters 160 to 255.
  private static let latin1 = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn \
    sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave \
    Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml \
    ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN \
    szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute \
    icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml \
    yacute thorn yuml
    """
}
