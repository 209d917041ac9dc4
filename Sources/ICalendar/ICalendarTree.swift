/// The content of a calendar file: its components and lines, before an import interprets them.
public struct ICalendarTree: Hashable, Sendable {
  /// The outermost components, usually one VCALENDAR.
  public var components: [ICalendarComponent]
  /// The notes about parts of the file that the reader repaired or could not read.
  public var notes: [ICalendarNote]

  public init(components: [ICalendarComponent] = [], notes: [ICalendarNote] = []) {
    self.components = components
    self.notes = notes
  }
}
