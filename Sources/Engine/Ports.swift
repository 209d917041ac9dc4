import Alarms
import CivilTime

/// All effects that the engine can cause, and all its sources.
///
/// The modules at the edge implement the closures; tests and the simulator use others.
public struct Ports: Sendable {
  /// Reads the clocks. The engine has no other clock.
  public var now: @Sendable () -> ClockReading
  /// Returns the current zones and contacts.
  public var environment: @Sendable () -> Environment
  /// Writes events and changed state durably, in one transaction, before it returns.
  public var record: @Sendable ([Record], StateDelta) throws -> Void
  /// Starts a ring and returns at once. An input reports later how much sounded.
  public var play: @Sendable (PlayOrder) -> Void
  /// Ends a ring and returns at once.
  public var stop: @Sendable (PromptID, _ ring: Int) -> Void
  /// Has words spoken and stored for a later ring; returns at once.
  public var rehearse: @Sendable (SpokenWords) -> Void
  /// Sets the level of a device from the next ring on.
  ///
  /// It returns at once. The level is in percent of the sound card's range; nil uses the level of
  /// the configuration.
  public var setLevel: @Sendable (_ device: String, _ percent: Int?) -> Void
  /// Notifies a contact and returns at once. An input reports the result later.
  public var notify: @Sendable (ContactNotification) -> Void
  /// Stops further attempts to notify contacts about this subject.
  public var cancelNotification: @Sendable (NotifySubject) -> Void
  /// Sets the timer: wake the engine at an instant of the wall clock.
  ///
  /// If the instant has passed, the timer wakes it at once. There is only one timer; a new instant
  /// replaces the old one.
  public var wake: @Sendable (Instant) -> Void
  /// Sets when a suspended device must wake.
  ///
  /// The time is an instant of the wall clock; nil for never. The simulator and tests have no
  /// suspended device, so the default does nothing.
  public var wakeDevice: @Sendable (Instant?) -> Void = { _ in }
  /// Returns why changes that a caretaker makes are refused.
  ///
  /// The record itself can still be written. It returns nil if they are accepted. The default is
  /// for environments whose disks do not fill up.
  public var lowSpaceReason: @Sendable () -> String? = { nil }
  /// Returns the free bytes on the record's disk; nil if unknown.
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

/// A line for the machine's journal.
///
/// It never contains a label, an instruction or a name: those are health data, and other people
/// read the journal.
public struct LogLine: Sendable, Hashable {
  public enum Level: Sendable { case info, warning, error }

  public var level: Level
  public var text: String

  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
