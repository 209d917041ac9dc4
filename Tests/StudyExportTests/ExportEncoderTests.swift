import Alarms
import CivilTime
import Testing

@testable import StudyExport

/// Checks the cells that each profile prints for each kind of column.
///
/// Day 1 of the study is 2026-12-01. In a test, each row begins with the cell `x` and ends with the
/// cell `y`. If a profile leaves the column out, the row is `x;y`.
@Suite struct `A row of an export` {
  private struct Key: PseudonymKey {
    var isSet = false
    var hidesChain = false
    func name(_ stored: String) -> String { "new-\(stored)" }
    func document(_ stored: String) -> String { stored.replacing("P-1", with: "new-P-1") }
  }

  private typealias Write = (inout ExportEncoder) -> Void

  private static let firstDay = 20_788
  private static let keys = [Key(), Key(isSet: true), Key(hidesChain: true)]

  private func table(_ kind: ExportColumn.Kind, unit: String? = nil) -> ExportTable {
    ExportTable(
      name: "t", title: "A table",
      columns: [
        ExportColumn("first", .word, "The first"),
        ExportColumn("cell", kind, unit: unit, "The cell"),
        ExportColumn("last", .word, "The last"),
      ], delimiter: ";", primaryKey: [])
  }

  private func encoder(_ table: ExportTable, _ profile: ExportProfile, _ key: Key) -> ExportEncoder
  {
    ExportEncoder(table, profile, firstDay: Self.firstDay, pseudonyms: key) { "\($0).\($1)" }
  }

  private func word(_ text: String, _ encoder: inout ExportEncoder) {
    Array(text.utf8).withUnsafeBytes { encoder.word($0) }
  }

  /// Returns the text between the cells `x` and `y` for each value.
  ///
  /// The text is `-` if the profile leaves the column out.
  private func lines(
    _ kind: ExportColumn.Kind, unit: String? = nil, _ profile: ExportProfile, _ key: Key = Key(),
    values: [Write]
  ) -> [String] {
    var encoder = encoder(table(kind, unit: unit), profile, key)
    for value in values {
      word("x", &encoder)
      value(&encoder)
      word("y", &encoder)
      encoder.endRow()
    }
    let text = String(decoding: encoder.bytes, as: UTF8.self)
    #expect(text.hasSuffix("\n"))
    return text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line == "x;y" ? "-" : String(line.dropFirst(2).dropLast(2))
    }
  }

  /// Checks the cells of one value in all profiles.
  ///
  /// - Parameter expected: three cells for each profile: before the first rekey, after a rekey, and
  ///   in a blinded study.
  private func expect(
    _ kind: ExportColumn.Kind, unit: String? = nil, _ expected: [[String]], _ value: Write,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    withoutActuallyEscaping(value) { value in
      let found = ExportProfile.allCases.map { profile in
        Self.keys.flatMap { lines(kind, unit: unit, profile, $0, values: [value]) }
      }
      #expect(found == expected, "\(kind)", sourceLocation: sourceLocation)
    }
  }

  private func same(_ cells: [String]) -> [[String]] { cells.map { [$0, $0, $0] } }

  @Test func `a text, a name and an identifier`() {
    let text: Write = { $0.text("pain") }
    for kind in [ExportColumn.Kind.word, .choice(["pain"])] {
      expect(kind, same(["pain", "pain", "pain"]), text)
    }
    expect(.typed, same(["pain", "-", "-"]), text)
    expect(.detail, same(["pain", "pain", "-"]), text)
    expect(.name("q"), same(["pain", "pain", "q.pain"]), text)
    expect(
      .identifier("a"),
      [["pain", "pain", "pain"], ["pain", "a.pain", "pain"], ["a.pain", "a.pain", "a.pain"]], text)
    expect(
      .pseudonym, .init(repeating: ["pain", "new-pain", "pain"], count: 3), text)
    expect(.chain, [["pain", "pain", ""], ["pain", "", ""], ["-", "-", "-"]], text)
    // The encoder puts a text with a space in quotation marks. It does not do so with a word of a
    // fixed list (see the next test).
    expect(.word, same(["\"a b\"", "\"a b\"", "\"a b\""])) { $0.text("a b") }
  }

  @Test func `a fixed word, and the name of a study that looks like a formula`() {
    let value: Write = { word("w", &$0) }
    expect(.word, same(["w", "w", "w"]), value)
    expect(
      .identifier("t"), [["w", "w", "w"], ["w", "t.w", "w"], ["t.w", "t.w", "t.w"]], value)
    expect(.pseudonym, .init(repeating: ["w", "new-w", "w"], count: 3), value)
    expect(.chain, [["w", "w", ""], ["w", "", ""], ["-", "-", "-"]], value)
    for first in "=+-@" {
      expect(.word, same(.init(repeating: "'\(first)1", count: 3))) { word("\(first)1", &$0) }
    }
    expect(.word, same(["", "", ""])) { word("", &$0) }
    expect(.word, same(["a b", "a b", "a b"])) { word("a b", &$0) }
  }

  @Test func `names of choices stay words if Prompter chose them`() {
    let kept = "bad|yes|sore throat|no|good|fair"
    let quoted = "\"\(kept)\""
    let hidden = "\"bad|yes|c.sore throat|no|good|fair\""
    expect(.names("c"), same([quoted, quoted, hidden])) { $0.text(kept) }
  }

  @Test func `a document`() {
    let stored = #"{"person":"P-1","rings":2,"late_ms":1234,"alarm":"k3"}"#
    func cell(_ json: String) -> String { "\"\(json.replacing("\"", with: "\"\""))\"" }
    let plain = cell(stored)
    let keyed = cell(stored.replacing("P-1", with: "new-P-1"))
    let renamed = cell(stored.replacing("P-1", with: "new-P-1").replacing("k3", with: "a.k3"))
    let safe = cell(#"{"rings":2,"late_ms":1300}"#)
    expect(.document, [[plain, keyed, keyed], [plain, renamed, keyed], [safe, safe, safe]]) {
      $0.text(stored)
    }
  }

  @Test func `numbers and Booleans`() {
    expect(.integer, same(["-1234", "-1234", "-1234"])) { $0.integer(-1_234) }
    expect(.integer, same(["0", "0", "0"])) { $0.integer(0) }
    expect(
      .integer, same(.init(repeating: "-9223372036854775808", count: 3))
    ) { $0.integer(.min) }
    expect(.integer, unit: "s", same(["1234", "1234", "1234"])) { $0.integer(1_234) }
    expect(.integer, unit: "ms", same(["1234", "1234", "1300"])) { $0.integer(1_234) }
    expect(.integer, unit: "ms", same(["2678400001", "2678400001", ""])) {
      $0.integer(2_678_400_001)
    }
    expect(.amount, same(["432100", "432100", "440000"])) { $0.integer(432_100) }
    expect(.sequence, same(["12", "12", "s.12"])) { $0.integer(12) }
    expect(.detailInteger, same(["12", "12", "-"])) { $0.integer(12) }
    expect(.level, same(["-16.5", "-16.5", "-17"])) { $0.number(-16.5) }
    expect(.number, same(["-16.5", "-16.5", "-16.5"])) { $0.number(-16.5) }
    expect(.number, same(["", "", ""])) { $0.number(.nan) }
    expect(.number, same(["", "", ""])) { $0.number(.infinity) }
    expect(.boolean, same(["true", "true", "true"])) { $0.bool(true) }
    expect(.boolean, same(["false", "false", "false"])) { $0.bool(false) }
  }

  @Test func `a missing value is an empty cell, or two if the column needs two cells`() {
    for kind in [
      ExportColumn.Kind.word, .pseudonym, .choice([]), .integer, .number, .boolean, .amount, .level,
      .sequence, .document, .identifier("a"), .name("q"), .names("c"), .localText, .localDate,
      .localSeconds,
    ] {
      expect(kind, same(["", "", ""])) { $0.text(nil as String?) }
    }
    expect(.instant, same([";", ";", ";"])) { $0.instant(nil, offsetSeconds: 0) }
    expect(.civil, same(["", "", ";"])) { $0.civil(nil) }
    expect(.day, same(["", "", ""])) { $0.day(nil) }
    expect(.chain, [["", "", ""], ["", "", ""], ["-", "-", "-"]]) { $0.text(nil as String?) }
    expect(.typed, same(["", "-", "-"])) { $0.text(nil as String?) }
    for write: Write in [
      { $0.integer(nil) }, { $0.number(nil) }, { $0.bool(nil) }, { $0.word(nil) },
      { $0.text(nil as UnsafeRawBufferPointer?) },
    ] { expect(.integer, same(["", "", ""]), write) }
    expect(.localText, same(["", "", ""])) { $0.instant(nil, due: 0, offsetSeconds: 0) }
  }

  private static let day3 = Int64(firstDay + 2) * 86_400

  @Test
  func `an instant is a time in UTC and a local time, or a study day and a quarter of an hour`() {
    let values: [(Int64, Int64, String, String)] = [
      // The instant is 07:08:09.045 in UTC. The zone is one hour ahead of UTC.
      (
        (Self.day3 + 25_689) * 1_000 + 45, 3_600,
        "2026-12-03T07:08:09.045Z;2026-12-03T08:08:09.045", "3;08:00:00"
      ),
      // The instant is the last millisecond of a day in UTC. The zone is a whole day ahead of UTC.
      (
        Self.day3 * 1_000 - 1, 86_400,
        "2026-12-02T23:59:59.999Z;2026-12-03T23:59:59.999", "3;23:45:00"
      ),
      // The first millisecond of day 1, the last millisecond before day 1, and the first
      // millisecond of day 1 in a zone that is one second behind UTC.
      (
        Int64(Self.firstDay) * 86_400_000, 0,
        "2026-12-01T00:00:00.000Z;2026-12-01T00:00:00.000", "1;00:00:00"
      ),
      (
        Int64(Self.firstDay) * 86_400_000 - 1, 0,
        "2026-11-30T23:59:59.999Z;2026-11-30T23:59:59.999", ";"
      ),
      (
        Int64(Self.firstDay) * 86_400_000, -1,
        "2026-12-01T00:00:00.000Z;2026-11-30T23:59:59.000", ";"
      ),
      // These instants are before 1970.
      (-1, 0, "1969-12-31T23:59:59.999Z;1969-12-31T23:59:59.999", ";"),
      (-86_400_000, 0, "1969-12-31T00:00:00.000Z;1969-12-31T00:00:00.000", ";"),
    ]
    for profile in ExportProfile.allCases {
      let found = lines(
        .instant, profile,
        values: values.map { value in
          { (encoder: inout ExportEncoder) in
            encoder.instant(value.0, offsetSeconds: value.1)
          } as Write
        })
      #expect(found == values.map { profile == .safeHarbor ? $0.3 : $0.2 })
    }
  }

  @Test func `a local date-time, a day, and the forms of other programs`() {
    let local = Self.day3 + 12 * 3_600 + 59 * 60 + 7
    expect(.civil, same(["2026-12-03T12:59:07", "2026-12-03T12:59:07", "3;12:45:00"])) {
      $0.civil(local)
    }
    expect(
      .localText,
      same(["\"2026-12-03 12:59:07\"", "\"2026-12-03 12:59:07\"", "\"2000-01-03 12:45:00\""])
    ) {
      $0.civil(local)
    }
    expect(.localDate, same(["2026-12-03", "2026-12-03", "2000-01-03"])) { $0.civil(local) }
    let shifted = (10_957 + 2) * 86_400 + 12 * 3_600 + 45 * 60
    expect(.localSeconds, same(["\(local)", "\(local)", "\(shifted)"])) { $0.civil(local) }
    expect(.localSeconds, same(["\(local)", "\(local)", "\(shifted)"])) {
      $0.instant((local - 3_600) * 1_000 + 999, offsetSeconds: 3_600)
    }
    // Safe harbor shows an empty cell for a time before day 1.
    let early = Int64(Self.firstDay) * 86_400 - 1
    expect(.localText, same(["\"2026-11-30 23:59:59\"", "\"2026-11-30 23:59:59\"", ""])) {
      $0.civil(early)
    }
    expect(.localDate, same(["2026-12-01", "2026-12-01", "2000-01-01"])) { $0.civil(early + 1) }
    for (day, safe) in [(-1, ""), (0, "1"), (9, "10")] {
      let date = CivilDate(dayNumber: Self.firstDay + day)
      expect(.day, same(["\(date)", "\(date)", safe])) { $0.day(date) }
    }
  }

  @Test func `an instant of a prompt keeps its rounded distance from the due time`() {
    let due = (Self.day3 + 8 * 3_600 + 7 * 60) * 1_000
    // The instant is 65.231 s after the due time 09:07:00. Safe harbor moves the due time to
    // 09:00:00, the beginning of its quarter of an hour, and rounds 65.231 s to 66 s. It shows the
    // sum, 09:01:06.
    let shown = "\"2026-12-03 09:08:05\""
    expect(.localText, same([shown, shown, "\"2000-01-03 09:01:06\""])) {
      $0.instant(due + 65_231, due: due, offsetSeconds: 3_600)
    }
    expect(
      .localText,
      same(["\"2026-12-03 09:06:59\"", "\"2026-12-03 09:06:59\"", "\"2000-01-03 08:59:59\""])
    ) {
      $0.instant(due - 990, due: due, offsetSeconds: 3_600)
    }
    // A distance of more than 31 days can come from a clock that started at 1970-01-01. This
    // distance would reveal the date, so safe harbor shows an empty cell.
    let late = due + 2_678_400_001
    expect(.localDate, same(["2027-01-03", "2027-01-03", ""])) {
      $0.instant(late, due: due, offsetSeconds: 0)
    }
    expect(.detail, same(["", "", "-"])) { $0.instant(due, due: due, offsetSeconds: 0) }
  }

  @Test func `rows of one day, of other days, and cells that need no value`() {
    let days = [3, 3, 4, 3].map { day in
      { (encoder: inout ExportEncoder) in encoder.civil(Int64(day) * 86_400) } as Write
    }
    #expect(
      lines(.civil, .limited, values: days) == [
        "1970-01-04T00:00:00", "1970-01-04T00:00:00", "1970-01-05T00:00:00", "1970-01-04T00:00:00",
      ])
    var encoder = encoder(table(.typed), .limited, Key())
    encoder.appendHeader()
    #expect(String(decoding: encoder.bytes, as: UTF8.self) == "first;last\n")
    encoder.clear()
    #expect(encoder.bytes.isEmpty && encoder.isNextShown)
    word("x", &encoder)
    #expect(!encoder.isNextShown)
    encoder.text("secret")
    word("y", &encoder)
    encoder.endRow()
    #expect(String(decoding: encoder.bytes, as: UTF8.self) == "x;y\n")
    var whole = self.encoder(table(.instant), .safeHarbor, Key())
    whole.appendHeader()
    #expect(String(decoding: whole.bytes, as: UTF8.self) == "first;cell_day;cell_time;last\n")
  }
}
