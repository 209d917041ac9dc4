import Alarms
import CivilTime

// Applies components with a RECURRENCE-ID. Such a component moves or cancels one occurrence of a
// series, or one occurrence and all later occurrences.
extension ICalendarItem {
  /// Applies the changes to the series.
  ///
  /// - Parameters:
  ///   - parts: the list to which the function adds each changed occurrence with its own texts or
  ///     triggers. Each of these occurrences becomes a separate alarm.
  ///   - instants: the list to which the function adds each new time that no local time of the
  ///     series can express.
  mutating func apply(
    _ changes: [ICalendarItem], to series: inout ICalendarSeries, _ start: Start,
    _ parts: inout [Part], _ instants: inout [Instant]
  ) {
    var later: [(change: ICalendarItem, old: CivilDateTime)] = []
    for change in changes {
      guard let id = change.occurrence, let (time, own) = times(id, start).first else {
        note(
          change.component.number, "RECURRENCE-ID",
          "it cannot be read; the component becomes an alarm of its own")
        if change.end == nil { parts.append(Part(item: change)) }
        continue
      }
      let named = occurrences(named: time, in: own, of: series, start)
      let old =
        named.first
        ?? CivilDateTime(
          date: series.day(time, in: own), time: start.time.time)
      if id.parameter("RANGE")?.uppercased() == "THISANDFUTURE" {
        later.append((change, old))
        continue
      }
      series.movedAway.insert(old)
      if change.end != nil { continue }
      guard let line = change.component.line("DTSTART") ?? change.component.line("DUE"),
        let new = ICalendarTime(line)
      else {
        note(
          change.component.number, "RECURRENCE-ID",
          "its new time cannot be read; the old time is kept")
        series.movedAway.remove(old)
        continue
      }
      var single = change
      let moved = single.start(line, new)
      if differs(change, isAllDay: moved.isAllDay, start) {
        parts.append(Part(item: change))
        continue
      }
      if moved.isAllDay {
        series.added.insert(
          CivilDateTime(date: moved.time.date, time: start.time.time))
        continue
      }
      let instant = moved.begin
      let local = series.local(at: instant)
      if series.instant(local) != instant {
        instants.append(instant)
      } else if start.isAllDay {
        series.timed.insert(local)
      } else {
        series.added.insert(local)
      }
    }
    replace(later.sorted { $0.old < $1.old }, in: &series, start, &parts)
  }

  /// Applies changes that concern an occurrence and all later occurrences of the series
  /// (RANGE=THISANDFUTURE). `later` contains these changes in ascending order, each with the first
  /// occurrence to which the change applies. Each change applies until the next change begins.
  private mutating func replace(
    _ later: [(change: ICalendarItem, old: CivilDateTime)], in series: inout ICalendarSeries,
    _ start: Start, _ parts: inout [Part]
  ) {
    // Each RECURRENCE-ID contains a time of the unchanged series. Therefore, keep the unchanged
    // series.
    let original = series
    for (index, (change, old)) in later.enumerated() {
      var rest = original
      rest.cut(from: old)
      if index + 1 < later.count { rest.cut(before: later[index + 1].old) }
      replace(rest, from: old, by: change, in: &series, start, &parts)
    }
  }

  /// Returns true if a changed occurrence needs a separate alarm, because the texts or the triggers
  /// of this occurrence differ from the texts or the triggers of the series.
  private func differs(_ change: ICalendarItem, isAllDay: Bool, _ start: Start) -> Bool {
    let texts = ["SUMMARY", "DESCRIPTION"].contains {
      change.component.line($0)?.value != component.line($0)?.value
    }
    func alarms(_ part: ICalendarComponent) -> [[String]] {
      part.components.filter { $0.name == "VALARM" }.map { alarm in
        ["ACTION", "TRIGGER", "REPEAT", "DURATION"].map { alarm.line($0)?.value ?? "" }
      }
    }
    let own = alarms(component)
    if texts || alarms(change.component) != own { return true }
    let countsFromEnd = component.components.contains {
      $0.line("TRIGGER")?.parameter("RELATED")?.uppercased() == "END"
    }
    if countsFromEnd,
      ["DTEND", "DUE", "DURATION"].contains(where: { change.component.line($0) != nil })
    {
      return true
    }
    return isAllDay != start.isAllDay && !own.isEmpty
  }

  /// Ends the series before an occurrence, and continues the series with the times of `change`. If
  /// the texts or the triggers of `change` differ from those of the series, the times of `change`
  /// become a separate part.
  ///
  /// - Parameter rest: the times that the change moves.
  private mutating func replace(
    _ rest: ICalendarSeries, from old: CivilDateTime, by change: ICalendarItem,
    in series: inout ICalendarSeries, _ start: Start, _ parts: inout [Part]
  ) {
    series.cut(before: old)
    if change.end != nil { return }
    guard let line = change.component.line("DTSTART") ?? change.component.line("DUE"),
      let time = ICalendarTime(line)
    else {
      note(change.component.number, "RECURRENCE-ID", "its new time cannot be read")
      series.join(rest)
      return
    }
    var single = change
    let new = single.start(line, time)
    let local = new.isAllDay ? new.time : series.local(at: new.begin)
    let offset = ICalendarDuration(days: 0, seconds: local.localSeconds - old.localSeconds)
    let moved = offset.seconds == 0 ? rest : rest.moved(by: offset, .local, now: now)
    guard new.isAllDay != start.isAllDay || differs(change, isAllDay: new.isAllDay, start) else {
      series.join(moved)
      return
    }
    note(
      change.component.number, "RECURRENCE-ID",
      "from \(local.date) on, the event has other texts or reminders; it becomes a separate alarm")
    let first = Start(
      line: line, time: local, zone: start.zone, isAllDay: new.isAllDay, offsets: start.offsets)
    parts.append(Part(item: single, series: moved, start: first))
  }
}

extension ICalendarSeries {
  /// Removes all times of the series that are at `end` or later.
  mutating func cut(before end: CivilDateTime) {
    let instant = zone.resolve(end).instant
    pieces = pieces.compactMap { piece in
      let count = piece.recurrence.count(before: instant, atMost: Self.mostCounted)
      if count == 0 { return nil }
      let isCounted = if case .count = piece.rule.end { true } else { false }
      let rule =
        isCounted && count < Self.mostCounted
        ? RuleParts(piece.rule).counting(count) : RuleParts(piece.rule).ending(before: instant)
      return rule.flatMap { try? Piece($0, piece.start, zone) }
    }
    dates = dates.filter { $0 < end }
    excluded = excluded.filter { $0 < end }
    movedAway = movedAway.filter { $0 < end }
  }

  /// Removes all times of the series before `start`. After this call, the first time of each rule
  /// is at or after `start`.
  mutating func cut(from start: CivilDateTime) {
    let instant = zone.resolve(start).instant
    pieces = pieces.compactMap { piece in
      guard let next = piece.recurrence.next(after: instant.adding(milliseconds: -1)) else {
        return nil
      }
      var rule: RecurrenceRule? = piece.rule
      if case .count(let count) = piece.rule.end {
        let before = piece.recurrence.count(before: instant, atMost: Self.mostCounted)
        rule = RuleParts(piece.rule).counting(count - before)
      }
      let first = piece.rule.frequency < .daily ? next.nominal : max(next.nominal, piece.start)
      return rule.flatMap { try? Piece($0, first, zone) }
    }
    dates = dates.filter { $0 >= start }
    excluded = excluded.filter { $0 >= start }
    movedAway = movedAway.filter { $0 >= start }
    (added, timed) = ([], [])
  }

  /// Adds the times of a second series with the same zone.
  mutating func join(_ other: ICalendarSeries) {
    pieces += other.pieces
    dates.formUnion(other.dates)
    excluded.formUnion(other.excluded)
    movedAway.formUnion(other.movedAway)
    added.formUnion(other.added)
    timed.formUnion(other.timed)
    listedUntil = [listedUntil, other.listedUntil].compactMap { $0 }.min()
  }

  private static let mostCounted = 20_000
}

extension Recurrence {
  /// Returns the number of occurrences before an instant. The result is at most `limit`.
  fileprivate func count(before end: Instant, atMost limit: Int) -> Int {
    var count = 0
    var from = Instant(milliseconds: .min)
    while count < limit, let next = next(after: from), next.instant < end {
      count += 1
      from = next.instant
    }
    return count
  }
}
