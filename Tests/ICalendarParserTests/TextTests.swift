import CivilTime
import ICalendar
import ICalendarParser
import Testing

private func read(_ bytes: [UInt8], version: String = "2.0") -> ICalendarTree {
  let head = Array("BEGIN:VCALENDAR\nVERSION:\(version)\nBEGIN:VEVENT\nUID:1\n".utf8)
  return CalendarReader.tree(
    head + bytes + Array("\nEND:VEVENT\nEND:VCALENDAR\n".utf8), now: Instant(seconds: 1_795_248_000)
  )
}

private func text(_ tree: ICalendarTree, _ name: String) -> String? {
  tree.components.first?.components.first?.line(name)?.text
}

@Suite struct `Letters of calendar files` {
  @Test func `Windows-1252 is read, with one note for the file`() {
    let tree = read(
      [UInt8]("SUMMARY:M".utf8) + [0xFC] + [UInt8]("sli ".utf8) + [0x80, 0x93, 0x94]
        + [UInt8]("\nDESCRIPTION:Gl".utf8) + [0xFC, 0x63, 0x6B])
    #expect(text(tree, "SUMMARY") == "Müsli €“”")
    #expect(text(tree, "DESCRIPTION") == "Glück")
    #expect(tree.notes.map(\.reason) == ["the file is not UTF-8; it is read as Windows-1252"])
  }

  @Test func `a letter of UTF-8 that a program cut costs only this letter`() {
    let tree = read(Array("SUMMARY:Müsli für Käthe".utf8) + [0xC3])
    #expect(text(tree, "SUMMARY") == "Müsli für Käthe\u{FFFD}")
    #expect(tree.notes.map(\.reason) == ["it is not valid UTF-8; some letters are lost"])
  }

  @Test(arguments: [
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:M=C3=BCsli", "Müsli"),
    ("SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=\nsli", "Müsli"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:M=FCsli", "Müsli"),
    ("SUMMARY;QUOTED-PRINTABLE;CHARSET=windows-1252:=80 5", "€ 5"),
    ("SUMMARY;ENCODING=quoted-printable;CHARSET=ISO-8859-15:=A4 5", "€ 5"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:a=3Db=\n=\nc", "a=bc"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:one=0D=0Atwo=0Athree", "one\ntwo\nthree"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:50 =ZZ = done=", "50 =ZZ = done"),
    ("SUMMARY;ENCODING=QUOTED-PRINTABLE:one=0D=0A=\n\nDTSTART:20270310T080000", "one\n"),
    (
      "SUMMARY;ENCODING=QUOTED-PRINTABLE:one=\nDTSTART:20270310T080000",
      "oneDTSTART:20270310T080000"
    ),
  ])
  func `quoted-printable is read`(line: String, expected: String) {
    let tree = read(Array(line.utf8), version: "1.0")
    #expect(text(tree, "SUMMARY") == expected)
    #expect(tree.components.first?.components.first?.line("SUMMARY")?.parameters.isEmpty == true)
    #expect(tree.notes.isEmpty)
  }

  @Test func `an unknown encoding gives a note`() {
    let tree = read(
      Array("SUMMARY;CHARSET=KOI8-R;ENCODING=QUOTED-PRINTABLE:=D0=D2".utf8), version: "1.0")
    #expect(tree.notes.first?.reason.contains("KOI8-R") == true)
  }
}

@Suite struct `HTML in calendar files` {
  @Test(arguments: [
    (
      "<p>Take <b>two</b> tablets\\, &quot;after&quot; breakfast<br>with water</p>",
      "Take two tablets, \"after\" breakfast\nwith water"
    ),
    (
      "<html><head><title>x</title><style>p {a: b}</style></head><body><p>One</p><p>Two</p></body></html>",
      "One\nTwo"
    ),
    ("<ul><li>pills</li><li>water</li></ul>", "- pills\n- water"),
    ("First<ol><li>a</li><li>b</li></ol>Last", "First\n1. a\n2. b\nLast"),
    ("M&uuml;sli&nbsp;f&#252;r K&#xE4;the &euro; 5", "Müsli für Käthe € 5"),
    ("a<br/>b<br />c<BR>d", "a\nb\nc\nd"), ("<b>one</b>\\ntwo", "one\ntwo"),
    ("<div>one\\n   two</div>", "one two"),
    ("<a href=\"http://x/?a>b\">link</a> <b>x</b>", "link x"),
    ("<!-- note --><p>x</p>", "x"), ("<!DOCTYPE html><p>x</p>", "x"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
    ("<p>1 &lt; 2 &amp;amp; 3</p>", "1 < 2 &amp; 3"), ("one<br><br><br><br>two", "one\n\ntwo"),
  ])
  func `HTML becomes plain text`(html: String, plain: String) {
    let tree = read(Array("DESCRIPTION:\(html)".utf8))
    #expect(text(tree, "DESCRIPTION") == plain)
    #expect(tree.notes.map(\.reason) == ["HTML is read as plain text"])
  }

  @Test(arguments: [
    "a < b and c > d", "5 <6> 7", "<anna@example.org>", "Pills & water", "x &foo; y", "<3", "<",
    "one\\n\\n  two", "https://x/?a=1&b=2;c", "<brown>", "<!", "&#;", "&#xD800;",
  ])
  func `other texts stay as they are`(value: String) {
    let tree = read(Array("DESCRIPTION:\(value)".utf8))
    #expect(tree.components.first?.components.first?.line("DESCRIPTION")?.value == value)
    #expect(tree.notes.isEmpty)
  }

  @Test func `the HTML description of Outlook is used if there is no other one`() {
    let html = "X-ALT-DESC;FMTTYPE=text/html:<html><body>With <i>water</i></body></html>"
    #expect(text(read(Array(html.utf8)), "DESCRIPTION") == "With water")
    let both = read(Array("DESCRIPTION:Plain\n\(html)".utf8))
    #expect(text(both, "DESCRIPTION") == "Plain")
    #expect(text(both, "X-ALT-DESC") == nil)
    #expect(both.notes.isEmpty)
  }

  @Test func `a text with a line break that is not folded is kept`() {
    let tree = read(Array("DESCRIPTION:Take two\nwith water\nSUMMARY:x".utf8))
    #expect(text(tree, "DESCRIPTION") == "Take two\nwith water")
    #expect(tree.notes.count == 1)
  }

  @Test func `very long texts are cut, and many tags take no long time`() {
    let long = read(Array("DESCRIPTION:\(String(repeating: "word ", count: 200_000))".utf8))
    #expect(text(long, "DESCRIPTION")?.count == 100_000)
    #expect(long.notes.first?.reason.contains("cut") == true)
    for piece in ["<!--", "<a ", "&", "<p>", "&amp"] {
      _ = read(Array("DESCRIPTION:\(String(repeating: piece, count: 20_000))".utf8))
    }
  }
}

@Suite struct `Files in vCalendar 1.0` {
  @Test(arguments: [
    ("D1 #0", "FREQ=DAILY"), ("D2 #5", "FREQ=DAILY;INTERVAL=2;COUNT=5"),
    ("D1", "FREQ=DAILY;COUNT=2"),
    ("W1 MO TH #0", "FREQ=WEEKLY;BYDAY=MO,TH"),
    ("w2 mo 20271231T000000Z", "FREQ=WEEKLY;BYDAY=MO;INTERVAL=2;UNTIL=20271231T000000Z"),
    ("MP1 1+ MO 2- FR #0", "FREQ=MONTHLY;BYDAY=1MO,-2FR"),
    ("MD1 1 15 LD #6", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1;COUNT=6"),
    ("YM1 6 12 #0", "FREQ=YEARLY;BYMONTH=6,12"),
    ("YD1 100 #3", "FREQ=YEARLY;BYYEARDAY=100;COUNT=3"),
    ("FREQ=DAILY", "FREQ=DAILY"), ("D0 #3", "D0 #3"), ("X1 #3", "X1 #3"),
    ("D1 #3 x", "FREQ=DAILY;COUNT=3"),
    ("M30 #4", "FREQ=MINUTELY;INTERVAL=30;COUNT=4"), ("M5", "FREQ=MINUTELY;INTERVAL=5;COUNT=2"),
    ("m90 #0", "FREQ=MINUTELY;INTERVAL=90"), ("M0 #2", "M0 #2"), ("M #2", "M #2"),
    ("D1 0600 1200 #4", "FREQ=DAILY;BYHOUR=6,12;BYMINUTE=0;COUNT=8"),
    ("W1 MO 0615 #0", "FREQ=WEEKLY;BYDAY=MO;BYHOUR=6;BYMINUTE=15"),
    ("MD1 7 #4 M60 #2", "FREQ=MONTHLY;BYMONTHDAY=7;BYHOUR=8,9;BYMINUTE=0;COUNT=8"),
    ("MP6 1+ MO #5 D2 #5", "FREQ=MONTHLY;BYDAY=1MO;INTERVAL=6;COUNT=5"),
  ])
  func `rules are converted`(old: String, new: String) {
    for name in ["RRULE", "EXRULE"] {
      let lines = "DTSTART:20270302T080000\n\(name):\(old)"
      let tree = read(Array(lines.utf8), version: "1.0")
      #expect(tree.components.first?.components.first?.line(name)?.value == new)
    }
  }

  @Test(arguments: [("D1", true), ("W1 MO", true), ("D1 #0", false), ("D1 20271231", false)])
  func `a rule without an end gives a note`(rule: String, isNoted: Bool) {
    let tree = read(Array("RRULE:\(rule)".utf8), version: "1.0")
    #expect(tree.notes.contains { $0.reason.contains("two occurrences") } == isNoted)
  }

  @Test(arguments: [
    (
      "D1 #5 M30 #3",
      [
        "FREQ=DAILY;BYHOUR=8,9;BYMINUTE=0;COUNT=10", "FREQ=DAILY;BYHOUR=8;BYMINUTE=30;COUNT=5",
      ]
    ),
    (
      "W1 0600 0645 #0",
      ["FREQ=WEEKLY;BYHOUR=6;BYMINUTE=0", "FREQ=WEEKLY;BYHOUR=6;BYMINUTE=45"]
    ),
    ("D1 2330 #0 M60 #2", ["FREQ=DAILY;BYHOUR=0,23;BYMINUTE=30"]),
    ("D2 2330 #0 M60 #2", ["FREQ=DAILY;INTERVAL=2;BYHOUR=23;BYMINUTE=30"]),
  ])
  func `times with different minutes need several rules`(old: String, new: [String]) {
    let tree = read(Array("DTSTART:20270302T080000Z\nRRULE:\(old)".utf8), version: "1.0")
    let lines = tree.components.first?.components.first?.lines ?? []
    #expect(lines.filter { $0.name == "RRULE" }.map(\.value) == new)
    #expect(tree.notes.contains { $0.reason.contains("left out") } == old.hasPrefix("D2"))
  }

  @Test func `alarms become VALARM components`() throws {
    let tree = read(
      Array(
        "DALARM:20270310T065000Z;PT5M;2;Pills\nAALARM;TYPE=WAVE;VALUE=URL:20270310T070000;;;x.wav"
          .utf8),
      version: "1.0")
    let alarms = try #require(tree.components.first?.components.first?.components)
    #expect(alarms.map(\.name) == ["VALARM", "VALARM"])
    #expect(alarms[0].lines.map(\.value) == ["DISPLAY", "20270310T065000Z", "2", "PT5M"])
    #expect(alarms[1].lines.map(\.value) == ["AUDIO", "20270310T070000"])
  }

  @Test func `dates are separated by semicolons`() {
    let tree = read(Array("EXDATE:20270310T080000;20270311T080000".utf8), version: "1.0")
    #expect(
      tree.components.first?.components.first?.line("EXDATE")?.value
        == "20270310T080000,20270311T080000")
  }
}
