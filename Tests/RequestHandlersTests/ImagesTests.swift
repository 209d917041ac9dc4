import API
import Alarms
import Engine
import Fakes
import JSONValue
import RequestHandlers
import Synchronization
import Testing

@Suite struct ImagesTests {
  @Test func `a picture is stored once, shown, attached to an alarm, and removed with its file`()
    async throws
  {
    let home = await ServedHome()
    let added = try await home.ask(.addImage, body: "picture")
    let id = try #require(added.document["image"]?["id"]?.string)
    #expect(added.status == 201)
    #expect(try await home.ask(.addImage, body: "picture").status == 201)
    #expect(home.fakes.types.filter { $0 == "image_added" }.count == 1)

    let body = #"{"label":"Pills","schedule":"every day 08:00","image":"\#(id)"}"#
    let alarm = try await home.ask(.addAlarm, body: body)
    #expect(alarm.document["alarm"]?["image"]?.string == id)
    let alarmID = try #require(alarm.document["alarm"]?["id"]?.string)
    let refused = try await home.ask(.removeImage, ["id": id])
    #expect(refused.status == 409 && refused.document["kind"]?.string == "in_use")
    #expect(refused.document["detail"]?.string?.contains("Pills") == true)

    _ = try await home.ask(.editAlarm, ["id": alarmID], body: #"{"image":""}"#)
    #expect(try await home.ask(.removeImage, ["id": id]).status == 200)
    #expect(home.fakes.state.withLock { $0.pictures.isEmpty })
    #expect(try await home.ask(.listImages).document["images"]?.array == [])
    #expect(try await home.ask(.removeImage, ["id": id]).status == 404)
  }

  @Test
  func `an alarm cannot show an unknown picture, and an upload that is not a picture is refused`()
    async throws
  {
    let home = await ServedHome()
    let body = #"{"label":"Pills","schedule":"every day 08:00","image":"abc"}"#
    let alarm = try await home.ask(.addAlarm, body: body)
    #expect(alarm.status == 422 && alarm.document["field"]?.string == "image")
    let upload = try await home.ask(.addImage)
    #expect(upload.status == 422 && upload.document["kind"]?.string == "bad_image")
    #expect(!home.fakes.types.contains("image_added"))
  }

  @Test func `a photo belongs to one completion and to no other`() async throws {
    let home = await ServedHome()
    let id = try #require(
      try await home.ask(.addImage, body: "photo").document["image"]?["id"]?.string)
    for label in ["Pills", "Tea"] {
      _ = try await home.ask(.addAlarm, body: #"{"label":"\#(label)","schedule":"in 1 second"}"#)
    }
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    let done = try await home.ask(
      .complete, ["id": await home.waiting()], body: #"{"photo":"\#(id)"}"#)
    #expect(done.status == 200, "\(done)")
    #expect(done.document["photos"]?.array == [.string(id)])
    #expect(done.document["outcome"]?.string == "completed")
    #expect(home.fakes.types.suffix(2) != ["completed", "completed"])
    #expect(home.fakes.types.contains("photo_added"))
    let other = try await home.ask(
      .complete, ["id": await home.waiting()], body: #"{"photo":"\#(id)"}"#)
    #expect(other.status == 409 && other.document["field"]?.string == "photo")
    let unknown = try await home.ask(
      .complete, ["id": await home.waiting()], body: #"{"photo":"00"}"#)
    #expect(unknown.status == 422 && unknown.document["field"]?.string == "photo")
    // The two refused requests changed nothing, so the second prompt still waits for an answer.
    #expect(try await home.ask(.complete, ["id": await home.waiting()]).status == 200)
    let shown = try await home.ask(.listImages).document["images"]?.array?.first
    #expect(shown?["prompt_id"]?.string == done.document["id"]?.string)
  }

  @Test func `pictures have a limit of number and of size`() async throws {
    var limits = HomeLimits.standard
    limits.pictures = 4
    limits.pictureBytes = 20
    let home = await ServedHome(limits: limits)
    #expect(try await home.ask(.addImage, body: "12345").status == 201)
    let large = try await home.ask(.addImage, body: "123456")
    #expect(large.status == 429 && large.document["kind"]?.string == "limit")
    #expect(try await home.ask(.addImage, body: "1234").status == 201)
    #expect(try await home.ask(.addImage, body: "1").status == 429)
    #expect(try await home.ask(.addImage, body: "12345").status == 201)
  }
}

@Suite struct RewardTests {
  /// Adds a task, and lets time pass until the task is due.
  private func task(_ home: ServedHome, _ label: String) async throws {
    let body = #"{"label":"\#(label)","schedule":"in 1 second"}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
  }

  private func rewards(_ home: ServedHome) -> (events: Int, heard: Int) {
    (
      home.fakes.types.count { $0 == "reward" }, home.fakes.state.withLock { $0.rewards }
    )
  }

  @Test func `the last task of the day brings the reward once`() async throws {
    let home = await ServedHome()
    try await task(home, "Pills")
    try await task(home, "Tea")
    _ = try await home.ask(.complete, ["id": await home.waiting()])
    #expect(rewards(home) == (0, 0))
    _ = try await home.ask(.complete, ["id": await home.waiting()])
    #expect(rewards(home) == (1, 1))
    try await task(home, "One more")
    _ = try await home.ask(.complete, ["id": await home.waiting()])
    #expect(rewards(home) == (1, 1))
    home.fakes.pass(seconds: 86_400)
    try await task(home, "Tomorrow")
    _ = try await home.ask(.complete, ["id": await home.waiting()])
    #expect(rewards(home) == (2, 2))
  }

  @Test func `a declined task is not done, and an announcement is not a task`() async throws {
    let home = await ServedHome()
    try await task(home, "Pills")
    _ = try await home.ask(.decline, ["id": await home.waiting()], body: #"{"reason":"unwell"}"#)
    try await task(home, "Tea")
    _ = try await home.ask(.complete, ["id": await home.waiting()])
    #expect(rewards(home) == (0, 0))
    let other = await ServedHome()
    #expect(try await other.ask(.say, body: #"{"text":"Hello"}"#).status == 201)
    other.fakes.pass(seconds: 2)
    await other.engine.wake()
    #expect(try await other.ask(.complete, ["id": await other.waiting()]).status == 200)
    #expect(rewards(other) == (0, 0))
  }

  @Test func `in quiet hours the reward is recorded and not heard`() async throws {
    let home = await ServedHome()
    // The clock of these tests starts at 08:00 UTC.
    let quiet = #"{"quiet_hours":"07:00-10:00","quiet_policy":"hold"}"#
    #expect(try await home.ask(.changePerson, ["id": "patient"], body: quiet).status == 200)
    try await task(home, "Pills")
    #expect(try await home.ask(.complete, ["id": await home.waiting()]).status == 200)
    #expect(rewards(home) == (1, 0))
    home.fakes.pass(seconds: 86_400 + 4 * 3_600)
    try await task(home, "Tea")
    _ = try await home.ask(.complete, ["id": await home.waiting()])
    #expect(rewards(home) == (2, 1))
  }
}

@Suite struct DenialLogTests {
  @Test func `the first refusal is recorded at once, and a flood of refusals makes one row`() {
    let log = DenialLog()
    let first = log.note(uid: 7, method: "GET", path: "/v1/log")
    #expect(first == Denials(uid: 7, count: 1, method: "GET", path: "/v1/log"))
    for number in 1...10_000 {
      #expect(log.note(uid: 7, method: "PUT", path: "/\(number)") == nil)
    }
    #expect(log.close(uid: 7) == Denials(uid: 7, count: 10_000, method: "PUT", path: "/10000"))
    #expect(log.close(uid: 7) == nil)
    #expect(log.note(uid: 7, method: "GET", path: "/v1/log")?.count == 1)
    #expect(log.close(uid: 7) == nil)
  }

  @Test func `the refusals of very many users are counted together, and the end leaves none out`() {
    let log = DenialLog()
    var recorded = 0
    for uid in 1...1_000 {
      recorded += log.note(uid: UInt32(uid), method: "GET", path: "/")?.count ?? 0
    }
    #expect(recorded == DenialLog.mostUsers + 1)
    let rest = log.closeAll()
    #expect(rest.map(\.uid) == [DenialLog.others])
    #expect(recorded + rest.reduce(0) { $0 + $1.count } == 1_000)
    #expect(log.closeAll() == [])
  }

  @Test func `a refusal that cannot be written is reported and changes nothing`() async throws {
    let home = await ServedHome()
    home.fakes.fillDisk(true)
    await #expect(throws: (any Error).self) {
      try await home.engine.record(Denials(uid: 7, count: 3, method: "GET", path: "/v1/log"))
    }
    home.fakes.fillDisk(false)
    try await home.engine.record(Denials(uid: 7, count: 3, method: "GET", path: "/v1/log"))
    #expect(home.fakes.types.count { $0 == "denied" } == 1)
  }
}
