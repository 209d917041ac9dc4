import Alarms
import StudyExport

/// Writes prompts in the export format of m-Path, a program that calls each prompt a beep.
struct MPathSink: ExportSink {
  private let people: People
  private let basic: ExportTableFile
  /// The number of each person. The key of the dictionary is the pseudonym of the person. The first
  /// person in the record has the number 1, the second person has the number 2, and so on.
  /// Therefore, a person has the same number in a later export.
  private var numbers: [String: Int64] = [:]
  private var device = ""
  /// True if the export numbers its rows, and does not contain the numbers of events.
  private let countsRows: Bool
  private var rows: Int64 = 0

  init(_ export: ExportRun) throws {
    countsRows = export.profile == .safeHarbor
    people = export.people
    basic = try export.file(.mpathBasic)
  }

  mutating func finish() throws -> [ExportedFile] { [try basic.finish()] }

  mutating func take(_ event: RawRow, type: String, at stamp: Stamp) throws {
    if device.isEmpty { device = event.string(EventColumn.device) ?? "" }
    guard let person = event.string(EventColumn.person), numbers[person] == nil else { return }
    numbers[person] = Int64(numbers.count + 1)
  }

  mutating func take(_ prompt: PromptEnd) throws {
    // An announcement is not a task. Therefore, the export contains no row for an announcement.
    if prompt.isAnnouncement { return }
    let (row, life) = (prompt.row, prompt.life)
    let (offset, due) = (
      prompt.clockOffset ?? row.integer(PromptColumn.offset), row.integer(PromptColumn.due)
    )
    rows += 1
    let sent = countsRows ? min(life.firstSoundSequence, 1) * rows : life.firstSoundSequence
    try basic.row { line in
      line.integer(prompt.person.flatMap { numbers[$0] } ?? 0)
      line.text(prompt.person)
      line.text(prompt.person)
      line.text(line.isNextShown ? prompt.person.flatMap(people.name) : nil)
      line.null()
      line.text(device)
      line.integer(countsRows ? rows : life.firstSequence)
      line.integer(sent)
      line.integer(0)
      line.text(row.text(PromptColumn.alarmID))
      line.text(prompt.label)
      line.text(prompt.phase)
      line.instant(due, due: due, offsetSeconds: offset)
      // The events have the offset of the home zone at their time. All times of a row use the
      // offset of the prompt, so that a reader can subtract one time from another.
      line.instant(life.firstSound?.wallMilliseconds, due: due, offsetSeconds: offset)
      line.instant(life.firstAnswer?.at.wallMilliseconds, due: due, offsetSeconds: offset)
      line.instant(
        row.isCompleted ? row.integer(PromptColumn.closed) : nil, due: due, offsetSeconds: offset)
      line.integer(0)
      line.integer(row.integer(PromptColumn.offset))
      line.integer(0)
      line.text(row.text(PromptColumn.outcome))
      line.text(row.text(PromptColumn.reason))
      line.integer(row.integer(PromptColumn.ringsSounded))
      line.integer(row.integer(PromptColumn.delays))
    }
  }
}

extension ExportRun {
  /// Writes mpath_meta.csv.
  func writeQuestions() throws -> ExportedFile {
    let file = try file(.mpathMeta)
    for (column, question, answer) in ExportTable.mpathQuestions {
      try file.row { line in
        line.text(column.name)
        line.text(column.meaning)
        line.text(question)
        line.text(answer)
        for _ in 0..<3 { line.integer(0) }
      }
    }
    return try file.finish()
  }
}
