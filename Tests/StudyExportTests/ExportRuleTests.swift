import Alarms
import CivilTime
import Foundation
import Testing

@testable import StudyExport

/// Checks the rules that decide what an export shows.
@Suite struct `The rules of an export` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// `LogbookTests` compares the golden exports with the code. This test compares the description
  /// of each column with the codebook in these golden exports.
  @Test(arguments: ExportLayout.allCases, ExportProfile.allCases)
  func `each column is described as in the golden codebook`(
    layout: ExportLayout, profile: ExportProfile
  ) throws {
    let file = Self.root.appending(
      path: "Tests/Golden/export/\(layout.rawValue)-\(profile.rawValue)/codebook.csv")
    let rows = try CSV.rows(Array(try Data(contentsOf: file))).dropFirst()
      .map { $0.map { CSV.unmarked($0.text) } }
    let tables = layout.tables + (layout == .frictionless ? ExportTable.ofReport : [])
    for table in tables {
      let found = table.fields(profile).map { field in
        [
          "\(table.name).csv", field.name, field.type, field.unit ?? "", field.meaning,
          field.choices.joined(separator: "|"), field.emptyWhen ?? "", field.example,
        ]
      }
      // The golden codebook also contains the columns for the questions of check-ins, so it can
      // have more rows than `found`.
      let known = rows.filter { row in row[0] == "\(table.name).csv" }
      #expect(found.allSatisfy(known.contains), "\(table.name)")
      #expect(known.count >= found.count)
    }
  }

  @Test func `the page about the columns is the committed page`() throws {
    let file = Self.root.appending(path: "docs/reference/LOG.md")
    let isSame = try String(contentsOf: file, encoding: .utf8) == LogPage.text
    #expect(isSame, "write the page again with make golden")
  }

  private static let amounts: [(Int64, Int64)] = [
    (0, 0), (7, 7), (99, 99), (100, 100), (101, 110), (110, 110), (119, 120), (990, 990),
    (991, 1_000), (999, 1_000), (1_001, 1_100), (65_231, 66_000), (-65_231, -66_000), (-99, -99),
    (-100, -100), (900_000, 900_000), (900_001, 910_000), (Int64.max, Int64.max),
    (Int64.min, Int64.max), (9_200_000_000_000_000_001, Int64.max),
    (-9_200_000_000_000_000_000, -9_200_000_000_000_000_000),
  ]

  @Test(arguments: amounts)
  func `an amount has two significant digits, rounded away from zero`(value: Int64, rounded: Int64)
  {
    #expect(SafeNumber.amount(value) == rounded)
  }

  @Test func `a duration has at most 31 days, and a time is a quarter of an hour`() {
    let month: Int64 = 31 * 86_400_000
    #expect(SafeNumber.duration(month) == 2_700_000_000 && SafeNumber.duration(month + 1) == nil)
    #expect(SafeNumber.duration(-month) == -2_700_000_000 && SafeNumber.duration(-month - 1) == nil)
    #expect(SafeNumber.duration(of: "65230") == "66000")
    #expect(
      SafeNumber.duration(of: "") == "" && SafeNumber.duration(of: "9999999999") == "9999999999")
    for (seconds, quarter) in [
      (0, 0), (899, 0), (900, 900), (1_799, 900), (-1, -900), (-900, -900),
    ] {
      #expect(SafeNumber.quarter(Int64(seconds)) == Int64(quarter))
    }
    #expect(SafeNumber.level(-16.4) == -16 && SafeNumber.level(-16.6) == -17)
  }

  @Test(arguments: [
    ("{", "{}"), ("[1]", "{}"), ("{}", "{}"),
    (#"{"person":"P-1","zone":"UTC","rings":2}"#, #"{"rings":2}"#),
    (#"{"late_ms":65231,"step_ms":2678400001}"#, #"{"late_ms":66000}"#),
    (#"{"frames":432100,"xruns":432100}"#, #"{"frames":440000,"xruns":432100}"#),
    (#"{"loudness_lufs":-16.4,"stopped":true}"#, #"{"loudness_lufs":-16.0,"stopped":true}"#),
    (#"{"loudness_lufs":"loud","outcome":"x"}"#, #"{"outcome":"x"}"#),
    (
      #"{"duration_ms":null,"gains_db":[-12.0,-9.5]}"#,
      #"{"duration_ms":null,"gains_db":[-12.0,-9.5]}"#
    ),
  ])
  func `a payload in safe harbor contains only numbers and fixed words`(
    stored: String, safe: String
  ) {
    #expect(SafePayload.text(stored) == safe)
  }

  @Test func `a recurrence rule in safe harbor contains no dates and no weekdays`() throws {
    for (rule, safe) in [
      ("FREQ=DAILY", "FREQ=DAILY"),
      ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;BYHOUR=8,20", "FREQ=WEEKLY;INTERVAL=2;BYHOUR=8,20"),
      ("FREQ=MONTHLY;COUNT=3;BYMONTHDAY=1;BYMINUTE=5", "FREQ=MONTHLY;COUNT=3;BYMINUTE=5"),
      ("FREQ=YEARLY;UNTIL=20301231;BYSECOND=7", "FREQ=YEARLY;BYSECOND=7"),
    ] {
      #expect(SafePayload.rule(try RecurrenceRule(parsing: rule)) == safe)
    }
  }

  @Test(arguments: [
    ("{", "{}"),
    (
      #"{"alarm":"k3","id":"k4","alarm_id":"k5","reply":"k6"}"#,
      #"{"alarm":"a.k3","id":"a.k4","alarm_id":"a.k5","reply":"a.k6"}"#
    ),
    (
      #"{"prompt":"k3@2026-12-01T08:00:00","boot_id":"f3"}"#,
      #"{"prompt":"p.k3@2026-12-01T08:00:00","boot_id":"b.f3"}"#
    ),
    (
      #"{"all":[{"alarm":"k3"},["k3@2026-12-01T08:00:00~1",7]]}"#,
      #"{"all":[{"alarm":"a.k3"},["p.k3@2026-12-01T08:00:00~1",7]]}"#
    ),
    (
      #"{"a":"0123456789abcdef0123456789abcdef","b":"0123456789abcdef0123456789abcde"}"#,
      #"{"a":"t.0123456789abcdef0123456789abcdef","b":"0123456789abcdef0123456789abcde"}"#
    ),
    (
      #"{"a":"0123456789abcdef0123456789abcdeg","why":"paused"}"#,
      #"{"a":"0123456789abcdef0123456789abcdeg","why":"paused"}"#
    ),
  ])
  func `a payload after a rekey contains no identifier from before`(stored: String, shown: String) {
    #expect(RenamedPayload.text(stored) { "\($0).\($1)" } == shown)
  }

  @Test(arguments: [
    ("A-017", true), ("ABCD_12345678", true), ("7", true), ("abcd1", true), ("zz9", true),
    ("ABCDE1", false), ("A-", false), ("A", false), ("", false), ("123456789", false),
    ("A--1", false), ("A-1b", false), ("é1", false), ("@1", false), ("[1", false), ("A 1", false),
    ("A-1_", false), ("-1", true), ("_12345678", true), ("a/1", false), ("a:1", false),
  ])
  func `a plain code cannot be a name`(text: String, isPlain: Bool) {
    #expect(ExportProfile.isPlainCode(text) == isPlain)
  }

  @Test func `a question of a check-in becomes a column of m-Path`() {
    let rows: [(String, String, ExportColumn.Kind, String)] = [
      ("number", "pain_sliderNeutralPos_doubleList", .number, "4"),
      ("temperature", "pain_sliderNeutralPos_doubleList", .number, "4"),
      ("scale", "pain_sliderNeutralPos_int", .integer, "4"),
      ("mood", "pain_sliderNeutralPos_int", .integer, "4"),
      ("choices", "pain_multipleChoice_stringList", .word, #""headache","nausea""#),
      ("yes_no", "pain_yesno_int", .integer, "4"), ("text", "pain_open_string", .typed, "4"),
    ]
    for (kind, name, type, example) in rows {
      let column = MPathItem(name: "hidden", kind: kind).column(shown: "pain")
      #expect(column.name == name && column.kind == type && column.example == example)
      #expect(column.meaning.contains("question pain.") && column.emptyWhen != nil)
    }
    #expect(
      ExportTable.mpathQuestions.map { "\($0.column.name) \($0.question) \($0.answer)" } == [
        "outcome_multipleChoice_string multipleChoice string",
        "reason_multipleChoice_string multipleChoice string",
        "rings_sliderNeutralPos sliderNeutralPos int",
        "delays_sliderNeutralPos sliderNeutralPos int",
      ])
  }

  @Test func `each outcome gives one cause of a missing response`() {
    #expect(ItemCause(nil) == .open)
    let causes = Dictionary(grouping: Outcome.allCases) { ItemCause($0) }
    #expect(causes[.skipped] == [.completed, .completedOutOfWindow])
    #expect(causes[.declined] == [.declined] && causes[.noResponse] == [.missedNoResponse])
    #expect(causes[.controlPhase] == [.suppressedControlPhase] && causes[.open] == nil)
    // The layout cleanadh has two lists of outcomes. These lists must contain the same outcomes as
    // the causes `notAsked` and `notExpected`.
    #expect(Set((causes[.notAsked] ?? []).map(\.rawValue)) == Set(ExportTable.unmonitored))
    #expect(Set((causes[.notExpected] ?? []).map(\.rawValue)) == Set(ExportTable.unexpected))
  }

  @Test func `the measures of a report have these names`() {
    let names = """
      prompts excluded_open excluded_announcement excluded_suppressed_quiet_hours \
      excluded_suppressed_cap excluded_suppressed_paused excluded_cancelled_before_due \
      excluded_cancelled_while_ringing excluded_superseded_by_edit planned \
      not_asked_missed_audio_failed not_asked_missed_device_off not_asked_missed_suspended \
      not_asked_missed_clock_invalid not_asked_unknown_crash asked delivered answered \
      completed completed_within_15_min completed_within_30_min completed_within_60_min \
      declined missed_no_response first_ring_latency_s_q1 first_ring_latency_s_median \
      first_ring_latency_s_q3 answer_after_ring_s_q1 answer_after_ring_s_median \
      answer_after_ring_s_q3 completion_latency_min_q1 completion_latency_min_median \
      completion_latency_min_q3 rings_to_answer_q1 rings_to_answer_median rings_to_answer_q3 \
      monitored_h persisting_7_days persisting_14_days persisting_28_days
      """
    #expect(ExportTable.measures.joined(separator: " ") == names)
    #expect(ExportTable.smallCell == 5)
  }
}
