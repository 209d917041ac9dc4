import Alarms
import CivilTime

/// The closures through which the engine reads clocks and settings, writes the record, and causes
/// effects.
///
/// Other modules of the daemon implement these closures. Tests and the simulator have their own
/// implementations.
public struct Ports: Sendable {
  /// Reads the clocks. The engine reads the clocks only through this closure.
  public var now: @Sendable () -> ClockReading
  /// Returns the current zones and contacts.
  public var environment: @Sendable () -> Environment
  /// Writes events and changes of the state in one transaction. The closure returns only after the
  /// data are on the disk.
  public var record: @Sendable ([Record], StateDelta) throws -> Void
  /// Starts a ring and returns at once. When the ring has ended, the player sends the result to the
  /// engine as an input.
  public var play: @Sendable (PlayOrder) -> Void
  /// Stops a ring that sounds. The closure returns before the ring has stopped.
  public var stop: @Sendable (PromptID, _ ring: Int) -> Void
  /// Starts the speech synthesis of words that a later ring will speak, and returns at once.
  public var rehearse: @Sendable (SpokenWords) -> Void
  /// Sets the volume of a sound device. The player uses this volume from the next ring on.
  ///
  /// The closure returns at once. `percent` is the volume, in percent of the range of the sound
  /// card. If `percent` is nil, the player uses the volume in the configuration.
  public var setLevel: @Sendable (_ device: String, _ percent: Int?) -> Void
  /// Starts the notification of a contact and returns at once. Later, the notifier sends the result
  /// to the engine as an input.
  public var notify: @Sendable (ContactNotification) -> Void
  /// Prevents further attempts to notify contacts. The argument is the subject of the
  /// notifications: a prompt, a period of inactivity or a notice.
  public var cancelNotification: @Sendable (NotifySubject) -> Void
  /// Sets the timer that wakes the engine at an instant of the wall clock.
  ///
  /// If the instant has passed, the timer wakes the engine at once. There is only one timer: each
  /// call replaces the instant of the previous call.
  public var wake: @Sendable (Instant) -> Void
  /// Starts to write the summary of a day for a contact, and returns at once. Later, the command
  /// `sendSummary` brings the text to the engine. The default closure does nothing: use it in
  /// programs that send no summaries.
  public var writeSummary: @Sendable (_ contact: String, CivilDate) -> Void = { _, _ in }
  /// Sets the instant at which a suspended device must wake.
  ///
  /// The argument is an instant of the wall clock; nil means never. The default closure does
  /// nothing, because the devices in the simulator and in tests are never suspended.
  public var wakeDevice: @Sendable (Instant?) -> Void = { _ in }
  /// Returns a reason if the disk has too little space for changes by a caretaker; otherwise nil.
  /// If the closure returns a reason, the engine refuses these changes with this reason.
  ///
  /// The engine keeps the remaining space for rings and answers. The default closure always returns
  /// nil. Use the default closure only if the disk is never full.
  public var lowSpaceReason: @Sendable () -> String? = { nil }
  /// Returns the number of free bytes on the disk of the record; nil if the number is unknown.
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
/// A line never contains a label, an instruction or a name. Reason: these texts are health data,
/// and people outside the home can read the journal.
public struct LogLine: Sendable, Hashable {
  public enum Level: Sendable { case info, warning, error }

  public var level: Level
  public var text: String

  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
