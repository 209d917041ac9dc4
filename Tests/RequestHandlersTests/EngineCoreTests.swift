import API
import Alarms
import CivilTime
import Engine
import Fakes
import JSONValue
import RequestHandlers
import Synchronization
import Testing

private let pills = #"{"label":"Pills","schedule":"in 60 seconds","rings":2}"#

@Test func `a ring is recorded before it is played`() async throws {
  let home = await ServedHome()
  #expect(try await home.ask(.addAlarm, body: pills).status == 201)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  #expect(home.fakes.types.last == "ring_intent")
  #expect(home.fakes.state.withLock { $0.played.count } == 1)
}

@Test func `a full disk refuses an alarm and leaves no part of it`() async throws {
  let home = await ServedHome()
  home.fakes.fillDisk(true)
  let (status, document) = try await home.ask(.addAlarm, body: pills)
  #expect(status == 503)
  #expect(document["kind"]?.string == "storage_failed")
  home.fakes.fillDisk(false)
  #expect(try await home.ask(.listAlarms).document["alarms"]?.array?.isEmpty == true)
}

@Test func `a full disk does not silence a ring, and its events are recorded later`() async throws {
  let home = await ServedHome()
  _ = try await home.ask(.addAlarm, body: pills)
  home.fakes.fillDisk(true)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  #expect(home.fakes.state.withLock { $0.played.count } == 1)
  #expect(!home.fakes.types.contains("ring_intent"))
  #expect(try await home.ask(.status).document["record"]?["writable"]?.bool == false)
  home.fakes.fillDisk(false)
  home.fakes.pass(seconds: 900)
  await home.engine.wake()
  #expect(home.fakes.types.contains("ring_intent"))
  #expect(home.fakes.types.contains("gap"))
  #expect(try await home.ask(.status).document["record"]?["writable"]?.bool == true)
}

@Test func `an answer stops the ring even if it cannot be recorded, and the reply says so`()
  async throws
{
  let home = await ServedHome()
  _ = try await home.ask(.addAlarm, body: pills)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  home.fakes.fillDisk(true)
  let (status, document) = try await home.ask(.complete, ["id": "current"])
  #expect(status == 503)
  #expect(document["kind"]?.string == "not_recorded")
  #expect(home.fakes.state.withLock { $0.stopped.count } == 1)
  home.fakes.fillDisk(false)
  home.fakes.pass(seconds: 900)
  await home.engine.wake()
  #expect(home.fakes.types.filter { $0 == "completed" }.count == 1)
}

@Test func `an answer is written within a minute after the disk has space, not at a heartbeat`()
  async throws
{
  let home = await ServedHome()
  _ = try await home.ask(.addAlarm, body: pills)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  home.fakes.fillDisk(true)
  #expect(try await home.ask(.complete, ["id": "current"]).status == 503)
  for isFull in [true, false] {
    home.fakes.fillDisk(isFull)
    let (now, next) = home.fakes.state.withLock { ($0.now.wall, $0.wakeAt) }
    let seconds = try #require(next).milliseconds(since: now) / 1_000
    #expect(seconds <= 60)
    home.fakes.pass(seconds: seconds + 1)
    await home.engine.wake()
  }
  #expect(home.fakes.types.last == "gap" && home.fakes.types.contains("completed"))
  #expect(try await home.ask(.status).document["record"]?["writable"]?.bool == true)
}

@Test func `a change that was refused for a full disk leaves no open gap once there is space`()
  async throws
{
  let home = await ServedHome()
  home.fakes.fillDisk(true)
  #expect(try await home.ask(.addAlarm, body: pills).status == 503)
  home.fakes.fillDisk(false)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  #expect(home.fakes.types == ["service_start", "gap"])
  #expect(try await home.ask(.status).document["record"]?["writable"]?.bool == true)
}

@Test
func `the reserved disk space is for answers, also to questions, and for corrections`()
  async throws
{
  let home = await ServedHome()
  _ = try await home.ask(
    .addAlarm,
    body: #"""
      {"label":"Pills","schedule":"in 60 seconds","rings":2,"answers_required":true,
      "questions":[{"name":"mood","text":"How are you?","kind":"mood"}]}
      """#)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  home.fakes.state.withLock { $0.lowSpaceReason = "the disk is full" }
  let (status, document) = try await home.ask(
    .respond, ["id": "current"],
    body: #"{"responses":[{"question":"mood","value":"good"}],"complete":true}"#)
  #expect(status == 200, "\(document)")
  #expect(try await home.ask(.undo, ["id": "current"]).status == 200)
  #expect(try await home.ask(.addAlarm, body: pills).status == 503)
  #expect(home.fakes.types.filter { $0 == "correction" || $0 == "completed" }.count == 2)
}

@Test
func
  `a prompt completed while the disk was full stays completed when questions are answered later`()
  async throws
{
  let home = await ServedHome()
  _ = try await home.ask(
    .addAlarm,
    body: #"""
      {"label":"Pills","schedule":"in 60 seconds","rings":2,
      "questions":[{"name":"mood","text":"How are you?","kind":"mood"}]}
      """#)
  home.fakes.pass(seconds: 61)
  await home.engine.wake()
  let id = try #require(home.fakes.state.withLock { $0.played.first?.prompt })
  home.fakes.fillDisk(true)
  #expect(try await home.ask(.complete, ["id": "current"]).status == 503)
  // Two minutes after the answer, the engine no longer keeps the prompt in memory. After the disk
  // has space again, only the record contains the prompt.
  home.fakes.pass(seconds: 120)
  await home.engine.wake()
  home.fakes.fillDisk(false)
  let (status, document) = try await home.ask(
    .respond, ["id": id.description],
    body: #"{"responses":[{"question":"mood","value":"good"}]}"#)
  #expect(status == 200, "\(document)")
  home.fakes.pass(seconds: 900)
  await home.engine.wake()
  #expect(home.fakes.types.filter { $0 == "completed" || $0 == "response" }.count == 2)
  #expect(home.fakes.state.withLock { $0.played.count } == 1)
}

@Test func `a heartbeat comes every fifteen minutes, also after a clock step back`() async throws {
  let home = await ServedHome()
  for _ in 0..<4 {
    home.fakes.pass(seconds: 900)
    await home.engine.wake()
  }
  #expect(home.fakes.types.filter { $0 == "heartbeat" }.count == 4)
  home.fakes.state.withLock { $0.now.wall = $0.now.wall.adding(seconds: -86_400) }
  await home.engine.wake()
  #expect(home.fakes.types.filter { $0 == "heartbeat" }.count == 5)
  #expect(home.fakes.types.contains("clock_step"))
}

@Test func `two caretakers cannot overwrite each other`() async throws {
  let home = await ServedHome()
  _ = try await home.ask(.addAlarm, body: pills)
  let one = try await home.ask(
    .editAlarm, ["id": "alarm1"], body: #"{"label":"Morning pills"}"#,
    headers: ["if-match": "\"1\""])
  #expect(one.status == 200)
  #expect(one.document["alarm"]?["version"]?.integer == 2)
  let two = try await home.ask(
    .editAlarm, ["id": "alarm1"], body: #"{"label":"Evening pills"}"#,
    headers: ["if-match": "\"1\""])
  #expect(two.status == 412)
  #expect(two.document["version"]?.integer == 2)
  #expect(
    try await home.ask(.showAlarm, ["id": "alarm1"]).document["alarm"]?["label"]?.string
      == "Morning pills")
}

@Test func `an old version of an alarm cannot be removed`() async throws {
  let home = await ServedHome()
  _ = try await home.ask(.addAlarm, body: pills)
  _ = try await home.ask(.editAlarm, ["id": "alarm1"], body: #"{"label":"Morning pills"}"#)
  let before = home.fakes.types
  let stale = try await home.ask(
    .removeAlarm, ["id": "alarm1"], headers: ["if-match": "\"1\""])
  #expect(stale.status == 412 && stale.document["version"]?.integer == 2)
  #expect(home.fakes.types == before)
  let current = try await home.ask(
    .removeAlarm, ["id": "alarm1"], headers: ["if-match": "\"2\""])
  #expect(current.status == 200)
}

@Test func `two caretakers cannot overwrite each other's change of a person`() async throws {
  let home = await ServedHome()
  _ = try await home.ask(.addPerson, body: #"{"id":"hilde","name":"Hilde"}"#, role: .admin)
  let shown = try await home.ask(.showPerson, ["id": "hilde"])
  let version = try #require(shown.document["person"]?["version"]?.integer)
  let tag = "\"\(version)\""
  let one = try await home.ask(
    .changePerson, ["id": "hilde"], body: #"{"name":"Hilde S"}"#, headers: ["if-match": tag],
    role: .admin)
  #expect(one.status == 200 && one.document["person"]?["version"]?.integer == version + 1)
  let before = home.fakes.types
  let two = try await home.ask(
    .changePerson, ["id": "hilde"], body: #"{"name":"Otto"}"#, headers: ["if-match": tag],
    role: .admin)
  #expect(two.status == 412)
  #expect(home.fakes.types == before)
}

@Test(arguments: [
  (#"{"label":"x","schedule":"2026-02-30 08:00"}"#, "schedule", "30"),
  (#"{"label":"x","schedule":"every day 25:00"}"#, "schedule", "25:00"),
  (#"{"label":"x","schedule":"every day 08:00","zone":"Mars/Base"}"#, "zone", "Mars/Base"),
  (#"{"label":"x","schedule":"every day 08:00","tone":"mum"}"#, "tone", "mum"),
  (#"{"label":"","schedule":"every day 08:00"}"#, "label", "0 characters"),
  (#"{"label":"x","schedule":"every 5 minutes"}"#, "schedule", "60 times"),
  (#"{"label":"x","schedule":"every day 08:00","rings":0}"#, "rings", "1 to 20"),
  (#"{"label":"x","schedule":"2020-01-01 08:00"}"#, "schedule", "never ring"),
  (#"{"label":"x"}"#, "schedule", "every day 08:00"),
])
func `bad input is refused with the field and the reason, and changes nothing`(
  body: String, field: String, words: String
) async throws {
  let home = await ServedHome()
  let before = home.fakes.types.count
  let (status, document) = try await home.ask(.addAlarm, body: body)
  #expect([422, 429].contains(status))
  #expect(document["field"]?.string == field)
  #expect(document["detail"]?.string?.contains(words) == true, "\(document)")
  #expect(home.fakes.types.count == before)
}
