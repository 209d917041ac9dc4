import CivilTime

/// The result that `step` returns for an accepted command.
public enum Reply: Hashable, Sendable {
  indirect case alarm(Alarm, next: [ExpectedRing], ScheduleReport)
  indirect case removed(Alarm, [AnsweredPrompt])
  case answered(AnsweredPrompt)
  /// The prompt of the command `present` or `sayAgain`.
  case prompt(Prompt)
  case tone(Tone)
  /// The state of a person after a command. If the command changed settings of the person, the
  /// warnings are about the due prompts and the alarms that these settings affect.
  case person(PersonState, [ScheduleWarning] = [])
  case paused(PauseReply)
  case phases(PersonID, [StudyPhase])
  case picture(Picture)
  case holidays(HolidayImport)
  case notice(Notice)
  case call(CallRequest, isRepeated: Bool)
  case supply(Supply)
  case reward(isHeard: Bool)
  case imported(new: Int, corrected: Int, unchanged: Int, older: Int)
  case done
}

/// The state of a prompt after an answer, and the rings that the answer stopped.
public struct AnsweredPrompt: Hashable, Sendable {
  public var prompt: Prompt
  public var stopped: Stopped
  /// The supplies that the alarm of the prompt uses, with the amounts that are left. The list is
  /// complete only in the reply to an answer or to an undo.
  public var supplies: [Supply] = []

  public init(prompt: Prompt, stopped: Stopped) {
    self.prompt = prompt
    self.stopped = stopped
  }
}

/// The people whom a caretaker paused or resumed, and the prompts that the pause ended.
public struct PauseReply: Hashable, Sendable {
  public var people: [PersonState]
  /// The next ring of each person. If the next ring of a person is unknown, the list does not
  /// contain this person.
  public var firstRings: [FirstRing]
  public var ended: [AnsweredPrompt]

  /// The next expected ring of a person, and the alarm of this ring.
  public struct FirstRing: Hashable, Sendable {
    public var alarm: Alarm
    public var occurrence: Occurrence

    public init(alarm: Alarm, occurrence: Occurrence) {
      self.alarm = alarm
      self.occurrence = occurrence
    }
  }

  public init(people: [PersonState], firstRings: [FirstRing], ended: [AnsweredPrompt]) {
    self.people = people
    self.firstRings = firstRings
    self.ended = ended
  }
}
