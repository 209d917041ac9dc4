import Testing

@testable import StudyArchive

struct SmallPartsTests {
  @Test func `a line of COPY escapes what the format reserves`() {
    var lines = CopyLines()
    lines.text("a\tb\nc\rd\\e")
    lines.null()
    for text in ["", "\\N", "ä", "\\"] { lines.text(text) }
    lines.integer(-7)
    lines.bool(true)
    lines.binary("0aff")
    lines.endRow()
    lines.bool(false)
    lines.endRow()
    let cells = [#"a\tb\nc\rd\\e"#, #"\N"#, "", #"\\N"#, "ä", #"\\"#, "-7", "t", #"\\x0aff"#]
    #expect(
      String(decoding: lines.bytes, as: UTF8.self) == cells.joined(separator: "\t") + "\nf\n")
  }

  @Test func `a place to listen is a path or an address with a port`() {
    #expect(ArchiveSocket("/run/a.sock") == .path("/run/a.sock"))
    #expect(ArchiveSocket("127.0.0.1:80") == .port(host: "127.0.0.1", port: 80))
    #expect(ArchiveSocket("::1:80") == .port(host: "::1", port: 80))
    for text in ["", "run", ":80", "a:", "a:x", "a:65536", "a:-1"] {
      #expect(ArchiveSocket(text) == nil, "\(text)")
    }
  }

  @Test func `codes are long, differ, and can be typed in several ways`() {
    let codes = (0..<200).map { _ in RandomName.code() }
    #expect(Set(codes).count == 200)
    #expect(codes.allSatisfy { $0.count == 19 && RandomName.normalized(code: $0).count == 16 })
    #expect(RandomName.normalized(code: "oil1-ab c") == "0111ABC")
  }

  @Test func `after thirty wrong codes in a minute no code is checked`() {
    var codes = WrongCodes()
    for second in Int64(0)..<30 {
      let isAllowed = codes.allows(at: second)
      #expect(isAllowed)
      codes.add(at: second)
    }
    let allowed = [Int64(59), 60].map { second in
      var later = codes
      return later.allows(at: second)
    }
    #expect(allowed == [false, true])
  }
}
