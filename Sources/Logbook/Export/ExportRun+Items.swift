import Alarms
import EventCoding
import GRDB
import JSONValue
import StudyExport

/// A question of a prompt, with the information whether somebody responded to the question.
struct PromptItem {
  var name: String
  /// The kind of the question, as in instruments.csv.
  var kind: String
  var isRequired: Bool
  var isAnswered: Bool
}

extension PromptItem {
  /// Reads the questions of an alarm version from the payload of its event. In the result,
  /// `isAnswered` is false for each question.
  static func items(payload: String?) -> [PromptItem] {
    guard let payload, payload.contains("\"check_in\""), let json = try? JSON(stored: payload)
    else { return [] }
    return (json["check_in"]?["questions"]?.array ?? []).compactMap { question in
      guard let name = question["name"]?.string, let kind = question["kind"]?.string else {
        return nil
      }
      return PromptItem(
        name: name, kind: kind, isRequired: question["required"] == .bool(true),
        isAnswered: false)
    }
  }
}

extension ExportRun {
  /// Returns the questions of all alarms, in the order of the record, for the layout `mpath`.
  static func mpathItems(_ db: Database) throws -> [MPathItem] {
    var found: [MPathItem] = []
    let rows = try RawRows(
      db,
      sql: """
        SELECT payload FROM events WHERE type IN ('alarm_created', 'alarm_edited') ORDER BY seq
        """)
    while let row = try rows.next() {
      for item in PromptItem.items(payload: row.string(0)) {
        let item = MPathItem(name: item.name, kind: item.kind)
        if !found.contains(item) { found.append(item) }
      }
    }
    return found
  }

  /// Writes instruments.csv.
  func writeInstruments() throws -> ExportedFile {
    let file = try file(.instruments)
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(EventRow.selection), c.body
        FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type IN ('alarm_created', 'alarm_edited') AND e.person IS coalesce(?, e.person)
        ORDER BY e.alarm_id, e.alarm_version
        """, arguments: [owner])
    let width = EventRow.columnNames.count
    var (alarmID, wordings): (AlarmID?, [String: (Question, version: Int)]) = (nil, [:])
    while let row = try rows.next() {
      let content = try RowReader(row, of: "alarms").optionalText(width)
      switch try event(try EventRow(row), content: content) {
      case .alarmCreated(let alarm), .alarmEdited(let alarm):
        if alarm.id != alarmID { (alarmID, wordings) = (alarm.id, [:]) }
        for (index, question) in (alarm.checkIn?.questions ?? []).enumerated() {
          let known = wordings[question.name]
          let isSame = known.map { $0.0.kind == question.kind && $0.0.text == question.text }
          let version = (known?.version ?? 0) + (isSame == true ? 0 : 1)
          wordings[question.name] = (question, version)
          try file.row { write(question, index + 1, version, of: alarm, to: &$0) }
        }
      default: continue
      }
    }
    return try file.finish()
  }

  private func write(
    _ question: Question, _ position: Int, _ version: Int, of alarm: Alarm,
    to line: inout ExportEncoder
  ) {
    let range = question.kind.exportedRange
    line.text(alarm.id.text)
    line.integer(Int64(alarm.version))
    line.text(question.name)
    line.integer(Int64(position))
    line.integer(Int64(version))
    line.text(question.payload["kind"]?.string)
    line.number(range?.lowerBound)
    line.number(range?.upperBound)
    line.text(question.payload["unit"]?.string)
    line.text(question.kind.exportedChoices?.joined(separator: "|"))
    line.bool(question.isRequired)
    line.text(question.text.isEmpty ? nil : question.text)
  }
}

extension Question.Kind {
  /// The range of the values in the column `value_number` of responses.csv.
  fileprivate var exportedRange: ClosedRange<Double>? {
    switch self {
    case .number(_, let range): range
    case .scale(let range): Double(range.lowerBound)...Double(range.upperBound)
    case .temperature(let unit): unit.bounds
    case .mood: 0...Double(Mood.allCases.map(\.level).max() ?? 0)
    case .yesNo: 0...1
    case .choices, .text: nil
    }
  }

  fileprivate var exportedChoices: [String]? {
    switch self {
    case .choices(let choices): choices.map(\.name)
    case .mood: Mood.allCases.sorted { $0.level < $1.level }.map(\.rawValue)
    case .yesNo: ["no", "yes"]
    case .number, .scale, .temperature, .text: nil
    }
  }
}
