import ICalendar

/// The notes that a reader makes about a file. If a file is damaged, the reader can make a note for
/// each line, so the list has a maximum length.
struct NoteList {
  private(set) var notes: [ICalendarNote] = []
  private var more = 0
  private var once: Set<String> = []
  private static let most = 1_000

  mutating func add(_ line: Int, _ property: String, _ reason: String) {
    if notes.count < Self.most {
      notes.append(ICalendarNote(line: line, property: property, reason: reason))
    } else {
      more += 1
    }
  }

  /// Adds a note. If an earlier call of this function had the same reason, adds nothing.
  mutating func addOnce(_ line: Int, _ property: String, _ reason: String) {
    if once.insert(reason).inserted { add(line, property, reason) }
  }

  /// All notes of the list. If the list was full, the last note states how many notes are missing.
  var all: [ICalendarNote] {
    if more == 0 { return notes }
    return notes + [ICalendarNote(line: 1, property: "VCALENDAR", reason: "\(more) more notes")]
  }
}
