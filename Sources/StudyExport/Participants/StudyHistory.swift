import Alarms
import CivilTime

/// The study phases and the enrolments of all people after the newest events.
///
/// A new phase or enrolment never begins in the past. A request never sets an end in the past.
/// Therefore the newest lists of phases and enrolments are also right for each earlier instant.
///
/// The export does not take the study of a prompt from the events of the prompt, because an event
/// can contain the wrong study. Example: a prompt is planned before a withdrawal and is due after
/// the withdrawal. The event that planned the prompt contains the study that the person has left.
public struct StudyHistory: Sendable {
  /// The state of each person. The key is the pseudonym in the record.
  private var people: [String: PersonState] = [:]

  public init() {}

  /// Processes the next event of a person, in the order of the record.
  ///
  /// - Parameter instant: the time of the event.
  public mutating func take(_ event: Event, of person: String, at instant: Instant) {
    var state = people[person] ?? PersonState(id: PersonID(person))
    switch event {
    case .phaseChanged(_, let phases): state.phases = phases
    case .enrolled(_, let enrolment): state.enrolments.append(enrolment)
    case .withdrawn: state.withdraw(at: instant)
    default: return
    }
    people[person] = state
  }

  /// The phase of a person at an instant.
  ///
  /// - Parameter recorded: the phase in the events of the prompt. The function returns this phase
  ///   if the record contains no phases of the person.
  public func phase(of person: String?, at due: Instant, recorded: String?) -> String? {
    guard let state = person.flatMap({ people[$0] }), !state.phases.isEmpty else { return recorded }
    return state.phase(at: due)?.kind.rawValue
  }

  /// The study of a person at an instant; empty if the person is in no study.
  ///
  /// - Parameter recorded: the study in the events of the prompt. The function returns this study
  ///   if the record contains no enrolment of the person.
  public func study(of person: String?, at due: Instant, recorded: String) -> String {
    guard let state = person.flatMap({ people[$0] }), !state.enrolments.isEmpty else {
      return recorded
    }
    return state.enrolment(at: due)?.study ?? ""
  }
}
