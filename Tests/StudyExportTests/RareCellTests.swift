import Alarms
import CivilTime
import JSONValue
import Testing

@testable import StudyExport

private struct Stored: PseudonymKey {
  var isSet: Bool { false }
  var hidesChain: Bool { false }
  func name(_ stored: String) -> String { stored }
  func document(_ stored: String) -> String { stored }
}

private func instant(_ day: Int) -> Instant { Instant(seconds: Int64(day) * 86_400) }

/// Tests digits, signs and orders that are rare in a record.
@Suite struct `A rare cell of an export` {
  private func cell(_ text: String) -> String {
    var bytes: [UInt8] = []
    CSV.append(text: text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("00:00:00.000", 0), ("01:01:01.001", 3_661_001), ("10:10:10.010", 36_610_010),
    ("10:20:30.100", 37_230_100), ("11:11:11.110", 40_271_110), ("20:40:50.200", 74_450_200),
    ("21:30:40.543", 77_440_543), ("23:59:59.999", 86_399_999),
  ])
  func `has each digit of a time`(time: String, milliseconds: Int64) {
    let table = ExportTable(
      name: "t", title: "A table", columns: [ExportColumn("at", .instant, "The time")],
      primaryKey: [])
    var encoder = ExportEncoder(table, .limited, firstDay: 0, pseudonyms: Stored()) { $1 }
    encoder.instant(milliseconds, offsetSeconds: 0)
    encoder.endRow()
    let day = "1970-01-01T\(time)"
    #expect(String(decoding: encoder.bytes, as: UTF8.self) == "\(day)Z,\(day)\n")
  }

  @Test(
    arguments: [
      (0, "0"), (9, "9"), (10, "10"), (-10, "-10"), (1_020_304_050, "1020304050"),
      (.max, "9223372036854775807"),
    ] as [(Int64, String)])
  func `has each digit of a whole number`(number: Int64, text: String) {
    var bytes = Array("x,".utf8)
    CSV.append(number, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "x,\(text)")
  }

  @Test func `is marked if invisible characters hide the sign of a formula`() {
    // A control character, two separators, three marks, a filler and an unassigned character.
    let invisible = [
      "\u{7F}", "\u{A0}", "\u{2028}", "\u{2029}", "\u{301}", "\u{20DD}", "\u{903}", "\u{115F}",
      "\u{378}",
    ]
    for sign in "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}\u{FE66}\u{FE62}\u{FE63}\u{FE6B}\u{2212}" {
      #expect(cell("\(sign)1") == "'\(sign)1")
      for character in invisible {
        #expect(cell("\(character)\(sign)1") == "'\(character)\(sign)1", "\(sign)")
      }
    }
    for character in invisible { #expect(cell("\(character)a=1") == "\(character)a=1") }
  }

  @Test func `is in the right line if the file begins with a line end`() throws {
    for (begin, line) in [("\n", 2), ("\r", 2), ("\r\n", 2), ("\n\r\n", 3), ("\u{FEFF}\n", 2)] {
      let rows = try CSV.rows(Array("\(begin),a\nb".utf8))
      #expect(
        rows.map { $0.map { "\($0.text) \($0.line):\($0.column)" } } == [
          [" \(line):1", "a \(line):2"], ["b \(line + 1):1"],
        ], "\(begin.debugDescription)")
    }
  }

  @Test func `of a file is its entry in the manifest`() {
    let table = ExportedFile(name: "rings.csv", sha256: "9f", bytes: 12, rows: 0)
    #expect(
      table.manifestEntry.description
        == #"{"name":"rings.csv","sha256":"9f","bytes":12,"rows":0}"#)
    #expect(
      ExportedFile(name: "a", sha256: "b", bytes: 1).manifestEntry.description
        == #"{"name":"a","sha256":"b","bytes":1,"rows":null}"#)
  }
}

/// Tests the ends of enrolments, and the order of the people.
@Suite struct `A rare row about a participant` {
  private let zones = ExportZones { _, _ in 0 }

  private func row(_ person: String?, _ day: Int) -> StudyRow {
    StudyRow(
      sequence: 1, person: person, study: "one", at: instant(day), zoneName: "A",
      utcOffsetSeconds: 0)
  }

  private func ends(_ events: [(Event, Int)]) throws -> [String: String] {
    var tables = ParticipantTables()
    for (event, day) in events { tables.take(event, row("P-1", day)) }
    var encoder = ExportEncoder(
      .participants, .limited, firstDay: 0, pseudonyms: Stored(), opaque: { $1 })
    encoder.appendHeader()
    for row in tables.participants {
      row.write(to: &encoder, .limited, zones)
      encoder.endRow()
    }
    let cells = try CSV.rows(encoder.bytes).map { $0.map(\.text) }
    guard cells.count == 2 else { return [:] }
    return Dictionary(uniqueKeysWithValues: zip(cells[0], cells[1]))
  }

  /// The enrolment is planned from day 1 to day 20.
  @Test(arguments: [
    (8, "1970-01-09T00:00:00.000Z", true), (19, "1970-01-20T00:00:00.000Z", true),
    (20, "1970-01-21T00:00:00.000Z", false), (25, "1970-01-21T00:00:00.000Z", false),
  ])
  func `ends at the withdrawal, if the planned end is later`(
    day: Int, end: String, isWithdrawn: Bool
  ) throws {
    let anna = PersonID("anna")
    let enrolment = Enrolment(
      study: "one", pseudonym: "A-1", arm: "AB", from: instant(1), to: instant(20))
    let why = Withdrawal(code: .other, dataUse: .untilWithdrawal)
    let found = try ends([(.enrolled(anna, enrolment), 0), (.withdrawn(anna, why), day)])
    #expect(found["to_utc"] == end && found["is_withdrawn"] == "\(isWithdrawn)")
    #expect(found["reason_code"] == (isWithdrawn ? "other" : ""))
    #expect(found["data_use"] == "until_withdrawal" && found["participant"] == "A-1")
    #expect(try ends([(.withdrawn(anna, why), day)]) == [:])
  }

  @Test func `comes after the phases that are about no person, in the order of the pseudonyms`() {
    var tables = ParticipantTables()
    let phase = StudyPhase(kind: .control, from: instant(2), to: nil)
    let people: [String?] = [5, 2, 8, 1, nil, 7, 3, 6, 4].map { (number: Int?) in
      number.map { "P-\($0)" }
    }
    for person in people {
      tables.take(.phaseChanged(PersonID("anna"), [phase]), row(person, 1))
    }
    let found = tables.phases.map(\.row.person)
    #expect(found.first == .some(nil) && found.count == 9)
    #expect(found.compactMap { $0 } == people.compactMap { $0 }.sorted())
  }

  @Test func `has no negative time if the clock was set back`() {
    let time = PhaseTime(end: 100, gaps: [])
    #expect(time.milliseconds(from: 0, to: 10) { $0 >= 5 ? $0 - 100 : $0 } == 0)
    #expect(time.milliseconds(from: 0, to: 10) { $0 >= 5 ? $0 - 9 : $0 } == 1)
  }
}
