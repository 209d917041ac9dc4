import Alarms

extension TimedAction: CustomStringConvertible {
  /// One line of a scenario. Example: `3d 08:00:01.250 kill 2 1500`.
  public var description: String { "\(Self.clock(at)) \(action)" }

  /// Converts a time to a number of days and a time of day. The time is in milliseconds since the
  /// start of the simulation. Example: `3d 08:00:01.250`.
  public static func clock(_ milliseconds: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let seconds = milliseconds / 1_000
    let fraction = "00\(milliseconds % 1_000)".suffix(3)
    return "\(seconds / 86_400)d \(two(seconds / 3_600 % 24)):\(two(seconds / 60 % 60)):"
      + "\(two(seconds % 60)).\(fraction)"
  }
}

extension Action: CustomStringConvertible {
  /// The action in the notation of a scenario.
  public var description: String {
    switch self {
    case .add(let form): "add \(Self.text(form))"
    case .edit(let number, let form, let isStale):
      "\(isStale ? "edit-stale" : "edit") \(number) \(Self.text(form))"
    case .remove(let number, let isStale): "\(isStale ? "remove-stale" : "remove") \(number)"
    case .answer(let target, let answer, let role):
      "\(role.rawValue) \(Self.text(answer)) \(Self.text(target))"
    case .respond(let target, let number, let completes, let role):
      "respond \(role.rawValue) \(Self.text(target)) \(number)\(completes ? " done" : "")"
    case .present(let target): "present \(Self.text(target))"
    case .sayAgain(let target): "say-again \(Self.text(target))"
    case .undo(let target, let role): "undo \(role.rawValue) \(Self.text(target))"
    case .kill(let calls, let down): "kill \(calls) \(down)"
    case .restart(let down): "restart \(down)"
    case .power(let calls, let seconds, let battery):
      "power \(calls) \(seconds) \(battery.rawValue)"
    case .say(let form): "say \(Self.text(form))"
    case .call(let id): "call \(id)"
    case .addPerson(let id, let form): "person-add \(id) \(Self.text(form))"
    case .changePerson(let id, let form): "person-edit \(id) \(Self.text(form))"
    case .removePerson(let id): "person-remove \(id)"
    case .pausePeople(let people, let until):
      "pause \(Self.text(people))\(until.map { " \($0)" } ?? "")"
    case .resumePeople(let people): "resume \(Self.text(people))"
    case .setPhase(let id, let form): "phase \(id) \(Self.text(form))"
    case .endPhase(let id): "phase-end \(id)"
    case .supply(let command): Self.text(command)
    case .importHolidays(let list): "holidays \(list.name) \(Self.text(list))"
    case .removeHolidays(let name): "holidays-remove \(name)"
    case .export: "export"
    case .purge(let days): "purge \(days)"
    case .disk(let seconds): "disk \(seconds)"
    case .slowDisk(let milliseconds, let seconds): "slow-disk \(milliseconds) \(seconds)"
    case .contacts(let condition, let seconds): "contacts \(condition.rawValue) \(seconds)"
    case .clock(let seconds): "clock \(seconds)"
    case .sync: "sync"
    case .loseSync: "lose-sync"
    case .suspend(let seconds): "suspend \(seconds)"
    case .speaker(let condition, let seconds): "speaker \(condition.rawValue) \(seconds)"
    case .forge(let back): "forge \(back)"
    case .zone(let name): "zone \(name)"
    case .tzdata(let release): "tzdata \(release)"
    case .again(let back): "again \(back)"
    }
  }

  private static func text(_ answer: Answer) -> String {
    switch answer {
    case .acknowledge: "acknowledge"
    case .complete: "complete"
    case .delay(let seconds): "delay=\(seconds.map(String.init) ?? "default")"
    case .decline(let reason): "decline=\(reason.rawValue)"
    case .cancel(let reason): "cancel=\(reason.rawValue)"
    }
  }

  /// Returns the id of a person, or `everybody`. No person of a scenario has the id `everybody`.
  static func text(_ people: PausedPeople) -> String {
    switch people {
    case .one(let id): id.text
    case .everybody: "everybody"
    }
  }

  private static func text(_ target: Target) -> String {
    switch target {
    case .current: "current"
    case .open(let number): "open=\(number)"
    case .planned(let number): "planned=\(number)"
    case .closed(let number): "closed=\(number)"
    case .unknown: "unknown"
    }
  }
}
