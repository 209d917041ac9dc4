import Alarms
import ArgumentParser
import SimulatedDisk
import Simulation

/// `prompter-sim`: simulates homes and checks the invariants.
@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-sim",
    abstract: "Run simulated homes from seeds, and check the invariants after every step.")

  @Option(help: "The first seed.") var seed: UInt64 = 1
  @Option(help: "Device-years to simulate in total.") var years: Double = 10
  @Option(help: "Years in each simulated home.") var world: Double = 1
  @Option(help: "Kinds of fault, separated by commas; all or none.") var faults = "all"
  @Option(help: "Homes to simulate at the same time.") var jobs = 1
  @Option(help: "Run this scenario file instead.") var scenario: String?
  @Option(
    help: """
      Explore every order of up to this number of inputs in a small home instead, and check the \
      invariants after each input.
      """)
  var explore: Int?
  @Option(help: "Write the exports of a simulated trial into this new directory instead.")
  var trial: String?
  @Flag(
    help: """
      Use the real record on a simulated disk that loses power, tears writes, fills up and breaks; \
      purge the record now and then.
      """)
  var disk = false
  @Flag(help: "Continue until stopped (Ctrl-C).") var soak = false

  func validate() throws {
    guard years > 0, world > 0, jobs > 0, explore ?? 1 > 0 else {
      throw ValidationError("--years, --world, --jobs and --explore must be greater than 0")
    }
    _ = try chosenFaults()
  }

  func run() async throws {
    if let scenario { return try runScenario(scenario) }
    if let trial { return try await writeTrial(trial) }
    if let explore { return try await exploreOrders(upTo: explore) }
    let faults = try chosenFaults()
    let count = soak ? UInt64.max - seed : UInt64((years / world).rounded(.up))
    let progress = SoakProgress(first: seed, count: count)
    if soak { stopOnSignal() }
    let watch = ContinuousClock()
    let began = watch.now
    say("first seed \(seed), faults: \(faults.sorted().joined(separator: ", "))")
    try await withThrowingTaskGroup { group in
      for _ in 0..<jobs {
        let campaign = try campaign(faults, onDisk: disk)
        group.addTask { simulate(campaign, progress, since: began) }
      }
      try await group.waitForAll()
    }
    let tally = progress.tally
    tally.report(elapsedSeconds: (watch.now - began) / .seconds(1))
    if let violation = progress.firstViolation {
      explain(violation, try campaign(faults, onDisk: disk))
      throw ExitCode(1)
    }
    if let complaint = tally.isTooQuiet {
      print("the run proves nothing: \(complaint)")
      throw ExitCode(1)
    }
  }

  /// Simulates one home after another, until the last seed or the first violation.
  private func simulate(
    _ campaign: Campaign, _ progress: SoakProgress, since began: ContinuousClock.Instant
  ) {
    while !isToldToStop, let seed = progress.nextSeed() {
      let result = campaign.run(seed: seed)
      let simulated = progress.add(result, years: world)
      // Print the violation at once. The simulations of the other homes continue. After them, the
      // search for a short script takes a long time.
      if let violation = result.violation {
        say("seed \(seed) violates \(violation.invariant): \(violation.what)")
      }
      if soak, Int(simulated) % 100 < Int(simulated - world) % 100 || world >= 100 {
        let elapsed = (ContinuousClock().now - began) / .seconds(1)
        say("\(Int(simulated)) device-years in \(Int(elapsed)) s, newest seed \(seed)")
      }
    }
  }

  /// Runs one scenario file, and compares the result with the expected result.
  private func runScenario(_ path: String) throws {
    let scenario = try Scenario(path: path)
    let campaign = try campaign([], onDisk: disk || scenario.isOfTheRecord)
    let result = campaign.run(
      seed: scenario.seed ?? seed, script: scenario.script, hasPatient: false,
      length: scenario.length)
    print(scenario.title)
    for line in result.lastEvents { print("  \(line)") }
    let complaints = scenario.complaints(about: result)
    for complaint in complaints { print(complaint) }
    print(complaints.isEmpty ? "as expected" : "not as expected")
    if !complaints.isEmpty { throw ExitCode(1) }
  }

  private func writeTrial(_ directory: String) async throws {
    guard let zones = ZoneFixtures.read() else { throw Self.noZones }
    try await SimulatedTrial(seed: seed, directory: directory, zones: zones).write()
  }

  /// Tries all orders of one input, then all orders of two inputs, and so on. Therefore the first
  /// violation has the shortest possible order.
  private func exploreOrders(upTo depth: Int) async throws {
    let exploration = Exploration(try campaign([], onDisk: false))
    let watch = ContinuousClock()
    let began = watch.now
    for depth in 1...depth {
      let result = await exploration.run(depth: depth, jobs: jobs, readZones: ZoneFixtures.read)
      let seconds = Int((watch.now - began) / .seconds(1))
      say(
        "orders of \(depth) inputs: \(result.states) states, \(result.transitions) transitions, "
          + "\(seconds) s")
      guard let violation = result.violation else { continue }
      print("\(violation.invariant): \(violation.what)")
      print("the inputs:")
      for input in result.order { print("  \(input)") }
      print("the actions, with their times:")
      for action in result.performed { print(action) }
      throw ExitCode(1)
    }
  }

  private static let noZones = ValidationError(
    "cannot simulate: this system has no tzdata; install it")

  private func campaign(_ faults: Set<String>, onDisk: Bool) throws -> Campaign {
    guard let atlas = ZoneFixtures.read() else { throw Self.noZones }
    var campaign = Campaign(years: world, faults: faults, atlas: atlas)
    if onDisk {
      campaign.purgesPerYear = 50
      campaign.makeStore = { seed in
        do { return try DiskRecord(seed: seed) } catch { preconditionFailure("\(error)") }
      }
    }
    return campaign
  }

  private func chosenFaults() throws -> Set<String> {
    if faults == "all" { return Set(Action.faults) }
    if faults == "none" { return [] }
    let names = Set(faults.split(separator: ",").map(String.init))
    let unknown = names.subtracting(Action.faults).sorted()
    guard unknown.isEmpty else {
      throw ValidationError(
        "unknown fault: \(unknown.joined(separator: ", ")); the faults are "
          + Action.faults.joined(separator: ", "))
    }
    return names
  }

  /// Prints the violation, and a short scenario that causes the same violation.
  private func explain(_ result: Campaign.Result, _ campaign: Campaign) {
    guard let violation = result.violation else { return }
    print("seed \(result.seed), commit \(checkedOutCommit() ?? "unknown")")
    print("\(violation.invariant): \(violation.what)")
    say("searching for a shorter list of actions that violates the same invariant")
    let (script, shortest) = campaign.shrunk(result)
    print("the shortest list that was found, \(script.count) of \(result.performed.count) actions;")
    print("to run it again, save it in a file and give the file with --scenario:")
    print("# \(violation.invariant)")
    print("seed \(result.seed)")
    for action in script { print(action) }
    print("until \(TimedAction.clock(violation.at + 3 * 86_400_000))")
    print("result: \(shortest.violation.map { "\($0.invariant) \($0.what) at \($0.at)" } ?? "-")")
    print("the last events:")
    for line in shortest.lastEvents { print("  \(line)") }
  }
}
