import Alarms
import Dispatch
import Glibc
import Processes
import SoundProtocol
import Synchronization

/// Plays rings through one long-lived `prompter-sound play` child and supervises that child.
///
/// Every method returns at once (`shutdown` within its limit). Sound libraries run only in the
/// child, because with a frozen sound server ALSA's calls do not return. One ring sounds at a time,
/// in the order of the requests. If the child hangs, crashes or reports something impossible, it is
/// killed and replaced, and the ring is played once more.
public final class SpeakerSupervisor: Sendable {
  /// Maximum time that `shutdown` waits for silence, in milliseconds.
  public static let shutdownBoundMilliseconds = 1_000

  private let mailbox: SupervisorMailbox
  private let worker: SupervisorWorker
  private let finished = DispatchSemaphore(value: 0)

  /// Makes a supervisor that has not started anything yet.
  ///
  /// - Parameters:
  ///   - executable: path of `prompter-sound`.
  ///   - devices: ALSA PCM names, the preferred one first. If the list is empty, every ring fails.
  ///   - environment: of the child; nil to inherit the environment of this process.
  ///   - mixer: how to set the level of the card; nil to leave it unchanged.
  ///   - onLog: receives the child's log lines; by default they go to standard error.
  ///   - onEvent: called in order on the supervisor's own thread; it must not block, and must not
  ///     call `shutdown`.
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

  /// Starts the child and the thread that owns it. Call it once; earlier `play` requests wait for
  /// it.
  public func start() {
    let worker = worker
    let finished = finished
    let isStarted = startThread {
      worker.run()
      finished.signal()
    }
    if !isStarted { worker.failWithoutThread() }
  }

  /// Plays a ring after all earlier ones. Each `play` ends in exactly one of `ended` and `failed`.
  public func play(_ sound: RingSound) { mailbox.post(.play(sound)) }

  /// Plays a test of the speaker.
  ///
  /// - Parameters:
  ///   - device: the only device to play on; nil for the first that works.
  ///   - levelPercent: the level of the card for this test; nil for the level of a ring.
  public func play(_ sound: RingSound, onlyOn device: String?, levelPercent: Int?) {
    mailbox.post(.play(sound, SpeakerTrialRun(device: device, levelPercent: levelPercent)))
  }

  /// Stops a ring within 300 ms, or prevents it.
  ///
  /// A ring is prevented if it has not begun or was not requested yet. An id that is unknown or
  /// ended has no effect.
  public func stop(id: String) { mailbox.post(.stop(id: id)) }

  /// Sets the card level of a device from the next ring on.
  ///
  /// - Parameter percent: percent of each playback control's range, 0 … 100; nil for the usual
  ///   level.
  public func setLevel(percent: Int?, device: String) {
    mailbox.post(.level(percent: percent.map { max(0, min(100, $0)) }, device: device))
  }

  /// Sets the card level of all devices without their own level.
  public func setUsualLevel(percent: Int) {
    mailbox.post(.usualLevel(percent: max(0, min(100, percent))))
  }

  /// Opens every device in order without a sound, and reports `tested`.
  ///
  /// It also reports `usable` or `unusable` if that differs from the last report.
  public func selfTest() { mailbox.post(.selfTest) }

  /// Uses other devices from the next ring on, the preferred one first. A current ring continues.
  public func use(devices: [String]) { mailbox.post(.devices(devices)) }

  /// Stops all sound and then the child; returns when that is done, or after its time limit.
  public func shutdown() {
    mailbox.post(.shutdown)
    let deadline = DispatchTime.now() + .milliseconds(Self.shutdownBoundMilliseconds)
    if finished.wait(timeout: deadline) == .success { finished.signal() }
  }

  /// Writes a line to standard error, the daemon's log.
  public static func logToStandardError(_ line: String) {
    let bytes = Array("prompter-sound: \(VisibleText.shown(line, keepsLines: false))\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}

/// The level of the card during a ring.
///
/// The card is unmuted and set, and then restored to its earlier state, even after a crash.
public struct MixerPolicy: Sendable, Hashable {
  /// Percent of each control's range for devices without their own level, 0 … 100.
  public var levelPercent: Int
  /// An existing directory for the card's earlier state until it is restored.
  public var stateDirectory: String

  /// Makes a policy from a level in percent and a directory.
  public init(levelPercent: Int, stateDirectory: String) {
    self.levelPercent = levelPercent
    self.stateDirectory = stateDirectory
  }
}

/// Inputs from callers for the worker, and a descriptor that wakes it.
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
    // If the wake-up does not fit into the socket, the worker is already awake.
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
