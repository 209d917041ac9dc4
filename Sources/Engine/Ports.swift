import Alarms
import CivilTime

/// Everything the engine can do to the world, and all it can learn from it. Rooms at the edge fill
/// these in; tests and the simulator fill in others.
public struct Ports: Sendable {
  /// What the clocks say. The only clock there is.
  public var now: @Sendable () -> ClockReading
  /// Where the zones come from, as they are now.
  public var environment: @Sendable () -> Environment
  /// Writes records and what they changed, durably and in one piece, before it returns.
  public var record: @Sendable ([Record], StateDelta) throws -> Void
  /// Starts a ring; returns at once. What truly sounded comes back as an event.
  public var play: @Sendable (PlayOrder) -> Void
  /// Ends a ring; returns at once.
  public var stop: @Sendable (PromptID, _ ring: Int) -> Void
  /// Has these words spoken and kept, for a ring that may need them; returns at once.
  public var rehearse: @Sendable (SpokenWords) -> Void
  /// Makes the card of a device so loud, in percent of its range, from the next ring on; nil for what
  /// the configuration says. Returns at once.
  public var setLevel: @Sendable (_ device: String, _ percent: Int?) -> Void
  /// Tells somebody outside the home; returns at once. How it went comes back as an event.
  public var notify: @Sendable (ContactNotification) -> Void
  /// Tries to tell nobody else of this.
  public var cancelNotification: @Sendable (NotifySubject) -> Void
  /// Asks to be woken at an instant of the wall clock, or at once where it has passed. One at a time.
  public var wake: @Sendable (Instant) -> Void
  /// Asks that a suspended device be woken at an instant of the wall clock, or for nothing any more. Where
  /// nothing sleeps, in the simulator and in tests, nobody need listen.
  public var wakeDevice: @Sendable (Instant?) -> Void = { _ in }
  /// Why what a caretaker sets can be taken no more, though the record can still be written; nil where it
  /// can. Where disks do not fill up, nobody need ask.
  public var lowSpaceReason: @Sendable () -> String? = { nil }
  /// What is left of the disk of the record, in bytes; nil where it cannot be asked.
  public var freeBytes: @Sendable () -> Int64?
  /// Says something to whoever keeps the machine.
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

/// A line for the machine's journal. Never holds a label, an instruction or a name: those are health
/// data, and the journal is read by others.
public struct LogLine: Sendable, Hashable {
  public enum Level: Sendable { case info, warning, error }

  public var level: Level
  public var text: String

  public init(_ level: Level, _ text: String) {
    self.level = level
    self.text = text
  }
}
