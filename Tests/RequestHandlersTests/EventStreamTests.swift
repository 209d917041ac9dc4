import API
import Alarms
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests the exact text of each piece of the event stream.
@Suite struct EventStreamTests {
  private static let (anna, bob) = (PersonID("anna"), PersonID("bob"))

  /// A record whose rows a test sets.
  ///
  /// `waits` contains the results of the next waits for new rows: true for new rows, false for a
  /// wait without new rows, nil if the daemon stops.
  private final class Rows: Sendable {
    struct State {
      var rows: [String] = []
      var waits: [Bool?] = []
      var waitedAfter: [Int64] = []
      /// A row that each wait adds.
      var added: String?
    }
    let state = Mutex(State())

    init(_ rows: [String], waits: [Bool?] = []) {
      state.withLock { ($0.rows, $0.waits) = (rows, waits) }
    }

    /// Returns a handler of a home whose record contains these rows. Each wait takes 5 seconds.
    func handler(_ home: ServedHome) -> RequestHandler {
      let fakes = home.fakes
      return home.handler(archive: { archive in
        archive.head = { (Int64(self.state.withLock { $0.rows.count }), "head") }
        archive.events = { after, limit in
          let rows = self.state.withLock { $0.rows }
          return try rows.enumerated().dropFirst(Int(after)).prefix(limit).map { place, row in
            var json = try JSON(parsing: Array(row.utf8))
            json.set("seq", .integer(Int64(place + 1)))
            return json
          }
        }
        archive.newEvents = { after in
          fakes.pass(seconds: 5)
          return self.state.withLock { state in
            state.waitedAfter.append(after)
            if let row = state.added { state.rows.append(row) }
            return state.waits.isEmpty ? nil : state.waits.removeFirst()
          }
        }
        archive.study.code = { $0 == EventStreamTests.anna ? "P-1" : nil }
      })
    }
  }

  private static func request(
    _ role: Role = .caretaker, only: PersonID? = nil, after: String? = nil, last: String? = nil
  ) -> APIRequest {
    var request = APIRequest(
      operation: .events, actor: Actor(role: role, id: "uid:1", source: "socket"),
      query: after.map { ["after": $0] } ?? [:], headers: last.map { ["last-event-id": $0] } ?? [:])
    request.only = only
    return request
  }

  /// Returns the pieces of a stream up to its end.
  private func pieces(_ handler: RequestHandler, _ request: APIRequest) async throws -> [String] {
    let response = await handler.answer(request)
    #expect(response.status == 200 && response.contentType == "text/event-stream")
    #expect(response.headers == ["cache-control": "no-store"])
    guard case .stream(let chunks) = response.body else { return [] }
    var pieces: [String] = []
    for try await chunk in chunks { pieces.append(String(decoding: chunk, as: UTF8.self)) }
    return pieces
  }

  private static func row(_ type: String, of code: String = "P-1") -> String {
    #"{"seq":0,"person":"\#(code)","type":"\#(type)","prompt_id":"a@1","ring_no":null,"#
      + #""alarm_id":"a","actor_id":"uid:0","wall_utc_ms":5,"payload":{"x":1}}"#
  }

  @Test func `a stream begins after the given event, else after the newest one`() async throws {
    let home = await ServedHome()
    let rows = Rows((1...3).map { #"{"seq":0,"type":"heartbeat","n":\#($0)}"# })
    let greeting = { (after: Int) in "retry: 2000\n: after \(after), the record is at 3\n\n" }
    let event = { (seq: Int) in
      "id: \(seq)\nevent: heartbeat\ndata: {\"seq\":\(seq),\"type\":\"heartbeat\",\"n\":\(seq)}\n\n"
    }
    let handler = rows.handler(home)
    let cases: [(after: String?, last: String?, [String])] = [
      (nil, nil, [greeting(3)]), ("3", nil, [greeting(3)]),
      ("1", nil, [greeting(1), event(2) + event(3)]),
      ("0", nil, [greeting(0), event(1) + event(2) + event(3)]),
      ("0", "2", [greeting(2), event(3)]),
      (nil, "0", [greeting(0), event(1) + event(2) + event(3)]),
    ]
    for (after, last, expected) in cases {
      let found = try await pieces(handler, Self.request(after: after, last: last))
      #expect(found == expected, "\(after ?? "") \(last ?? "")")
    }
    #expect(rows.state.withLock { $0.waitedAfter } == [3, 3, 3, 3, 3, 3])
  }

  @Test func `a number that is no event of the record is refused with its field`() async throws {
    let home = await ServedHome()
    let handler = Rows([#"{"type":"heartbeat"}"#]).handler(home)
    let newer = "start a new stream without this number"
    let cases: [(APIRequest, field: String, detail: String)] = [
      (Self.request(after: "2"), "after", "there is no event 2 yet: the newest is 1; \(newer)"),
      (
        Self.request(.patient, only: Self.anna, after: "2"), "after",
        "there is no event 2 yet; \(newer)"
      ),
      (
        Self.request(last: "2"), "Last-Event-ID",
        "there is no event 2 yet: the newest is 1; \(newer)"
      ),
      (Self.request(last: "x"), "Last-Event-ID", "\"x\" is not the sequence number of an event"),
      (Self.request(last: "-1"), "Last-Event-ID", "\"-1\" is not the sequence number of an event"),
    ]
    for (request, field, detail) in cases {
      let response = await handler.answer(request)
      guard case .bytes(let bytes) = response.body else {
        Issue.record("\(detail): there is a stream")
        continue
      }
      let document = try JSON(parsing: bytes)
      #expect(response.status == 422 && document["field"]?.string == field)
      #expect(document["detail"]?.string == "\(field): \(detail)")
    }
    #expect(await handler.answer(Self.request(after: "-1")).status == 422)
  }

  @Test func `a piece has at most a hundred events, and a wait without events sends a line`()
    async throws
  {
    let home = await ServedHome()
    let rows = Rows(
      Array(repeating: #"{"type":"heartbeat"}"#, count: 201), waits: [false, true, false, nil])
    let found = try await pieces(rows.handler(home), Self.request(after: "0"))
    let counts = found.map { $0.split(separator: "\n").count { $0.hasPrefix("id: ") } }
    #expect(counts == [0, 100, 100, 1, 0, 0])
    #expect(found.suffix(2) == [": the record is at 201\n\n", ": the record is at 201\n\n"])
    #expect(rows.state.withLock { $0.waitedAfter } == [201, 201, 201, 201])
    let tied = Rows([Self.row("due")], waits: [false])
    #expect(
      try await pieces(tied.handler(home), Self.request(.patient, only: Self.bob))
        == ["retry: 2000\n: welcome\n\n", ": still here\n\n"])
  }

  @Test func `a patient gets the columns of own prompts and no event of another person`()
    async throws
  {
    let home = await ServedHome()
    let rows = Rows([
      Self.row("due"), Self.row("due", of: "P-2"), Self.row("heartbeat"), Self.row("completed"),
      #"{"type":"due","person":null}"#, #"{"person":"P-1"}"#,
    ])
    func event(_ seq: Int, _ type: String) -> String {
      "id: \(seq)\nevent: \(type)\n"
        + #"data: {"seq":\#(seq),"type":"\#(type)","prompt_id":"a@1","ring_no":null,"alarm_id":"a","#
        + #""wall_utc_ms":5}"# + "\n\n"
    }
    let tied = try await pieces(
      rows.handler(home), Self.request(.patient, only: Self.anna, after: "0"))
    #expect(tied == ["retry: 2000\n: welcome\n\n", event(1, "due") + event(4, "completed")])
    // The record contains no data of Bob, so the stream for Bob contains no event.
    let other = try await pieces(
      rows.handler(home), Self.request(.patient, only: Self.bob, after: "0"))
    #expect(other == ["retry: 2000\n: welcome\n\n"])
    let lone = try await pieces(rows.handler(home), Self.request(.patient, after: "0"))
    #expect(
      lone == [
        "retry: 2000\n: after 0, the record is at 6\n\n",
        event(1, "due") + event(2, "due") + event(4, "completed")
          + "id: 5\nevent: due\ndata: {\"seq\":5,\"type\":\"due\"}\n\n",
      ])
    let hidden = Rows([Self.row("heartbeat"), Self.row("heartbeat")])
    let unseen = try await pieces(hidden.handler(home), Self.request(.patient, after: "0"))
    #expect(unseen.dropFirst() == ["id: 2\n: \n\n"])
  }

  @Test(arguments: RequestHandler.patientTypes.sorted())
  func `a patient gets each type of event about a prompt`(type: String) async throws {
    let home = await ServedHome()
    let handler = Rows([Self.row(type)]).handler(home)
    let found = try await pieces(handler, Self.request(.patient, only: Self.anna, after: "0"))
    #expect(found.last?.hasPrefix("id: 1\nevent: \(type)\n") == true)
  }

  @Test func `a client without events gets a line after a full piece or after 15 seconds`()
    async throws
  {
    let home = await ServedHome()
    let line = ": still here\n\n"
    let request = Self.request(.patient, only: Self.anna, after: "0")
    for (count, expected) in [(99, [String]()), (100, [line]), (199, [line]), (200, [line, line])] {
      let rows = Rows(Array(repeating: Self.row("due", of: "P-2"), count: count))
      let found = try await pieces(rows.handler(home), request)
      #expect(found.dropFirst() == expected[...], "\(count)")
    }
    // Each wait takes 5 seconds and adds an event of another person.
    for (waits, expected) in [(2, [String]()), (3, [line]), (5, [line]), (6, [line, line])] {
      let rows = Rows([], waits: Array(repeating: true, count: waits) + [nil])
      rows.state.withLock { $0.added = Self.row("due", of: "P-2") }
      let found = try await pieces(rows.handler(home), request)
      #expect(found.dropFirst() == expected[...], "\(waits)")
      #expect(rows.state.withLock { $0.waitedAfter } == Array(0...Int64(waits)))
    }
  }

  @Test func `a courier gets only numbers, and HEAD gets no event`() async throws {
    let home = await ServedHome()
    let handler = Rows([Self.row("due"), #"{"type":"enrolled"}"#]).handler(home)
    let found = try await pieces(handler, Self.request(.courier, after: "0"))
    #expect(found.last == "id: 1\ndata: {\"seq\":1}\n\nid: 2\ndata: {\"seq\":2}\n\n")
    var head = Self.request(after: "0")
    head.isHeadOnly = true
    #expect(try await pieces(handler, head) == [])
  }

  @Test func `a study that hides its phases hides them in the stream, until the person leaves`()
    async throws
  {
    let home = await ServedHome()
    let rows = [
      #"{"seq":0,"type":"enrolled"}"#, #"{"seq":0,"type":"phase_changed"}"#,
      #"{"seq":0,"type":"heartbeat","phase":"control","prev_hash":"a","hash":"b"}"#,
    ]
    let shown = """
      id: 3\nevent: heartbeat\ndata: {"seq":3,"type":"heartbeat","phase":"control",\
      "prev_hash":"a","hash":"b"}\n\n
      """
    let hidden = """
      id: 3\nevent: heartbeat\ndata: {"seq":3,"type":"heartbeat","phase":null,\
      "prev_hash":"","hash":""}\n\n
      """
    func stream(_ role: Role) async throws -> String {
      try await pieces(Rows(rows).handler(home), Self.request(role, after: "0")).last ?? ""
    }
    #expect(try await stream(.caretaker).hasSuffix(shown))
    let enrolled = try await home.ask(
      .enrol, body: #"{"person":"patient","pseudonym":"P-1","study":"x","hides_phases":true}"#,
      role: .admin)
    #expect(enrolled.status == 201, "\(enrolled)")
    #expect(try await stream(.caretaker) == hidden)
    #expect(try await stream(.researcher).hasSuffix(shown))
    #expect(try await stream(.researcher).hasPrefix("id: 1\nevent: enrolled\n"))
    _ = try await home.ask(.withdraw, body: #"{"person":"patient"}"#, role: .admin)
    #expect(try await stream(.caretaker).hasSuffix(shown))
  }

  @Test func `the status shows a user with an open stream as watching`() async throws {
    let home = await ServedHome()
    let handler = Rows([]).handler(home)
    func streams() -> [Int] { handler.callerStats.callers.map(\.caller.streams) }
    func open() async throws {
      let first = await handler.answer(Self.request())
      #expect(streams() == [1])
      let second = await handler.answer(Self.request())
      #expect(streams() == [2])
      var head = Self.request()
      head.isHeadOnly = true
      _ = await handler.answer(head)
      _ = await handler.answer(Self.request(after: "9"))
      #expect(streams() == [2])
      withExtendedLifetime((first, second)) {}
    }
    try await open()
    #expect(streams() == [0])
  }
}
