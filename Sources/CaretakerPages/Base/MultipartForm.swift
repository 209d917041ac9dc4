/// The encoding of a form by the browser.
public enum FormCoding: Sendable, Hashable {
  /// `application/x-www-form-urlencoded`.
  case fields
  /// `multipart/form-data` (RFC 7578), for a form with a file.
  case parts(boundary: String)

  /// - Returns: nil if the header field `Content-Type` contains a different encoding.
  init?(contentType: String?) {
    let sides = (contentType ?? "").split(separator: ";").map { String($0).trimmed }
    switch sides.first?.lowercased() {
    case "application/x-www-form-urlencoded": self = .fields
    case "multipart/form-data":
      guard let given = sides.first(where: { $0.lowercased().hasPrefix("boundary=") }) else {
        return nil
      }
      let boundary = given.dropFirst("boundary=".count).filter { $0 != "\"" }
      // The limit of RFC 2046, section 5.1.1.
      guard (1...70).contains(boundary.utf8.count) else { return nil }
      self = .parts(boundary: String(boundary))
    default: return nil
    }
  }

  /// The maximum size of the body, in bytes. The maximum size of a file is the maximum size of a
  /// recording.
  public var limit: Int {
    switch self {
    case .fields: 64 * 1_024
    case .parts: (10_240 + 64) * 1_024
    }
  }
}

extension FormFields {
  /// Reads the body of a form. The result is nil if the body does not have this encoding.
  public init?(_ body: [UInt8], coding: FormCoding) {
    switch coding {
    case .fields: self.init(encoded: String(decoding: body, as: UTF8.self))
    case .parts(let boundary): self.init(parts: body, boundary: boundary)
    }
  }

  private init?(parts body: [UInt8], boundary: String) {
    self.init()
    let mark = Array("--\(boundary)".utf8)
    guard body.starts(with: mark) else { return nil }
    var start = mark.count
    let next = Array("\r\n".utf8) + mark
    while true {
      // After the boundary comes a line break, or two dashes at the end of the form.
      let rest = body[start...]
      if rest.starts(with: Array("--".utf8)) { return }
      guard rest.starts(with: Array("\r\n".utf8)),
        let end = Self.find(next, in: body, from: start),
        let part = Part(body[(start + 2)..<max(start + 2, end)]),
        fields.count + files.count < Self.limit
      else { return nil }
      if let name = part.fileName {
        // If the person chose no file, the part for the file has no file name and no bytes.
        if !name.isEmpty || !part.content.isEmpty {
          files.append(File(field: part.name, name: name, bytes: Array(part.content)))
        }
      } else {
        fields.append(
          Field(name: part.name, value: String(decoding: part.content, as: UTF8.self)))
      }
      start = end + next.count
    }
  }

  /// One part of a form: its head and its content.
  private struct Part {
    var name: String
    /// The name of the file; nil if the part is not a file.
    var fileName: String?
    var content: ArraySlice<UInt8>

    init?(_ bytes: ArraySlice<UInt8>) {
      let end = Array("\r\n\r\n".utf8)
      // The head of a part is short, so search only in the first 4,096 bytes.
      let head = Array(bytes.prefix(4_096))
      guard let split = FormFields.find(end, in: head, from: 0) else { return nil }
      content = bytes.dropFirst(split + end.count)
      let lines = String(decoding: head[..<split], as: UTF8.self).split(separator: "\r\n")
      guard
        let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
        let name = Self.value("name", in: line)
      else { return nil }
      self.name = name
      fileName = Self.value("filename", in: line)
    }

    /// Returns the quoted value of a parameter. Browsers write a quotation mark in the value as
    /// `%22`.
    private static func value(_ name: String, in line: Substring) -> String? {
      for piece in line.split(separator: ";").dropFirst() {
        let text = String(piece).trimmed
        guard text.hasPrefix("\(name)=\"") else { continue }
        return String(text.dropFirst(name.count + 2).prefix { $0 != "\"" })
      }
      return nil
    }
  }

  /// Returns the index at which a pattern first occurs; nil if the pattern does not occur. The
  /// pattern must begin with a carriage return.
  fileprivate static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      var place = start
      while place + pattern.count <= bytes.count {
        if bytes[place] == 13, bytes[place...].starts(with: pattern) { return place }
        place += 1
      }
      return nil
    }
  }
}
