import Alarms
import JSONValue
import StudyExport

/// Writes prompts in the export format of m-Path, a program that calls each prompt a beep.
struct MPathSink: ExportSink {
  private let people: People
  private let basic: ExportTableFile
  private let items: [MPathItem]
  /// Returns the name of a choice in the form that the profile permits.
  private let choice: (String) -> String
  /// The number of each person. The key of the dictionary is the pseudonym of the person. The first
  /// person in the record has the number 1, the second person has the number 2, and so on.
  /// Therefore, a person has the same number in all exports of the record.
  private var numbers: [String: Int64] = [:]
  private var device = ""
  /// True if the export counts its rows instead of showing the sequence numbers of events.
  private let countsRows: Bool
  private var rows: Int64 = 0

  init(_ export: ExportRun) throws {
    countsRows = export.profile == .safeHarbor
    people = export.people
    basic = try export.file(export.mpathBasic)
    items = export.mpathItems
    choice = { export.shown("c", $0) }
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
      // An event contains the UTC offset of the home zone at the time of the event. But all times
      // in a row of this table use the UTC offset of the prompt, so that a reader can subtract
      // these times.
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
      for item in items {
        let isAsked = prompt.items.contains { $0.name == item.name && $0.kind == item.kind }
        write(isAsked ? life.responses[item.name] : nil, of: item, to: &line)
      }
    }
  }

  /// Writes the newest response to a question. If there is no response, the cell is empty.
  private func write(_ value: JSON?, of item: MPathItem, to line: inout ExportEncoder) {
    switch item.types.answer {
    case "int":
      switch value {
      case .bool(let flag): line.integer(flag ? 1 : 0)
      case .string(let word): line.integer(Mood(rawValue: word).map { Int64($0.level) })
      default: line.integer(value?.integer)
      }
    case "doubleList": line.number(value?.double)
    case "stringList":
      let names = (value?.array ?? []).compactMap(\.string)
      line.text(
        names.isEmpty ? nil : names.map { "\"\(choice($0))\"" }.joined(separator: ","))
    default: line.text(value?.string)
    }
  }
}

extension ExportRun {
  /// Writes mpath_meta.csv.
  func writeQuestions() throws -> ExportedFile {
    let file = try file(.mpathMeta)
    let ofItems = mpathItems.map {
      (
        column: $0.column(shown: shown("q", $0.name)), question: $0.types.question,
        answer: $0.types.answer
      )
    }
    // If the profile shows no typed texts, mpath_basic.csv has no column for a question whose
    // answer is a text. Therefore, mpath_meta.csv has no row for this question.
    let questions =
      ExportTable.mpathQuestions + ofItems.filter { !$0.column.fields(profile).isEmpty }
    for (column, question, answer) in questions {
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
