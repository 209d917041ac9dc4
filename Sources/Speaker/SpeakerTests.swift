import SoundProtocol
import Synchronization

/// What a try of the speaker came to.
public struct SpeakerTest: Sendable, Hashable {
  /// Empty where it was stopped before it reached one.
  public var device = ""
  public var framesPlayed = 0
  public var isStopped = false
  public var level: CardLevel?
  /// Why nothing sounded; nil where something did.
  public var trouble: String?
}

/// Sounds and silent tests that somebody waits for. They give way to every ring.
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

  /// Plays these segments after whatever sounds, and returns when they are over.
  /// - Parameters:
  ///   - device: the only one to play on; nil for the first that works.
  ///   - levelPercent: how loud the card is made for this once; nil for the level of a ring.
  @discardableResult
  public func play(
    _ segments: [SoundSegment], on speaker: SpeakerSupervisor, device: String? = nil,
    levelPercent: Int? = nil
  ) async -> SpeakerTest {
    await withCheckedContinuation { waiter in
      let id = state.withLock { state in
        state.count += 1
        let id = Self.prefix + "\(state.count)"
        state.waiting[id] = (waiter, SpeakerTest())
        return id
      }
      speaker.play(
        RingSound(id: id, segments: segments, gainDecibels: 0, fadeInMilliseconds: 0),
        onlyOn: device, levelPercent: levelPercent)
    }
  }

  /// Silences all of them: an alarm is due.
  public func giveWay(on speaker: SpeakerSupervisor) {
    for id in state.withLock({ Array($0.waiting.keys) }) { speaker.stop(id: id) }
  }

  /// Has every device tried without a sound, and returns once `noticed` was told of it.
  public func check(on speaker: SpeakerSupervisor) async {
    await withCheckedContinuation { waiter in
      state.withLock { $0.tests.append(waiter) }
      speaker.selfTest()
    }
  }

  /// The result of a self-test has arrived where it matters.
  public func noticedTest() {
    let waiters = state.withLock { state in
      defer { state.tests = [] }
      return state.tests
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Takes every event of the speaker; those of others are none of its business.
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
