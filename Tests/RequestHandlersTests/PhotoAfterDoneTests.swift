import API
import Alarms
import Engine
import Fakes
import JSONValue
import Testing

/// Tests a photo that a person adds after the answer "done".
@Suite struct PhotoAfterDoneTests {
  private func home() async throws -> (ServedHome, prompt: String) {
    let home = await ServedHome()
    _ = try await home.ask(.addAlarm, body: #"{"label":"Pills","schedule":"in 1 second"}"#)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    return (home, await home.waiting())
  }

  private func upload(_ home: ServedHome, _ bytes: String = "box") async throws -> String {
    try #require(try await home.ask(.addImage, body: bytes).document["image"]?["id"]?.string)
  }

  private func complete(
    _ home: ServedHome, _ prompt: String, photo: String? = nil
  ) async throws -> (status: Int, document: JSON) {
    try await home.ask(
      .complete, ["id": prompt], body: photo.map { #"{"photo":"\#($0)"}"# } ?? "")
  }

  private func count(_ home: ServedHome, _ type: String) -> Int {
    home.fakes.types.count { $0 == type }
  }

  @Test func `a second request adds the photo, and the task is completed once`() async throws {
    let (home, prompt) = try await home()
    #expect(try await complete(home, prompt).status == 200)
    let photo = try await upload(home)
    home.fakes.pass(seconds: 50)
    let shown = try await complete(home, prompt, photo: photo)
    #expect(shown.status == 200 && shown.document["photos"]?.array == [.string(photo)])
    #expect(shown.document["outcome"]?.string == "completed")
    // The photo does not change the time until which the person can undo the answer.
    #expect(shown.document["undo_until_utc"]?.string != nil)
    #expect(count(home, "completed") == 1 && count(home, "photo_added") == 1)
    // A repeated request changes nothing.
    #expect(try await complete(home, prompt, photo: photo).status == 200)
    #expect(count(home, "completed") == 1 && count(home, "photo_added") == 1)
  }

  @Test func `a photo after more than 60 seconds is refused`() async throws {
    let (home, prompt) = try await home()
    _ = try await complete(home, prompt)
    let photo = try await upload(home)
    home.fakes.pass(seconds: 61)
    #expect(try await complete(home, prompt, photo: photo).status == 409)
    #expect(count(home, "photo_added") == 0)
  }

  @Test func `a task that ended without "done" gets no photo`() async throws {
    let (home, prompt) = try await home()
    _ = try await home.ask(.decline, ["id": prompt], body: #"{"reason":"unwell"}"#)
    #expect(try await complete(home, prompt, photo: try await upload(home)).status == 409)
    #expect(count(home, "photo_added") == 0 && count(home, "completed") == 0)
  }

  @Test func `the picture of an alarm and the photo of another task are refused`() async throws {
    let (home, prompt) = try await home()
    _ = try await complete(home, prompt)
    let hint = try await upload(home, "hint")
    let alarm = #"{"label":"Tea","schedule":"in 1 second","image":"\#(hint)"}"#
    #expect(try await home.ask(.addAlarm, body: alarm).status == 201)
    #expect(try await complete(home, prompt, photo: hint).status == 409)
    let photo = try await upload(home)
    #expect(try await complete(home, prompt, photo: photo).status == 200)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    let other = await home.waiting()
    _ = try await complete(home, other)
    #expect(try await complete(home, other, photo: photo).status == 409)
    #expect(count(home, "photo_added") == 1)
  }

  @Test func `without a photo, a second "done" is still refused`() async throws {
    let (home, prompt) = try await home()
    _ = try await complete(home, prompt)
    #expect(try await complete(home, prompt).status == 409)
  }
}
