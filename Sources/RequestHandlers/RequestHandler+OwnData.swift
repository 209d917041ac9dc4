import API
import Alarms
import Engine
import StudyExport

// `/v1/people/{id}/data`: what is recorded of somebody, for them.
extension RequestHandler {
  /// How often one user gets it within an hour: each time is a row of the record.
  static let ownDataPerHour = 20

  func ownData(_ request: APIRequest) async throws -> APIResponse {
    let person = personID(request)
    let (isKnown, isAlone, pictures) = await engine.read { home, _ in
      (
        home.people[person] != nil, home.people.keys.allSatisfy { $0 == person },
        home.pictures.values.sorted { $0.sha256 < $1.sha256 }
      )
    }
    // Another person's data answers like that of nobody.
    guard isKnown, request.maySee(person.text) else {
      throw Refusal(.notFound, "there is no person \"\(person)\"")
    }
    // A user of this machine is a patient, and nothing says which.
    guard request.only != nil || isAlone || request.actor.role != .patient else {
      throw Refusal(
        .forbidden,
        "more people than one live here, and nothing says which of them you are; ask a caretaker")
    }
    guard ownDataRate.takes(request.actor.id, at: ports.now().bootNanoseconds) else {
      throw Refusal(
        .limit,
        "cannot hand out the data again: it was asked for \(Self.ownDataPerHour) times within an hour, "
          + "which is the limit; ask later")
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

  /// What their alarms show, and what showed that their tasks were done.
  private func own(_ pictures: [Picture], _ person: PersonID) async throws -> [Picture] {
    let shown = await engine.read { home, _ in
      Set(home.alarms.filter { $0.person == person }.compactMap(\.image))
    }
    return try pictures.filter { picture in
      guard let prompt = picture.prompt else { return shown.contains(picture.sha256) }
      return try archive.prompt(prompt)?.person == person.text
    }
  }
}
