import CivilTime

// Reads the components of a file. Leaves out a component if the home has an alarm from a newer
// version of the same event.
extension ICalendarImport {
  /// Reads one event.
  ///
  /// - Parameters:
  ///   - all: all events of the file.
  ///   - events: the events that earlier imports set or ended.
  mutating func read(
    _ group: ICalendarGroups.Group, of all: [ICalendarGroups.Group], beside events: ImportedEvents
  ) {
    let item = group.item
    let uid = item.importUID
    if uid.series.isEmpty { return read(item, group.changes) }
    if uid.occurrence != nil { return readChange(item, beside: events) }
    let revisions = Dictionary(
      group.changes.compactMap { change in change.key.map { ($0, change.revision) } },
      uniquingKeysWith: { $1.isOlder(than: $0) ? $0 : $1 })
    let verdict = events.verdict(series: uid, item.revision, changes: revisions)
    if verdict == .isOlder {
      leave(item)
      for change in group.changes where events.isNewer(change: change.revision, thanSeries: uid) {
        readChange(change, beside: events)
      }
      return
    }
    var newer = events.newerChanges(of: uid, than: item.revision, changes: revisions)
    // A file can contain a changed occurrence as a separate event.
    for other in all.map(\.item) where other.importUID.series == uid.series {
      guard let key = other.importUID.occurrence, let change = newer[key] else { continue }
      if !other.revision.isOlder(than: change.revision) { newer[key] = nil }
    }
    for key in newer.keys.sorted() {
      var occurrence = uid
      occurrence.occurrence = key
      kept.insert(occurrence)
      note(
        item.component.number, "RECURRENCE-ID",
        "the change of the occurrence \(key) is newer than this file; it stays")
    }
    let changes =
      group.changes.filter { change in change.key.map { newer[$0] == nil } ?? true }
      + newer.keys.sorted().map(item.ending)
    series.insert(uid.series)
    let first = entries.count
    read(item, changes)
    // The alarms of the series store two kinds of changes. The first kind are the changes in
    // `newer`: the import keeps the alarms of these occurrences. The second kind are the changes
    // that the schedules of the series contain.
    let own = Set(entries[first...].compactMap { $0.importUID.occurrence })
    var stored = newer
    for change in group.changes {
      guard let key = change.key, newer[key] == nil, !own.contains(key) else { continue }
      stored[key] = .init(
        revision: change.revision, isInSeries: true, movedTo: change.end == nil ? change.moved : nil
      )
    }
    if verdict == .isCancelled { markCancelled(from: first) }
    for index in entries.indices.dropFirst(first) where entries[index].importUID.occurrence == nil {
      entries[index].event?.changes.merge(stored) { $1 }
    }
  }

  /// Reads the change of an occurrence without its series. The file does not contain the series, or
  /// contains an older version of the series than the home.
  private mutating func readChange(_ item: ICalendarItem, beside events: ImportedEvents) {
    let uid = item.importUID
    let verdict =
      item.key.map { events.verdict(change: uid, key: $0, item.revision) } ?? .isNewer
    if verdict == .isOlder { return leave(item) }
    // If a file cancelled the occurrence before an import set the series, the series still contains
    // this occurrence.
    if verdict == .isNewer || !events.hasChange(of: uid), let change = item.change() {
      changes.append(change)
      if !change.isEnd, item.occurrence != nil, !events.hasSeries(uid) {
        note(
          item.component.number, "RECURRENCE-ID",
          "the file does not contain its series; it becomes an alarm of its own")
      }
    }
    let first = entries.count
    read(item, [])
    if verdict == .isCancelled { markCancelled(from: first) }
  }

  private mutating func markCancelled(from first: Int) {
    for index in entries.indices.dropFirst(first) { entries[index].wasCancelled = true }
  }

  private mutating func leave(_ item: ICalendarItem) {
    note(
      item.component.number, item.component.name,
      "the event is older than the alarm that is set, so the alarm stays; to import it anyway, use "
        + "--older")
  }

  private mutating func read(_ item: ICalendarItem, _ changes: [ICalendarItem]) {
    var item = item
    item.read(changes: changes)
    entries += item.entries
    notes += item.notes
    if item.entries.isEmpty, let reason = item.ending, !item.uid.isEmpty {
      ended.append(
        Ended(
          uid: item.importUID, line: item.component.number, reason: reason,
          revision: item.end == nil ? nil : item.revision))
    }
  }
}

extension ICalendarImport.Entry {
  /// The UID of the event. If the alarm belongs to only one occurrence, the value also contains the
  /// key of this occurrence.
  var importUID: ICalendarUID {
    var found = ICalendarUID(uid)
    if found.occurrence != nil, let key = event?.changes.first?.key { found.occurrence = key }
    return found
  }
}

extension ICalendarItem {
  /// The new start of a moved occurrence; nil if Prompter cannot read the new start.
  var moved: Instant? {
    guard let line = component.line("DTSTART") ?? component.line("DUE"),
      let time = ICalendarTime(line)
    else { return nil }
    var copy = self
    let start = copy.start(line, time)
    return start.instant ?? start.zone.resolve(start.time).instant
  }
}
