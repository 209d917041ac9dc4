/// Decides for each time of an everyday phrase if the time is before or after noon.
struct EverydayChoice {
  let items: [EverydayPhrase.Item]

  /// Returns variants of the items in which each time has only one option. If a time is not
  /// certain, the result contains several variants.
  func choices(_ reasons: inout [String]) -> [[EverydayPhrase.Item]] {
    var times = items.compactMap { if case .time(let time) = $0 { time } else { nil } }
    // "daily at 8 and 20": a person who types 20 uses the 24-hour clock, so 8 means 08:00.
    if times.contains(where: \.isOnlyTwentyFourHour) {
      for place in times.indices where times[place].isTwelveHour {
        times[place].options = [times[place].options[0]]
      }
    }
    let open = times.filter { $0.options.count > 1 }
    guard let first = open.first else { return [placed(times.map { $0.options[0] })] }
    if first.isTwelveHour || !reasons.contains(where: { $0.contains(first.typed) }) {
      let texts = first.options.map(EverydayTime.text).joined(separator: " or ")
      reasons.append("\"\(first.typed)\" can mean \(texts)")
    }
    var found: [[Int]] = []
    func add(_ choice: [Int]) { if !found.contains(choice) { found.append(choice) } }
    let isWindow = items.contains(.word("from")) || items.contains(.word("between"))
    if !isWindow || times.count < 2 || times[0].options[0] < times[1].options[0] {
      add(times.map { $0.options[0] })
    }
    add(ascending(times))
    if !isWindow { add(times.map { $0.options[$0.options.count - 1] }) }
    let distinct = found.filter { Set($0).count == $0.count }
    return (distinct.isEmpty ? found : distinct).map(placed)
  }

  /// Returns one option for each time: the first option that is later than the chosen option of the
  /// previous time. If no option is later, the function chooses the first option.
  private func ascending(_ times: [EverydayTime]) -> [Int] {
    var chosen: [Int] = []
    for time in times {
      let later = time.options.first { $0 > chosen.last ?? -1 }
      chosen.append(later ?? time.options[0])
    }
    return chosen
  }

  private func placed(_ times: [Int]) -> [EverydayPhrase.Item] {
    var rest = times[...]
    return items.map { item in
      guard case .time(var time) = item, let next = rest.popFirst() else { return item }
      time.options = [next]
      return .time(time)
    }
  }
}
