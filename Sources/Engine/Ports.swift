import Alarms
import CivilTime

/// All effects that the engine can cause, and all sources from which it reads.
///
/// Other modules of the daemon implement the closures. Tests and the simulator use other
/// implementations.
public struct Ports: Sendable {
  /// Reads the clocks. The engine reads the clocks only through this closure.
  public var now: @Sendable () -> ClockReading
  /// Returns the current zones and contacts.
  public var environment: @Sendable () -> Environment
  /// Writes events and changed state durably, in one transaction, before it returns.
  public var record: @Sendable ([Record], StateDelta) throws -> Void
  /// Starts a ring and returns at once. An input later reports how much of the ring sounded.
  public var play: @Sendable (PlayOrder) -> Void
  /// Ends a ring and returns at once.
  public var stop: @Sendable (PromptID, _ ring: Int) -> Void
  /// Starts the speech synthesis of these words for a later ring, and returns at once.
  public var rehearse: @Sendable (SpokenWords) -> Void
  /// Sets the level of a device from the next ring on.
  ///
  /// The closure returns at once. The level is in percent of the range of the sound card. With nil,
  /// the level of the configuration is used.
  public var setLevel: @Sendable (_ device: String, _ percent: Int?) -> Void
  /// Starts the notification of a contact and returns at once. An input later reports the result.
  public var notify: @Sendable (ContactNotification) -> Void
  /// Stops further attempts to notify contacts about this subject.
  public var cancelNotification: @Sendable (NotifySubject) -> Void
  /// Sets the timer that wakes the engine at an instant of the wall clock.
  ///
  /// If the instant has passed, the timer wakes the engine at once. There is only one timer, so a
  /// new instant replaces the old instant.
  public var wake: @Sendable (Instant) -> Void
  /// Sets the instant at which a suspended device must wake.
  ///
  /// The value is an instant of the wall clock; nil means never. The simulator and tests have no
  /// suspended device, so the default does nothing.
  public var wakeDevice: @Sendable (Instant?) -> Void = { _ in }
  /// Returns the reason why changes by a caretaker are refused; nil if they are accepted.
  ///
  /// The daemon can still write the record itself. The default is for environments whose disks do
  /// not become full.
  public var lowSpaceReason: @Sendable () -> String? = { nil }
  /// Returns the number of free bytes on the disk of the record; nil if it is unknown.
  public var freeBytes: @Sendable () -> Int64?
  /// Writes a line to the journal of the machine.
  public var log: @Sendable (LogLine) -> Void

  public init(
    now: @escaping @Sendable () -> ClockReading,
    environment: @escaping @Sendable () -> Environment,
    record: @escaping @Sendable ([Record], StateDelta) throws -> Void,
    play: @escaping @Sendable (PlayOrder) -> Void,
    stop: @escaping @Sendable (PromptID, _ ring: Int) -> Void,
    rehearse: @escaping @Sendable (SpokenWords) -> Void,
    setLevel: @escaping @Sendable (_ device: String, _ percent: Int?) -> Void,
    notify: @escaping @Sendable (ContactNotification) -> Void,
    cancelNotification: @escaping @Sendable (NotifySubject) -> Void,
    wake: @escaping @Sendable (Instant) -> Void,
    freeBytes: @escaping @Sendable () -> Int64?,
    log: @escaping @Sendable (LogLine) -> Void
  ) {
    self.now = now
    self.environment = environment
    self.record = record
    self.play = play
    self.stop = stop
    self.rehearse = rehearse
    self.setLevel = setLevel
    self.notify = notify
    self.cancelNotification = cancelNotification
    self.wake = wake
    self.freeBytes = freeBytes
    self.log = log
  }
}

/// A line for the journal of the machine.
///
/// A line never contains a label, an instruction or a name. Labels, instructions and names are
/// health data, and other people read the journal.
public struct LogLine: Sendable, Hashable {
  public enum Level: Sendable { case info, warning, error }

  public var level: Level
  public var text: String

  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
