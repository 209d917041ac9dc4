import Alarms
import CivilTime
import StudyExport
import TestRandom
import Testing

@testable import Logbook

@Suite struct `The monitored time of a phase` {
  private let directory = TemporaryDirectory()

  /// The device is off for about nine hours in every second night. The clocks change in the first
  /// phase of the study.
  @Test(arguments: [ExportProfile.limited, .safeHarbor])
  func `ends with the record and leaves out the gaps`(profile: ExportProfile) throws {
    let logbook = try Logbook.open(directory)
    try DatedHome(seed: 5, firstDay: try CivilDate(parsing: "2027-03-22"), days: 20)
      .record(into: logbook)
    let path = "\(directory.path)/out"
    _ = try logbook.writeExport(to: path, profile: profile) {
      $0 == "Europe/Berlin" ? DatedHome.berlin : nil
    }
    let phases = Table("\(path)/phases.csv").rows
    let seconds = phases.compactMap { $0["monitored_s"].flatMap { Int($0) } }
    #expect(seconds.count == 2)
    let whole =
      Table("\(path)/gaps.csv").rows.compactMap { Int($0["duration_ms"] ?? "") }
      .reduce(0, +) / 1_000
    // By local time, both phases together last 19 days and one hour. The profile `limited` counts
    // the real time. Because the clocks are set forward, the real time is one hour shorter than the
    // local time.
    let elapsed = 19 * 86_400 + 3_600 - (profile == .limited ? 3_600 : 0)
    let difference = elapsed - whole - seconds.reduce(0, +)
    #expect(abs(difference) < (profile == .limited ? 86_400 : 180_000), "\(seconds) \(whole)")
    if profile == .safeHarbor { #expect(seconds.allSatisfy { $0 % 3_600 == 0 }) }
    #expect(seconds[0] < 9 * 86_400 && seconds[0] > 9 * 86_400 - 5 * 36_000)
  }
}
