import CivilTime
import StudyExport

/// Converts rows of the database to rows of an export of a home, and writes them.
///
/// The first columns of each table are `site` and `home`, as in a pool of exports.
struct ExportTableWriter {
  private var encoder: ExportEncoder
  private let output: ExportOutput
  private(set) var rows = 0

  /// A key that does not replace any pseudonym. The homes have already replaced the pseudonyms
  /// before they sent the rows.
  private struct StoredPseudonyms: PseudonymKey {
    var isSet: Bool { false }
    var hidesChain: Bool { false }
    func name(_ stored: String) -> String { stored }
    func document(_ stored: String) -> String { stored }
  }

  /// Writes the header row of the table.
  ///
  /// - Parameter before: the names of the columns that come before the columns of `table`.
  init(
    _ table: ExportTable, before: [String], _ output: ExportOutput
  ) throws(ArchiveError) {
    encoder = ExportEncoder(
      table, .limited, firstDay: 0, pseudonyms: StoredPseudonyms(), opaque: { $1 })
    self.output = output
    encoder.appendHeader()
    try output.write(Array(before.map { "\($0)," }.joined().utf8) + encoder.bytes)
    encoder.clear()
  }

  func finish() throws(ArchiveError) -> ExportedFile { try output.finish(rows: rows) }

  /// Writes a row.
  ///
  /// - Parameters:
  ///   - before: the first cells of the row. An export of a home does not contain these cells.
  ///   - cells: a function that writes the remaining cells of the row.
  mutating func write(
    before: [String?], _ cells: (inout ExportEncoder) -> Void
  ) throws(ArchiveError) {
    var line: [UInt8] = []
    for cell in before {
      CSV.append(text: cell ?? "", to: &line)
      line.append(UInt8(ascii: ","))
    }
    cells(&encoder)
    encoder.endRow()
    try output.write(line + encoder.bytes)
    encoder.clear()
    rows += 1
  }

  /// Writes a row of events.csv.
  ///
  /// - Parameter values: the values of `EventTable.selection`. A sealed row contains only its
  ///   number and its hashes.
  mutating func event(
    before: [String?], _ values: [String?]
  ) throws(ArchiveError) {
    try write(before: before) { line in
      for (isInteger, value) in zip(EventTable.integers, values) {
        if isInteger { line.integer(Self.integer(value)) } else { line.text(value) }
      }
      line.null()  // the free text, which a home never sends
      Self.instant(Self.integer(values[16]), offset: Self.integer(values[18]), &line)
    }
  }

  /// The SQL columns that a query must select for the function `prompt`, in order. In prompts.csv,
  /// the cells from these columns come after `site`, `home`, `device` and `study_day`.
  static let promptColumns = """
    p.prompt_id, p.study, p.person, p.phase, p.alarm_id, p.alarm_version, p.is_announcement,
    p.scheduled, o.also_scheduled, p.zone, p.due_offset, p.due_ms, p.plans, p.late_ms,
    p.rings_intended, p.rings_sounded, p.rings_failed, p.rings_uncertain, p.is_delivered,
    p.first_ring_ms, p.first_ring_offset, p.first_ring_latency_ms, p.presented_ms, p.first_answer,
    p.first_answer_role, p.first_answer_source, p.answered_ms, p.answered_offset,
    p.answer_latency_ms, p.answer_after_ring_ms, p.completion_latency_ms, p.rings_to_answer,
    p.contacts_notified, p.contacts_reached, p.delays, p.outcome, p.reason, p.closed_ms,
    coalesce(zone_offset(p.zone, p.closed_ms), p.due_offset), p.closed_role, p.clock_state,
    p.clock_error_ms, p.boots, p.corrections
    """

  /// The indexes of some columns in `promptColumns`.
  enum PromptPlace {
    static let study = 1
    static let person = 2
    static let dueOffset = 10
    static let due = 11
  }

  /// Writes a row of prompts.csv.
  ///
  /// - Parameter values: the values of `promptColumns`.
  mutating func prompt(before: [String?], _ values: [String?]) throws(ArchiveError) {
    try write(before: before) { line in
      var place = 0
      func next() -> String? {
        defer { place += 1 }
        return values[place]
      }
      func text() { line.text(next()) }
      func integer() { line.integer(Self.integer(next())) }
      func bool() { line.bool(next().map { $0 == "t" }) }
      func texts(_ count: Int) { for _ in 0..<count { text() } }
      func integers(_ count: Int) { for _ in 0..<count { integer() } }
      func instant() {
        let milliseconds = Self.integer(next())
        Self.instant(milliseconds, offset: Self.integer(next()), &line)
      }
      texts(3)
      line.null()  // the name of the person
      texts(2)
      integer()
      line.null()  // the label
      bool()
      let scheduled = Self.integer(next())
      line.civil(scheduled)
      text()
      // A local time can occur twice on a day. If a prompt is due at the second of these times, its
      // id ends with "~2", and the fold is 1.
      line.integer(scheduled.map { _ in values[0]?.hasSuffix("~2") == true ? 1 : 0 })
      text()
      let offset = Self.integer(next())
      line.integer(offset)
      Self.instant(Self.integer(next()), offset: offset, &line)
      integers(6)
      bool()
      instant()
      integers(2)
      texts(3)
      instant()
      integers(7)
      line.text(values[place] == nil ? "open" : "closed")
      texts(2)
      instant()
      texts(2)
      integers(3)
    }
  }

  private static func integer(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

  /// The instants in the years 1 to 9999, in milliseconds since 1970. An export leaves out an
  /// instant outside this range, because a home can send any number as a time.
  static let years: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999
  static let largestOffsetSeconds: Int64 = 86_400

  private static func instant(
    _ milliseconds: Int64?, offset: Int64?, _ line: inout ExportEncoder
  ) {
    guard let milliseconds, let offset, years.contains(milliseconds),
      abs(offset) <= largestOffsetSeconds
    else { return line.null() }
    line.instant(milliseconds, offsetSeconds: offset)
  }
}
