import API
import Alarms
import Engine

// Replaces the names of people in a request with their ids. A user can type names and ids in upper
// or lower case.
extension RequestHandler {
  /// Returns a copy of the request in which the exact ids of people replace the typed names. The
  /// function replaces the names in the path and in the query.
  ///
  /// The function does not change an unknown name. The handler of the operation later refuses this
  /// name. If a user may see only one person, the function treats the names of all other people as
  /// unknown names. Therefore, the refusal does not reveal that a person with this name exists.
  func withKnownNames(_ request: APIRequest) async -> APIRequest {
    var request = request
    if let name = request.query["person"] {
      request.query["person"] = await known(PersonID(name), seenBy: request.only).text
    }
    switch request.operation {
    case .showPerson, .changePerson, .removePerson, .ownData:
      if let name = request.parameters["id"] {
        request.parameters["id"] = await known(PersonID(name), seenBy: request.only).text
      }
    default: break
    }
    return request
  }

  /// Returns the id of the person whose id or name is `typed`.
  ///
  /// If `typed` is nil and the home has exactly one person, the result is the id of this person. If
  /// `typed` is nil and the home has no person or several people, the result is `PersonID.patient`.
  func known(_ typed: String?) async -> PersonID {
    if let typed { return await known(PersonID(typed)) }
    return await engine.read { home, _ in home.onlyPerson } ?? .patient
  }

  /// Returns the id of the person whose id or name is `typed`. If no person or more than one person
  /// matches, the result is `typed`. If `only` is not nil and the matching person is not `only`,
  /// the result is also `typed`.
  func known(_ typed: PersonID, seenBy only: PersonID? = nil) async -> PersonID {
    let found = await engine.read { home, _ in home.person(named: typed.text) } ?? typed
    return only == nil || only == found ? found : typed
  }
}
