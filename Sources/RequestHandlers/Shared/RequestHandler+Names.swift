import API
import Alarms
import Engine

// The ids of the people whom a request names. People type ids and names in any letter case.
extension RequestHandler {
  /// A copy of the request. In the path and the query, the exact ids replace the typed names of
  /// people.
  ///
  /// The function does not change the name of an unknown person, and the handler of the operation
  /// refuses this name. If a user may see only one person, the function treats the name of each
  /// other person like an unknown name. Therefore the refusal does not reveal that the other person
  /// exists.
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

  /// The id of the person whose id or name was typed. If nothing was typed, the result is the only
  /// person of the home.
  func known(_ typed: String?) async -> PersonID {
    if let typed { return await known(PersonID(typed)) }
    return await engine.read { home, _ in home.onlyPerson } ?? .patient
  }

  /// The id of the person whose id or name was typed. If nobody or several people match, the result
  /// is the typed text.
  func known(_ typed: PersonID, seenBy only: PersonID? = nil) async -> PersonID {
    let found = await engine.read { home, _ in home.person(named: typed.text) } ?? typed
    return only == nil || only == found ? found : typed
  }
}
