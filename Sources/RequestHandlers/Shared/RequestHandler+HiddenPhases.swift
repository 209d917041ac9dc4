import API
import Alarms
import Engine
import JSONValue

// Hides phase names. A study can hide the names of its phases from patients and caretakers.
extension RequestHandler {
  /// Returns true if a study of this home hides the names of its phases from a user.
  func hidesPhases(from actor: Actor) async -> Bool {
    guard actor.role == .patient || actor.role == .caretaker else { return false }
    let now = ports.now().wall
    return await engine.read { home, _ in home.people.values.contains { $0.hidesPhases(at: now) } }
  }

  /// Removes the names of the phases from a response if a study hides these names from the sender
  /// of the request.
  func withoutPhaseNames(_ response: APIResponse, _ request: APIRequest) async -> APIResponse {
    guard response.contentType == "application/json", case .bytes(let bytes) = response.body,
      await hidesPhases(from: request.actor)
    else { return response }
    guard let document = try? JSON(parsing: bytes) else {
      return .problem(
        Refusal(.storage, "cannot hide the phases of the study: the response is not JSON"))
    }
    return .json(
      document.hidingPhaseNames(), status: response.status, headers: response.headers)
  }
}
