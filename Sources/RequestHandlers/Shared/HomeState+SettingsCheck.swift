import API
import Alarms

// Checks whether the people and contacts in the configuration match the people, alarms and supplies
// of the home.
extension HomeState {
  /// Returns one problem for each person in the configuration who does not exist in the home.
  ///
  /// If the configuration restricts a user to the data of a person who does not exist, this user
  /// cannot answer any prompt.
  func unknownNames(among names: Set<String>) -> [StatusProblem] {
    names.filter { people[PersonID($0)]?.person == nil }.sorted().map {
      .init(
        .personUnknown,
        "there is no person \"\($0)\", but the configuration ties a patient's user to that person")
    }
  }

  /// Returns one problem for each missing contact. A contact is missing if an alarm, a person or a
  /// supply uses it, but the configuration does not contain it.
  func unreachable(among contacts: Set<String>) -> [StatusProblem] {
    let missing = alarmsByContact.filter { !contacts.contains($0.key) }
    let ofAlarms = missing.sorted { $0.key < $1.key }.map { name, count in
      "there is no contact \"\(name)\", but \(count) alarm\(count == 1 ? "" : "s") would notify it"
    }
    return (ofAlarms + unreachableInInactivity(among: contacts) + unreachableOfSupplies(contacts))
      .map { .init(.contactUnknown, $0) }
  }

  /// One problem for each supply that is low.
  var lowSupplies: [StatusProblem] {
    supplies.values.filter(\.isLow).sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map {
      .init(.supplyLow, $0.leftWords)
    }
  }

  private func unreachableOfSupplies(_ contacts: Set<String>) -> [String] {
    supplies.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.flatMap { supply in
      Set(supply.settings.contacts).subtracting(contacts).sorted().map {
        "there is no contact \"\($0)\", but it is set for the supply \"\(supply.name)\""
      }
    }
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
