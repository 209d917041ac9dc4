import Alarms
import ArgumentParser
import CivilTime
import Simulation

@main
struct PrompterSim: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-sim",
    abstract: "Lives a pretend home from a seed, and holds the invariants against every step.")

  @Option(help: "The first seed.") var seed: UInt64 = 1
  @Option(help: "How many device-years to live.") var years: Double = 10
  @Option(help: "Years in each world.") var world: Double = 1
  @Option(help: "Kinds of fault, separated by commas; all, or none.") var faults = "all"
  @Option(help: "A story to live instead.") var scenario: String?

  func run() throws {
    guard let berlin = SystemZone.read("Europe/Berlin"),
      let newYork = SystemZone.read("America/New_York")
    else { throw ValidationError("this system has no tzdata") }
    let surroundings = Surroundings(homeZone: berlin, tzdataVersion: "system") {
      [berlin.name: berlin, newYork.name: newYork, "UTC": .utc][$0]
    }
    let campaign = Campaign(
      years: world, faults: try chosenFaults(), surroundings: surroundings)
    if let scenario { return try live(scenario, campaign) }
    let watch = ContinuousClock()
    let began = watch.now
    var total = Campaign.Result(seed: seed)
    var lived = 0.0
    var violations = 0
    var next = seed
    while lived < years {
      let result = campaign.run(seed: next)
      lived += world
      add(result, to: &total)
      if result.violation != nil {
        violations += 1
        report(result, campaign)
        break
      }
      next += 1
    }
    let elapsed = (watch.now - began) / .seconds(1)
    print("\(lived) device-years in \(elapsed) s: \(lived / elapsed) device-years a second")
    print("steps \(total.steps), facts \(total.facts), rings \(total.rings)")
    print("faults", total.faults.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
    print(
      "outcomes",
      total.outcomes.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.key.rawValue) \($0.value)" })
    print("violations \(violations)")
    if violations > 0 { throw ExitCode(1) }
  }

  private func live(_ path: String, _ campaign: Campaign) throws {
    let scenario = try Scenario(path: path)
    let result = campaign.run(
      seed: seed, script: scenario.script, hasPatient: false, length: scenario.length)
    print(scenario.title)
    for line in result.lastFacts { print("  \(line)") }
    let complaints = scenario.complaints(about: result)
    for complaint in complaints { print(complaint) }
    print(complaints.isEmpty ? "as expected" : "not as expected")
    if !complaints.isEmpty { throw ExitCode(1) }
  }

  private func chosenFaults() throws -> Set<String> {
    if faults == "all" { return Set(Action.faults) }
    if faults == "none" { return [] }
    let names = Set(faults.split(separator: ",").map(String.init))
    let unknown = names.subtracting(Action.faults).sorted()
    guard unknown.isEmpty else {
      throw ValidationError("no such fault: \(unknown.joined(separator: ", "))")
    }
    return names
  }

  private func add(_ result: Campaign.Result, to total: inout Campaign.Result) {
    total.steps += result.steps
    total.facts += result.facts
    total.rings += result.rings
    total.faults.merge(result.faults, uniquingKeysWith: +)
    total.outcomes.merge(result.outcomes, uniquingKeysWith: +)
  }

  private func report(_ result: Campaign.Result, _ campaign: Campaign) {
    guard let violation = result.violation else { return }
    print("seed \(result.seed): \(violation.invariant) \(violation.what)")
    let (script, shortest) = campaign.shrunk(result)
    print("the shortest way found there, \(script.count) of \(result.performed.count) actions:")
    for action in script { print("  \(action)") }
    print("there: \(shortest.violation.map { "\($0.invariant) \($0.what) at \($0.at)" } ?? "-")")
    print("the last facts:")
    for line in shortest.lastFacts { print("  \(line)") }
  }
}
