import Alarms
import CivilTime

/// An action of a person, or a fault.
///
/// An action contains all its values and uses no random numbers. Therefore, two worlds with the
/// same seed and the same list of actions run in the same way. In addition, it is possible to
/// shorten a list of actions, to print it, and to store it as a scenario.
public enum Action: Hashable, Sendable {
  case add(AlarmForm)
  /// Changes an alarm. The first value selects the alarm: this value modulo the number of alarms is
  /// the index in the sorted list of alarms.
  case edit(Int, AlarmForm, isStale: Bool)
  case remove(Int, isStale: Bool)
  case answer(Target, Answer, Role)
  /// Gives responses to questions of a prompt. If `completes` is true, the person then also
  /// completes the prompt. The action uses the second value to select the questions that get a
  /// response, and to compute the values of the responses.
  case respond(Target, Int, completes: Bool, Role)
  /// A screen shows a prompt to the patient.
  case present(Target)
  /// The patient asks to hear the voice of a prompt once more.
  case sayAgain(Target)
  /// Undoes an answer. With the target `current`, the action undoes the newest answer in the home.
  case undo(Target, Role)
  /// Announces a text once, at the time of the action.
  case say(AlarmForm)
  /// The person with this id requests a call: a contact should call back.
  case call(String)
  case addPerson(String, PersonForm)
  case changePerson(String, PersonForm)
  case removePerson(String)
  /// Pauses people until the time `until`, which is text in the notation of a scenario. If `until`
  /// is nil, the pause has no end.
  case pausePeople(PausedPeople, until: String?)
  case resumePeople(PausedPeople)
  /// Imports a list of holidays. The imported list replaces an existing list with the same name.
  case importHolidays(HolidayList)
  case removeHolidays(String)
  case setPhase(String, PhaseForm)
  case endPhase(String)
  /// Changes the supplies. If the command adds a supply, the world chooses a new id for it.
  case supply(SupplyCommand)
  /// Exports the whole record for a researcher.
  case export
  /// Exports the record, and then purges the rows that are older than `keepDays` days. The purge
  /// needs a record on a disk, because the daemon cannot purge a record in memory.
  case purge(keepDays: Int64)
  /// Kills the service (SIGKILL) after the service has made `calls` further calls to its ports. The
  /// service starts again after `downMilliseconds`.
  case kill(calls: Int, downMilliseconds: Int64)
  /// Stops the service in the regular way. The service starts again after `downMilliseconds`.
  case restart(downMilliseconds: Int64)
  /// Switches the power off for `offSeconds` seconds. Before that, the service makes `calls`
  /// further calls to its ports.
  case power(calls: Int, offSeconds: Int64, BatteryClock)
  /// Makes every write to the record fail, for a number of seconds.
  case disk(seconds: Int64)
  /// Makes the disk slow for a number of seconds. The value `milliseconds` is the additional time
  /// that each write takes.
  case slowDisk(milliseconds: Int64, seconds: Int64)
  /// Sets the behaviour of all contact commands, for a number of seconds.
  case contacts(ContactCondition, seconds: Int64)
  /// Moves the wall clock by a number of seconds, forward or back.
  case clock(seconds: Int64)
  /// Synchronises the wall clock with a time source.
  case sync
  case loseSync
  case suspend(seconds: Int64)
  /// Sets the zone of the home to a zone of `ZoneFixtures.names`.
  case zone(String)
  /// Installs a release of tzdata from `ZoneFixtures.releases`.
  case tzdata(Int)
  /// Sends an earlier request again, unchanged. If `back` is 0, the world repeats the newest
  /// request. If `back` is 1, the world repeats the second newest request.
  case again(back: Int)
  case speaker(SpeakerCondition, seconds: Int64)
  /// Makes the player send a false report. Usually the player sends an earlier report again: if
  /// `back` is 0, the newest report; if `back` is 1, the second newest report. If there is no such
  /// report, the player sends a report about an unknown prompt.
  case forge(back: Int)

  /// The prompt to which an action applies. The world chooses a matching prompt at the moment when
  /// the world performs the action.
  public enum Target: Hashable, Sendable {
    case current
    case open(Int)
    case planned(Int)
    case closed(Int)
    case unknown
  }

  /// The condition of the battery clock, which runs while the device has no power. The condition
  /// determines the time that the wall clock shows after a power failure.
  public enum BatteryClock: String, Hashable, Sendable, CaseIterable {
    case kept = "kept"
    /// After a power failure, the wall clock shows 1970-01-01.
    case unset = "unset"
    /// After a power failure, the wall clock shows 2098-01-01.
    case far = "far"
  }

  /// The name of the fault kind; nil if the action is not a fault. The command line selects kinds
  /// of faults by this name, and the simulation counts the faults of each kind by this name.
  public var fault: String? {
    switch self {
    case .add, .edit, .remove, .answer, .respond, .present, .sayAgain, .undo, .say, .call,
      .addPerson,
      .changePerson, .removePerson, .pausePeople, .resumePeople, .setPhase, .endPhase, .supply,
      .importHolidays,
      .removeHolidays, .export, .purge:
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

  /// All values of `fault`.
  public static let faults = [
    "kill", "restart", "power", "boot", "disk", "slow", "clock", "sync", "suspend", "speaker",
    "forge", "zone", "again", "contacts",
  ]
}

/// The behaviour of the simulated speaker.
public enum SpeakerCondition: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// The speaker refuses the ring at once.
  case missing = "missing"
  /// The speaker refuses a ring three seconds after the request to play the ring.
  case busy = "busy"
  /// The speaker never sends a report and never sounds.
  case hung = "hung"
  /// The speaker sends wrong reports: the end of a ring without its start, or the start of a ring
  /// twice.
  case lying = "lying"
  /// The speaker starts a ring six seconds after the request to play the ring, and stops a ring one
  /// second after the request to stop the ring.
  case slow = "slow"
}

/// The behaviour of the commands of all contacts: the commands succeed, fail or hang.
public enum ContactCondition: String, Hashable, Sendable, CaseIterable {
  case well = "well"
  /// The first attempt of each notification fails, and the second attempt succeeds.
  case flaky = "flaky"
  /// Every attempt fails at once.
  case failing = "failing"
  /// Every attempt hangs until the daemon kills the command.
  case hung = "hung"
}

/// An action and its true time, in milliseconds since the start of the simulation.
public struct TimedAction: Hashable, Sendable {
  public var at: Int64
  public var action: Action

  public init(at: Int64, _ action: Action) {
    self.at = at
    self.action = action
  }
}
