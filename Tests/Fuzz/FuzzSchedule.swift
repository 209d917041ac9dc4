// Two libFuzzer targets in one program. The first byte chooses the target. The targets read the
// other bytes as a typed schedule or as an iCalendar file. The parsers must read or refuse the
// bytes, and must not crash or hang. If a schedule is printed as words, the parser must read the
// words as the same schedule.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSchedule(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let rest = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))
  let now = Instant(seconds: 1_795_248_000)
  if bytes[0] & 1 == 0 {
    let text = String(decoding: rest, as: UTF8.self)
    let read = { (text: String) in
      try? SchedulePhrase(
        text, now: now, zone: .utc, findAlarm: { (name) in AlarmID(name.lowercased()) }
      ).parsed()
    }
    guard let parsed = read(text) else { return 0 }
    let words = parsed.schedule.words(in: .utc, typedAt: now)
    if case .after = parsed.schedule { return 0 }
    precondition(read(words)?.schedule == parsed.schedule, "\(text) → \(words)")
    guard
      let plan = try? SchedulePlan(
        parsed.schedule, earlyReminders: parsed.earlyReminders, zone: .utc, seed: UInt64(count))
    else { return 0 }
    var last = now
    for _ in 0..<20 {
      guard let next = plan.next(after: last) else { break }
      precondition(next.instant > last, "\(text) goes back")
      last = next.instant
    }
  } else if let nine = try? ClockTime(hour: 9, minute: 0) {
    let tree = CalendarReader.tree(rest, now: now)
    let found = ICalendarImport(tree, now: now, homeZone: .utc, allDay: nine) {
      $0 == "UTC" || $0 == "Europe/Berlin" ? .utc : nil
    }
    precondition(!found.entries.isEmpty || !found.notes.isEmpty, "neither an entry nor a note")
    let today = CivilDate(dayNumber: 20_782)
    _ = HolidayList(
      name: "X",
      days: ICalendarHolidays(tree, today: today, category: nil).days)
  }
  return 0
}
