import API
import Alarms
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests parts of the status that no golden file covers.
@Suite struct StatusTests {
  @Test func `inactive people are in the order of their ids, and faults come with their reasons`()
    async throws
  {
    let home = await ServedHome()
    let names = ["gina", "anna", "fritz", "bob", "eva", "carl", "dora"]
    for name in names {
      let person = try await home.ask(
        .addPerson,
        body: """
          {"id":"\(name)","inactivity_hours":3,"inactivity_tell":[{"contact":"bob","after":"0s"}]}
          """, role: .admin)
      #expect(person.status == 201, "\(person)")
      let body = #"{"label":"Task","schedule":"every day 08:01","person":"\#(name)"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    home.fakes.pass(seconds: 61)
    await home.engine.wake()
    for _ in names {
      guard let order = home.fakes.state.withLock({ $0.played.last }) else { break }
      await home.engine.handle(.started(order.prompt, ring: order.ring, device: "card0"))
      home.fakes.pass(seconds: 1)
      await home.engine.handle(
        .ended(
          order.prompt, ring: order.ring, device: "card0", frames: 480, xruns: 0, stopped: false))
    }
    let inactive = try await home.ask(.status).document["inactive"]?.array ?? []
    #expect(inactive.map { $0["person"]?.string } == names.sorted())
    #expect(inactive.allSatisfy { $0["notified"]?.integer == 0 })
  }

  @Test func `each fault of the machine is a problem, and the others are hidden from a tied user`()
    async throws
  {
    let home = await ServedHome()
    for name in ["anna", "bob"] {
      _ = try await home.ask(.addPerson, body: #"{"id":"\#(name)"}"#, role: .admin)
    }
    let sound = try await home.ask(.addTone, ["name": "dad"], body: "sound")
    #expect(sound.status == 201)
    let body = #"{"label":"Task","schedule":"every day 09:00","person":"anna","tone":"dad"}"#
    #expect(try await home.ask(.addAlarm, body: body).status == 201)
    func problems(
      _ only: String? = nil, _ change: @escaping @Sendable (inout MachineReport) -> Void
    ) async throws -> [String] {
      let handler = home.handler(machine: change)
      let document = try await home.ask(
        .status, role: only == nil ? .caretaker : .patient, only: only.map { PersonID($0) },
        at: handler
      ).document
      #expect(
        document["state"]?.string
          == (document["problems"]?.array?.isEmpty == true ? "ok" : "degraded"))
      return (document["problems"]?.array ?? []).compactMap { $0["detail"]?.string }
    }
    #expect(try await problems { _ in } == [])
    let limit = DiskSpaceLimits.lowBytes
    #expect(try await problems { $0.freeBytes = limit } == [])
    #expect(
      try await problems { $0.freeBytes = limit - 1 }
        == ["the disk has only \((limit - 1) >> 20) MiB left"])
    #expect(try await problems { $0.freeBytes = nil } == [])
    let missing: @Sendable (inout MachineReport) -> Void = {
      $0.missingRecordings = ["dad", "mum"]
      $0.contactTroubles = ["the command of carl cannot be started"]
      $0.configuredPeople = ["anna", "zoe"]
    }
    #expect(
      try await problems(nil, missing).prefix(2) == [
        "recordings are missing: dad, mum", "the command of carl cannot be started",
      ])
    #expect(try await problems(nil, missing).count == 3)
    #expect(try await problems("anna", missing) == ["recordings are missing: dad"])
    #expect(try await problems("bob", missing) == [])
    #expect(try await problems("zoe", missing).count == 1)
  }

  @Test(arguments: [(54, 1), (55, 0), (70, 0), (71, 0)])
  func `a card that is more than 15 percentage points too soft is a problem`(
    percent: Int, count: Int
  ) async throws {
    let home = await ServedHome()
    let added = try await home.ask(.addAlarm, body: #"{"label":"Pills","schedule":"in 1 second"}"#)
    #expect(added.status == 201)
    home.fakes.pass(seconds: 2)
    await home.engine.wake()
    let order = try #require(home.fakes.state.withLock { $0.played.last })
    let level = SoundLevel(foundPercent: 20, wasMuted: false, setPercent: percent)
    await home.engine.handle(
      .started(order.prompt, ring: order.ring, device: "card0", level: level))
    let set = try await home.ask(.setLevel, body: #"{"device":"card0","percent":70}"#)
    #expect(set.status == 200, "\(set)")
    let problems = try await home.ask(.status).document["problems"]?.array ?? []
    let expected = "the card of card0 is calibrated to 70 %, but reached only \(percent) %"
    #expect(problems.map { $0["detail"]?.string } == (count == 1 ? [expected] : []))
  }

  @Test(arguments: [
    (String(repeating: "a", count: 64), 201), (String(repeating: "a", count: 65), 422),
    ("a.b-c_D9", 201), (".a", 422), ("-a", 201), ("a b", 422), ("a/b", 422), ("\u{E9}", 422),
    ("\u{BD}", 422), ("", 422),
  ])
  func `the name of a tone has up to 64 plain characters`(name: String, status: Int) async throws {
    let home = await ServedHome()
    let added = try await home.ask(.addTone, ["name": name], body: "sound")
    #expect(added.status == status, "\(added)")
    if status != 201 { #expect(added.document["field"]?.string == "name") }
    #expect(home.fakes.types.contains("tone_added") == (status == 201))
  }

  @Test func `several alarms with a missing contact are one problem`() async throws {
    let home = await ServedHome()
    for label in ["Pills", "Tea"] {
      let body = #"{"label":"\#(label)","schedule":"every day 09:00","tell":[{"contact":"anna"}]}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    let found = await home.engine.read { home, _ in home.unreachable(among: ["bob"]) }
    #expect(
      found.map(\.detail) == ["there is no contact \"anna\", but 2 alarms would notify it"])
    #expect(await home.engine.read { home, _ in home.unreachable(among: ["anna"]) } == [])
  }

  @Test func `the metrics count the open streams of all users`() async throws {
    let home = await ServedHome()
    func streams() async throws -> [Substring] {
      let response = await home.handler.answer(
        APIRequest(
          operation: .metrics, actor: Actor(role: .admin, id: "uid:9", source: "socket")))
      guard case .bytes(let bytes) = response.body else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter {
        $0.hasPrefix("prompter_event_streams ")
      }
    }
    #expect(try await streams() == ["prompter_event_streams 0"])
    var open: [APIResponse] = []
    for user in ["uid:1", "uid:2", "uid:1"] {
      open.append(
        await home.handler.answer(
          APIRequest(
            operation: .events, actor: Actor(role: .caretaker, id: user, source: "socket"))))
    }
    #expect(try await streams() == ["prompter_event_streams 3"])
    withExtendedLifetime(open) {}
  }

  @Test func `a list of pictures has at most a thousand on a page`() async throws {
    let home = await ServedHome()
    for (limit, status) in [("0", 422), ("1", 200), ("1000", 200), ("1001", 422)] {
      #expect(try await home.ask(.listImages, query: ["limit": limit]).status == status)
    }
    for (operation, most) in [
      (.listTones, 500), (.listPeople, 1_000), (.listAlarms, 5_000),
      (.agenda, 1_000), (.listPrompts, 1_000), (.listMessages, 1_000),
    ] as [(Route.Operation, Int)] {
      for (limit, status) in [(most, 200), (most + 1, 422)] {
        let found = try await home.ask(operation, query: ["limit": "\(limit)"], role: .admin)
        #expect(found.status == status, "\(operation) \(limit)")
      }
    }
  }
}
