import Alarms
import Foundation
import SimulatedDisk
import Testing

@testable import Simulation

/// The file names of the scenarios in `Fixtures/scenarios`, sorted.
private let files: [String] = {
  let names = try? FileManager.default.contentsOfDirectory(atPath: scenarioDirectory)
  return (names ?? []).filter { $0.hasSuffix(".scenario") }.sorted()
}()

private let scenarioDirectory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().appendingPathComponent("Fixtures/scenarios").path

@Suite struct ScenarioTests {
  @Test(arguments: files)
  func `a scenario ends with the expected results`(file: String) throws {
    let text = try String(contentsOfFile: "\(scenarioDirectory)/\(file)", encoding: .utf8)
    let scenario = try Scenario(text)
    let result = try home(years: 0).run(
      seed: 1, script: scenario.script, hasPatient: false, length: scenario.length,
      store: scenario.isOfTheRecord ? DiskRecord(seed: 1) : nil)
    #expect(scenario.complaints(about: result) == [], "\(scenario.title)")
  }

  @Test func `the directory contains scenarios`() { #expect(files.count >= 27) }

  @Test func `every action can be read back from its text`() throws {
    for seed: UInt64 in 1...20 {
      let life = Workload(
        seed: seed, length: Campaign.yearMilliseconds, faults: Set(Action.faults), purgesPerYear: 20
      )
      let actions = life.written()
      for action in actions { #expect(TimedAction(action.description) == action) }
    }
  }

  @Test func `a violation is reduced to a few actions that show it again`() throws {
    var campaign = try home(years: 0.1, faults: ["kill"])
    campaign.makeDaemon = {
      var fault = Mutant.Fault()
      fault.decision = { decision, _, _ in
        decision.drop { if case .gap = $0 { true } else { false } }
      }
      return Mutant($0, $1, fault)
    }
    let result = campaign.run(seed: 3)
    #expect(result.violation?.invariant == "I8")
    let (script, shortest) = campaign.shrunk(result)
    #expect(script.count <= 3)
    #expect(shortest.violation?.invariant == "I8")
  }
}
