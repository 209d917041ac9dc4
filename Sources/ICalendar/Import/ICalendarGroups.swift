import CivilTime

/// The events and to-dos of a file. Each event or to-do is in a group with the components that
/// change its single occurrences.
///
/// A file can contain several versions of one event (the same UID). The import uses the version
/// with the highest SEQUENCE. If several versions have this SEQUENCE, the import uses the version
/// with the latest DTSTAMP. If several versions also have this DTSTAMP, the import uses the last of
/// these versions in the file.
struct ICalendarGroups {
  /// An event or to-do, and the components with a RECURRENCE-ID that change its occurrences.
  struct Group {
    var item: ICalendarItem
    var changes: [ICalendarItem]
  }

  private var items: [ICalendarItem] = []
  private(set) var notes: [ICalendarNote] = []

  /// Adds the events and to-dos of a calendar. If the METHOD of the calendar is CANCEL, the
  /// function marks all these events and to-dos as cancelled. If a guest sent the calendar, the
  /// function adds only notes.
  mutating func add(
    _ calendar: ICalendarComponent, item: (ICalendarComponent) -> ICalendarItem
  ) {
    let method = ICalendarMethod(calendar)
    for component in calendar.components
    where component.name == "VEVENT" || component.name == "VTODO" {
      if case .proposal(let reason) = method {
        notes.append(
          ICalendarNote(
            line: component.number, property: component.name,
            reason: "left out: \(reason); no alarm is changed"))
        continue
      }
      var item = item(method == .add ? component.asAddition : component)
      item.isCancelled = item.isCancelled || method == .cancel
      items.append(item)
    }
  }

  /// Returns the groups, in the order of the file. Call this function after the last call of `add`.
  mutating func finished() -> [Group] {
    var groups: [Group] = []
    for item in newest(items.filter { $0.occurrence == nil }) {
      groups.append(Group(item: item, changes: []))
    }
    var places: [String: Int] = [:]
    for (index, group) in groups.enumerated() where places[group.item.uid] == nil {
      places[group.item.uid] = index
    }
    for change in newest(items.filter { $0.occurrence != nil }) {
      let place = change.uid.isEmpty ? place(of: change, in: groups) : places[change.uid]
      if let place {
        groups[place].changes.append(change)
      } else {
        groups.append(Group(item: change, changes: []))
      }
    }
    return groups.sorted { $0.item.component.number < $1.item.component.number }
  }

  /// Returns the index of the group that a component without a UID changes. This group contains the
  /// series with an occurrence at the RECURRENCE-ID. The result is nil if the file does not contain
  /// such a series.
  private func place(of change: ICalendarItem, in groups: [Group]) -> Int? {
    let fitting = groups.indices.filter {
      groups[$0].item.uid.isEmpty && groups[$0].item.occurrence == nil
        && groups[$0].item.hasOccurrence(of: change)
    }
    let label = change.component.line("SUMMARY")?.value
    return fitting.first { groups[$0].item.component.line("SUMMARY")?.value == label }
      ?? fitting.first
  }

  /// Removes the older versions of each component. The function keeps all components without a UID.
  private mutating func newest(_ all: [ICalendarItem]) -> [ICalendarItem] {
    var kept: [ICalendarItem] = []
    var places: [String: [Int]] = [:]
    for item in all {
      let place = (places[item.uid] ?? []).first { kept[$0].isVersion(of: item) }
      guard !item.uid.isEmpty, let place else {
        places[item.uid, default: []].append(kept.count)
        kept.append(item)
        continue
      }
      let isNewer = kept[place].rank <= item.rank
      let older = isNewer ? kept[place] : item
      if isNewer { kept[place] = item }
      notes.append(
        ICalendarNote(
          line: older.component.number, property: older.component.name,
          reason: "left out: the file contains a newer version of it"))
    }
    return kept
  }
}

extension ICalendarItem {
  /// The rank of a version. A newer version has a higher rank.
  fileprivate var rank: Rank {
    Rank(sequence: revision.sequence ?? 0, stamp: revision.stamp?.seconds ?? .min)
  }

  fileprivate struct Rank: Comparable {
    var sequence: Int
    var stamp: Int64

    static func < (first: Rank, second: Rank) -> Bool {
      (first.sequence, first.stamp) < (second.sequence, second.stamp)
    }
  }

  /// Returns true if the two components are versions of the same event, or versions of the same
  /// change.
  ///
  /// Some programs write the same UID into different events. Therefore two components with the same
  /// SEQUENCE and DTSTAMP but different times are different events. Exception: if one of the two
  /// components is cancelled, they are versions of the same event.
  fileprivate func isVersion(of other: ICalendarItem) -> Bool {
    guard uid == other.uid, component.name == other.component.name,
      component.line("RECURRENCE-ID")?.value == other.component.line("RECURRENCE-ID")?.value
    else { return false }
    if rank != other.rank || isCancelled || other.isCancelled { return true }
    return occurrence != nil
      || ["DTSTART", "RRULE", "RDATE"].allSatisfy {
        component.line($0)?.value == other.component.line($0)?.value
      }
  }
}
