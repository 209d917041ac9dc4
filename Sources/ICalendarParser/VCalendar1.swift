import ICalendar

/// Converts the properties of vCalendar 1.0 that decide about rings to those of iCalendar 2.0.
enum VCalendar1 {
  static func convert(_ component: inout RepairedComponent) {
    for index in component.lines.indices {
      switch component.lines[index].name {
      case "RRULE":
        if let rule = rule(component.lines[index].value) { component.lines[index].value = rule }
      case "EXDATE", "RDATE":
        // The separator of vCalendar 1.0 is the semicolon.
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

  /// The VALARM of a line such as `DALARM:20261201T075000Z;PT5M;2;Pills`: the time, the time between
  /// the repetitions, the number of repetitions, and the text.
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
      alarm.lines[1].parameters = [.init("VALUE", "DATE-TIME")]
    }
    if parts.count > 2, let count = Int(parts[2]), count > 0, !parts[1].isEmpty {
      add("REPEAT", "\(count)")
      add("DURATION", parts[1])
    }
    return alarm
  }

  /// The words of a rule that are left to read.
  private struct Words {
    var rest: ArraySlice<Substring>

    mutating func next(if isWanted: (Substring) -> Bool) -> Substring? {
      guard let word = rest.first, isWanted(word) else { return nil }
      rest.removeFirst()
      return word
    }
  }

  private static let days: Set<Substring> = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]

  /// A rule such as `W2 MO FR #10` as a rule of RFC 5545; nil if it is not such a rule.
  static func rule(_ value: String) -> String? {
    let text = value.uppercased().filter { $0 != "$" }
    var words = Words(rest: text.split { $0 == " " || $0 == "\t" }[...])
    guard let first = words.next(if: { _ in true }),
      let kind = ["MP", "MD", "YM", "YD", "D", "W"].first(where: { first.hasPrefix($0) }),
      let interval = Int(first.dropFirst(kind.count)), interval > 0,
      var rule = parts(kind, &words)
    else { return nil }
    if interval > 1 { rule += ";INTERVAL=\(interval)" }
    // Without an end, a rule of vCalendar 1.0 has two occurrences.
    guard let end = words.next(if: { _ in true }) else { return rule + ";COUNT=2" }
    guard words.rest.isEmpty else { return nil }
    if end == "#0" { return rule }
    if end.hasPrefix("#"), let count = Int(end.dropFirst()) { return rule + ";COUNT=\(count)" }
    return end.first?.isNumber == true ? rule + ";UNTIL=\(end)" : nil
  }

  private static func parts(_ kind: String, _ words: inout Words) -> String? {
    func list(_ name: String, _ values: [String]) -> String {
      values.isEmpty ? "" : ";\(name)=" + values.joined(separator: ",")
    }
    func numbers(_ words: inout Words) -> [String] {
      var values: [String] = []
      // `LD` is the last day, and `2-` the second last one.
      while let word = words.next(if: { word in
        word == "LD" || Int(word.filter { $0 != "-" && $0 != "+" }).map { $0 < 367 } == true
      }) {
        let digits = word.filter { $0.isNumber }
        values.append(word == "LD" ? "-1" : (word.contains("-") ? "-" : "") + digits)
      }
      return values
    }
    switch kind {
    case "D": return "FREQ=DAILY"
    case "W":
      var values: [String] = []
      while let day = words.next(if: days.contains) { values.append(String(day)) }
      return "FREQ=WEEKLY" + list("BYDAY", values)
    case "MD": return "FREQ=MONTHLY" + list("BYMONTHDAY", numbers(&words))
    case "YM": return "FREQ=YEARLY" + list("BYMONTH", numbers(&words))
    case "YD": return "FREQ=YEARLY" + list("BYYEARDAY", numbers(&words))
    default:
      var values: [String] = []
      while let place = words.next(if: { $0.last == "+" || $0.last == "-" }) {
        let number = (place.last == "-" ? "-" : "") + place.dropLast()
        while let day = words.next(if: days.contains) { values.append(number + day) }
      }
      return "FREQ=MONTHLY" + list("BYDAY", values)
    }
  }
}
