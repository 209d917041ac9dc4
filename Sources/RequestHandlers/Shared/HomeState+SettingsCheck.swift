import API
import Alarms

// Checks whether the people and contacts in the configuration match the people and alarms of the
// home.
extension HomeState {
  /// One fault for each person in the configuration who does not exist in the home.
  ///
  /// A user whom the configuration ties to one of these people cannot answer any prompt.
  func unknownNames(among names: Set<String>) -> [StatusProblem] {
    names.filter { people[PersonID($0)]?.person == nil }.sorted().map {
      .init(
        .personUnknown,
        "there is no person \"\($0)\", but the configuration ties a patient's user to that person")
    }
  }

  /// One fault for each missing contact. An alarm or a person uses this contact, but the
  /// configuration does not contain it.
  func unreachable(among contacts: Set<String>) -> [StatusProblem] {
    let missing = alarmsByContact.filter { !contacts.contains($0.key) }
    let ofAlarms = missing.sorted { $0.key < $1.key }.map { name, count in
      "there is no contact \"\(name)\", but \(count) alarm\(count == 1 ? "" : "s") would notify it"
    }
    return (ofAlarms + unreachableInInactivity(among: contacts)).map { .init(.contactUnknown, $0) }
  }

  private func unreachableInInactivity(among contacts: Set<String>) -> [String] {
    people.values.compactMap(\.person).sorted { $0.id.text < $1.id.text }.flatMap { person in
      Set(person.inactivity?.notifySteps.map(\.contact) ?? []).subtracting(contacts).sorted().map {
        name in
        "there is no contact \"\(name)\", but it is set for inactivity of \"\(person.id)\""
      }
    }
  }
}
