import API
import Alarms
import CivilTime
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests the queries that the request handler sends to the record.
@Suite struct RecordQueryTests {
  private static let midnight = Instant(seconds: 1_799_971_200)

  /// Returns the time from the day `first` to the day `end`.
  ///
  /// The days are days in UTC. Day 0 is 2027-01-15. The result does not contain the day `end`.
  private static func days(_ first: Int64, _ end: Int64) -> Range<Instant> {
    midnight.adding(seconds: first * 86_400)..<midnight.adding(seconds: end * 86_400)
  }

  private static func filter(
    _ state: PromptFilter.State? = nil, _ due: Range<Instant>? = nil, person: String? = nil,
    label: String? = nil, alarm: String? = nil, limit: Int
  ) -> PromptFilter {
    var filter = PromptFilter(state: state, due: due, person: person, limit: limit)
    filter.label = label
    filter.alarm = alarm.map { AlarmID($0) }
    return filter
  }

  private static let filters: [(Route.Operation, [String: String], PromptFilter)] = [
    (.listPrompts, [:], filter(limit: 101)),
    (.listPrompts, ["limit": "1"], filter(limit: 2)),
    (.listPrompts, ["limit": "1000"], filter(limit: 1_001)),
    (.listPrompts, ["label": "Tea", "alarm": "a"], filter(label: "Tea", alarm: "a", limit: 101)),
    (.listPrompts, ["person": "ANNA"], filter(person: "anna", limit: 101)),
    (.listPrompts, ["date": "2027-01-16"], filter(nil, days(1, 2), limit: 101)),
    (
      .listPrompts, ["from": "2027-01-14", "to": "2027-01-16"],
      filter(nil, days(-1, 2), limit: 101)
    ),
    (
      .listPrompts, ["from": "2027-01-16"],
      filter(nil, days(1, 2).lowerBound..<Instant(milliseconds: .max), limit: 101)
    ),
    (
      .listPrompts, ["to": "2027-01-16"],
      filter(nil, Instant(milliseconds: .min)..<days(1, 2).upperBound, limit: 101)
    ),
    (.progress, [:], filter(nil, days(0, 1), limit: 10_000)),
    (
      .progress, ["date": "2027-01-17", "person": "anna"],
      filter(nil, days(2, 3), person: "anna", limit: 10_000)
    ),
    (.day, [:], filter(nil, days(0, 1), limit: 10_000)),
    (
      .day, ["date": "2027-01-14", "person": "anna"],
      filter(nil, days(-1, 0), person: "anna", limit: 10_000)
    ),
    (.summary, ["person": "anna"], filter(nil, days(0, 1), person: "anna", limit: 10_000)),
  ]

  @Test func `a list of prompts reads one more prompt than the page has`() async throws {
    let home = await ServedHome()
    _ = try await home.ask(.addPerson, body: #"{"id":"anna"}"#, role: .admin)
    let asked = Calls<PromptFilter>()
    let handler = home.handler(archive: { archive in
      archive.prompts = { filter in
        asked.add(filter)
        return []
      }
    })
    for (number, (operation, query, filter)) in Self.filters.enumerated() {
      let found = try await home.ask(operation, query: query, at: handler)
      #expect(found.status == 200, "\(query)")
      #expect(asked.all.count == number + 1 && asked.all.last == filter, "\(operation) \(query)")
    }
    for state in PromptFilter.State.allCases {
      _ = try await home.ask(.listPrompts, query: ["state": state.rawValue], at: handler)
      #expect(asked.all.last == Self.filter(state, limit: 101))
    }
    let before = asked.all.count
    _ = try await home.ask(.summary, query: ["days": "3"], at: handler)
    #expect(
      asked.all.dropFirst(before).map(\.due)
        == [Self.days(-2, -1), Self.days(-1, 0), Self.days(0, 1)])
  }

  @Test func `a page of the log asks for one more row`() async throws {
    let home = await ServedHome()
    let asked = Calls<String>()
    let handler = home.handler(archive: { archive in
      archive.events = { after, limit in
        asked.add("\(after) \(limit)")
        return []
      }
      archive.study.rows = { after, limit, study in
        asked.add("\(after) \(limit) \(study ?? "all")")
        return study == "gone" ? nil : []
      }
    })
    let cases: [([String: String], Role, String)] = [
      ([:], .researcher, "0 1001"), (["after": "5", "limit": "10000"], .researcher, "5 10001"),
      ([:], .courier, "0 1001 all"),
      (["after": "7", "limit": "1", "study": "trial"], .courier, "7 2 trial"),
    ]
    for (query, role, expected) in cases {
      #expect(try await home.ask(.log, query: query, role: role, at: handler).status == 200)
      #expect(asked.all.last == expected)
    }
    let refused = try await home.ask(.log, query: ["study": "gone"], role: .courier, at: handler)
    #expect(refused.status == 409)
    #expect(
      refused.document["detail"]?.string
        == "cannot send the record to an archive: the pseudonyms were changed with "
        + "\"prompter study rekey\", and the rows would contain the earlier pseudonyms")
  }

  @Test func `messages, deleted alarms and responses are asked for by person and number`()
    async throws
  {
    let home = await ServedHome()
    _ = try await home.ask(.addPerson, body: #"{"id":"anna"}"#, role: .admin)
    let asked = Calls<String>()
    let handler = home.handler(archive: { archive in
      archive.messages = { person, limit in
        asked.add("\(person?.text ?? "all") \(limit)")
        return []
      }
      archive.cancelled = { limit in
        asked.add("\(limit)")
        return []
      }
      archive.study.responses = { query in
        asked.add("\(query.person?.text ?? "-") \(query.question ?? "-") \(query.given != nil)")
        return []
      }
    })
    let cases: [(Route.Operation, [String: String], String)] = [
      (.listMessages, [:], "all 50"), (.listMessages, ["limit": "1000"], "all 1000"),
      (.listMessages, ["person": "Anna", "limit": "1"], "anna 1"),
      (.listAlarms, ["cancelled": "yes"], "5000"),
      (.series, ["question": "pain", "person": "Anna"], "anna pain false"),
      (.series, ["question": "pain"], "anna pain false"),
      (.series, ["question": "pain", "from": "2027-01-14"], "anna pain true"),
    ]
    for (operation, query, expected) in cases {
      let found = try await home.ask(operation, query: query, role: .researcher, at: handler)
      #expect(found.status == 200 && asked.all.last == expected, "\(operation) \(query)")
    }
  }

  @Test func `deleted alarms are listed with what is known about them`() async throws {
    let home = await ServedHome()
    for name in ["anna", "bob"] {
      _ = try await home.ask(.addPerson, body: #"{"id":"\#(name)"}"#, role: .admin)
      for label in ["Tea", "Pills"] {
        let body = #"{"label":"\#(label)","schedule":"every day 09:00","person":"\#(name)"}"#
        #expect(try await home.ask(.addAlarm, body: body).status == 201)
      }
    }
    let said = try await home.ask(.say, body: #"{"text":"Lunch","person":"anna"}"#)
    #expect(said.status == 201)
    let removed = Array(home.fakes.state.withLock { $0.known }.values)
    #expect(removed.count == 5)
    for name in ["alarm1", "alarm2", "alarm3", "alarm4"] {
      #expect(try await home.ask(.removeAlarm, ["id": name]).status == 200)
    }
    _ = try await home.ask(.removePerson, ["id": "bob"], role: .admin)
    let handler = home.handler(archive: { $0.cancelled = { _ in removed } })
    func rows(_ query: [String: String]) async throws -> [String] {
      let query = query.merging(["cancelled": "yes"]) { $1 }
      let found = try await home.ask(.listAlarms, query: query, at: handler)
      return (found.document["alarms"]?.array ?? []).map { row in
        ["label", "person", "next", "person_pause", "waiting", "is_over"]
          .map { row[$0].map { "\($0)" } ?? "missing" }.joined(separator: " ")
      }
    }
    let anna = [
      #""Pills" "anna" [] null 0 false"#, #""Tea" "anna" [] null 0 false"#,
    ]
    let all = try await rows([:])
    #expect(all.filter { $0.contains("anna") } == anna && all.count == 4, "\(all)")
    #expect(try await rows(["person": "anna"]) == anna)
  }

  @Test func `an agenda has 20 prompts on a page, and a list of alarms all`() async throws {
    let home = await ServedHome()
    for number in 10..<35 {
      let body = #"{"label":"Task \#(number)","schedule":"every day 09:\#(number)"}"#
      #expect(try await home.ask(.addAlarm, body: body).status == 201)
    }
    for (query, count, hasNext) in [
      ([:], 20, true), (["limit": "24"], 24, true), (["limit": "25"], 25, false),
    ] as [([String: String], Int, Bool)] {
      let found = try await home.ask(.agenda, query: query)
      #expect(found.document["agenda"]?.array?.count == count)
      #expect((found.document["next_after"] != nil) == hasNext)
    }
    #expect(try await home.ask(.listAlarms).document["alarms"]?.array?.count == 25)
  }

  @Test func `the fault of a record is logged and reported`() async throws {
    let home = await ServedHome()
    let handler = home.handler(archive: { $0.events = { _, _ in throw FakePorts.DiskFull() } })
    let failed = try await home.ask(.log, role: .researcher, at: handler)
    #expect(failed.status == 507 || failed.status == 503 || failed.status == 500)
    #expect(failed.document["kind"]?.string == "storage_failed")
    #expect(failed.document["detail"]?.string == "cannot read the record: the disk is full")
    #expect(
      home.fakes.state.withLock { $0.logged }
        == [LogLine(.error, "cannot answer log: the disk is full")])
  }

  @Test func `the description of the API is the one of its routes`() async throws {
    let home = await ServedHome()
    let found = try await home.ask(.openAPI)
    #expect(found.status == 200 && "\(found.document)" == "\(OpenAPI.document)")
  }
}
