import Alarms
import CivilTime
import FileSystem
import Glibc
import Simulation
import StudyExport

/// A simulated crossover trial with known probabilities, written as one export for each home.
///
/// The trial tests all steps from the record to the estimates. In some periods, nobody completes a
/// prompt: in the run-in, outside of the study, after a withdrawal, and while a speaker is broken.
/// If the estimates wrongly included prompts of these periods, the estimates would differ from the
/// known probabilities.
struct SimulatedTrial: Sendable {
  let seed: UInt64
  let directory: String
  let zones: ZoneFixtures

  /// The number of participants. The trial also contains one home that takes no part in the study.
  private static let participants = 24
  private static let phaseDays: Int64 = 7
  /// The times of day at which the tasks are due.
  private static let times = ["09:00", "19:00"]

  /// The true effects in percentage points, and the true shares in percent. Each element contains
  /// the name of an estimate, its group, and its true value.
  static let truths = [
    ("treatment_effect", "prompted - control", 25), ("paired_difference", "prompted - control", 25),
    ("period_effect", "first - second", 6), ("carry_over", "AB - BA", 0),
    ("share_mean", "prompted", 72), ("share_mean", "control", 47),
    ("share_pooled", "prompted", 72), ("share_pooled", "control", 47),
  ]

  /// The mean probability that a person completes a prompt, without the period effect. The key `A`
  /// means a phase in which prompts ring, and the key `B` means a control phase.
  private static let means: [Character: Double] = ["A": 0.72, "B": 0.47]
  private static let halfPeriodEffect = 0.03
  /// The maximum difference between the probability of a person and the mean. The probabilities of
  /// all people are spread evenly over the mean ± this value.
  private static let spread = 0.15

  /// Simulates and exports all homes, and writes the file `truth.csv`.
  ///
  /// - Throws: an error if a directory already exists or cannot be written, or if the engine
  ///   refuses a command.
  func write() async throws {
    for path in [directory, "\(directory)/records"] {
      guard mkdir(path, 0o700) == 0 else { throw TrialFailure(path: path, code: errno) }
    }
    try await withThrowingTaskGroup { group in
      for index in 0...Self.participants {
        group.addTask { try writeHome(index) }
      }
      try await group.waitForAll()
    }
    try writeClockChange()
    removeTree("\(directory)/records")
    let truth = Self.truths.map { "\($0.0),\($0.1),\($0.2)\n" }.joined()
    try OpenDirectory(directory).makeFile("truth.csv").write(
      Array("name,group,truth\n\(truth)".utf8)[...])
  }

  private func writeHome(_ index: Int) throws {
    let plan = try plan(index)
    let record = "\(directory)/records/\(plan.name)"
    guard mkdir(record, 0o700) == 0 else { throw TrialFailure(path: record, code: errno) }
    let home = try TrialHome(
      plan, directory: record, environment: environment(),
      seed: seed &* 1_000 &+ UInt64(index), times: Self.times)
    try home.run()
    try home.export(
      to: "\(directory)/\(plan.name)", profile: seed % 2 == 0 ? .safeHarbor : .limited)
  }

  /// Writes the folder `clock-change`. The folder contains two exports of one home, in two
  /// profiles. The home has tasks in the night in which the clocks change. The test of the archive
  /// compares its views with both exports.
  private func writeClockChange() throws {
    let path = "\(directory)/clock-change"
    let record = "\(directory)/records/clock-change"
    for path in [path, record] {
      guard mkdir(path, 0o700) == 0 else { throw TrialFailure(path: path, code: errno) }
    }
    // Use the plan of the second participant: the phase in which prompts ring begins one day before
    // the clocks change.
    var plan = try plan(1)
    plan.name = "night"
    plan.end = try Instant(parsing: "2027-03-30T12:00:00Z")
    let home = try TrialHome(
      plan, directory: record, environment: environment(), seed: seed,
      times: ["01:50", "02:30", "03:10"])
    try home.run()
    for profile in [ExportProfile.limited, .safeHarbor] {
      try home.export(to: "\(path)/\(profile.rawValue)", profile: profile)
    }
  }

  private func environment() -> Environment {
    var found = zones.environment(home: "Europe/Berlin", release: 1)
    // No contact gets a summary of the day.
    found.summaries = [:]
    return found
  }

  /// Returns the plan of one home. The last home takes no part in the study.
  private func plan(_ index: Int) throws -> TrialPlan {
    var random = SeededRandom(seed: seed, about: Int64(index))
    let own = Self.spread * (2 * Double(random.roll(0...1_000)) / 1_000 - 1)
    // The run-in begins on 17 March 2027, and the first phase begins on 20 March. The clocks change
    // on 28 March.
    let begin = try Instant(parsing: "2027-03-17T06:00:00Z")
    let first = try Instant(parsing: "2027-03-19T23:00:00Z")
    let second = try Instant(parsing: "2027-03-26T23:00:00Z")
    let end = second.adding(seconds: Self.phaseDays * 86_400)
    let order = index % 2 == 0 ? "AB" : "BA"
    let isEnrolled = index < Self.participants
    let name = "h\(index < 9 ? "00" : "0")\(index + 1)"
    var plan = TrialPlan(name: name, begin: begin, end: end.adding(seconds: 86_400), periods: [])
    guard isEnrolled else { return plan }
    plan.study = EnrolmentForm(
      study: "simulated", pseudonym: "S-\(index < 9 ? "00" : "0")\(index + 1)", arm: order)
    plan.crossover = CrossoverForm(start: "2027-03-20", days: Int(Self.phaseDays), order: order)
    let means = order.map { Self.means[$0] ?? 0 }
    plan.periods = [
      TrialPlan.Period(
        from: first, to: second, probability: means[0] + own + Self.halfPeriodEffect),
      TrialPlan.Period(
        from: second, to: end, probability: means[1] + own - Self.halfPeriodEffect),
    ]
    if index == 4 {
      let left = second.adding(seconds: 4 * 86_400 + 43_200)
      plan.withdrawal = left
      plan.periods[1].to = left
    }
    if index == 6 {
      let broken = (from: first.adding(seconds: 3 * 86_400), to: first.adding(seconds: 5 * 86_400))
      plan.brokenSpeaker = broken
      plan.periods.insert(
        TrialPlan.Period(from: broken.from, to: broken.to, probability: 0), at: 0)
    }
    return plan
  }
}

/// The reason why the program cannot write a simulated trial.
struct TrialFailure: Error, CustomStringConvertible {
  var path: String
  var code: Int32

  var description: String { "cannot create \(path): \(String(cString: strerror(code)))" }
}
