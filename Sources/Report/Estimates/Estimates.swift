import StudyExport

/// The estimates of a trial: the rows of estimates.csv.
///
/// The scripts analysis.py and analysis.R of the export compute the same rows from prompts.csv and
/// participants.csv. The estimates use the prompts of enrolled people that are due in a phase
/// `prompted` or `control`. The estimates do not use the prompts of a run-in, a wash-out or a
/// follow-up.
public struct Estimates: Sendable {
  public private(set) var rows: [EstimateRow] = []

  public static let header =
    "analysis,name,group,people,prompts,estimate,se,low,high,df,method,is_small"

  init(_ study: Study) {
    for analysis in AnalysisSet.allCases {
      add(Self.people(study, analysis).map(\.value), analysis)
    }
  }

  /// The people with a counted prompt in an analysis, in the order of their pseudonyms.
  static func people(
    _ study: Study, _ analysis: AnalysisSet
  ) -> [(key: String, value: AnalysedPerson)] {
    let arms = study.arms
    var people: [String: AnalysedPerson] = [:]
    for prompt in study.prompts
    where !prompt.studyID.isEmpty && prompt.person != StudyPrompt.unknownPerson
      && [AnalysisSet.prompted, AnalysisSet.control].contains(prompt.phase)
      && analysis.counts(prompt)
    {
      people[prompt.person, default: AnalysedPerson(arm: arms[prompt.person] ?? "")].add(prompt)
    }
    return people.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  /// Adds the rows of one analysis.
  ///
  /// - Parameter people: the people with a counted prompt, in the order of their pseudonyms.
  mutating func add(_ people: [AnalysedPerson], _ analysis: AnalysisSet) {
    for phase in [AnalysisSet.prompted, AnalysisSet.control] {
      addShares(people.compactMap { $0.phases[phase]?.count }, phase, analysis)
    }
    addPairs(people.compactMap(\.both), analysis)
    addPeriods(people, analysis)
    addArms(people.filter { $0.both == nil && !$0.isCrossoverArm }, analysis)
  }

  private mutating func addShares(
    _ people: [PromptCount], _ group: String, _ analysis: AnalysisSet
  ) {
    guard !people.isEmpty else { return }
    let values = people.map(\.percent)
    for (name, estimate, method) in [
      ("share_pooled", Estimator.pooled(people), "cluster_cr1"),
      ("share_mean", Estimator.mean(values), "t"),
      ("share_median", Estimator.median(values), "median"),
    ] {
      put(analysis, name, group, people, estimate, method)
    }
  }

  /// Adds the differences between the two phases, for people with counted prompts in both phases.
  private mutating func addPairs(
    _ people: [(prompted: AnalysedPerson.PhaseCount, control: AnalysedPerson.PhaseCount)],
    _ analysis: AnalysisSet
  ) {
    guard !people.isEmpty else { return }
    let differences = people.map { $0.prompted.count.percent - $0.control.count.percent }
    let prompts = people.reduce(0) { $0 + $1.prompted.count.counted + $1.control.count.counted }
    for (name, estimate, method) in [
      ("paired_difference", Estimator.mean(differences), "t"),
      ("paired_difference_median", Estimator.median(differences), "median"),
    ] {
      rows.append(
        EstimateRow(
          analysis, name, Self.conditions, people: people.count, prompts: prompts, estimate,
          method))
    }
  }

  private static let conditions = "\(AnalysisSet.prompted) - \(AnalysisSet.control)"

  /// Adds the estimates of Hills and Armitage. These estimates need people with the sequence AB
  /// (prompted first) and people with the sequence BA (control first).
  private mutating func addPeriods(_ people: [AnalysedPerson], _ analysis: AnalysisSet) {
    func periods(
      _ sequence: AnalysedPerson.Sequence
    ) -> [(first: PromptCount, second: PromptCount)] {
      people.filter { $0.sequence == sequence }.compactMap(\.both).map {
        sequence == .promptedFirst
          ? ($0.prompted.count, $0.control.count) : ($0.control.count, $0.prompted.count)
      }
    }
    let (ab, ba) = (periods(.promptedFirst), periods(.controlFirst))
    guard !ab.isEmpty, !ba.isEmpty else { return }
    let prompts = (ab + ba).reduce(0) { $0 + $1.first.counted + $1.second.counted }
    let differences = ab.map { $0.first.percent - $0.second.percent }
    let others = ba.map { $0.first.percent - $0.second.percent }
    for (name, group, estimate) in [
      (
        "treatment_effect", Self.conditions,
        Estimator.twoSamples(differences, others, factor: 0.5)
      ),
      (
        "period_effect", "first - second",
        Estimator.twoSamples(differences, others.map { -$0 }, factor: 0.5)
      ),
      (
        "carry_over", "AB - BA",
        Estimator.twoSamples(
          ab.map { $0.first.percent + $0.second.percent },
          ba.map { $0.first.percent + $0.second.percent }, factor: 1)
      ),
    ] {
      rows.append(
        EstimateRow(
          analysis, name, group, people: ab.count + ba.count, prompts: prompts, estimate,
          "hills_armitage"))
    }
  }

  /// Adds the shares of the arms and the differences between the arms. Each person in `people` has
  /// counted prompts in only one phase. If these people belong to fewer than two arms, the function
  /// adds the difference between the two phases instead.
  private mutating func addArms(_ people: [AnalysedPerson], _ analysis: AnalysisSet) {
    let hasArms = Set(people.map(\.arm)).subtracting([""]).count > 1
    var groups: [String: [PromptCount]] = [:]
    for person in people {
      guard let (phase, value) = person.phases.first, !hasArms || !person.arm.isEmpty else {
        continue
      }
      groups[hasArms ? person.arm : phase, default: []].append(value.count)
    }
    let names = groups.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    guard names.count > 1, let base = names.first, let first = groups[base] else { return }
    if hasArms {
      for name in names { addShares(groups[name] ?? [], "arm \(name)", analysis) }
    }
    for name in names.dropFirst() {
      let others = groups[name] ?? []
      for (kind, estimate, method) in [
        (
          "arm_difference", Estimator.welch(others.map(\.percent), first.map(\.percent)), "welch"
        ),
        ("arm_difference_pooled", Estimator.pooledDifference(others, first), "cluster_cr1"),
      ] {
        put(analysis, kind, "\(name) - \(base)", others + first, estimate, method)
      }
    }
  }

  private mutating func put(
    _ analysis: AnalysisSet, _ name: String, _ group: String, _ people: [PromptCount],
    _ estimate: Estimate, _ method: String
  ) {
    rows.append(
      EstimateRow(
        analysis, name, group, people: people.count,
        prompts: people.reduce(0) { $0 + $1.counted }, estimate, method))
  }

  /// The file estimates.csv.
  ///
  /// - Parameter suppressesSmall: true if the cells with numbers must be empty in rows about 1 to 4
  ///   people.
  public func csv(suppressesSmall: Bool = false) -> String {
    rows.reduce(into: Self.header + "\n") {
      let cells = $1.cells(suppressesSmall: suppressesSmall)
      $0 += cells.map(Summary.cell).joined(separator: ",") + "\n"
    }
  }
}
