import ICalendar

/// Converts properties of vCalendar 1.0 to iCalendar 2.0. The type converts only the properties
/// that determine when an alarm rings.
enum VCalendar1 {
  static func convert(_ component: inout RepairedComponent, _ notes: inout NoteList) {
    let start = component.line("DTSTART")?.value ?? ""
    for index in component.lines.indices {
      let line = component.lines[index]
      switch line.name {
      case "RRULE", "EXRULE":
        guard let found = VCalendar1Rule(line.value, start: start) else { continue }
        component.lines[index].value = found.rules[0]
        for rule in found.rules.dropFirst() {
          component.lines.append(ContentLine(name: line.name, value: rule, number: line.number))
        }
        if found.hasNoEnd {
          notes.add(
            line.number, line.name,
            "the rule names no end, so it has two occurrences, as vCalendar 1.0 defines")
        }
        if found.isPartial {
          notes.add(line.number, line.name, "a part of the rule \"\(line.value)\" is left out")
        }
      case "EXDATE", "RDATE":
        // vCalendar 1.0 separates the values by semicolons.
        component.lines[index].value = component.lines[index].value.replacing(";", with: ",")
      default: break
      }
    }
    let alarms: Set<String> = ["AALARM", "DALARM", "MALARM", "PALARM"]
    for line in component.lines where alarms.contains(line.name) {
      component.components.append(alarm(line))
    }
    component.lines.removeAll { alarms.contains($0.name) }
  }

  /// Makes a VALARM from a line such as `DALARM:20261201T075000Z;PT5M;2;Pills`. The four values of
  /// the line are the time, the time between two repetitions, the number of repetitions, and the
  /// text.
  private static func alarm(_ line: ContentLine) -> RepairedComponent {
    var alarm = RepairedComponent("VALARM", number: line.number)
    let parts = line.value.split(separator: ";", omittingEmptySubsequences: false).map {
      String($0).stripped
    }
    func add(_ name: String, _ value: String) {
      alarm.lines.append(ContentLine(name: name, value: value, number: line.number))
    }
    add("ACTION", line.name == "AALARM" ? "AUDIO" : line.name == "MALARM" ? "EMAIL" : "DISPLAY")
    add("TRIGGER", parts.first ?? "")
    if !(parts.first ?? "").uppercased().contains("P") {
      alarm.lines[1].parameters = [
        .init("VALUE", "DATE-TIME"), .init(ICalendarLine.repeats, "TRUE"),
      ]
    }
    if parts.count > 2, let count = Int(parts[2]), count > 0, !parts[1].isEmpty {
      add("REPEAT", "\(count)")
      add("DURATION", parts[1])
    }
    return alarm
  }
}
