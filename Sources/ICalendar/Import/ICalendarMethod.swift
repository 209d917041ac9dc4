import CivilTime

/// The METHOD of a calendar (RFC 5546). The METHOD states the intention of the sender.
enum ICalendarMethod: Hashable {
  /// The calendar contains the present state of its events. The METHOD is missing, or it is
  /// PUBLISH, REQUEST or a method for which this enum has no case.
  case publish
  case cancel
  /// The events are additional occurrences of series.
  case add
  /// The calendar changes no event. The text contains the reason.
  case proposal(String)

  init(_ calendar: ICalendarComponent) {
    switch calendar.line("METHOD")?.value.trimmed.uppercased() {
    case "CANCEL": self = .cancel
    case "ADD": self = .add
    case "COUNTER":
      self = .proposal("METHOD:COUNTER is the proposal of a guest for another time")
    case "DECLINECOUNTER": self = .proposal("METHOD:DECLINECOUNTER refuses a proposed time")
    case "REPLY": self = .proposal("METHOD:REPLY is the answer of a guest to an invitation")
    case "REFRESH": self = .proposal("METHOD:REFRESH asks for the newest version of an event")
    default: self = .publish
    }
  }
}

extension ICalendarComponent {
  /// A copy of a component from a calendar with the METHOD ADD. The copy has the UID of an
  /// occurrence, so that the copy does not replace the series with the same UID.
  var asAddition: ICalendarComponent {
    guard line("RECURRENCE-ID") == nil, let uid = line("UID"), !uid.text.trimmed.isEmpty,
      let start = line("DTSTART") ?? line("DUE"),
      let place = lines.firstIndex(where: { $0.name == "UID" })
    else { return self }
    var added = self
    added.lines[place] = .text(
      "UID", uid.text.trimmed + ICalendarUID.mark + start.value.trimmed)
    added.lines[place].number = uid.number
    return added
  }
}
