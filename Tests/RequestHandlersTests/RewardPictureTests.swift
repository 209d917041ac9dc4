import API
import Alarms
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

/// Tests the picture that a person sees after all tasks of a day.
@Suite struct RewardPictureTests {
  private static let anna = PersonID("anna")

  /// Makes a home with Anna and Bob. Anna has a reward picture.
  private func home() async throws -> (ServedHome, picture: String) {
    let home = await ServedHome()
    let picture = try #require(
      try await home.ask(.addImage, body: "flower").document["image"]?["id"]?.string)
    for id in ["anna", "bob"] {
      #expect(try await home.ask(.addPerson, body: #"{"id":"\#(id)"}"#).status == 201)
    }
    let changed = try await change(home, picture)
    #expect(changed.status == 200)
    #expect(changed.document["person"]?["reward_image"]?.string == picture)
    return (home, picture)
  }

  private func change(_ home: ServedHome, _ picture: String) async throws -> (
    status: Int, document: JSON
  ) {
    try await home.ask(
      .changePerson, ["id": "anna"], body: #"{"reward_image":"\#(picture)"}"#)
  }

  /// Adds the only task of the day, which Anna then completes.
  private func completeDay(_ home: ServedHome) async throws {
    let body = #"{"label":"Pills","schedule":"in 1 second","person":"anna"}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    #expect(try await home.ask(.complete, ["id": await home.waiting()]).status == 200)
  }

  private func rewards(_ home: ServedHome) -> [Bool] {
    home.fakes.state.withLock {
      $0.records.compactMap {
        if case .rewarded(_, _, _, let hasPicture) = $0.event { hasPicture } else { nil }
      }
    }
  }

  @Test func `only an existing picture becomes the reward, and an empty text removes it`()
    async throws
  {
    let (home, picture) = try await home()
    let refused = try await change(home, "abc")
    #expect(refused.status == 422 && refused.document["field"]?.string == "reward_image")
    let kept = try await home.ask(.showPerson, ["id": "anna"]).document["person"]
    #expect(kept?["reward_image"]?.string == picture)
    #expect(try await change(home, "").document["person"]?["reward_image"] == .null)
  }

  @Test func `a reward picture cannot be removed, and cannot be the photo of a task`()
    async throws
  {
    let (home, picture) = try await home()
    let refused = try await home.ask(.removeImage, ["id": picture])
    #expect(refused.status == 409 && refused.document["kind"]?.string == "in_use")
    let body = #"{"label":"Tea","schedule":"in 1 second","person":"bob"}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    let photo = try await home.ask(
      .complete, ["id": await home.waiting()], body: #"{"photo":"\#(picture)"}"#)
    #expect(photo.status == 409 && photo.document["field"]?.string == "photo")
    _ = try await change(home, "")
    #expect(try await home.ask(.removeImage, ["id": picture]).status == 200)
  }

  @Test func `a patient sees the own reward picture, and not the picture of another person`()
    async throws
  {
    let (home, picture) = try await home()
    for (person, status) in [(Self.anna, 200), (PersonID("bob"), 404)] {
      let reply = try await home.ask(
        .showImage, ["id": picture], role: .patient, only: person, user: "uid:7")
      #expect(reply.status == status)
    }
  }

  @Test func `the record says whether a completed day had a reward picture`() async throws {
    let (home, _) = try await home()
    try await completeDay(home)
    #expect(rewards(home) == [true])
    _ = try await change(home, "")
    home.fakes.pass(seconds: 86_400)
    try await completeDay(home)
    #expect(rewards(home) == [true, false])
  }

  @Test func `there is no reward picture in a control phase`() async throws {
    let (home, _) = try await home()
    let phase = try await home.ask(
      .setPhase, body: #"{"person":"anna","kind":"control"}"#, role: .admin)
    #expect(phase.status == 200 || phase.status == 201, "\(phase)")
    try await completeDay(home)
    #expect(rewards(home) == [false])
  }
}
