import CivilTime
import Foundation
import ICalendar
import ICalendarParser
import Testing

private let event = """
  BEGIN:VCALENDAR
  VERSION:2.0
  BEGIN:VEVENT
  UID:1
  SUMMARY:Küche = Kitchen
  DTSTART;TZID=Europe/Berlin:20270310T080000
  END:VEVENT
  END:VCALENDAR

  """

/// The calendar file in the encoding quoted-printable. Soft line breaks divide the lines.
private let printable =
  event.replacing("=", with: "=3D").replacing("ü", with: "=C3=BC")
  .replacing("20270310", with: "2027=\n0310").replacing("SUMMARY", with: "SUM=  \nMARY")

/// The calendar file in the encoding base64. Each line has 40 characters.
private let base64: String = {
  let text = Data(event.utf8).base64EncodedString()
  return stride(from: 0, to: text.count, by: 40).map { place in
    String(text.dropFirst(place).prefix(40))
  }.joined(separator: "\n") + "\n"
}()

private func read(_ text: String) -> ICalendarTree {
  CalendarReader.tree(Array(text.utf8), now: Instant(seconds: 1_795_248_000))
}

private func events(_ text: String) -> [ICalendarComponent] {
  read(text).components.flatMap(\.components)
}

private func part(_ encoding: String, _ body: String) -> String {
  "Content-Type: text/calendar; charset=utf-8; method=REQUEST\n"
    + "\(encoding)\n\n\(body)"
}

@Suite struct `Calendars in a mail` {
  @Test(arguments: [
    part("Content-Transfer-Encoding: quoted-printable", printable),
    part("content-transfer-encoding:QUOTED-PRINTABLE", printable.replacing("=3D", with: "=3d")),
    part("Content-Transfer-Encoding: base64", base64),
    part("Content-Transfer-Encoding: BASE64\nContent-Disposition: inline", base64),
    part("Content-Transfer-Encoding: 8bit", event),
    "From: a@example.org\nSubject: Kitchen\nContent-Type: multipart/mixed; boundary=\"x-1\"\n\n"
      + "A text for people\n--x-1\nContent-Type: text/plain\n"
      + "Content-Transfer-Encoding: quoted-printable\n\nBEGIN=\n\n--x-1\n"
      + part("Content-Transfer-Encoding: base64", base64) + "\n--x-1--\n",
    "--x-1\n" + part("Content-Transfer-Encoding: quoted-printable", printable)
      + "--x-1\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n--x-1--",
    // A person saved only the encoded text of the mail part.
    printable,
    // A person copied the text from the reply to a mail, or from a web page that has no line ends.
    "Anna wrote:\n" + event.split(separator: "\n").map { "> \($0)\n" }.joined() + ">\nYes",
    event.replacing("\n", with: " "), event.replacing("\n", with: "\u{2028}"),
  ])
  func `they are decoded`(mail: String) throws {
    for text in [mail, mail.replacing("\n", with: "\r\n")] {
      let found = events(text)
      try #require(found.count == 1)
      #expect(found[0].line("SUMMARY")?.value == "Küche = Kitchen")
      #expect(found[0].line("DTSTART")?.value == "20270310T080000")
      #expect(found[0].line("DTSTART")?.parameter("TZID") == "Europe/Berlin")
    }
  }

  @Test func `the calendar and its attachment are two calendars`() {
    let mail =
      "--x\n" + part("Content-Transfer-Encoding: quoted-printable", printable) + "--x\n"
      + part("Content-Transfer-Encoding: base64", base64) + "--x--\n"
    #expect(events(mail).map { $0.line("UID")?.value } == ["1", "1"])
  }

  @Test func `lines are counted as in the mail`() throws {
    let mail = part("Content-Transfer-Encoding: quoted-printable", printable)
    let start = try #require(events(mail).first?.line("DTSTART"))
    let lines = mail.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[start.number - 1].hasPrefix("DTSTART"))
  }

  @Test(arguments: [
    part("Content-Transfer-Encoding: base64", "!!! nothing !!!\n"),
    part("Content-Transfer-Encoding: base64", ""), "Content-Transfer-Encoding: base64",
    part("Content-Transfer-Encoding: quoted-printable", "=\n=\n="), "--\n--\nContent-\n--",
  ])
  func `a mail without a calendar has no events`(mail: String) { #expect(events(mail).isEmpty) }

  @Test func `a calendar that names an encoding stays as it is`() {
    let plain = event.replacing("Küche", with: "TZID=3D ok=3D")
    #expect(events(plain).first?.line("SUMMARY")?.value == "TZID=3D ok=3D = Kitchen")
  }
}
