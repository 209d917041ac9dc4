import CivilTime

/// Finds the zone of tzdata for each TZID in a calendar file.
///
/// If a TZID is the name of a tzdata zone, the import never uses the rules of the VTIMEZONE. These
/// rules are a copy that is often old or wrong, but updates keep the tzdata of the machine correct.
/// For all other TZIDs, the import uses the VTIMEZONE of the file, as libical does.
struct ICalendarZones {
  private let find: (String) -> Zone?
  private let homeZone: Zone
  /// The VTIMEZONE components. The key is the TZID without quotation marks.
  private var definitions: [String: ICalendarComponent] = [:]
  /// The zone of each TZID that a line of the file contains. The key is the TZID.
  private var found: [String: Zone] = [:]
  /// The offsets of each TZID whose rules differ from the rules of every tzdata zone. For such a
  /// TZID, `found` contains the nearest tzdata zone.
  private var own: [String: ICalendarOffsets] = [:]
  /// The offsets of the zone `floating`, if its rules differ from the rules of every tzdata zone;
  /// otherwise nil.
  private var floatingOffsets: ICalendarOffsets?
  /// The zone for times without a zone. If the file contains X-WR-TIMEZONE, the value is this zone,
  /// otherwise the home zone.
  private(set) var floating: Zone
  /// The notes about zones that are not zones of tzdata, one note for each zone.
  private(set) var notes: [ICalendarNote] = []

  /// - Parameters:
  ///   - homeZone: the zone for times without a zone, and for each TZID for which the initializer
  ///     finds no zone.
  ///   - zone: a function that finds a tzdata zone by its name.
  init(_ calendar: ICalendarComponent, homeZone: Zone, zone: @escaping (String) -> Zone?) {
    find = zone
    self.homeZone = homeZone
    floating = homeZone
    for component in calendar.components where component.name == "VTIMEZONE" {
      guard let id = component.line("TZID")?.text.unquoted else { continue }
      if definitions[id]?.offsets == nil { definitions[id] = component }
    }
    if calendar.line("VERSION")?.value.trimmed.hasPrefix("1.") == true,
      let line = calendar.line("TZ")
    {
      readOldZone(line, calendar)
    }
    if let line = calendar.line("X-WR-TIMEZONE"), !line.text.trimmed.isEmpty {
      floating = resolve(line.text.trimmed, line)
      floatingOffsets = own[line.text.trimmed]
    }
    readLines(of: calendar)
  }

  /// Returns the zone that a TZID means. If Prompter cannot find this zone, the result is the home
  /// zone.
  func zone(_ id: String) -> Zone { found[id] ?? known(id) ?? homeZone }

  /// Returns the offsets of the zone to which a line refers. The result is nil if a tzdata zone has
  /// the same rules.
  func offsets(of line: ICalendarLine) -> ICalendarOffsets? {
    line.timeZoneID.map { own[$0] } ?? floatingOffsets
  }

  /// Returns the tzdata zone with this name; nil if the tzdata of the machine does not contain this
  /// zone.
  func known(_ name: String) -> Zone? { find(name) }

  /// Reads the zone of a file in vCalendar 1.0. The line TZ of the file contains an offset from
  /// UTC. Each line DAYLIGHT contains a period of summer time, such as
  /// `DAYLIGHT:TRUE;+02;20270328T010000Z;20271031T010000Z;CET;CEST`.
  ///
  /// Many telephones write only TZ, even if their zone has summer time. If the home zone has the
  /// offset of TZ in winter or in summer, the function uses the home zone.
  private mutating func readOldZone(_ line: ICalendarLine, _ calendar: ICalendarComponent) {
    var digits = ICalendarDigits(line.value)
    guard let offset = digits.offsetSeconds() else {
      note(
        line,
        "\"\(line.value)\" is not an offset; times without a zone are read in \(homeZone.name)")
      return
    }
    let seasons: [Int64] = [1_800_000_000, 1_815_700_000]  // January and July 2027
    if seasons.contains(where: {
      homeZone.offsetSeconds(at: Instant(seconds: $0)) == Int(offset)
    }) {
      return
    }
    if let offsets = Self.oldOffsets(calendar, Int(offset)) {
      floating = defined(by: offsets, line.value, nil, line)
      floatingOffsets = own[line.value]
    } else if let zone = fixed(Int(offset)) {
      floating = zone
    } else {
      (floating, floatingOffsets) = (find("UTC") ?? .utc, ICalendarOffsets(always: Int(offset)))
    }
  }

  /// Returns the offsets of a file in vCalendar 1.0; nil if the file contains no periods of summer
  /// time.
  private static func oldOffsets(
    _ calendar: ICalendarComponent, _ offset: Int
  ) -> ICalendarOffsets? {
    var changes: [ICalendarOffsets.Change] = []
    for line in calendar.lines where line.name == "DAYLIGHT" {
      let parts = line.value.split(separator: ";", omittingEmptySubsequences: false).map(
        String.init)
      guard parts.count >= 4, parts[0].trimmed.uppercased() == "TRUE" else { continue }
      var digits = ICalendarDigits(parts[1])
      guard let summer = digits.offsetSeconds() else { continue }
      for (part, old, new) in [(parts[2], offset, Int(summer)), (parts[3], Int(summer), offset)] {
        switch ICalendarTime(part) {
        case .utc(let time): changes.append(.init(second: time.localSeconds, offset: new))
        case .local(let time):
          changes.append(.init(second: time.localSeconds - Int64(old), offset: new))
        case .date, nil: break
        }
      }
    }
    changes.sort { $0.second < $1.second }
    guard let first = changes.first, let last = changes.last else { return nil }
    // More than 60 days before the first clock change, and more than 60 days after the last clock
    // change, the offset is unknown.
    let known: Int64 = 60 * 86_400
    return ICalendarOffsets(
      start: first.second - known, end: last.second + known, firstOffset: offset, changes: changes)
  }

  /// Resolves the TZIDs of all lines of a component, except the lines of the VTIMEZONEs.
  private mutating func readLines(of component: ICalendarComponent) {
    for line in component.lines {
      if let id = line.timeZoneID, found[id] == nil { found[id] = resolve(id, line) }
    }
    for inner in component.components where inner.name != "VTIMEZONE" { readLines(of: inner) }
  }

  private mutating func resolve(_ id: String, _ line: ICalendarLine) -> Zone {
    if let zone = named(id) { return zone }
    let definition = definitions[id.unquoted]
    if let location = definition?.line("X-LIC-LOCATION")?.text.trimmed, let zone = named(location) {
      return zone
    }
    let windows = WindowsZones.zone(id.unquoted).flatMap(find)
    if let offsets = definition?.offsets {
      return defined(by: offsets, id, windows, line)
    }
    if let zone = windows ?? fixed(id.unquoted) ?? unnumbered(id) { return zone }
    let why =
      definition == nil ? "the file does not define it" : "its definition in the file has no times"
    note(
      line,
      "this system does not know the zone \"\(id)\", and \(why); its times are read in "
        + homeZone.name)
    return homeZone
  }

  private mutating func note(_ line: ICalendarLine, _ reason: String) {
    notes.append(ICalendarNote(line: line.number, property: "TZID", reason: reason))
  }

  /// Finds the tzdata zone whose name is in a TZID.
  ///
  /// The TZID can be a path, for example `/freeassociation.sourceforge.net/Europe/Berlin`.
  /// Therefore, the function also tries the last three parts, the last two parts and the last part
  /// of the TZID. The function also accepts a name in quotation marks, and ignores upper and lower
  /// case.
  private func named(_ id: String) -> Zone? {
    let id = String(id.unquoted.drop { $0 == "/" })
    let parts = id.split(separator: "/").map { String($0).trimmed }
    var names = [id]
    for count in [3, 2, 1] where parts.count >= count {
      names.append(parts.suffix(count).joined(separator: "/"))
    }
    for name in names where !name.isEmpty {
      if let zone = find(name) { return zone }
      let lower = name.lowercased().replacing(" ", with: "_")
      if let known = WindowsZones.candidates.first(where: { $0.lowercased() == lower }),
        let zone = find(known)
      {
        return zone
      }
    }
    return nil
  }

  /// Finds the zone of a TZID that begins or ends with a number, for example `W. Europe Standard
  /// Time 1`. If Outlook writes a zone twice, Outlook adds a number to the name.
  private func unnumbered(_ id: String) -> Zone? {
    var name = Substring(id.unquoted)
    while let last = name.last, last.isNumber || last.isWhitespace || "()-_#".contains(last) {
      name.removeLast()
    }
    if name.isEmpty || name.count == id.count { return nil }
    return WindowsZones.zone(String(name)).flatMap(find) ?? named(String(name))
  }

  /// Returns the zone of a TZID that consists only of an offset, such as `UTC+02:00` or `GMT-0500`.
  private func fixed(_ id: String) -> Zone? {
    var name = id.uppercased().filter { !"() ".contains($0) }
    for prefix in ["UTC", "GMT", "Z"] where name.hasPrefix(prefix) {
      name.removeFirst(prefix.count)
      if name.isEmpty { return find("UTC") ?? .utc }
      break
    }
    var digits = ICalendarDigits(name)
    guard let offset = digits.offsetSeconds(), digits.isAtEnd else { return nil }
    return fixed(Int(offset))
  }

  /// Returns the tzdata zone whose offset is always `offset`, in seconds. The result is nil if the
  /// offset is not a whole number of hours, because tzdata does not contain such zones.
  private func fixed(_ offset: Int) -> Zone? {
    guard offset % 3_600 == 0 else { return nil }
    // In the names `Etc/GMT…`, the sign is the opposite of the sign of the offset.
    let hours = -offset / 3_600
    return hours == 0 ? find("UTC") ?? .utc : find("Etc/GMT\(hours > 0 ? "+" : "")\(hours)")
  }
}

// Finds the nearest tzdata zone for a zone that only a VTIMEZONE defines.
extension ICalendarZones {
  /// Finds the zone of tzdata that has the same offsets as a VTIMEZONE.
  ///
  /// The function tries the zones in this order: `windows`, the home zone, the zones whose city is
  /// part of the TZID `id`, and all other zones. If no zone has exactly these offsets, the function
  /// chooses the zone whose offsets differ for the shortest time.
  ///
  /// - Parameter windows: the tzdata zone for the Windows zone `id`; nil if `id` is not a Windows
  ///   zone.
  private mutating func defined(
    by offsets: ICalendarOffsets, _ id: String, _ windows: Zone?, _ line: ICalendarLine
  ) -> Zone {
    var best: (zone: Zone, difference: ICalendarOffsets.Difference)?
    for zone in candidates(id, windows, offsets) {
      let other = ICalendarOffsets(zone, from: offsets.start, to: offsets.end)
      let difference = offsets.difference(from: other)
      if difference.total < best?.difference.total ?? .max { best = (zone, difference) }
      if difference.total == 0 { break }
    }
    let zone = best?.zone ?? homeZone
    guard let difference = best?.difference, difference.longest > Self.insignificantSeconds else {
      if windows == nil {
        note(
          line,
          "this system does not know the zone \"\(id)\"; its rules in the file are those of "
            + zone.name)
      } else if zone.name != windows?.name {
        note(
          line,
          "the file gives the zone \"\(id)\" other rules than Windows; they are those of "
            + zone.name)
      }
      return zone
    }
    own[id] = offsets
    note(
      line,
      "no zone of this system has the rules of \"\(id)\"; the nearest is \(zone.name), and the times "
        + "are computed from the rules in the file")
    return zone
  }

  /// The maximum length, in seconds, of a difference between a VTIMEZONE and a tzdata zone that the
  /// import ignores. The offsets of the two can differ for a short time, because Windows writes
  /// 23:59:59.999 for the end of some days, and some programs move a clock change by an hour.
  /// Despite such a difference, nearly all alarms ring at the right time.
  private static let insignificantSeconds: Int64 = 3_600

  private func candidates(
    _ id: String, _ windows: Zone?, _ offsets: ICalendarOffsets
  ) -> some Sequence<Zone> {
    let words = id.lowercased()
    func isNamed(_ zone: String) -> Bool {
      guard let city = zone.split(separator: "/").last, city.count > 3 else { return false }
      return words.contains(city.lowercased().replacing("_", with: " "))
    }
    let named = WindowsZones.candidates.filter(isNamed)
    let find = find
    let fixed = offsets.changes.isEmpty ? self.fixed(offsets.firstOffset) : nil
    let first = [windows, homeZone].compactMap { $0 }
    let tables = (named + WindowsZones.candidates).lazy.compactMap { find($0) }
    return [AnySequence(first), AnySequence(tables), AnySequence([fixed].compactMap { $0 })]
      .joined()
  }
}

extension String {
  /// The text without quotation marks and white space at its start and end.
  fileprivate var unquoted: String {
    var text = trimmed[...]
    while let first = text.first, first == "\"" || first == "'" { text.removeFirst() }
    while let last = text.last, last == "\"" || last == "'" { text.removeLast() }
    return String(text).trimmed
  }
}
