import Alarms
import CivilTime

/// One action of a person, or one fault.
///
/// An action is complete in itself. A world that gets a list of actions and no random numbers does
/// the same again. For this reason a list can be shortened, printed, and kept as a scenario.
public enum Action: Hashable, Sendable {
  case add(AlarmForm)
  /// Changes the present alarm with this number, modulo the number of alarms.
  case edit(Int, AlarmForm, isStale: Bool)
  case remove(Int, isStale: Bool)
  case answer(Target, Answer, Role)
  /// Answers questions of a prompt, and may complete its task. The number decides which questions
  /// and with which values.
  case respond(Target, Int, completes: Bool, Role)
  /// Undoes an answer. The current prompt means the newest answer of all.
  case undo(Target, Role)
  /// Announces a text once, now.
  case say(AlarmForm)
  case addPerson(String, PersonForm)
  case changePerson(String, PersonForm)
  case removePerson(String)
  case setPhase(String, PhaseForm)
  case endPhase(String)
  /// Exports the whole record for a researcher.
  case export
  /// Exports the record, and then purges rows older than this number of days. A record in memory
  /// keeps all rows.
  case purge(keepDays: Int64)
  /// Kills the service (SIGKILL) after this number of further calls to the ports. The service
  /// starts again after `downMilliseconds`.
  case kill(calls: Int, downMilliseconds: Int64)
  /// Stops the service in good order, as an update does. It starts again.
  case restart(downMilliseconds: Int64)
  /// The power fails after this number of further calls to the ports.
  case power(calls: Int, offSeconds: Int64, BatteryClock)
  /// The record cannot be written for this time.
  case disk(seconds: Int64)
  /// Each write takes longer by `milliseconds`, for this time.
  case slowDisk(milliseconds: Int64, seconds: Int64)
  /// How the commands of the contacts behave, for this time.
  case contacts(ContactCondition, seconds: Int64)
  /// A person moves the wall clock by this number of seconds.
  case clock(seconds: Int64)
  /// A time source is found, and the wall clock is right.
  case sync
  case loseSync
  case suspend(seconds: Int64)
  /// The home moves to another zone, one of `ZoneFixtures.names`.
  case zone(String)
  /// Another release of tzdata is installed, one of `ZoneFixtures.releases`.
  case tzdata(Int)
  /// A request arrives once more, unchanged: the request from `back` requests ago.
  case again(back: Int)
  case speaker(SpeakerCondition, seconds: Int64)
  /// The player repeats an old report, or reports on an unknown prompt. The old report is the
  /// report from `back` reports ago.
  case forge(back: Int)

  /// The prompt of an answer, found when the answer arrives.
  public enum Target: Hashable, Sendable {
    case current
    case open(Int)
    case planned(Int)
    case closed(Int)
    case unknown
  }

  /// The time that the clock shows after a power failure.
  public enum BatteryClock: String, Hashable, Sendable, CaseIterable {
    case kept = "kept"
    /// 1970-01-01.
    case unset = "unset"
    /// 2098-01-01.
    case far = "far"
  }

  /// The kind of fault, as a name for counting; nil for actions of people.
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

  /// Every name that `fault` gives.
  public static let faults = [
    "kill", "restart", "power", "boot", "disk", "slow", "clock", "sync", "suspend", "speaker",
    "forge", "zone", "again", "contacts",
  ]
}

/// How the speaker behaves for a ring.
public enum SpeakerCondition: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// Refuses at once.
  case missing = "missing"
  /// Refuses after three seconds.
  case busy = "busy"
  /// Never answers and never sounds.
  case hung = "hung"
  /// Reports an end without a start, or a start twice.
  case lying = "lying"
  /// Starts after six seconds, and stops after one second.
  case slow = "slow"
}

/// How the commands of contacts behave.
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
