import Alarms
import EventCoding
import GRDB
import JSONValue

extension Logbook {
  /// Computes the holiday lists of the home from the events.
  ///
  /// People import a holiday list about once a year, so there are few events. Therefore, no
  /// projection contains the holiday lists. If the name of a holiday list was erased, the result
  /// does not contain this list.
  func holidays(in db: Database) throws -> [HolidayList] {
    var lists: [String: HolidayList] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT e.type, e.payload, c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.type IN ('holidays_imported', 'holidays_removed') ORDER BY e.seq
        """)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "events")
      do {
        let stored = StoredEvent(
          type: try cells.text(0), promptID: nil, ringNumber: nil, alarmID: nil, alarmVersion: nil,
          toneSHA256: nil, payload: try JSON(stored: try cells.text(1)),
          content: try cells.optionalText(2).map { try JSON(stored: $0) })
        switch try stored.holidayChange() {
        case .imported(let list): lists[list.name] = list
        case .removed(let name): lists[name] = nil
        }
      } catch let error as EventCodingError {
        throw LogbookError.corrupt(doing: "read the lists of holidays", reason: error.description)
      }
    }
    lists[""] = nil
    return lists.values.sorted { $0.name < $1.name }
  }
}
