import FoundationEssentials
import Glibc
import SoundProtocol
import Testing

@testable import Speaker

/// A fault of one ALSA function. The first `after` calls work. Each later call fails or never
/// returns.
struct Fault: Sendable, CustomTestStringConvertible {
  var call: String
  var kind: String
  var after = 0
  var testDescription: String { "\(call) \(kind)s from use \(after + 1)" }

  /// Returns the environment variables that cause the fault in a player.
  func environment(in fixture: SpeakerFixture) throws -> [String: String] {
    let shim = fixture.path("faulty.so")
    let built = try SpeakerFixture.run(
      ["-shared", "-fPIC", "-o", shim, SpeakerFixture.fixtures + "/faulty-alsa.c", "-ldl"],
      program: "/usr/bin/cc")
    try #require(built.status == 0, "\(built.said)")
    return [
      "LD_PRELOAD": shim, "FAULT_CALL": call, "FAULT_KIND": kind, "FAULT_AFTER": "\(after)",
    ]
  }
}

/// Tests faults of the ALSA functions. The function fails or never returns, at its first call or in
/// the middle of a ring.
///
/// This suite runs at the same time as the other suites, because it mostly waits.
@Suite(.serialized, .enabled(if: access("/usr/bin/cc", X_OK) == 0, "needs a C compiler"))
struct FaultInjection {
  let fixture = try! SpeakerFixture()

  static let faults: [Fault] = ["fail", "hang"].flatMap { kind in
    ["open", "hw_params", "sw_params", "writei", "state", "delay", "drop", "close"].map {
      Fault(call: $0, kind: kind, after: 0)
    } + [Fault(call: "writei", kind: kind, after: 8)]
  }

  private func environment(_ fault: Fault) throws -> [String: String] {
    fixture.environment.merging(try fault.environment(in: fixture)) { $1 }
  }

  @Test(arguments: faults)
  func `the ring is heard on this device or the next within 3 s`(_ fault: Fault) async throws {
    let speaker = fixture.supervisor(
      devices: ["faulty", "capture"], environment: try environment(fault))
    let tone = try fixture.tone(milliseconds: 400)
    let asked = seconds()
    speaker.play(.of(.file(path: tone)))
    let end = try await fixture.events.first { $0.isEnd(of: "ring") }
    guard case .ended("ring", let device, 24_000, _, false) = end.event else {
      Issue.record("\(fixture.events.all)")
      return
    }
    // The sound takes 0.5 s. If the fault came in the middle of the sound, a player plays the sound
    // again from the beginning. The ring must end in 3 s, and 1.2 s more for a busy machine.
    #expect(end.time - asked < 3 + 1.2, "\(fixture.events.all)")
    // After the fault, a player is ready for the next ring.
    let again = seconds()
    speaker.play(.of(.builtin(.acknowledge), id: "next"))
    let next = try await fixture.events.first { $0.isEnd(of: "next") }
    guard case .ended("next", _, 17_280, _, false) = next.event else {
      Issue.record("\(fixture.events.all)")
      return
    }
    #expect(next.time - again < 3 + 1.2, "\(fixture.events.all)")
    speaker.shutdown()
    #expect(fixture.events.ends(of: "ring") == 1 && fixture.events.ends(of: "next") == 1)
    if device == "capture" {
      let notified = fixture.events.all.contains {
        if case .fallback("ring", "faulty", "capture", _) = $0 { true } else { false }
      }
      #expect(notified, "\(fixture.events.all)")
    }
    // The second device plays the complete sound if the first device failed.
    let heard = try fixture.captured(device == "capture" ? "capture.raw" : "faulty.raw")
    #expect(heard.count >= 24_000)
  }

  @Test func `a device that plays no frames starts nothing`() async throws {
    let fault = Fault(call: "writei", kind: "fail", after: 0)
    let speaker = fixture.supervisor(
      devices: ["faulty"], environment: try environment(fault))
    speaker.play(.of(.builtin(.normal)))
    guard case .failed(_, let reason) = try await fixture.events.end(of: "ring") else {
      Issue.record("\(fixture.events.all)")
      return
    }
    #expect(reason.contains("faulty: write: Input/output error"))
    #expect(!fixture.events.all.contains { if case .started = $0 { true } else { false } })
  }
}
