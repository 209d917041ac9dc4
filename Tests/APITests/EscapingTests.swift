import Alarms
import CivilTime
import Foundation
import ICalendarParser
import Testing

@testable import API
@testable import ICalendar
@testable import JSONValue
@testable import StudyExport

/// Returns texts with a special character, for example a quotation mark. Combining characters are
/// next to the special character.
///
/// Swift joins the special character and a combining character into one `Character`. Therefore, an
/// escaper that compares `Character` values does not find the special character.
private func inCompany(_ special: String) -> [String] {
  [
    special, "\u{600}" + special, special + "\u{301}", special + "\u{200D}", special + "\u{FE0F}",
    special + "\u{20DD}", "\u{600}" + special + "\u{301}", "\u{110BD}" + special,
    "e" + special + "\u{E0100}",
  ]
}

private let specials = [
  "<", ">", "&", "\"", "'", "<script>alert(1)</script>", "\" onerror=\"x", "&lt;", "\\", ";", ",",
  ":", "^", "\n", "=", "+", "-", "@", "|", "\t", "\\n", "\\\"", "{", "`",
]

/// Runs a Python script that reads the texts. The script uses the parsers of Python, and prints
/// each difference.
private func judged(_ script: String, _ input: [[String]]) throws -> String {
  let python = Process()
  python.executableURL = URL(filePath: "/usr/bin/env")
  python.arguments = ["python3", "-c", script]
  let (said, heard) = (Pipe(), Pipe())
  (python.standardInput, python.standardOutput, python.standardError) = (said, heard, heard)
  try python.run()
  // Another thread writes to Python while this thread reads from Python. If one thread did both,
  // and a pipe became full, this program and Python would wait for each other.
  let bytes = try JSONSerialization.data(withJSONObject: input)
  Thread {
    said.fileHandleForWriting.write(bytes)
    try? said.fileHandleForWriting.close()
  }.start()
  let answer = heard.fileHandleForReading.readDataToEndOfFile()
  python.waitUntilExit()
  return String(decoding: answer, as: UTF8.self)
}

@Suite struct `Text in other formats` {
  @Test func `HTML shows each character, and none of them is markup`() throws {
    let cases = specials.flatMap(inCompany).filter { !$0.utf8.contains(0x0D) }
    let found = try judged(
      """
      import sys, json
      from html.parser import HTMLParser
      class Page(HTMLParser):
          def __init__(self): super().__init__(); self.tags = []; self.text = ""; self.src = None
          def handle_starttag(self, tag, attrs):
              self.tags.append(tag)
              if tag == "img": self.src = attrs
          def handle_data(self, data): self.text += data
      for text, row, picture, title in json.load(sys.stdin):
          page = Page(); page.feed(row); page.close()
          if page.tags != ["tr", "td"] or page.text != text + "\\n": print("row", ascii(text), page.tags)
          page = Page(); page.feed(picture); page.close()
          if page.src != [("src", text), ("alt", "")]: print("picture", ascii(text), page.src)
          page = Page(); page.feed(title); page.close()
          if page.tags != ["h2"]: print("title", ascii(text), page.tags)
      """,
      cases.map { [$0, OwnPage.row([$0]), OwnPage.picture($0), OwnPage.section($0)] })
    #expect(found == "")
  }

  @Test func `the page of a person's own data loads nothing and runs nothing`() {
    let head = OwnPage.head("x")
    #expect(head.contains("http-equiv=\"Content-Security-Policy\""))
    #expect(head.contains("default-src 'none'") && !head.contains("script-src"))
  }

  @Test func `CSV returns each text, and no spreadsheet runs it`() throws {
    let blanks = [
      "", " ", "\u{A0}", "\u{200B}", "\u{FEFF}", "\u{301}", "\u{600}", "\u{7F}", "\u{3164}",
    ]
    let signs = [
      "=1+1", "+1", "-1", "@A1", "\u{FF1D}1", "\u{FF0B}1", "\u{FF0D}1", "\u{FF20}1", "\t=1",
    ]
    let cases =
      specials.flatMap(inCompany) + blanks.flatMap { blank in signs.map { blank + $0 } }
      + ["1 = 1", "a-b", "'", "'\u{301}x", "", " plain", "\u{301}x"]
    let cells = cases.map { text in
      var bytes: [UInt8] = []
      CSV.append(text: text, to: &bytes)
      return String(decoding: bytes, as: UTF8.self)
    }
    let found = try judged(
      """
      import sys, json, csv, io, unicodedata
      for text, cell in json.load(sys.stdin):
          rows = list(csv.reader(io.StringIO("a," + cell + ",b\\n", newline="")))
          if len(rows) != 1 or len(rows[0]) != 3: print("rows", ascii(text), rows); continue
          value = rows[0][1]
          if value not in (text, "'" + text): print("value", ascii(text), ascii(value)); continue
          if value.startswith("'") != (value != text): print("undo", ascii(text), ascii(value))
          seen = value
          while seen and (unicodedata.category(seen[0])[0] in "CZM" or seen[0] in "\\u3164\\u2800"): seen = seen[1:]
          if seen[:1] in tuple("=+-@\\uff1d\\uff0b\\uff0d\\uff20"): print("formula", ascii(text), ascii(value))
      """, zip(cases, cells).map { [$0, $1] })
    #expect(found == "")
    for (text, cell) in zip(cases, cells) {
      let row = try #require(CSV.rows(Array("a,\(cell)\n".utf8)).first)
      #expect(row.count == 2)
      let back = CSV.unmarked(row.last?.text ?? "")
      #expect(back.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text.debugDescription)")
    }
  }

  @Test func `JSON returns each text`() throws {
    let cases = specials.flatMap(inCompany) + (0..<0xA0).map { String(Unicode.Scalar($0)!) }
    let documents = cases.map { JSON.object([($0, .string($0))]).description }
    let found = try judged(
      """
      import sys, json
      for text, document, shown in json.load(sys.stdin):
          if json.loads(document) != {text: text}: print("document", ascii(text))
          if json.loads(shown) != {text: text}: print("shown", ascii(text))
          if any(ord(c) < 32 or 127 <= ord(c) < 160 for c in shown): print("obeyed", ascii(shown))
      """,
      zip(cases, documents).map {
        [$0, $1, String(decoding: VisibleText.json(Array($1.utf8)), as: UTF8.self)]
      })
    #expect(found == "")
  }

  @Test func `iCalendar returns each text, in a value and in a parameter`() throws {
    let cases = specials.flatMap(inCompany) + ["a\r\nb", "\u{301}a;b"]
    let lines = cases.map { text in
      [
        text, ICalendarLine.text("SUMMARY", text).folded,
        ICalendarLine("X-A", [.init("P", text)], "v").folded,
      ]
    }
    let found = try judged(
      """
      import sys, json, re
      def unfold(line):
          assert line.endswith("\\r\\n"), ascii(line)
          line = re.sub("\\r\\n[ ]", "", line[:-2])
          assert "\\r" not in line and "\\n" not in line, ascii(line)
          return line
      undo = lambda m: "\\n" if m[1] in "nN" else m[1]
      for text, value, parameter in json.load(sys.stdin):
          meant = text.replace("\\r\\n", "\\n")
          line = unfold(value)[len("SUMMARY:"):]
          bare = re.sub(r"\\\\[\\\\;,nN]", "", line)
          if any(c in bare for c in ";,\\\\"): print("bare", ascii(text), ascii(line))
          if re.sub(r"(?s)\\\\(.)", undo, line) != meant: print("value", ascii(text), ascii(line))
          found = re.fullmatch('(?s)X-A;P=(?:"([^"]*)"|([^":;,]*)):v', unfold(parameter))
          if not found: print("parameter", ascii(text), ascii(parameter)); continue
          caret = lambda m: {"^": "^", "n": "\\n", "'": '"'}[m[1]]
          if re.sub(r"\\^(.)", caret, found[1] or found[2] or "") != meant: print("caret", ascii(text))
      """, lines)
    #expect(found == "")
    for (text, line) in zip(cases, lines) where !text.utf8.contains(0x0D) {
      let tree = CalendarReader.tree(
        Array("BEGIN:X\r\nPRODID:Prompter\r\n\(line[1])\(line[2])END:X\r\n".utf8),
        now: Instant(seconds: 0))
      let component = try #require(tree.components.first)
      let value = component.line("SUMMARY")?.text ?? ""
      #expect(value.unicodeScalars.elementsEqual(text.unicodeScalars), "\(text.debugDescription)")
      let parameter = component.line("X-A")?.parameter("P") ?? ""
      #expect(parameter.unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }

  @Test func `a text of a calendar becomes a label that an alarm may have`() throws {
    let file = """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      SUMMARY:Pills\u{1B}]0\\;owned\u{7}\u{202E} now\\nor later
      DESCRIPTION:one\\ntwo\u{9B}31m
      DTSTART:20401201T080000Z
      END:VEVENT
      BEGIN:VEVENT
      SUMMARY:\u{3164}\u{200B}
      DTSTART:20401201T080000Z
      END:VEVENT
      BEGIN:VEVENT
      SUMMARY:a\(String(repeating: "\u{301}", count: 5_000))
      DTSTART:20401201T080000Z
      END:VEVENT
      END:VCALENDAR
      """
    let found = ICalendarImport(
      CalendarReader.tree(Array(file.utf8), now: Instant(seconds: 0)),
      now: Instant(seconds: 1_795_248_000), homeZone: .utc,
      allDay: try ClockTime(hour: 9, minute: 0), zone: { _ in .utc })
    let forms = found.entries.map(\.form)
    #expect(forms.map(\.label).prefix(2) == ["Pills]0;owned now or later", "Reminder"])
    #expect(forms.first?.instructions == "one\ntwo31m")
    #expect(forms.allSatisfy { AlarmRules.label.fault(in: $0.label ?? "") == nil })
    #expect(found.notes.map(\.property) == ["SUMMARY", "DESCRIPTION", "SUMMARY", "SUMMARY"])
  }

  @Test func `a code that begins like a formula is marked in an export`() {
    struct Key: PseudonymKey {
      let isSet = false
      let hidesChain = false
      func name(_ stored: String) -> String { stored }
      func document(_ stored: String) -> String { stored }
    }
    var encoder = ExportEncoder(
      .events, .identified, firstDay: 0, pseudonyms: Key(), opaque: { _, text in text })
    for text in ["-1-1", "=A1", "trial-1"] {
      var text = text
      text.withUTF8 { encoder.word(UnsafeRawBufferPointer($0)) }
    }
    #expect(String(decoding: encoder.bytes, as: UTF8.self) == "'-1-1,'=A1,trial-1")
  }

  @Test func `a cell ends at a comma, also beside a combining character`() throws {
    let rows = try CSV.rows(Array("a,\u{301}b\r\n\"c\"\"\u{301}\",d\n".utf8))
    #expect(rows.map { $0.map(\.text) } == [["a", "\u{301}b"], ["c\"\u{301}", "d"]])
  }
}
