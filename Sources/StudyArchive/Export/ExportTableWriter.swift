import CivilTime
import StudyExport

/// Converts rows of the database to rows of an export of a home, and writes them.
///
/// The first columns of each table are `site` and `home`, as in a pool of exports.
struct ExportTableWriter {
  private var encoder: ExportEncoder
  private let output: ExportOutput
  private(set) var rows = 0

  /// A key that changes nothing, because the homes have already sent pseudonyms and identifiers in
  /// the form for exports.
  private struct StoredPseudonyms: PseudonymKey {
    var isSet: Bool { false }
    var hidesChain: Bool { false }
    func name(_ stored: String) -> String { stored }
    func document(_ stored: String) -> String { stored }
  }

  /// - Parameter before: the names of the columns that come before the columns of the table.
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
  ///   - before: the first cells of the row, which are not in an export of a home.
  ///   - cells: a function that writes the cells of the table.
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

  /// The SQL columns that `prompt` writes, in their order. In the file, these columns come after
  /// `site`, `home`, `device` and `study_day`.
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

  /// The positions of some columns in `promptColumns`.
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
      // The id of a prompt ends with "~2" if the prompt belongs to the second occurrence of a local
      // time. The fold is then 1.
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

  /// The range of the instants whose year has four digits, in milliseconds. The range is checked
  /// because a home can send any number as a time.
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
