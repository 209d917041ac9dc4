import API
import Alarms
import Engine
import StudyExport

// The handler of `/v1/people/{id}/data`: people download the recorded data about themselves.
extension RequestHandler {
  /// The maximum number of downloads per user and hour. The number is limited, because each
  /// download adds a row to the record.
  static let ownDataPerHour = 20

  func ownData(_ request: APIRequest) async throws -> APIResponse {
    let person = personID(request)
    let (isKnown, isAlone, pictures) = await engine.read { home, _ in
      (
        home.people[person] != nil, home.people.keys.allSatisfy { $0 == person },
        home.pictures.values.sorted { $0.sha256 < $1.sha256 }
      )
    }
    // If the sender has no permission to see the person, the response is the same as for a person
    // who does not exist.
    guard isKnown, request.maySee(person.text) else {
      throw Refusal(.notFound, "there is no person \"\(person)\"")
    }
    // If several people live in the home and the configuration does not restrict this user to one
    // person, the daemon does not know which person sends the request. Therefore, the daemon
    // refuses the request.
    guard request.only != nil || isAlone || request.actor.role != .patient else {
      throw Refusal(
        .forbidden,
        "cannot send the data: several people live here, and your user is not tied to one of them; "
          + "ask a caretaker")
    }
    if await hidesPhases(from: request.actor) {
      throw Refusal(
        .forbidden,
        "cannot send the data: a study hides its phases until the enrolment ends, and the data name "
          + "them; ask an administrator")
    }
    guard ownDataRate.takes(request.actor.id, at: ports.now().bootNanoseconds) else {
      throw Refusal(
        .limit,
        "cannot send the data again: the limit is \(Self.ownDataPerHour) downloads in an hour; "
          + "try again later")
    }
    let package = try await archive.ownData(person, try await own(pictures, person))
    _ = try await engine.execute(
      .exported(
        profile: "own", layout: ExportLayout.frictionless.rawValue,
        throughSequence: package.throughSequence, sha256: package.sha256),
      by: request.actor)
    return APIResponse(
      status: 200, contentType: "application/x-tar",
      headers: ["x-prompter-bytes": String(package.bytes)], body: .stream(package.chunks))
  }

  /// Selects the pictures of the person's alarms, reward and completed tasks.
  private func own(_ pictures: [Picture], _ person: PersonID) async throws -> [Picture] {
    let shown = await engine.read { home, _ in
      Set(pictures.map(\.sha256).filter { home.shows($0, to: person) })
    }
    return try pictures.filter { picture in
      guard let prompt = picture.prompt else { return shown.contains(picture.sha256) }
      return try archive.prompt(prompt)?.person == person.text
    }
  }
}
