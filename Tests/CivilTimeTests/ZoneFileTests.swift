import Foundation
import Testing

@testable import CivilTime

/// Compares every transition of every zone with the output of `Tests/Differential/transitions.py`.
///
/// `CIVIL_TRANSITIONS` names the file with this output. Without this variable, the test is skipped.
@Suite("All zones")
struct ZoneFileTests {
  static let path = ProcessInfo.processInfo.environment["CIVIL_TRANSITIONS"]
  static let instants: [Int64] = [-90000, -3601, -1, 0, 1, 1799, 3599, 3600, 7200, 90000]
  static let locals: [Int64] = [
    -86400, -7201, -7200, -3601, -3600, -1801, -1800, -1, 0, 1, 1800, 3600,
  ]

  @Test(.enabled(if: path != nil, "CIVIL_TRANSITIONS is not set"))
  func `offsets, folds and local times around every transition agree with zoneinfo`() throws {
    let text = try String(contentsOfFile: Self.path ?? "", encoding: .utf8)
    var zone = Zone.utc
    var last = Int64.min
    var (compared, differences, zones) = (0, 0, 0)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int64($0) }
      try #require(numbers.count == 1 + 2 * (Self.instants.count + Self.locals.count), "\(line)")
      if zone.name != words[0] {
        zone = try SystemZone.named(String(words[0]))
        last = -1
        zones += 1
      }
      let found = Self.differences(zone, numbers, after: last)
      compared += 2 * (Self.instants.count + Self.locals.count)
      differences += found.count
      if differences < 20 { for reason in found { Issue.record("\(zone.name) \(reason)") } }
      last = numbers[0]
    }
    print("compared \(compared) answers of \(zones) zones, \(differences) differ")
    #expect(differences == 0)
    #expect(compared > 0)
  }

  static func differences(
    _ zone: Zone, _ numbers: [Int64], after last: Int64
  ) -> [String] {
    var found: [String] = []
    let transition = numbers[0]
    // After `last`, the next transition of Python's zoneinfo is `transition`. This module must not
    // have an earlier transition.
    let next = zone.nextOffsetChange(after: Instant(seconds: last))
    if next?.seconds != transition { found.append("changes at \(next as Any), not \(transition)") }
    for (index, delta) in instants.enumerated() {
      let reading = zone.civil(at: Instant(seconds: transition + delta))
      let expected = numbers[(1 + 2 * index)...(2 + 2 * index)]
      if [Int64(reading.offsetSeconds), Int64(reading.fold)] != Array(expected) {
        found.append("at \(transition + delta): \(reading), not \(expected)")
      }
    }
    let edge =
      transition
      + Int64(
        max(
          zone.offsetSeconds(at: Instant(seconds: transition - 1)),
          zone.offsetSeconds(at: Instant(seconds: transition))))
    for (index, delta) in locals.enumerated() {
      let local = CivilDateTime(localSeconds: edge + delta)
      let place = 1 + 2 * (instants.count + index)
      let first = zone.resolve(local)
      // In a gap, Python uses the offset after the gap for fold 1. In this module, fold has no
      // meaning in a gap. Therefore, the test does not compare this instant.
      let second =
        first.kind == .gap ? numbers[place + 1] : zone.resolve(local, fold: 1).instant.seconds
      if first.instant.seconds != numbers[place] || second != numbers[place + 1] {
        found.append("\(local): \(first), not \(numbers[place])")
      }
    }
    return found
  }
}
