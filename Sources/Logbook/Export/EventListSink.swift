import StudyExport

/// Writes a row for each completed prompt, for the script CleanADHdata.R. This script analyses the
/// data of electronic pill boxes. The script expects one row for each time at which a person opened
/// the pill box.
struct EventListSink: ExportSink {
  private let list: ExportTableFile

  init(_ export: ExportRun) throws { list = try export.file(.eventList) }

  mutating func finish() throws -> [ExportedFile] { [try list.finish()] }

  mutating func take(_ event: RawRow, type: String, at stamp: Stamp) throws {}

  mutating func take(_ prompt: PromptEnd) throws {
    let row = prompt.row
    // An announcement is not a task, and EMInfo.csv contains no announcement.
    guard row.isCompleted, !prompt.isAnnouncement else { return }
    try list.row { line in
      line.text(prompt.person ?? Regimen.unknown)
      line.text(row.text(PromptColumn.alarmID))
      line.instant(
        row.integer(PromptColumn.closed), due: row.integer(PromptColumn.due),
        offsetSeconds: prompt.clockOffset ?? row.integer(PromptColumn.offset))
    }
  }
}

extension ExportRun {
  /// Writes the files EMInfo.csv, Regimen.csv and NonMonitoredPeriods.csv.
  func writeRegimen() throws -> [ExportedFile] {
    func list(_ outcomes: [String]) -> String {
      outcomes.map { "'\($0)'" }.joined(separator: ", ")
    }
    // For each alarm and day, the file Regimen.csv contains the number of prompts that the person
    // should complete. The query leaves out planned prompts, because these prompts are not due yet.
    // If the rows are too large for the cache of SQLite, SQLite sorts the rows on the disk.
    let rows = try RawRows(
      db,
      sql: """
        SELECT coalesce(e.person, '\(Regimen.unknown)') AS who, p.alarm_id,
          (p.nominal_key >> 1) / 86400 AS day,
          sum(p.outcome IS NULL OR p.outcome NOT IN (\(list(ExportTable.unexpected)))),
          min(CASE WHEN p.outcome IN (\(list(ExportTable.unmonitored))) THEN p.outcome END)
        FROM prompts p LEFT JOIN events e
          ON e.alarm_id = p.alarm_id AND e.alarm_version = p.alarm_version
          AND e.type IN ('alarm_created', 'alarm_edited')
        WHERE (p.outcome IS NOT NULL OR p.phase <> 'planned')
          AND json_extract(e.payload, '$.announcement') IS NOT 1
        GROUP BY who, p.alarm_id, day ORDER BY who, p.alarm_id, day
        """)
    var regimen = try Regimen(
      info: file(.monitorInfo), regimen: file(.regimen), gaps: file(.nonMonitoredPeriods))
    while let row = try rows.next() {
      try regimen.add(
        person: row.string(0) ?? "", alarm: row.string(1) ?? "", day: row.integer(2),
        expected: row.integer(3), gap: row.string(4))
    }
    return try regimen.finish()
  }
}

/// Writes EMInfo.csv, Regimen.csv and NonMonitoredPeriods.csv.
///
/// Regimen.csv contains the expected number of completions per day for each alarm. If the expected
/// number is the same on consecutive days, the table contains one row for all of these days.
struct Regimen {
  /// The text that the tables contain in place of an unknown person. The script CleanADHdata.R
  /// refuses an empty text.
  static let unknown = "unknown"

  private struct Run<Value: Equatable> {
    var value: Value
    var from: Int64
    var to: Int64
  }

  private let info: ExportTableFile
  private let regimen: ExportTableFile
  private let gaps: ExportTableFile
  private var monitor: (person: String, alarm: String) = ("", "")
  private var whole: Run<Bool>?
  private var expected: Run<Int64>?
  private var gap: Run<String>?

  init(info: ExportTableFile, regimen: ExportTableFile, gaps: ExportTableFile) {
    self.info = info
    self.regimen = regimen
    self.gaps = gaps
  }

  /// Adds one day of an alarm to the tables. The caller must add the days in order, and must leave
  /// out days without prompts.
  mutating func add(
    person: String, alarm: String, day: Int64, expected count: Int64, gap cause: String?
  ) throws {
    if monitor != (person, alarm) {
      try endMonitor()
      monitor = (person, alarm)
    }
    if let run = expected, run.to + 1 < day {
      try addExpected(0, from: run.to + 1, to: day - 1)
    }
    try addExpected(count, from: day, to: day)
    if let run = gap, run.value != cause || run.to + 1 < day { try endGap() }
    if let cause { gap = Run(value: cause, from: gap?.from ?? day, to: day) }
    whole = Run(value: true, from: whole?.from ?? day, to: day)
  }

  mutating func finish() throws -> [ExportedFile] {
    try endMonitor()
    return [try info.finish(), try regimen.finish(), try gaps.finish()]
  }

  private mutating func addExpected(_ count: Int64, from: Int64, to: Int64) throws {
    if let run = expected, run.value != count { try endExpected() }
    expected = Run(value: count, from: expected?.from ?? from, to: to)
  }

  private mutating func endMonitor() throws {
    if let whole { try write(whole, to: info) { _ in } }
    whole = nil
    try endExpected()
    try endGap()
  }

  private mutating func endExpected() throws {
    guard let run = expected else { return }
    expected = nil
    try regimen.row { line in
      line.text(monitor.person)
      line.text(monitor.alarm)
      line.integer(run.value)
      line.civil(run.from * 86_400)
      line.civil(run.to * 86_400)
      line.null()
      line.null()
    }
  }

  private mutating func endGap() throws {
    guard let run = gap else { return }
    gap = nil
    try write(run, to: gaps) { $0.text(run.value) }
  }

  private func write<Value>(
    _ run: Run<Value>, to file: ExportTableFile, _ rest: (inout ExportEncoder) -> Void
  ) throws {
    try file.row { line in
      line.text(monitor.person)
      line.text(monitor.alarm)
      line.civil(run.from * 86_400)
      line.civil(run.to * 86_400)
      rest(&line)
    }
  }
}
