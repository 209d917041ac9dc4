import ICalendar

/// The content of a calendar file.
func parse(_ bytes: [UInt8]) -> ICalendarTree { ICalendarReader(bytes).tree }

func parse(_ text: String) -> ICalendarTree { parse(Array(text.utf8)) }
