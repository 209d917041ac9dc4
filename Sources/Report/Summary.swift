import Glibc
import StudyExport

/// A row of summary.csv.
public struct SummaryRow: Hashable, Sendable {
  public var phase: String
  public var person: String
  public var measure: String
  /// The count of prompts, values or people in this row.
  public var n: Int
  /// The number of prompts or people in the whole group (100 %). The value is nil if the row
  /// contains no share.
  public var of: Int?
  /// A share in percent or a quantile, with one decimal; nil if the row contains neither.
  public var value: String?

  /// True if one of two numbers is from 1 to 4.
  ///
  /// The two numbers are `n` and the rest of the group (`of` − `n`). The value is always false for
  /// the monitored time.
  var isSmall: Bool {
    guard measure != ExportTable.monitored else { return false }
    let small = 1..<ExportTable.smallCell
    return small.contains(n) || of.map { small.contains($0 - n) } ?? false
  }

  /// The cells of the row.
  ///
  /// - Parameter suppressesSmall: true if the cells with numbers must be empty in a small row.
  func cells(suppressesSmall: Bool) -> [String] {
    let numbers = [String(n), of.map { String($0) } ?? "", value ?? ""]
    return [phase, person, measure]
      + (suppressesSmall && isSmall ? ["", "", ""] : numbers) + [isSmall ? "true" : "false"]
  }
}

/// The measures of a report.
///
/// The scripts analysis.py and analysis.R of the export compute the same measures from prompts.csv,
/// phases.csv and participants.csv.
public struct Summary: Sendable {
  public var rows: [SummaryRow] = []

  public static let header = "phase,person,measure,n,of,value,is_small"

  /// The value of the columns `phase` and `person` in a row about all phases or all people.
  static let all = "all"

  /// The word that replaces a hidden number on the page of a report.
  static let hidden = "small"

  init(_ study: Study) {
    let prompts = study.prompts
    let phases = Set(prompts.map(\.phase)).sorted(by: Self.isBefore)
    let people = Set(prompts.map(\.person)).sorted(by: Self.isBefore)
    let counted = Set(people)
    let monitored = study.monitored.filter { counted.contains($0.person) }
    for person in [Self.all] + people {
      let own = person == Self.all ? prompts : prompts.filter { $0.person == person }
      let time = person == Self.all ? monitored : monitored.filter { $0.person == person }
      add(own, phase: Self.all, person)
      if study.hasMonitoredTimes { add(time, phase: Self.all, person) }
      for phase in phases {
        let part = own.filter { $0.phase == phase }
        if part.isEmpty { continue }
        add(part, phase: phase, person)
        if study.hasMonitoredTimes {
          add(time.filter { $0.phase == phase }, phase: phase, person)
        }
      }
    }
    addPersistence(Persistence(prompts))
  }

  /// Compares the UTF-8 bytes of two names. Reason: the analysis scripts in R and Python can sort
  /// in exactly the same order.
  private static func isBefore(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// The file summary.csv.
  ///
  /// - Parameter suppressesSmall: true if the cells with numbers must be empty in small rows.
  public func csv(suppressesSmall: Bool = false) -> String {
    rows.reduce(into: Self.header + "\n") {
      let cells = $1.cells(suppressesSmall: suppressesSmall)
      $0 += cells.map(Self.cell).joined(separator: ",") + "\n"
    }
  }

  /// Writes a cell in the form that RFC 4180 requires. The names of people and phases come from the
  /// export. Therefore these names can contain any characters.
  static func cell(_ text: String) -> String {
    let special = Set<UInt8>([0x0A, 0x0D, 0x22, 0x2C, 0x3B])
    guard text.utf8.contains(where: special.contains) else { return text }
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
      if byte == 0x22 { bytes.append(byte) }
      bytes.append(byte)
    }
    return String(decoding: bytes + [0x22], as: UTF8.self)
  }

  func row(_ measure: String, phase: String = all, person: String = all) -> SummaryRow? {
    rows.first { $0.measure == measure && $0.phase == phase && $0.person == person }
  }

  private mutating func add(_ prompts: [StudyPrompt], phase: String, _ person: String) {
    func put(_ measure: String, _ n: Int, of: Int? = nil, _ value: String? = nil) {
      let share = of.flatMap { $0 > 0 ? Self.decimal(100 * Double(n) / Double($0)) : nil }
      rows.append(
        SummaryRow(
          phase: phase, person: person, measure: measure, n: n, of: of, value: value ?? share))
    }
    let planned = prompts.filter(\.isPlanned)
    let asked = prompts.filter(\.isAsked)
    put("prompts", prompts.count)
    for reason in StudyPrompt.notExpected {
      put("excluded_\(reason)", prompts.count { $0.outcome == reason })
    }
    put("planned", planned.count, of: prompts.count)
    for reason in StudyPrompt.notAsked {
      put("not_asked_\(reason)", prompts.count { $0.outcome == reason })
    }
    put("asked", asked.count, of: planned.count)
    put("delivered", planned.count(where: \.isDelivered), of: planned.count)
    put("answered", asked.count(where: \.isAnswered), of: asked.count)
    put("completed", asked.count(where: \.isCompleted), of: asked.count)
    for minutes in [15, 30, 60] {
      let within = asked.count { prompt in
        prompt.completionMilliseconds.map { abs($0) <= minutes * 60_000 } ?? false
      }
      put("completed_within_\(minutes)_min", within, of: asked.count)
    }
    put("declined", asked.count { $0.outcome == "declined" }, of: asked.count)
    put("missed_no_response", asked.count { $0.outcome == "missed_no_response" }, of: asked.count)
    for (name, divisor, values) in [
      ("first_ring_latency_s", 1_000.0, planned.compactMap(\.firstRingMilliseconds)),
      ("answer_after_ring_s", 1_000.0, planned.compactMap(\.answerAfterRingMilliseconds)),
      ("completion_latency_min", 60_000.0, planned.compactMap(\.completionMilliseconds)),
      ("rings_to_answer", 1.0, planned.compactMap(\.ringsToAnswer)),
    ] {
      let sorted = values.sorted()
      for (suffix, quarter) in [("q1", 1), ("median", 2), ("q3", 3)] {
        let quantile = Self.quantile(sorted, quarter: quarter).map { Self.decimal($0 / divisor) }
        put("\(name)_\(suffix)", sorted.count, quantile)
      }
    }
  }

  /// Adds the monitored time of phases.
  private mutating func add(_ time: [StudyMonitoredPhase], phase: String, _ person: String) {
    let seconds = time.reduce(0) { $0 + $1.seconds }
    rows.append(
      SummaryRow(
        phase: phase, person: person, measure: ExportTable.monitored,
        n: time.count { $0.seconds > 0 }, of: nil, value: Self.decimal(Double(seconds) / 3_600)))
  }

  private mutating func addPersistence(_ persistence: Persistence) {
    let people = persistence.people.count
    for days in [7, 14, 28] {
      let lost = persistence.people.count { $0.isEvent && $0.days < days }
      rows.append(
        SummaryRow(
          phase: Self.all, person: Self.all, measure: "persisting_\(days)_days", n: people - lost,
          of: people,
          value: people > 0 ? Self.decimal(100 * persistence.survival(before: days)) : nil))
    }
  }

  /// A quartile of sorted numbers; nil if there are no numbers. The `quarter` is 1, 2 (the median)
  /// or 3. The result is the same as with the method `type = 7` of R and `linear` of pandas.
  static func quantile(_ sorted: [Int], quarter: Int) -> Double? {
    guard let last = sorted.last else { return nil }
    let place = (sorted.count - 1) * quarter
    let low = Double(sorted[place / 4])
    let high = place / 4 + 1 < sorted.count ? Double(sorted[place / 4 + 1]) : Double(last)
    return low + (high - low) * Double(place % 4) / 4
  }

  /// A number with one decimal, rounded as in C.
  ///
  /// R and Python round in the same way. Therefore the scripts of the export compute the same
  /// numbers.
  static func decimal(_ value: Double) -> String {
    var buffer = [CChar](repeating: 0, count: 64)
    _ = withVaList([value]) { vsnprintf(&buffer, buffer.count, "%.1f", $0) }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// An estimate of the number of days for which people continue to answer. The method is from Kaplan
/// and Meier (1958).
///
/// The estimate uses the prompts that asked the person for an answer (`StudyPrompt.isAsked`). The
/// estimate does not use the prompts of a control phase, because these prompts do not ring. A day
/// is not a counted day if all asked prompts of the person on this day belong to a control phase.
///
/// A person has discontinued if the person's last prompt was due seven or more counted days after
/// the person's last answer. In this case, the person discontinued on the day of the last answer.
/// If a person never answered, the day before the person's first prompt counts as the day of the
/// last answer. A person who has not discontinued is censored: the observation ends on the day of
/// the person's last prompt.
struct Persistence {
  struct Person: Hashable {
    /// The number of counted days from the first day to the last day, inclusive. The first day is
    /// the day of the person's first prompt with `isAsked` outside a control phase. If the person
    /// stopped answering prompts, the last day is the day of the person's last answer. Otherwise,
    /// the last day is the day of the person's last prompt with `isAsked` outside a control phase.
    var days: Int
    /// True if the person stopped answering prompts. If the value is false, the person still
    /// answered prompts at the end of the observation. In statistics, the person is "censored" if
    /// the value is false.
    var isEvent: Bool
  }

  var people: [Person] = []

  static let permissibleGapDays = 7

  init(_ prompts: [StudyPrompt]) {
    let known = Dictionary(grouping: prompts.filter { $0.isAsked && $0.due != nil }, by: \.person)
    people = known.values.compactMap { own in
      func days(_ isCounted: (StudyPrompt) -> Bool) -> Set<Int> {
        Set(own.filter(isCounted).compactMap { $0.due?.day })
      }
      let prompted = days { $0.phase != AnalysisSet.control }
      let silent = days { $0.phase == AnalysisSet.control }.subtracting(prompted)
      /// Returns the number of a day without the earlier silent days. On a silent day, all asked
      /// prompts belong to a control phase.
      func number(_ day: Int) -> Int { day - silent.count { $0 < day } }
      guard let first = prompted.min().map(number), let last = prompted.max().map(number) else {
        return nil
      }
      let answers = days { $0.phase != AnalysisSet.control && $0.isAnswered }
      let answered = answers.max().map(number) ?? first - 1
      let isEvent = last - answered >= Self.permissibleGapDays
      return Person(days: (isEvent ? answered : last) - first + 1, isEvent: isEvent)
    }
  }

  /// The steps of the survival curve, in the order of `days`. For each step, `share` is the
  /// estimated part of the people (0 to 1) who still answer after day N, where N is `days`. Each
  /// person's first day is day 1.
  var steps: [(days: Int, share: Double)] {
    var share = 1.0
    var found: [(Int, Double)] = []
    for days in Set(people.filter(\.isEvent).map(\.days)).sorted() {
      let atRisk = people.count { $0.days >= days }
      let ended = people.count { $0.isEvent && $0.days == days }
      share *= 1 - Double(ended) / Double(atRisk)
      found.append((days, share))
    }
    return found
  }

  /// The share of people who still answer on day N, where N is `days`. Each person's first day is
  /// day 1.
  func survival(before days: Int) -> Double {
    steps.last { $0.days < days }?.share ?? 1
  }
}
