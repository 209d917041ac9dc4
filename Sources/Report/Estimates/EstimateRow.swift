import Glibc
import StudyExport

/// A row of estimates.csv.
public struct EstimateRow: Hashable, Sendable {
  var analysis: String
  var name: String
  /// The phase or the arm of the estimate. For a difference, the value contains both groups.
  var group: String
  var people: Int
  var prompts: Int
  /// Five texts: estimate, standard error, interval (two texts), and degrees of freedom.
  ///
  /// The first four texts are numbers in percent or percent points. The interval is the 95 %
  /// interval. If the estimate has no interval, only the first text contains a number. The other
  /// four texts are empty.
  var numbers: [String]
  var method: String

  init(
    _ analysis: AnalysisSet, _ name: String, _ group: String, people: Int, prompts: Int,
    _ estimate: Estimate, _ method: String
  ) {
    self.analysis = analysis.rawValue
    self.name = name
    self.group = group
    self.people = people
    self.prompts = prompts
    self.method = method
    let interval = estimate.interval
    numbers = [
      (estimate.value, 2), (interval == nil ? nil : estimate.error, 2), (interval?.low, 2),
      (interval?.high, 2), (interval == nil ? nil : estimate.degrees, 1),
    ].map { number, decimals in number.map { Self.text($0, decimals: decimals) } ?? "" }
  }

  /// True if the number of people is from 1 to 4.
  var isSmall: Bool { (1..<ExportTable.smallCell).contains(people) }

  func cells(suppressesSmall: Bool) -> [String] {
    let all = [String(people), String(prompts)] + numbers
    let shown = suppressesSmall && isSmall ? all.map { _ in "" } : all
    return [analysis, name, group] + shown + [method, isSmall ? "true" : "false"]
  }

  /// A number with a fixed number of decimals, rounded half away from zero.
  ///
  /// `prompter report`, analysis.py and analysis.R add the values in different orders. Therefore
  /// their numbers differ by about 1e-13. Before the rounding, the function adds 1e-6 of the last
  /// decimal. Therefore a number such as 12.345 always becomes 12.35, even if the computed number
  /// is slightly below 12.345.
  static func text(_ value: Double, decimals: Int) -> String {
    let unit = decimals == 1 ? 10 : 100
    let units = Int((abs(value) * Double(unit) + 0.5 + 1e-6).rounded(.down))
    let fraction = units % unit
    let zero = decimals == 2 && fraction < 10 ? "0" : ""
    return "\(value < 0 && units > 0 ? "-" : "")\(units / unit).\(zero)\(fraction)"
  }
}
