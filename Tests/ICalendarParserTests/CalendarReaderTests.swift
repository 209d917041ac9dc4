import CivilTime
import ICalendar
import ICalendarParser
import TestRandom
import Testing

private let now = Instant(seconds: 1_795_248_000)

private func read(_ bytes: [UInt8]) -> ICalendarTree { CalendarReader.tree(bytes, now: now) }

private func read(_ text: String) -> ICalendarTree { read(Array(text.utf8)) }

private func event(_ lines: String) -> String {
  "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\n\(lines)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

private func summary(_ tree: ICalendarTree) -> String? {
  tree.components.first?.components.first?.line("SUMMARY")?.text
}

/// Tests files with bytes, line ends or components that libical cannot read. The reader must repair
/// these files for libical.
@Suite struct `Bytes and lines of calendar files` {
  private let plain = event("SUMMARY:Müsli\r\nDTSTART:20270310T080000Z")

  @Test func `a file without faults is read without notes`() throws {
    let tree = read(plain)
    #expect(tree.notes.isEmpty)
    let component = try #require(tree.components.first?.components.first)
    #expect(component.lines.map(\.name) == ["UID", "SUMMARY", "DTSTART"])
    #expect(component.lines.map(\.number) == [4, 5, 6])
    #expect(component.number == 3)
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\r\r\n"])
  func `all kinds of line ends are read, and lines are counted as in an editor`(end: String) {
    let tree = read(plain.replacing("\r\n", with: end))
    #expect(tree == read(plain))
  }

  @Test func `byte order marks and UTF-16 are read`() {
    let expected = read(plain)
    let units = Array(plain.utf16)
    let low = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let high = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let wide = plain.unicodeScalars.flatMap {
      [UInt8($0.value & 0xFF), UInt8($0.value >> 8), 0, 0]
    }
    #expect(read([0xEF, 0xBB, 0xBF] + Array(plain.utf8)) == expected)
    #expect(read([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array(plain.utf8)) == expected)
    #expect(read([0xFF, 0xFE] + low) == expected)
    #expect(read([0xFE, 0xFF] + high) == expected)
    #expect(read(low) == expected)
    #expect(read(high) == expected)
    #expect(read([0xFF, 0xFE, 0, 0] + wide) == expected)
  }

  @Test(arguments: [
    ("BEGIN:VEVENT", "BEGIN:VEVENT  "), ("END:VEVENT", "END:VEVENT\t"),
    ("BEGIN:VEVENT", "begin:vevent"), ("END:VCALENDAR", "End:vCalendar;"),
    ("BEGIN:VCALENDAR", "BEGIN: VCALENDAR"), ("BEGIN:VEVENT", "BEGIN :VEVENT"),
    ("UID:1", "UID:1\r\n\r\n  \r\n"), ("UID:1", "UID:1\u{0}"), ("DTSTART:", "dtstart :"),
    ("SUMMARY:", "item1.summary:"),
  ])
  func `blanks, lower case and empty lines are no fault`(old: String, new: String) {
    let tree = read(plain.replacing(old, with: new))
    #expect(summary(tree) == "Müsli")
    #expect(
      tree.components.first?.components.first?.line("DTSTART")?.value == "20270310T080000Z")
    #expect(tree.notes.isEmpty)
  }

  @Test func `an indented file is read, and a fold stays a fold`() {
    let lines = plain.replacing("SUMMARY:Müsli", with: "SUMMARY:Mü\r\n sli").split(
      separator: "\r\n")
    let indented = lines.map { $0.hasPrefix(" ") ? "   \($0)" : "  \($0)" }.joined(separator: "\n")
    #expect(summary(read(indented)) == "Mü   sli")
    #expect(summary(read(plain.replacing("Müsli", with: "A\r\n BEGIN:VEVENT"))) == "ABEGIN:VEVENT")
  }

  @Test(arguments: [
    "END:VEVENT\r\n", "END:VCALENDAR\r\n", "END:VEVENT\r\nEND:VCALENDAR\r\n",
  ])
  func `a missing END loses no event`(missing: String) {
    let second = "BEGIN:VEVENT\r\nSUMMARY:Second\r\nBEGIN:VALARM\r\nEND:VEVENT\r\n"
    let tree = read(plain.replacing(missing, with: "") + second)
    let events = tree.components.flatMap(\.components)
    #expect(events.compactMap { $0.line("SUMMARY")?.text } == ["Müsli", "Second"])
    #expect(tree.notes.contains { $0.reason == "it has no END" })
  }

  @Test func `an END too much is noted`() {
    let tree = read(plain.replacing("UID:1", with: "END:VALARM\r\nUID:1"))
    #expect(summary(tree) == "Müsli")
    #expect(tree.notes.map(\.reason) == ["there is no open VALARM here"])
  }

  @Test func `text around the calendar is left out with one note`() {
    let mail = "From: Anna\r\nSubject: pills\r\n\r\nHello,\r\n"
    let tree = read(mail + plain + "--\r\nAnna\r\n")
    #expect(summary(tree) == "Müsli")
    #expect(
      tree.notes.map(\.reason) == [
        "3 lines before BEGIN:VCALENDAR left out", "2 lines after END:VCALENDAR left out",
      ])
  }

  @Test func `events without a VCALENDAR are read`() {
    let tree = read(
      "BEGIN:VEVENT\nSUMMARY:Alone\nEND:VEVENT\nBEGIN:VEVENT\nSUMMARY:Two\nEND:VEVENT")
    #expect(tree.components.map(\.name) == ["VCALENDAR"])
    #expect(tree.components.first?.components.count == 2)
    #expect(tree.notes.first?.reason == "BEGIN:VCALENDAR is missing before this VEVENT")
  }

  @Test func `deep nesting ends with a note`() {
    let tree = read(String(repeating: "BEGIN:X\n", count: 5_000))
    #expect(tree.notes.contains { $0.reason.hasPrefix("left out: it is nested") })
    #expect(tree.notes.count <= 1_001)
  }

  @Test(arguments: [
    (
      "DTSTART;TZID=\"(UTC+01:00) Amsterdam, Berlin\":20270310T080000",
      "(UTC+01:00) Amsterdam, Berlin"
    ),
    ("DTSTART;TZID=(UTC+01:00) Amsterdam, Berlin:20270310T080000", "(UTC+01:00) Amsterdam, Berlin"),
    ("DTSTART;;TZID=Europe/Berlin;:20270310T080000", "Europe/Berlin"),
    ("DTSTART; TZID = Europe/Berlin :20270310T080000", "Europe/Berlin"),
    ("dtstart;tzid=Europe/Berlin:20270310T080000", "Europe/Berlin"),
    ("DTSTART;TZID=\"Europe/Berlin:20270310T080000", "Europe/Berlin"),
    ("DTSTART;TZID=:20270310T080000", ""),
    ("DTSTART;FOO_BAR=1;TZID=A;X-Y=\"a;b\":20270310T080000", "A"),
    ("DTSTART;TZID=a^'b^^c^nd:20270310T080000", "a\"b^c\nd"),
  ])
  func `parameters are read`(line: String, zone: String) throws {
    let tree = read(event(line))
    let start = try #require(tree.components.first?.components.first?.line("DTSTART"))
    #expect(start.value == "20270310T080000")
    #expect(start.parameter("TZID") == zone)
    #expect(tree.notes.isEmpty)
  }

  @Test(arguments: [
    ("FREQ=DAILY;", "FREQ=DAILY"), ("FREQ=WEEKLY; BYDAY=MO, TU", "FREQ=WEEKLY;BYDAY=MO,TU"),
    (";FREQ=DAILY;;COUNT=3", "FREQ=DAILY;COUNT=3"),
    ("FREQ=WEEKLY;BYDAY=MO,;", "FREQ=WEEKLY;BYDAY=MO"),
    ("FREQ=WEEKLY;BYDAY=MO TU", "FREQ=WEEKLY;BYDAY=MO,TU"),
    ("FREQ=WEEKLY;BYDAY=\"MO\",,\"TU\"", "FREQ=WEEKLY;BYDAY=MO,TU"),
  ])
  func `stray characters of a rule are removed`(rule: String, clean: String) {
    let tree = read(event("RRULE:\(rule)"))
    #expect(tree.components.first?.components.first?.line("RRULE")?.value == clean)
  }

  @Test func `libical joins folded lines of all lengths and alphabets`() {
    var random = SeededGenerator(seed: 75)
    for length in 1...260 {
      let letters = (0..<length).map { _ in "aü€😀".randomElement(using: &random) ?? "a" }
      let value = String(letters)
      let bytes = Array("SUMMARY:\(value)".utf8)
      var folded: [UInt8] = []
      for (index, byte) in bytes.enumerated() {
        if index > 7, Int.random(in: 0..<9, using: &random) == 0 { folded += [0x0D, 0x0A, 0x20] }
        folded.append(byte)
      }
      let head = Array(event("X").replacing("X\r\n", with: "").utf8)
      let place = head.firstRange(of: Array("END:VEVENT".utf8))!.lowerBound
      let file = head[..<place] + folded + [0x0D, 0x0A] + head[place...]
      let tree = read(Array(file))
      #expect(summary(tree) == value)
      #expect(tree.notes.isEmpty)
    }
  }

  @Test func `no bytes cause a failure, and the form for other programs is the same tree`() throws {
    let seed = event(
      "DTSTART;TZID=Europe/Berlin:20261201T140000\r\nSUMMARY;ENCODING=QUOTED-PRINTABLE:M=FC=\r\nsli\r\n"
        + "DESCRIPTION:<p>a &amp; b</p>\r\nBEGIN:VALARM\r\nTRIGGER:-PT1H\r\nEND:VALARM\r\n"
        + "RRULE:FREQ=DAILY;COUNT=3")
    var random = SeededGenerator(seed: 5_545)
    for _ in 0..<1_500 {
      let bytes = random.damaged(seed, inserting: ":;=\r\n,-\"<&")
      let tree = read(bytes)
      #expect(!tree.components.isEmpty || !tree.notes.isEmpty)
      #expect(ICalendarTree(tree.json) == tree)
    }
  }
}
