import Alarms
import CivilTime

/// One thing that somebody does, or that goes wrong.
///
/// Complete in itself: a world given a list of these and no dice does the same again, and so a list
/// can be cut shorter, printed, and kept as a scenario.
public enum Action: Hashable, Sendable {
  case add(AlarmForm)
  /// Changes the living alarm with this number, modulo how many there are.
  case edit(Int, AlarmForm, isStale: Bool)
  case remove(Int, isStale: Bool)
  case answer(Target, Answer, Role)
  /// Answers questions of a prompt: which of them, and what, follows from a number; and whether the task is done, too.
  case respond(Target, Int, completes: Bool, Role)
  /// Takes an answer back; of the current prompt means the newest of all.
  case undo(Target, Role)
  /// Says something once, now.
  case say(AlarmForm)
  case addPerson(String, PersonForm)
  case changePerson(String, PersonForm)
  case removePerson(String)
  case setPhase(String, PhaseForm)
  case endPhase(String)
  /// The whole record is handed out to a researcher.
  case export
  /// The record is handed out, and then what is older than so many days is taken out of it; one in memory keeps all.
  case purge(keepDays: Int64)
  /// SIGKILL after so many more calls to the ports; the service comes back after `downMilliseconds`.
  case kill(calls: Int, downMilliseconds: Int64)
  /// The service is stopped in good order, as an update does, and comes back.
  case restart(downMilliseconds: Int64)
  /// The mains fail after so many more calls to the ports.
  case power(calls: Int, offSeconds: Int64, BatteryClock)
  /// The record cannot be written for so long.
  case disk(seconds: Int64)
  /// Each write takes so much longer, for so long.
  case slowDisk(milliseconds: Int64, seconds: Int64)
  /// How telling people goes, for so long.
  case contacts(ContactMood, seconds: Int64)
  /// A hand sets the wall clock.
  case clock(seconds: Int64)
  /// A time source is found, and the wall clock is right.
  case sync
  case loseSync
  case suspend(seconds: Int64)
  /// The home is in another zone, one of `ZoneFixtures.names`.
  case zone(String)
  /// Another release of tzdata is installed, one of `ZoneFixtures.releases`.
  case tzdata(Int)
  /// A request arrives once more as it was, `back` requests ago.
  case again(back: Int)
  case speaker(SpeakerMood, seconds: Int64)
  /// The player reports again what it said `back` reports ago, or speaks of a prompt nobody knows.
  case forge(back: Int)

  /// Which prompt an answer is for, found when it arrives.
  public enum Target: Hashable, Sendable {
    case current
    case open(Int)
    case planned(Int)
    case closed(Int)
    case unknown
  }

  /// What the clock shows after the mains failed.
  public enum BatteryClock: String, Hashable, Sendable, CaseIterable {
    case kept = "kept"
    /// 1970-01-01.
    case unset = "unset"
    /// 2098-01-01.
    case far = "far"
  }

  /// A name for counting: what kind of fault this is; nil for what people do.
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

/// What the speaker does with a ring.
public enum SpeakerMood: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// Refuses at once.
  case missing = "missing"
  /// Refuses after three seconds.
  case busy = "busy"
  /// Never answers, never sounds.
  case hung = "hung"
  /// Says it ended and never said it began, or begins twice.
  case lying = "lying"
  /// Begins after six seconds, stops after one.
  case slow = "slow"
}

/// What becomes of telling somebody.
public enum ContactMood: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// The first attempt fails, and the second does not.
  case flaky = "flaky"
  /// Every attempt fails at once.
  case failing = "failing"
  /// Every attempt hangs until it is killed.
  case hung = "hung"
}

/// An action at a time: milliseconds since the beginning of the world.
public struct TimedAction: Hashable, Sendable {
  public var at: Int64
  public var action: Action

  public init(at: Int64, _ action: Action) {
    self.at = at
    self.action = action
  }
}
