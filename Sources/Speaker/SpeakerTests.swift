import SoundProtocol
import Synchronization

/// The result of a speaker test.
public struct SpeakerTest: Sendable, Hashable {
  /// The name of the sound device of the test; empty if the test was stopped before the player
  /// opened a device.
  public var device = ""
  public var framesPlayed = 0
  public var isStopped = false
  public var level: CardLevel?
  /// The reason why the test made no sound; nil if the test sounded.
  public var trouble: String?
}

/// Runs test sounds and silent tests for callers that wait for the result. Every ring has priority
/// over a test.
public final class SpeakerTests: Sendable {
  private struct State {
    var count = 0
    var waiting: [String: (waiter: CheckedContinuation<SpeakerTest, Never>, found: SpeakerTest)] =
      [:]
    var tests: [CheckedContinuation<Void, Never>] = []
  }

  private static let prefix = "test-"
  private let state = Mutex(State())

  public init() {}

  /// Waits until the current sound has ended, and then plays a test sound from `segments`. The
  /// function returns when the test sound has ended.
  ///
  /// - Parameters:
  ///   - device: the only sound device for the test; nil for the first device that works.
  ///   - levelPercent: the level of the sound card for this test; nil for the level that the rings
  ///     of prompts use.
  ///   - gainDecibels: the gain of the samples in decibels. The gain has the same effect as in a
  ///     ring.
  @discardableResult
  public func play(
    _ segments: [SoundSegment], on speaker: SpeakerSupervisor, device: String? = nil,
    levelPercent: Int? = nil, gainDecibels: Double = 0, fadeInMilliseconds: Int = 0
  ) async -> SpeakerTest {
    await withCheckedContinuation { waiter in
      let id = state.withLock { state in
        state.count += 1
        let id = Self.prefix + "\(state.count)"
        state.waiting[id] = (waiter, SpeakerTest())
        return id
      }
      speaker.play(
        RingSound(
          id: id, segments: segments, gainDecibels: gainDecibels,
          fadeInMilliseconds: fadeInMilliseconds),
        onlyOn: device, levelPercent: levelPercent)
    }
  }

  /// Stops all test sounds, because a ring is due.
  public func stopForRing(on speaker: SpeakerSupervisor) {
    for id in state.withLock({ Array($0.waiting.keys) }) { speaker.stop(id: id) }
  }

  /// Tests every sound device without a sound. The function returns after the engine has processed
  /// the result.
  public func check(on speaker: SpeakerSupervisor) async {
    await withCheckedContinuation { waiter in
      state.withLock { $0.tests.append(waiter) }
      speaker.selfTest()
    }
  }

  /// Resumes the callers of `check`. `SoundReportService` calls this function after the engine has
  /// processed the result of a self-test.
  public func noticedTest() {
    let waiters = state.withLock { state in
      defer { state.tests = [] }
      return state.tests
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Processes the events of the test sounds, and ignores all other events of the speaker.
  public func handle(_ event: SpeakerEvent) {
    switch event {
    case .started(let id, _, let level):
      state.withLock { $0.waiting[id]?.found.level = level }
    case .ended(let id, let device, let frames, _, let stopped):
      end(id) {
        $0.device = device
        $0.framesPlayed = frames
        $0.isStopped = stopped
      }
    case .failed(let id, let reason): end(id) { $0.trouble = reason }
    case .fallback, .playerRestarted, .tested, .usable, .unusable: break
    }
  }

  private func end(_ id: String, _ finish: (inout SpeakerTest) -> Void) {
    guard var entry = state.withLock({ $0.waiting.removeValue(forKey: id) }) else { return }
    finish(&entry.found)
    entry.waiter.resume(returning: entry.found)
  }
}
