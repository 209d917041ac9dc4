import API

/// A request of a browser. The browser requests a page or sends a form of a page.
public struct Visit: Sendable, Hashable {
  /// The segments of the path, percent-decoded; empty for the first page.
  public var path: [String]
  public var query: FormFields
  /// The languages that the browser requests, as BCP 47 tags. The preferred language is the first.
  public var languages: [String]
  /// The number of changes at home so far. If the number in a page is smaller than this number, the
  /// page is outdated.
  public var version: Int

  public init(
    path: [String], query: FormFields = FormFields(), languages: [String] = [], version: Int = 0
  ) {
    (self.path, self.query, self.languages, self.version) = (path, query, languages, version)
  }
}

/// The fields in a form or in a query, in their order.
public struct FormFields: Sendable, Hashable {
  public var fields: [Field]
  /// The files that the person chose.
  public var files: [File] = []

  /// One field of a form: its name and its value.
  public struct Field: Sendable, Hashable {
    public var name: String
    public var value: String
  }

  /// A file that the person chose.
  public struct File: Sendable, Hashable {
    /// The name of the form field.
    public var field: String
    /// The name of the file on the computer of the person.
    public var name: String
    public var bytes: [UInt8]
  }

  /// The maximum number of fields in a form.
  static let limit = 500

  public init(_ fields: [(String, String)] = []) {
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }

  /// Reads a text with the encoding `application/x-www-form-urlencoded`. The result is nil if the
  /// text does not have this encoding.
  public init?(encoded text: String) {
    fields = []
    for pair in text.split(separator: "&") {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]), fields.count < Self.limit,
        let value = sides.count < 2 ? "" : Self.decoded(sides[1])
      else { return nil }
      fields.append(Field(name: name, value: value))
    }
  }

  private static func decoded(_ text: Substring) -> String? {
    percentDecoded(String(text.map { $0 == "+" ? " " : $0 }))
  }

  /// The value of the first field with this name, without spaces at both ends; nil if no field has
  /// this name.
  public subscript(name: String) -> String? {
    fields.first { $0.name == name }.map { $0.value.trimmed }
  }

  /// Returns the values of all fields with this name.
  public func all(_ name: String) -> [String] {
    fields.filter { $0.name == name }.map(\.value.trimmed)
  }

  /// Returns the value of the first field with this name; an empty text if no field has this name.
  public func text(_ name: String) -> String { self[name] ?? "" }

  /// The fields as a query with its question mark; empty if there are no fields.
  public var asQuery: String {
    if fields.isEmpty { return "" }
    return "?"
      + fields.map { "\(Link.encoded($0.name))=\(Link.encoded($0.value))" }
      .joined(separator: "&")
  }
}

/// Functions for addresses of pages.
public enum Link {
  /// Creates an address from its segments, for example `/alarms/k3v9`.
  public static func to(_ segments: String..., query: [(String, String?)] = []) -> String {
    let given = query.compactMap { name, value in value.map { (name, $0) } }
    return "/" + segments.map(encoded).joined(separator: "/") + FormFields(given).asQuery
  }

  /// Escapes all bytes except the unreserved characters of RFC 3986.
  static func encoded(_ text: String) -> String {
    let hex = Array("0123456789ABCDEF")
    return text.utf8.reduce(into: "") { result, byte in
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(scalar)
      default: result += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
      }
    }
  }
}

extension String {
  /// The text without white space at both ends.
  var trimmed: String {
    var rest = Substring(self)
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
