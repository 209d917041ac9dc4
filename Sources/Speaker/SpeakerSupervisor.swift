import Alarms
import Dispatch
import Glibc
import SoundProtocol
import Synchronization

/// Plays rings through one long-lived `prompter-sound play` child and keeps that child honest.
///
/// Every method returns at once (`shutdown` within its bound); sound libraries run only in the
/// child, because with a frozen sound server ALSA's calls do not come back. One ring sounds at a
/// time, in the order asked. The child is killed and replaced when it hangs, crashes or lies, and
/// the ring is then played once more.
public final class SpeakerSupervisor: Sendable {
  /// How long `shutdown` waits for silence, in milliseconds.
  public static let shutdownBoundMilliseconds = 1_000

  private let mailbox: SupervisorMailbox
  private let worker: SupervisorWorker
  private let finished = DispatchSemaphore(value: 0)

  /// A supervisor that has not started anything yet.
  /// - Parameters:
  ///   - executable: path of `prompter-sound`.
  ///   - devices: ALSA PCM names, first choice first. Empty means that every ring fails.
  ///   - environment: of the child; nil inherits ours.
  ///   - mixer: what to do with the card's own level; nil leaves it alone.
  ///   - onLog: takes the child's log lines; by default they go to standard error.
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

  /// Starts the child and the thread that owns it. Call once; plays posted before wait for it.
  public func start() {
    let worker = worker
    let finished = finished
    let isStarted = startThread {
      worker.run()
      finished.signal()
    }
    if !isStarted { worker.failWithoutThread() }
  }

  /// Plays a ring after those asked for before. Every play ends in exactly one of `ended`, `failed`.
  public func play(_ sound: RingSound) { mailbox.post(.play(sound)) }

  /// The same for a try of the speaker.
  /// - Parameters:
  ///   - device: the only one to play on; nil for the first that works.
  ///   - levelPercent: how loud the card is made for this once; nil for the level of a ring.
  public func play(_ sound: RingSound, onlyOn device: String?, levelPercent: Int?) {
    mailbox.post(.play(sound, SpeakerTrialRun(device: device, levelPercent: levelPercent)))
  }

  /// Silences a ring within 300 ms, or prevents it when it has not begun or was not asked for yet.
  /// Harmless for an id that is unknown or over.
  public func stop(id: String) { mailbox.post(.stop(id: id)) }

  /// Sets how loud the card of a device is made from the next ring on.
  /// - Parameter percent: share of each playback control's range, 0 … 100; nil for the usual one.
  public func setLevel(percent: Int?, device: String) {
    mailbox.post(.level(percent: percent.map { max(0, min(100, $0)) }, device: device))
  }

  /// Sets how loud the cards of devices without a level of their own are made.
  public func setUsualLevel(percent: Int) {
    mailbox.post(.usualLevel(percent: max(0, min(100, percent))))
  }

  /// Opens every device in order without a sound; what it found comes as `tested`, and the verdict as
  /// `usable` or `unusable` when it differs from what was last reported.
  public func selfTest() { mailbox.post(.selfTest) }

  /// Plays on other devices from the next ring on, first choice first; what sounds goes on.
  public func use(devices: [String]) { mailbox.post(.devices(devices)) }

  /// Silences and ends everything, then the child; returns when that is done, or after its bound.
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

/// The card's own level during a ring: unmuted and set, then put back as it was found, also after a
/// crash.
public struct MixerPolicy: Sendable, Hashable {
  /// Share of each playback control's range, 0 … 100, for devices that were given none of their own.
  public var levelPercent: Int
  /// An existing directory where the player keeps what it found until it is restored.
  public var stateDirectory: String

  /// A policy with a level in percent and the directory that makes it safe.
  public init(levelPercent: Int, stateDirectory: String) {
    self.levelPercent = levelPercent
    self.stateDirectory = stateDirectory
  }
}

/// What callers leave for the worker, and what wakes it.
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
    // A wake-up that does not fit finds the worker awake already.
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
