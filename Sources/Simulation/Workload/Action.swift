import Alarms
import CivilTime

/// One action of a person, or one fault.
///
/// An action contains all its values and needs no random numbers. For this reason a world with the
/// same list of actions runs in the same way again. A list can be shortened, printed, and kept as a
/// scenario.
public enum Action: Hashable, Sendable {
  case add(AlarmForm)
  /// Changes the alarm with this number, modulo the number of alarms.
  case edit(Int, AlarmForm, isStale: Bool)
  case remove(Int, isStale: Bool)
  case answer(Target, Answer, Role)
  /// Answers questions of a prompt, and may complete its task. The number decides which questions
  /// are answered and with which values.
  case respond(Target, Int, completes: Bool, Role)
  /// Undoes an answer. With the target `current`, the action undoes the newest answer in the home.
  case undo(Target, Role)
  /// Announces a text once, at the time of the action.
  case say(AlarmForm)
  case addPerson(String, PersonForm)
  case changePerson(String, PersonForm)
  case removePerson(String)
  case setPhase(String, PhaseForm)
  case endPhase(String)
  /// Exports the whole record for a researcher.
  case export
  /// Exports the record, and then purges the rows that are older than this number of days. A record
  /// in memory keeps all its rows.
  case purge(keepDays: Int64)
  /// Kills the service (SIGKILL) after this number of further calls to the ports. The service
  /// starts again after `downMilliseconds`.
  case kill(calls: Int, downMilliseconds: Int64)
  /// Stops the service normally, as an update does, and starts it again.
  case restart(downMilliseconds: Int64)
  /// Switches the power off after this number of further calls to the ports.
  case power(calls: Int, offSeconds: Int64, BatteryClock)
  /// Makes every write to the record fail for this number of seconds.
  case disk(seconds: Int64)
  /// Makes each write take longer by `milliseconds`, for this number of seconds.
  case slowDisk(milliseconds: Int64, seconds: Int64)
  /// Sets the behaviour of the commands of the contacts for this number of seconds.
  case contacts(ContactCondition, seconds: Int64)
  /// Moves the wall clock by this number of seconds, as a person does.
  case clock(seconds: Int64)
  /// Finds a time source, which corrects the wall clock.
  case sync
  case loseSync
  case suspend(seconds: Int64)
  /// Moves the home to another zone of `ZoneFixtures.names`.
  case zone(String)
  /// Installs another release of tzdata of `ZoneFixtures.releases`.
  case tzdata(Int)
  /// Sends an earlier request again, unchanged. The value `back` counts requests back from the
  /// newest.
  case again(back: Int)
  case speaker(SpeakerCondition, seconds: Int64)
  /// Makes the player send a report that does not fit the present ring: an earlier report, or a
  /// report about an unknown prompt. The value `back` counts reports back from the newest.
  case forge(back: Int)

  /// The prompt that an action is for. The world finds the prompt when it performs the action.
  public enum Target: Hashable, Sendable {
    case current
    case open(Int)
    case planned(Int)
    case closed(Int)
    case unknown
  }

  /// The time that the wall clock shows after a power failure.
  public enum BatteryClock: String, Hashable, Sendable, CaseIterable {
    case kept = "kept"
    /// 1970-01-01.
    case unset = "unset"
    /// 2098-01-01.
    case far = "far"
  }

  /// The kind of fault, as a name under which faults are counted; nil for an action of a person.
  public var fault: String? {
    switch self {
    case .add, .edit, .remove, .answer, .respond, .undo, .say, .addPerson, .changePerson,
      .removePerson,
      .setPhase, .endPhase, .export, .purge:
      nil
    case .kill: "kill"
    case .restart: "restart"
    case .power(_, _, .kept): "power"
    case .power: "boot"
    case .disk: "disk"
    case .slowDisk: "slow"
    case .contacts: "contacts"
    case .clock: "clock"
    case .sync, .loseSync: "sync"
    case .suspend: "suspend"
    case .speaker: "speaker"
    case .forge: "forge"
    case .zone, .tzdata: "zone"
    case .again: "again"
    }
  }

  /// Every name that `fault` can have.
  public static let faults = [
    "kill", "restart", "power", "boot", "disk", "slow", "clock", "sync", "suspend", "speaker",
    "forge", "zone", "again", "contacts",
  ]
}

/// The behaviour of the speaker for a ring.
public enum SpeakerCondition: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// The speaker refuses the ring at once.
  case missing = "missing"
  /// The speaker refuses the ring after three seconds.
  case busy = "busy"
  /// The speaker never answers and never sounds.
  case hung = "hung"
  /// The speaker reports an end without a start, or it reports a start twice.
  case lying = "lying"
  /// The speaker starts after six seconds. After an order to stop, it sounds for one more second.
  case slow = "slow"
}

/// The behaviour of the commands of contacts.
public enum ContactCondition: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// The first attempt fails, and the second succeeds.
  case flaky = "flaky"
  /// Every attempt fails at once.
  case failing = "failing"
  /// Every attempt hangs until it is killed.
  case hung = "hung"
}

/// An action and its time, in milliseconds since the beginning of the world.
public struct TimedAction: Hashable, Sendable {
  public var at: Int64
  public var action: Action

  public init(at: Int64, _ action: Action) {
    self.at = at
    self.action = action
  }
}
