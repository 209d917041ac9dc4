import CivilTime
import ICalendar
import ICalendarParser

/// Returns the parsed content of a calendar file.
func parse(_ bytes: [UInt8]) -> ICalendarTree {
  CalendarReader.tree(bytes, now: Instant(seconds: 1_795_248_000))
}

func parse(_ text: String) -> ICalendarTree { parse(Array(text.utf8)) }
