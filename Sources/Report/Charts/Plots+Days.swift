import CivilTime

extension Plots {
  /// The tables with the completed share by hour and weekday. Each table has one row for each hour
  /// and one column for each weekday. An export with the profile `safe_harbor` contains no
  /// weekdays. For such an export, the seven columns are day 1 to day 7 of a study week. The first
  /// study week begins on study day 1.
  ///
  /// The first table contains all prompts. If the study has several phases, one table for each
  /// phase follows. Reason: the first table mixes the prompts of control phases, which never ring,
  /// with all other prompts.
  var heatMaps: [Drawing] {
    [heatMap(study.prompts, "heat", "")]
      + (phaseNames.count > 1
        ? phaseNames.map { phase in
          heatMap(
            study.prompts.filter { $0.phase == phase }, "heat-\(phase)", ", phase \(phase)")
        } : [])
  }

  private func heatMap(_ prompts: [StudyPrompt], _ figure: String, _ which: String) -> Drawing {
    var cells: [Int: (done: Int, asked: Int)] = [:]
    for prompt in prompts where prompt.isAsked {
      guard let due = prompt.due else { continue }
      let column = study.countsDays ? (due.day - 1) % 7 : (due.day + 3) % 7
      let key = Int(due.minute / 60) * 7 + column
      cells[key, default: (0, 0)].asked += 1
      if prompt.isCompleted { cells[key, default: (0, 0)].done += 1 }
    }
    let names =
      study.countsDays
      ? (1...7).map { "day \($0)" } : ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    // Only the hours with an asked prompt have a row.
    let hours = Set(cells.keys.map { $0 / 7 }).sorted()
    var drawing = Drawing(
      figure,
      "Completed share of the asked prompts, by hour and \(study.countsDays ? "day of seven" : "weekday")\(which)",
      width: 640, height: Double(hours.count) * 20 + 26)
    for (column, name) in names.enumerated() {
      drawing.text(60 + (Double(column) + 0.5) * 80, 14, name, anchor: .middle)
    }
    for (row, hour) in hours.enumerated() {
      let y = 20 + Double(row) * 20
      drawing.text(54, y + 13, "\(hour < 10 ? "0" : "")\(hour):00", anchor: .end)
      for column in 0..<7 {
        let x = 60 + Double(column) * 80
        guard let cell = cells[hour * 7 + column] else {
          drawing.rect(x, y, 78, 18, fill: "#ffffff", stroke: "#dddddd")
          continue
        }
        let share = Double(cell.done) / Double(cell.asked)
        drawing.rect(x, y, 78, 18, fill: Drawing.shade(share), stroke: Drawing.grey)
        drawing.text(
          x + 39, y + 13, "\(Int((100 * share).rounded())) % of \(cell.asked)", anchor: .middle,
          size: 10, fill: share > 0.7 ? "#ffffff" : Drawing.ink)
      }
    }
    return drawing
  }

  /// The maximum number of days in a raster chart.
  static let rasterDays = 400

  /// The maximum number of raster charts in a report. If a study has more people than this maximum,
  /// the report sorts the people by id, and draws the charts only for the first 24 people.
  static let rasterPeople = 24

  /// One raster chart for each person. In a chart with several people, prompts with the same due
  /// time would hide each other.
  var rasters: [Drawing] {
    let people = Set(study.prompts.filter(\.isPlanned).map(\.person)).sorted()
    if people.count <= 1 { return [raster(study.prompts, "raster", "")] }
    let rest = people.count - Self.rasterPeople
    return people.prefix(Self.rasterPeople).enumerated().map { index, person in
      let isFirst = index == 0
      return raster(
        study.prompts.filter { $0.person == person }, isFirst ? "raster" : "raster-\(index + 1)",
        " of \(person)" + (isFirst && rest > 0 ? " (\(rest) more people are not drawn)" : ""))
    }
  }

  /// Draws a raster chart. The chart has one row for each day, with marks at the due times of the
  /// prompts.
  ///
  /// A hatched rectangle shows a gap. The background of a day with a control phase is grey.
  private func raster(_ prompts: [StudyPrompt], _ figure: String, _ whose: String) -> Drawing {
    let days = prompts.compactMap { $0.due?.day }
    let last = days.max() ?? 0
    let first = max(days.min() ?? 0, last - Self.rasterDays + 1)
    let count = days.isEmpty ? 0 : last - first + 1
    let step = count > 120 ? 5.0 : 10.0
    var drawing = Drawing(
      figure,
      "Day by day\(whose)\(count == Self.rasterDays ? ", the last \(count) days" : ""): ● completed, ○ asked and "
        + "not completed, × the device could not ask; hatched: not monitored; grey: control phase",
      width: 640, height: Double(count) * step + 30)
    drawing.defineHatching()
    func x(_ minute: Double) -> Double { 80 + minute * 550 / 1_440 }
    func y(_ day: Int) -> Double { 20 + Double(day - first) * step }
    for hour in stride(from: 0, through: 24, by: 3) {
      drawing.text(
        x(Double(hour) * 60), 12, "\(hour):00", anchor: hour == 24 ? .end : .middle, size: 9)
      drawing.line(x(Double(hour) * 60), 16, x(Double(hour) * 60), y(last + 1), stroke: "#dddddd")
    }
    for day in stride(from: first, to: first + count, by: count > 30 ? 7 : 1) {
      drawing.text(74, y(day) + step - 1, name(day), anchor: .end, size: 8)
    }
    for day in Set(prompts.filter { $0.phase == "control" }.compactMap { $0.due?.day })
    where day >= first {
      drawing.rect(x(0), y(day), 550, step, fill: "#ececec")
    }
    for gap in study.gaps where gap.to.day >= first && gap.from.day <= last && gap.from < gap.to {
      for day in max(gap.from.day, first)...min(gap.to.day, last) {
        let from = day == gap.from.day ? gap.from.minute : 0
        let to = day == gap.to.day ? gap.to.minute : 1_440
        drawing.rect(
          x(from), y(day), max(0.5, x(to) - x(from)), step, fill: drawing.hatching,
          tip: "\(gap.cause), \(Int(to - from)) min")
      }
    }
    for prompt in prompts where prompt.isPlanned {
      guard let due = prompt.due, due.day >= first else { continue }
      let (px, py) = (x(due.minute), y(due.day) + step / 2)
      if !prompt.isAsked {
        drawing.cross(px, py, radius: step / 4)
      } else {
        drawing.dot(px, py, radius: step / 4, fill: prompt.isCompleted ? Drawing.blue : "#ffffff")
      }
    }
    return drawing
  }

  func name(_ day: Int) -> String {
    study.countsDays ? "day \(day)" : CivilDate(dayNumber: day).description
  }
}
