import API
import Alarms
import Fakes
import JSONValue
import RequestHandlers
import Synchronization
import Testing

@Suite struct OnceTests {
  static let body = #"{"label":"Pills","schedule":"every day 08:00","duplicate":true}"#
  static let key = ["idempotency-key": "k1"]

  @Test func `each change sent three times with one key happens once and gives the same reply`()
    async throws
  {
    let home = await ServedHome()
    let added = try await home.ask(.addAlarm, body: Self.body)
    let id = try #require(added.document["alarm"]?["id"]?.string)
    _ = try await home.ask(.addAlarm, body: Self.body)
    let changes: [(Route.Operation, [String: String], String)] = [
      (.addAlarm, [:], Self.body), (.editAlarm, ["id": id], #"{"rings":2}"#),
      (.removeAlarm, ["id": id], ""),
    ]
    for (operation, parameters, body) in changes {
      let headers = ["idempotency-key": "\(operation)"]
      let first = try await home.ask(operation, parameters, body: body, headers: headers)
      let events = home.fakes.types
      #expect((200..<300).contains(first.status), "\(first)")
      for _ in 0..<2 {
        let again = try await home.ask(operation, parameters, body: body, headers: headers)
        #expect(again.status == first.status && again.document == first.document)
      }
      #expect(home.fakes.types == events)
    }
    #expect(home.fakes.types.filter { $0 == "alarm_created" }.count == 3)
    #expect(home.fakes.state.withLock { $0.idempotencyRecords.count } == 3)
  }

  @Test func `a change that changes nothing still uses up its key`() async throws {
    let home = await ServedHome()
    let added = try await home.ask(
      .addAlarm, body: #"{"label":"Pills","schedule":"every day 08:00"}"#)
    let id = try #require(added.document["alarm"]?["id"]?.string)
    let events = home.fakes.types
    let same = try await home.ask(
      .editAlarm, ["id": id], body: #"{"label":"Pills"}"#, headers: Self.key)
    #expect(same.status == 200 && home.fakes.types == events, "\(same)")
    #expect(home.fakes.state.withLock { $0.idempotencyRecords.count } == 1)
    let other = try await home.ask(
      .editAlarm, ["id": id], body: #"{"label":"Walk"}"#, headers: Self.key)
    #expect(other.document["kind"]?.string == "key_reused", "\(other)")
    #expect(home.fakes.types == events)
  }

  @Test func `a test ring that is repeated with the same key does not sound again`()
    async throws
  {
    let home = await ServedHome()
    let body = #"{"percent":40}"#
    let first = try await home.ask(.testRing, body: body, headers: Self.key)
    #expect(first.status == 200, "\(first)")
    let again = try await home.ask(.testRing, body: body, headers: Self.key)
    #expect(again.status == 200 && again.document == first.document)
    #expect(home.fakes.types.count { $0 == "test_ring" } == 1)
    #expect(home.fakes.state.withLock { $0.idempotencyRecords.count } == 1)
    // A request with a different level is a different request. The daemon refuses a different
    // request with the same key.
    #expect(
      try await home.ask(.testRing, body: #"{"percent":50}"#, headers: Self.key).status == 409)
  }

  @Test func `the first ring of an alarm sounds as a test, and is no ring of a prompt`()
    async throws
  {
    let home = await ServedHome()
    let added = try await home.ask(.addAlarm, body: Self.body)
    let id = try #require(added.document["alarm"]?["id"]?.string)
    let before = home.fakes.types
    let reply = try await home.ask(.testRing, body: "{\"alarm\":\"\(id)\"}")
    #expect(reply.status == 200, "\(reply)")
    // The home has no voice for speech, so the ring contains the built-in tone instead of the
    // words. The reply contains the reason.
    #expect(reply.document["voice"]?.string == "there is no voice")
    #expect(reply.document["duration_ms"]?.integer == 2_000)
    let orders = home.fakes.state.withLock { $0.rehearsed }
    #expect(orders.count == 1 && orders.first?.words?.text == "Pills")
    #expect(orders.first?.prompt.alarm.text == id)
    #expect(Array(home.fakes.types.dropFirst(before.count)) == ["test_ring"])
    let unknown = try await home.ask(.testRing, body: #"{"alarm":"nothing"}"#)
    #expect(unknown.status == 422 && unknown.document["field"]?.string == "alarm")
    #expect(
      try await home.ask(.setLevel, body: #"{"device":"x","percent":50,"alarm":"x"}"#).status == 422
    )
    #expect(home.fakes.types.count { $0 == "test_ring" } == 1)
  }

  @Test
  func `a key with another request is refused, and equal keys of two users are different keys`()
    async throws
  {
    let home = await ServedHome()
    _ = try await home.ask(.addAlarm, body: Self.body, headers: Self.key)
    let other = try await home.ask(
      .addAlarm, body: #"{"label":"Tea","schedule":"every day 08:00"}"#, headers: Self.key)
    #expect(other.status == 409 && other.document["kind"]?.string == "key_reused")
    let second = await home.handler.answer(
      APIRequest(
        operation: .addAlarm, actor: Actor(role: .caretaker, id: "uid:7", source: "socket"),
        headers: Self.key, body: Array(Self.body.utf8)))
    #expect(second.status == 201)
    #expect(home.fakes.types.filter { $0 == "alarm_created" }.count == 2)
  }

  @Test func `a refusal is not stored, and a quoted key is the same key`() async throws {
    let home = await ServedHome()
    let bad = try await home.ask(.addAlarm, body: #"{"label":"A"}"#, headers: Self.key)
    #expect(bad.status == 422)
    #expect(try await home.ask(.addAlarm, body: Self.body, headers: Self.key).status == 201)
    let quoted = ["idempotency-key": "\"k1\""]
    #expect(try await home.ask(.addAlarm, body: Self.body, headers: quoted).status == 201)
    #expect(home.fakes.types.filter { $0 == "alarm_created" }.count == 1)
  }

  @Test(arguments: ["", "a b", "ü", String(repeating: "k", count: 65)])
  func `a malformed key is refused by name`(key: String) async throws {
    let home = await ServedHome()
    let reply = try await home.ask(
      .addAlarm, body: Self.body, headers: ["idempotency-key": key])
    #expect(reply.status == 422 && reply.document["field"]?.string == "Idempotency-Key")
    #expect(!home.fakes.types.contains("alarm_created"))
  }

  @Test
  func
    `one of two simultaneous requests with one key takes effect, and the other repeats or must wait`()
    async throws
  {
    let home = await ServedHome()
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 {
        group.addTask {
          try await home.ask(.addAlarm, body: Self.body, headers: Self.key).status
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.contains(201) && statuses.allSatisfy { $0 == 201 || $0 == 409 })
    #expect(home.fakes.types.filter { $0 == "alarm_created" }.count == 1)
  }

  @Test func `none of a thousand simultaneous edits is lost`() async throws {
    let home = await ServedHome()
    let added = try await home.ask(.addAlarm, body: Self.body)
    let id = try #require(added.document["alarm"]?["id"]?.string)
    // Ten editors work at the same time. Each editor reads the number, adds one, and writes the new
    // number with If-Match. If the daemon refuses the write, the editor reads the number again.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          for _ in 0..<100 {
            while true {
              let shown = try await home.ask(.showAlarm, ["id": id])
              let version = shown.document["alarm"]?["version"]?.integer ?? 0
              let count = Int(shown.document["alarm"]?["instructions"]?.string ?? "") ?? 0
              let reply = try await home.ask(
                .editAlarm, ["id": id], body: #"{"instructions":"\#(count + 1)"}"#,
                headers: ["if-match": "\"\(version)\""])
              if reply.status == 200 { break }
              #expect(reply.status == 412)
              #expect((reply.document["version"]?.integer ?? 0) > version)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let last = try await home.ask(.showAlarm, ["id": id])
    #expect(last.document["alarm"]?["instructions"]?.string == "1000")
    #expect(last.document["alarm"]?["version"]?.integer == 1_001)
  }

  @Test func `the pages of a list together are the whole list`() async throws {
    let home = await ServedHome()
    for number in 1...7 {
      let body = #"{"label":"Task \#(number)","schedule":"every day 0\#(number):00"}"#
      _ = try await home.ask(.addAlarm, body: body)
    }
    var labels: [String] = []
    var query = ["limit": "3"]
    while true {
      let page = try await home.ask(.listAlarms, query: query)
      labels += page.document["alarms"]?.array?.compactMap { $0["label"]?.string } ?? []
      guard let next = page.document["next_after"]?.string else { break }
      query["after"] = next
    }
    #expect(labels == (1...7).map { "Task \($0)" })
    let gone = try await home.ask(.listAlarms, query: ["after": "nosuch"])
    #expect(gone.status == 422 && gone.document["field"]?.string == "after")
  }
}
