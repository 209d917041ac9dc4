import API
import Alarms
import Engine
import Fakes
import JSONValue
import RequestHandlers
import Synchronization
import Testing

/// Tests the shares of users in a store.
///
/// A user cannot fill the part of a store that is guaranteed to other users. The stores contain the
/// recordings, the pictures and the alarms of a home.
@Suite struct SharesTests {
  private static let anna = "uid:1", bob = "uid:2"

  private func limits() -> HomeLimits {
    var limits = HomeLimits.standard
    (limits.alarms, limits.tones, limits.pictures) = (16, 16, 16)
    return limits
  }

  private func addTone(
    _ home: ServedHome, _ name: String, _ sound: String, _ user: String
  ) async throws -> (status: Int, document: JSON) {
    try await home.ask(
      .addTone, ["name": name], body: sound, query: ["replace": "yes"], user: user)
  }

  private func recordings(_ home: ServedHome) -> Set<String> {
    home.fakes.state.withLock { Set($0.recordings.keys) }
  }

  @Test
  func
    `a user with too many tones does not keep others from adding one, and refusals leave no file`()
    async throws
  {
    let home = await ServedHome(limits: limits())
    var answers: [Int] = []
    for number in 0..<20 {
      answers.append(try await addTone(home, "t\(number)", "anna\(number)", Self.anna).status)
    }
    #expect(answers == Array(repeating: 201, count: 8) + Array(repeating: 429, count: 12))
    #expect(recordings(home).count == 8)
    // Anna and Bob fill their shares. A third user can still add one recording, because this
    // recording is in the guaranteed part of the third user.
    for number in 0..<8 {
      #expect(try await addTone(home, "b\(number)", "bob\(number)", Self.bob).status == 201)
    }
    let refused = try await addTone(home, "b8", "bob8", Self.bob)
    #expect(refused.status == 429 && refused.document["kind"]?.string == "limit")
    #expect(refused.document["detail"]?.string?.contains("8 recordings") == true, "\(refused)")
    #expect(try await addTone(home, "c", "cleo", "uid:3").status == 201)
    #expect(try await addTone(home, "c2", "cleo2", "uid:3").status == 429)
    // A replacement does not increase the number of recordings.
    #expect(try await addTone(home, "t3", "anna, better", Self.anna).status == 201)
    #expect(
      try await addTone(home, "t4", String(repeating: "x", count: 900), Self.anna).status == 201)
    #expect(recordings(home).count == 17)
    #expect(!recordings(home).contains("anna3") && recordings(home).contains("anna, better"))
  }

  @Test func `the bytes of all tones are limited, first for each user and then for all`()
    async throws
  {
    var limits = limits()
    limits.toneBytes = 20_000
    let home = await ServedHome(limits: limits)
    let sound = String(repeating: "a", count: 90)
    #expect(try await addTone(home, "a", sound, Self.anna).status == 201)
    #expect(try await addTone(home, "b", sound + "b", Self.anna).status == 429)
    #expect(try await addTone(home, "b", sound + "b", Self.bob).status == 201)
    #expect(try await addTone(home, "a", sound + "c", Self.anna).status == 201)
    #expect(recordings(home) == [sound + "b", sound + "c"])
  }

  @Test func `a recording is removed with its last tone, and not while a ring plays it`()
    async throws
  {
    let home = await ServedHome()
    _ = try await addTone(home, "dad", "first", Self.anna)
    let body = #"{"label":"Pills","schedule":"in 1 second","tone":"dad","rings":1}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    #expect(home.fakes.state.withLock { $0.played.count } == 1)
    #expect(try await addTone(home, "dad", "second", Self.anna).status == 201)
    #expect(recordings(home) == ["first", "second"])
    #expect(await home.engine.read { home, _ in home.neededRecordings } == ["first", "second"])
    _ = try await home.ask(.complete, ["id": "current"])
    #expect(await home.engine.read { home, _ in home.neededRecordings } == ["second"])
    _ = try await addTone(home, "mum", "second", Self.bob)
    _ = try await home.ask(.removeTone, ["name": "mum"])
    #expect(recordings(home).contains("second"))
    let removed = try await home.ask(
      .removeTone, ["name": "dad"], query: ["replace_with": "none"])
    #expect(removed.status == 422 && recordings(home).contains("second"))
  }

  @Test func `a user with too many pictures does not keep a patient from adding a photo`()
    async throws
  {
    let home = await ServedHome(limits: limits())
    func add(_ bytes: Int, _ user: String, _ role: Role) async throws -> Int {
      try await home.ask(
        .addImage, body: String(repeating: "p", count: bytes), role: role, user: user
      ).status
    }
    for number in 1...8 { #expect(try await add(number, Self.anna, .caretaker) == 201) }
    #expect(try await add(9, Self.anna, .caretaker) == 429)
    for number in 11...18 { #expect(try await add(number, Self.bob, .caretaker) == 201) }
    #expect(home.fakes.state.withLock { $0.pictures.count } == 16)
    #expect(try await add(21, "uid:3", .patient) == 201)
    #expect(try await add(22, "uid:3", .patient) == 429)
    #expect(home.fakes.state.withLock { $0.pictures.count } == 17)
    // Anna uploads a picture that she has already added. The daemon accepts this upload, because
    // it adds no picture.
    #expect(try await add(8, Self.anna, .caretaker) == 201)
    #expect(home.fakes.types.count { $0 == "image_added" } == 17)
  }

  @Test func `a user with too many alarms does not keep others from setting one or from answering`()
    async throws
  {
    let home = await ServedHome(limits: limits())
    func add(_ user: String, _ schedule: String = "every day 08:00") async throws -> Int {
      let body = #"{"label":"Pills","schedule":"\#(schedule)","duplicate":true}"#
      return try await home.ask(.addAlarm, body: body, user: user).status
    }
    for _ in 0..<16 { #expect(try await add(Self.anna) == 201) }
    #expect(try await add(Self.anna) == 429)
    #expect(try await add(Self.bob, "in 1 second") == 201)
    #expect(try await add(Self.bob) == 429)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    let done = try await home.ask(.complete, ["id": "current"], role: .patient, user: "uid:3")
    #expect(done.status == 200, "\(done)")
    let id = try #require(
      await home.engine.read { home, _ in home.alarms.map(\.id.text).min() })
    #expect(try await home.ask(.removeAlarm, ["id": id], user: Self.anna).status == 200)
  }

  @Test func `nothing is stored if the disk has only the space that the record needs`() async throws
  {
    let home = await ServedHome()
    home.fakes.state.withLock { $0.freeBytes = DiskSpaceLimits.lowBytes + 3 }
    #expect(
      try await home.ask(.addImage, body: "1234").document["kind"]?.string == "storage_failed")
    #expect(
      try await addTone(home, "dad", "1234", Self.anna).document["kind"]?.string
        == "storage_failed")
    #expect(home.fakes.state.withLock { $0.pictures.isEmpty && $0.recordings.isEmpty })
    #expect(try await home.ask(.addImage, body: "123").status == 201)
    home.fakes.state.withLock {
      $0.freeBytes = 1 << 30
      $0.lowSpaceReason = "the disk is full"
    }
    #expect(
      try await home.ask(.addImage, body: "12345").document["kind"]?.string == "storage_failed")
    #expect(home.fakes.state.withLock { $0.pictures.count } == 1)
  }

  @Test func `a file is not kept if the record cannot be written`() async throws {
    let home = await ServedHome()
    home.fakes.fillDisk(true)
    #expect(
      try await home.ask(.addImage, body: "1234").document["kind"]?.string == "storage_failed")
    #expect(
      try await addTone(home, "dad", "1234", Self.anna).document["kind"]?.string
        == "storage_failed")
    #expect(home.fakes.state.withLock { $0.pictures.isEmpty && $0.recordings.isEmpty })
  }
}

/// Tests the limit for repeated answers to one prompt. The limit never applies to an answer that
/// ends a ring of this prompt.
@Suite struct RepeatsTests {
  private func ringing(_ extra: String = "") async throws -> ServedHome {
    let home = await ServedHome()
    let body = #"{"label":"Pills","schedule":"in 1 second"\#(extra)}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    return home
  }

  private func answer(_ home: ServedHome, _ operation: Route.Operation) async throws -> Int {
    try await home.ask(operation, ["id": "current"], role: .patient).status
  }

  @Test(arguments: [Route.Operation.complete, .decline, .delay, .acknowledge])
  func `an answer is undone twenty times and given once more`(_ given: Route.Operation)
    async throws
  {
    let home = try await ringing()
    for _ in 0..<20 {
      #expect(try await answer(home, given) == 200)
      #expect(try await answer(home, .undo) == 200)
    }
    let before = home.fakes.types.count
    #expect(try await answer(home, .complete) == 200)
    let refused = try await home.ask(.undo, ["id": "current"], role: .patient)
    #expect(refused.status == 429 && refused.document["kind"]?.string == "limit", "\(refused)")
    #expect(
      refused.document["detail"]?.string
        == "cannot undo: answers to this prompt were undone 20 times, which is the limit; answer "
        + "it again, or ask a caretaker")
    #expect(home.fakes.types.count - before <= 2)
  }

  @Test func `an acknowledgement is accepted twenty times, and a completion after that`()
    async throws
  {
    let home = try await ringing()
    for _ in 0..<20 { #expect(try await answer(home, .acknowledge) == 200) }
    #expect(try await answer(home, .acknowledge) == 429)
    #expect(home.fakes.types.count { $0 == "acknowledged" } == 20)
    #expect(try await answer(home, .complete) == 200)
  }

  @Test func `a question takes twenty answers, also after its prompt is closed`() async throws {
    let home = try await ringing(
      #","questions":[{"name":"pain","text":"Pain?","kind":"scale","min":0,"max":10}]"#)
    func respond(_ id: String) async throws -> (status: Int, document: JSON) {
      try await home.ask(
        .respond, ["id": id], body: #"{"responses":[{"question":"pain","value":3}]}"#,
        role: .patient)
    }
    for _ in 0..<20 { #expect(try await respond("current").status == 200) }
    let refused = try await respond("current")
    #expect(refused.status == 429, "\(refused)")
    #expect(refused.document["field"]?.string == "responses[0].question")
    let done = try await home.ask(.complete, ["id": "current"])
    let id = try #require(done.document["id"]?.string)
    #expect(try await respond(id).status == 429)
    #expect(home.fakes.types.count { $0 == "response" } == 20)
  }
}
