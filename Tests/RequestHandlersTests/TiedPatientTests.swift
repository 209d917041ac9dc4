import API
import Alarms
import Fakes
import JSONValue
import RequestHandlers
import Testing

/// Tests a patient who is tied to one of two people.
@Suite struct TiedPatientTests {
  private static let anna = PersonID("anna"), bob = PersonID("bob")

  private func upload(
    _ home: ServedHome, _ bytes: String, _ user: String, _ only: PersonID?
  ) async throws -> JSON {
    let added = try await home.ask(
      .addImage, body: bytes, role: only == nil ? .caretaker : .patient, only: only, user: user)
    #expect(added.status == 201)
    return try #require(added.document["image"])
  }

  private func complete(
    _ home: ServedHome, _ photo: String, _ user: String, _ only: PersonID
  ) async throws -> (status: Int, document: JSON) {
    try await home.ask(
      .complete, ["id": "current"], body: #"{"photo":"\#(photo)"}"#, role: .patient, only: only,
      user: user)
  }

  @Test func `a completion accepts only a photo that its own user uploaded`() async throws {
    let home = try await ServedHome.ofAnnaAndBob()
    let bobs = try #require(try await upload(home, "bob", "uid:2", Self.bob)["id"]?.string)
    let hint = try #require(try await upload(home, "a hint", "uid:9", nil)["id"]?.string)
    let unknown = String(repeating: "f", count: 64)
    for photo in [bobs, hint, unknown] {
      let refused = try await complete(home, photo, "uid:1", Self.anna)
      #expect(refused.status == 422)
      #expect(
        refused.document["detail"]?.string
          == "photo: there is no picture \"\(photo)\"; add it first")
      for operation in [Route.Operation.showImage, .showThumbnail] {
        let shown = try await home.ask(
          operation, ["id": photo], role: .patient, only: Self.anna, user: "uid:1")
        #expect(shown.status == 404)
        #expect(shown.document["detail"]?.string == "there is no picture \"\(photo)\"")
      }
    }
    let own = try #require(try await upload(home, "annas own", "uid:1", Self.anna)["id"]?.string)
    #expect(try await complete(home, own, "uid:1", Self.anna).status == 200)
    #expect(try await complete(home, bobs, "uid:2", Self.bob).status == 200)
    // After the completion, the picture belongs to Anna's task. Every user who is tied to Anna can
    // see the picture.
    let seen = try await home.ask(
      .showImage, ["id": own], role: .patient, only: Self.anna, user: "uid:3")
    #expect(seen.status == 200)
    let others = try await home.ask(
      .showImage, ["id": own], role: .patient, only: Self.bob, user: "uid:2")
    #expect(others.status == 404)
  }

  @Test func `the picture of an alarm cannot be the photo of a completion`() async throws {
    let home = try await ServedHome.ofAnnaAndBob()
    let hint = try #require(try await upload(home, "hint", "uid:1", Self.anna)["id"]?.string)
    let body = #"{"label":"Tea","schedule":"every day 08:00","image":"\#(hint)","person":"anna"}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    let refused = try await complete(home, hint, "uid:1", Self.anna)
    #expect(refused.status == 409 && refused.document["field"]?.string == "photo")
    let caretaker = try await home.ask(
      .complete, ["id": "current"], body: #"{"photo":"\#(hint)"}"#)
    #expect(caretaker.status == 409)
    let shown = try await home.ask(
      .showImage, ["id": hint], role: .patient, only: Self.anna, user: "uid:7")
    #expect(shown.status == 200)
  }

  @Test func `an equal picture from another user does not reveal whose task it shows`() async throws
  {
    let home = try await ServedHome.ofAnnaAndBob()
    let bobs = try #require(try await upload(home, "black", "uid:2", Self.bob)["id"]?.string)
    let done = try await complete(home, bobs, "uid:2", Self.bob)
    #expect(done.status == 200)
    let same = try await upload(home, "black", "uid:1", Self.anna)
    #expect(same["id"]?.string == bobs && same["prompt_id"] == .null)
    let refused = try await complete(home, bobs, "uid:1", Self.anna)
    #expect(refused.status == 422 || refused.status == 409)
    #expect(refused.document["detail"]?.string?.contains("alarm") == false, "\(refused)")
    // The picture still belongs to Bob's task.
    let listed = try await home.ask(.listImages).document["images"]?.array?.first
    #expect(listed?["prompt_id"] == done.document["id"])
  }

  @Test func `a stored reply for one person is not given to another person`() async throws {
    let home = try await ServedHome.ofAnnaAndBob()
    let key = ["idempotency-key": "k"]
    func done(_ only: PersonID, _ user: String) async throws -> (status: Int, document: JSON) {
      try await home.ask(
        .complete, ["id": "current"], headers: key, role: .patient, only: only, user: user)
    }
    #expect(try await done(Self.bob, "uid:2").document["label"]?.string == "bobs task")
    // The configuration has changed, and the same user is now tied to Anna.
    let refused = try await done(Self.anna, "uid:2")
    #expect(refused.status == 409 && refused.document["kind"]?.string == "key_reused")
    #expect(try await done(Self.anna, "uid:1").document["label"]?.string == "annas task")
  }
}
