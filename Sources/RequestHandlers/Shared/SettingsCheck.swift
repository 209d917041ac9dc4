import API
import Alarms

// What the settings say, held against what is set in the home.
extension HomeState {
  /// What is wrong with tying users to these people: who sees the things of nobody answers nothing.
  func strangers(among tied: Set<String>) -> [StatusProblem] {
    tied.filter { people[PersonID($0)]?.person == nil }.sorted().map {
      .init(
        .personUnknown,
        "nobody here is called \"\($0)\", to whom the settings tie a patient's user")
    }
  }

  /// Who is to be told and cannot be: the settings know nobody by that name any more.
  func unreachable(among contacts: Set<String>) -> [StatusProblem] {
    let missing = alarmsByContact.filter { !contacts.contains($0.key) }
    let ofAlarms = missing.sorted { $0.key < $1.key }.map { name, count in
      "there is no contact \"\(name)\", whom \(count) alarm\(count == 1 ? "" : "s") would tell"
    }
    return (ofAlarms + unreachableInInactivity(among: contacts)).map { .init(.contactUnknown, $0) }
  }

  private func unreachableInInactivity(among contacts: Set<String>) -> [String] {
    people.values.compactMap(\.person).sorted { $0.id.text < $1.id.text }.flatMap { person in
      Set(person.inactivity?.notifySteps.map(\.contact) ?? []).subtracting(contacts).sorted().map {
        name in
        "there is no contact \"\(name)\", who would be told if \"\(person.id)\" answered nothing"
      }
    }
  }
}
