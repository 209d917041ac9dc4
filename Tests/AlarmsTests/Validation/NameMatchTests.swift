import Alarms
import Testing

/// Checks which person a typed name finds.
@Suite struct NameMatchTests {
  @Test func `a name is found in any letter case, and an equal name counts first`() {
    #expect(NameMatch.find("DAD", in: ["mum", "dad"]) == "dad")
    #expect(NameMatch.find("Dad", in: ["dad", "Dad"]) == "Dad")
    #expect(NameMatch.find("DAD", in: ["dad", "Dad"]) == nil)
    #expect(NameMatch.find("dada", in: ["dad"]) == nil)
    #expect(NameMatch.find("", in: ["dad"]) == nil)
  }

  @Test(
    arguments: [
      ("lsit", "list"), ("remvoe", "remove"), ("delet", nil), ("Pils", "Pills"), ("pill", "Pills"),
      ("hild", "Hilde"), ("Hilda", "Hilde"), ("x", nil), ("ls", nil), ("zzzz", nil),
      ("mornnig pills", "Morning pills"), ("iPlls", "Pills"), ("ehlde", nil), ("ihlde", "Hilde"),
      ("hidle", "Hilde"), ("Hilxx", nil), ("Moming pils", "Morning pills"),
      ("Morxxxg pills", "Morning pills"), ("Mxxxxxg pills", nil), ("PILLS", "Pills"),
      ("mor", "Morning pills"), ("mo", nil), ("remvo", "remove"), ("rmvo", nil),
      ("rmove", "remove"),
    ] as [(String, String?)])
  func `a misspelt name suggests the nearest name`(typed: String, meant: String?) {
    let names = ["list", "remove", "Pills", "Hilde", "Morning pills", "a"]
    #expect(NameMatch.nearest(typed, among: names) == meant)
  }

  @Test(arguments: [
    ("Pills", "pILLS", true), ("Pills", "Pill", false), ("", "", true), ("a[", "a{", false),
    ("Ärztin", "ärztin", true), ("Straße", "straße", true), ("Tee", "Tea", false),
    ("é", "e", false), ("e", "É", false), ("\u{212A}elly", "kelly", true),
    ("1", "Q", false),
  ])
  func `letter case does not count, and nothing else is ignored`(
    one: String, other: String, isEqual: Bool
  ) {
    #expect(NameMatch.isEqual(one, other) == isEqual)
    #expect(NameMatch.isEqual(other, one) == isEqual)
  }

  @Test func `of ASCII characters, only the case of letters is ignored`() {
    let characters = (UInt8(0)...0x7F).map { String(Character(UnicodeScalar($0))) }
    for one in characters {
      for other in characters {
        #expect(NameMatch.isEqual(one, other) == (one.lowercased() == other.lowercased()))
      }
    }
  }

  @Test func `of equally similar names the first is suggested`() {
    #expect(NameMatch.nearest("cat", among: ["bat", "hat"]) == "bat")
    #expect(NameMatch.nearest("cat", among: ["hat", "bat"]) == "hat")
    #expect(NameMatch.nearest("cat", among: ["bats", "hat"]) == "hat")
  }

  @Test func `a name that begins with the typed text counts as a name with one mistake`() {
    let longer = "abcdefghijkl"
    // The name "abcdxy" has two mistakes, and the name "abcdex" has one mistake.
    #expect(NameMatch.nearest("abcdef", among: ["abcdxy", longer]) == longer)
    #expect(NameMatch.nearest("abcdef", among: ["abcdex", longer]) == "abcdex")
    #expect(NameMatch.nearest("abcdef", among: [longer, "abcdex"]) == longer)
  }

  @Test(
    arguments: [
      ("da", "dad", true), ("ad", "dad", true), ("d", "dad", false), ("da", "da", true),
      ("da", "a", false), ("ab", "b", false),
      // The longer text has 5, 6, 9, 10, 13 or 14 letters, and two, three or four mistakes.
      ("abcde", "abcxy", false), ("abcdef", "abcdxy", true), ("abcdef", "abcxyz", false),
      ("abcdefghi", "abcdefgxy", true), ("abcdefghi", "abcdefxyz", false),
      ("abcdefghij", "abcdefgxyz", true), ("abcdefghij", "abcdefwxyz", false),
      ("abcdefghijklm", "abcdefghijxyz", true), ("abcdefghijklm", "abcdefghiwxyz", false),
      ("abcdefghijklmn", "abcdefghijwxyz", true), ("abcdef", "abcd", true),
      ("abcdef", "badcfe", false), ("abcdef", "badcef", true), ("abcd", "cabd", false),
    ])
  func `the length of a name sets the number of mistakes`(
    typed: String, name: String, isNear: Bool
  ) {
    #expect((NameMatch.nearest(typed, among: [name]) == name) == isNear)
    #expect(
      NameMatch.suggestion(for: typed, among: [name])
        == (isNear ? "; did you mean \"\(name)\"?" : ""))
  }

  @Test func `a name of 200 characters is compared, and a longer name is not`() {
    func text(_ count: Int) -> String { String(repeating: "a", count: count) }
    #expect(NameMatch.nearest(text(200), among: [text(200)]) == text(200))
    #expect(NameMatch.nearest(text(201), among: [text(200)]) == nil)
    #expect(NameMatch.nearest(text(200), among: [text(201)]) == nil)
  }

  @Test func `a very long name is not compared`() {
    let long = String(repeating: "a", count: 100_000)
    #expect(NameMatch.nearest(long, among: [long + "b"]) == nil)
    #expect(NameMatch.nearest("aaaa", among: [long]) == nil)
  }
}
