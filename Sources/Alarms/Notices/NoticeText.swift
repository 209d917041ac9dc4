import CivilTime

/// The sentences for contacts. Each sentence is so plain that a contact understands the sentence at
/// once.
enum NoticeText {
  /// The words that name a prompt in a sentence for a contact.
  struct Subject {
    /// The label of the alarm; nil if the alarm is not known any more.
    var label: String?
    var person: String
    /// The due time, for example `due at 08:00`.
    var due: String

    /// The label and the due time, for example `"Morning pills", due at 08:00`.
    var words: String { "\(label.map { "\"\($0)\"" } ?? "a task"), \(due)" }
    /// The words of the task, with the name of its person. Example: `"Morning pills" for Hilde, due
    /// at 08:00`.
    var wordsForPerson: String {
      "\(label.map { "\"\($0)\"" } ?? "a task") for \(person), \(due)"
    }
  }

  /// Returns the sentence that tells a contact why the daemon notifies the contact about a prompt.
  /// The result is nil if the message is about inactivity, or if the message is a notice.
  static func sentence(_ reason: NotifyReason, _ task: Subject) -> String? {
    let (person, words) = (task.person, task.words)
    switch reason {
    case .due: return "\(person) has a task now: \(words)."
    case .noAnswer: return "\(person) has not answered \(words)."
    case .notHeard: return "\(person) has not heard \(words): it has not sounded."
    case .notCompleted:
      return "\(person) has answered \"on my way\" to \(words), and has not completed it."
    case .missedNoResponse: return "\(person) has missed \(words): nobody answered."
    case .missedAudioFailed: return "\(person) has missed \(words): the sound did not work."
    case .missedDeviceOff: return "\(person) has missed \(words): the device was off."
    case .missedSuspended: return "\(person) has missed \(words): the device was asleep."
    case .missedClockInvalid:
      return "\(person) has missed \(words): the clock of the device was wrong."
    case .unknownCrash: return "\(person) has missed \(words): a program failed."
    case .inactivity, .allClear, .answerUndone, .summary, .supplyLow, .test, .askedFor: return nil
    }
  }

  static func inactive(_ person: String, hours: Int) -> String {
    "\(person) has answered nothing for \(hours) \(hours == 1 ? "hour" : "hours")."
  }

  /// Returns the sentence of an all-clear after somebody answered a prompt.
  static func allClear(_ task: Subject, _ outcome: Outcome, isByPatient: Bool) -> String {
    switch (outcome.kind, isByPatient) {
    case (.declined, true): "Answered: \(task.person) has declined \(task.words)."
    case (.declined, false):
      "Answered: \(task.wordsForPerson), was declined by somebody else for \(task.person)."
    case (.cancelled, true): "All clear: \(task.person) has cancelled \(task.words)."
    case (.cancelled, false):
      "All clear: somebody else has cancelled \(task.wordsForPerson)."
    case (_, true): "All clear: \(task.person) has completed \(task.words)."
    case (_, false):
      "All clear: \(task.wordsForPerson), is completed; somebody else has answered."
    }
  }

  /// Returns the all-clear sentence after a period of inactivity.
  static func allClear(_ person: String, isByPatient: Bool) -> String {
    isByPatient
      ? "All clear: \(person) has answered again."
      : "All clear: somebody else has answered for \(person)."
  }

  static func undone(_ task: Subject) -> String {
    "Not clear any more: the answer to \(task.wordsForPerson), was taken back."
  }

  static func undone(_ person: String) -> String {
    "Not clear any more: the answer of \(person) was taken back."
  }

  /// Returns the sentence that tells a contact that a person asks for a call.
  ///
  /// - Parameter time: the time of the request, for example `14:05`.
  static func askedFor(_ person: String, at time: String) -> String {
    "\(person.capitalizedFirst) asks you to call back. The request is from \(time). This is not an emergency call."
  }

  static func test(_ contact: String) -> String {
    "This is a test message of Prompter for \(contact). You need not do anything."
  }

  /// Returns a due time in words, for example `due at 08:00`. If the day is not `today`, the text
  /// also contains the day.
  static func due(_ nominal: CivilDateTime, today: CivilDate) -> String {
    let time = nominal.time.description.prefix(5)
    if nominal.date == today { return "due at \(time)" }
    return "due on \(nominal.date.words) at \(time)"
  }
}

extension CivilDate {
  /// The date in words, for example `Thursday 26 November 2026`.
  public var words: String {
    "\(weekday.name) \(day) \(PhraseReader.monthNames[month - 1]) \(year)"
  }
}

extension PersonState {
  /// The name of the person. If the person has no name, the value is the id of the person, or `the
  /// patient` for the default person.
  public var displayName: String {
    guard let name = person?.name, !name.isEmpty else {
      return id == .patient ? "the patient" : id.text
    }
    return name
  }
}
