import CivilTime
import Testing

@testable import Alarms

/// Checks which ids a new person cannot have.
@Suite struct `The id of a new person` {
  private func refusal(_ id: String, beside others: [String] = []) throws -> String? {
    var fixture = CoreFixture()
    for other in others { try fixture.person(other) { _ in } }
    do throws(Refusal) {
      try fixture.person(id) { _ in }
      return nil
    } catch {
      return "\(error.kind.rawValue) \(error)"
    }
  }

  @Test func `has plain characters and begins with a letter or a digit`() throws {
    let long = String(repeating: "a", count: 64)
    for id in ["a", "7", "Z9", "a.b_c-d", "9-", "zZ", "aZ09._-", long] {
      #expect(try refusal(id) == nil, "\(id)")
    }
    for id in ["", "-a", ".a", "_a", "a b", "ä", "a/b", "a@", "a[", "a`", "a{", "a:", long + "a"] {
      let found = try refusal(id)
      #expect(
        found
          == "invalid_field id: \"\(id)\" (\(id.unicodeScalars.count) characters) cannot be an id; "
          + "use 1 to 64 letters a to z, digits, dots, dashes and underscores, begin with a letter "
          + "or a digit, and write other text in the name", "\(id)")
    }
  }

  @Test(arguments: [
    ("Eva", "eva"), ("b0b", "bob"), ("modern", "modem"), ("vvim", "wim"), ("p1l", "pll"),
    ("Pll", "PII"),
  ])
  func `does not look like the id of another person`(id: String, other: String) throws {
    #expect(
      try refusal(id, beside: [other])
        == "conflict id: \"\(id)\" looks like the id \"\(other)\" of another person; choose an id "
        + "that looks different")
    #expect(try refusal(id, beside: ["zoe"]) == nil)
  }

  @Test func `is compared with every person, and the first similar id is named`() throws {
    #expect(
      try refusal("bob", beside: ["B0B", "b-b"])
        == "conflict id: \"bob\" looks like the id \"B0B\" of another person; choose an id that "
        + "looks different")
    #expect(try refusal("ann", beside: ["anne", "an"]) == nil)
  }

  /// Each line has a plain letter, and the characters that look like this letter.
  @Test(arguments: [
    ("o", "0оОοΟO"), ("l", "1I|ІӀΙL"), ("a", "аАΑαA"), ("b", "ВΒB"), ("c", "сСϲC"),
    ("e", "еЕΕE"), ("h", "һНΗH"), ("i", "іιi"), ("j", "јЈJ"), ("k", "КΚкκK"), ("m", "МΜM"),
    ("n", "ΝN"), ("p", "рРρΡP"), ("s", "ѕЅS"), ("t", "ТΤT"), ("v", "νV"), ("x", "хХΧχX"),
    ("y", "уУΥγY"), ("z", "ΖZ"), ("m", "rnRNrN"), ("w", "vvVVνν"),
  ])
  func `has a skeleton of letters that look alike`(letter: String, characters: String) {
    let count = ["m": 2, "w": 2][letter] ?? 1
    let isPair = characters.hasPrefix("rn") || letter == "w"
    let size = isPair ? count : 1
    let all = Array(characters.unicodeScalars)
    for start in stride(from: 0, to: all.count, by: size) {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: all[start..<start + size])
      #expect(Transition.skeleton(String(text)) == letter, "\(String(text))")
    }
    #expect(Transition.skeleton("Zoë-2") == "zoë-2")
  }
}

@Test func `a list of users names three and says that there are others`() {
  #expect(UserList.words([]) == "")
  #expect(UserList.words(["a", "b", "c"]) == "a, b, c")
  #expect(UserList.words(["a", "b", "c", "d"]) == "a, b, c and others")
}

@Test func `each dangerous code has its reason, and other codes have none`() {
  let missing = "R, pandas and other programs read it as a missing value"
  let bool = "R and spreadsheets read it as true or false"
  let infinite = "R and pandas read it as an infinite number"
  let all = "the tables use this word for all participants or for an unknown person"
  let formula = "spreadsheets read a text that begins with - as a formula"
  let digits = "spreadsheets keep only 15 digits of a number"
  let dateOrNumber = "spreadsheets read it as a date or as a number"
  let number = "spreadsheets and R read it as a number"
  let date = "spreadsheets read it as a date"
  let reasons: [String?: [String]] = [
    missing: ["na", "N.A.", "n.a", "nan", "null", "nil", "none", "Missing"],
    bool: ["true", "false", "t", "F", "yes", "no", "Wahr", "falsch"],
    infinite: ["inf", "infinity"], all: ["all", "unknown"], formula: ["-", "-a", "-1e5"],
    digits: ["1234567890123456", "0000000000000000"],
    dateOrNumber: ["1-2", "1.5", ".", "1-2.3"],
    number: [
      "0x", "0x1f", "0xa.bp-3", "1e5", "1.e5", "1e-5", "1d5", "0x.", "0xp", "0x-", "1E005",
    ],
    date: ["1mar", "mar1", "MAR-1", "3.okt", "1.dez.26", "dezember9"],
    nil: [
      "1", "123456789012345", "007", "p1", "e5", "1e", "1e-", "1e5x", "1e5-", ".e5", "x1e5",
      "0x1g", "0xz", "mar", "marx1", "1mar2apr", "1_mar", "ma1r", "truth", "n.a.x", "1ee5",
    ],
  ]
  for (reason, codes) in reasons {
    for code in codes { #expect(ParticipantCode.danger(code) == reason, "\(code)") }
  }
  for month in [
    "jan", "january", "januar", "feb", "february", "februar", "mar", "march", "apr", "april",
    "may", "mai", "jun", "june", "juni", "jul", "july", "juli", "aug", "august", "sep", "sept",
    "september", "oct", "october", "okt", "oktober", "nov", "november", "dec", "december", "dez",
    "dezember",
  ] {
    #expect(ParticipantCode.danger("1-\(month)-26") == date, "\(month)")
  }
  let keys = ["017": "17", "0": "0", "000": "0", "P01": "p01", "": "", "10": "10"]
  for (code, key) in keys { #expect(ParticipantCode.key(code) == key, "\(code)") }
}
