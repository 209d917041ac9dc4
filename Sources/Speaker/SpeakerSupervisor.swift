import Alarms
import Dispatch
import Glibc
import Processes
import SoundProtocol
import Synchronization

/// Plays rings through one `prompter-sound play` process, and supervises this process.
///
/// Every method except `shutdown` returns at once, and `shutdown` returns within its time limit.
/// Only the child process calls sound libraries, because the functions of ALSA do not return if the
/// sound server hangs. One ring sounds at a time, in the order of the requests. If the child hangs,
/// crashes or sends an impossible report, the supervisor kills the child, starts a new child, and
/// plays the ring once more.
public final class SpeakerSupervisor: Sendable {
  /// The time limit of `shutdown`, in milliseconds. After this time, `shutdown` returns, even if
  /// the child process still runs.
  public static let shutdownBoundMilliseconds = 1_000

  private let mailbox: SupervisorMailbox
  private let worker: SupervisorWorker
  private let finished = DispatchSemaphore(value: 0)

  /// Creates a supervisor. The child process starts later, in `start`.
  ///
  /// - Parameters:
  ///   - executable: the path of `prompter-sound`.
  ///   - devices: ALSA PCM names, the preferred device first. If the list is empty, every ring
  ///     fails.
  ///   - environment: the environment of the child; nil if the child inherits the environment of
  ///     this process.
  ///   - mixer: the level of the sound card during a ring; nil if the player must not change the
  ///     level.
  ///   - onLog: a function that receives each log line of the child. The default function writes
  ///     the lines to standard error.
  ///   - onEvent: a function that receives each event, in order, on the thread of the supervisor.
  ///     The function must not block, and must not call `shutdown`.
  public init(
    executable: String, devices: [String], environment: [String: String]? = nil,
    mixer: MixerPolicy? = nil,
    onLog: @escaping @Sendable (String) -> Void = SpeakerSupervisor.logToStandardError,
    onEvent: @escaping @Sendable (SpeakerEvent) -> Void
  ) {
    mailbox = SupervisorMailbox()
    worker = SupervisorWorker(
      mailbox: mailbox, executable: executable,
      devices: devices.map { OutputDevice($0, levelPercent: mixer?.levelPercent) },
      environment: environment, mixer: mixer, onLog: onLog, onEvent: onEvent)
  }

  deinit {
    mailbox.post(.shutdown)
  }

  /// Starts the thread that starts and controls the child process. Call `start` once. A request
  /// that arrives before this call waits in the queue.
  public func start() {
    let worker = worker
    let finished = finished
    let isStarted = startThread {
      worker.run()
      finished.signal()
    }
    if !isStarted { worker.failWithoutThread() }
  }

  /// Plays a ring after all rings that were requested earlier. Each call of `play` causes exactly
  /// one `SpeakerEvent` that is `ended` or `failed`.
  public func play(_ sound: RingSound) { mailbox.post(.play(sound)) }

  /// Plays a test of the speaker.
  ///
  /// - Parameters:
  ///   - device: the only sound device for the test; nil for the first device that works.
  ///   - levelPercent: the level of the sound card for this test; nil for the level that the rings
  ///     of prompts use.
  public func play(_ sound: RingSound, onlyOn device: String?, levelPercent: Int?) {
    mailbox.post(.play(sound, SpeakerTrialRun(device: device, levelPercent: levelPercent)))
  }

  /// If the ring sounds, stops the ring within 300 ms. If the ring does not sound yet, prevents the
  /// ring.
  ///
  /// A later call of `play` with this id plays no sound. If the ring has already ended, `stop` has
  /// no effect.
  public func stop(id: String) { mailbox.post(.stop(id: id)) }

  /// Sets the level of the sound card of a sound device. The new level applies to the next ring.
  ///
  /// - Parameter percent: percent of the range of each playback control, 0 … 100. If the value is
  ///   nil, the level of `setUsualLevel` applies.
  public func setLevel(percent: Int?, device: String) {
    mailbox.post(.level(percent: percent.map { max(0, min(100, $0)) }, device: device))
  }

  /// Sets the level of the sound card, in percent, for each sound device for which `setLevel` has
  /// set no level. The range is 0 … 100.
  public func setUsualLevel(percent: Int) {
    mailbox.post(.usualLevel(percent: max(0, min(100, percent))))
  }

  /// Opens all sound devices one after another without a sound, and then reports `tested`.
  ///
  /// If the speaker is no longer in the state that was reported last (`usable` or `unusable`), the
  /// function also reports the new state.
  public func selfTest() { mailbox.post(.selfTest) }

  /// Sets the list of sound devices for the next rings. The first sound device is the preferred
  /// device. If a ring sounds during the call, this ring continues on its sound device.
  public func use(devices: [String]) { mailbox.post(.devices(devices)) }

  /// Stops all sound, and then ends the child process. The function returns when the child process
  /// has ended, or when the time limit `shutdownBoundMilliseconds` has passed.
  public func shutdown() {
    mailbox.post(.shutdown)
    let deadline = DispatchTime.now() + .milliseconds(Self.shutdownBoundMilliseconds)
    if finished.wait(timeout: deadline) == .success { finished.signal() }
  }

  /// Writes a line to standard error, which is the log of the daemon.
  public static func logToStandardError(_ line: String) {
    let bytes = Array("prompter-sound: \(VisibleText.shown(line, keepsLines: false))\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// The level of the sound card during a ring.
///
/// For a ring, the player unmutes the sound card and sets the level of the sound card. After the
/// ring, the player restores the earlier state of the card. If the player crashed, the next player
/// restores the earlier state of the card.
public struct MixerPolicy: Sendable, Hashable {
  /// The level for sound devices without a separate level, in percent of the range of each control,
  /// 0 … 100.
  public var levelPercent: Int
  /// An existing directory. Before the player changes the levels of a sound card, it stores the
  /// earlier levels in a file in this directory. After the player has restored the levels, it
  /// deletes the file.
  public var stateDirectory: String

  /// Creates a policy from the values of its properties.
  public init(levelPercent: Int, stateDirectory: String) {
    self.levelPercent = levelPercent
    self.stateDirectory = stateDirectory
  }
}

/// The queue of inputs for the worker thread. A descriptor wakes the thread when a new input
/// arrives.
final class SupervisorMailbox: Sendable {
  private let inputs = Mutex<[Supervision.Input]>([])
  private let wake = DescriptorPair.make()

  init() {
    if let wake {
      setNonBlocking(wake.reading)
      setNonBlocking(wake.writing)
    }
  }

  deinit { wake?.close() }

  var wakeDescriptor: Int32 { wake?.reading ?? -1 }

  func post(_ input: Supervision.Input) {
    inputs.withLock { $0.append(input) }
    // If the socket is full, the worker has not read some earlier bytes yet. These earlier bytes
    // wake the worker, so no new byte is needed.
    if let wake { _ = sendAvailable(wake.writing, [1]) }
  }

  func takeAll() -> [Supervision.Input] {
    if let wake { _ = readAvailable(wake.reading) }
    return inputs.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
