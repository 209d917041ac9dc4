import API
import Alarms
import CivilTime
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests purges, erasures, diary entries and responses in the record.
@Suite struct StudyRecordTests {
  @Test(arguments: [
    (["keep": "0"], "2027-01-15T08:00:00.000Z"), (["keep": "1"], "2027-01-15T00:00:00.000Z"),
    (["keep": "2"], "2027-01-14T00:00:00.000Z"), (["keep": "36500"], "1927-02-10T00:00:00.000Z"),
    (["before": "2027-01-15"], "2027-01-15T00:00:00.000Z"),
    (["before": "2027-01-16"], "2027-01-15T08:00:00.000Z"),
    (["before": "2026-12-31"], "2026-12-31T00:00:00.000Z"),
  ])
  func `the period of a purge ends at the start of a day or now`(
    query: [String: String], end: String
  ) async throws {
    let home = await ServedHome()
    let asked = Calls<String>()
    let handler = home.handler(archive: { archive in
      let plan = archive.study.purge.plan
      archive.study.purge.plan = {
        asked.add($0.description)
        return try plan($0)
      }
    })
    let planned = try await home.ask(.planPurge, query: query, role: .researcher, at: handler)
    #expect(planned.status == 200 && asked.all == [end], "\(planned) \(asked.all)")
  }

  @Test func `a plan without an event says why`() async throws {
    let home = await ServedHome()
    func plan(going: Int64, harvested: Int64) async throws -> String {
      let handler = home.handler(archive: { archive in
        archive.study.purge.plan = { _ in
          PlannedPurge(
            throughSequence: 0, throughAt: nil, going: going, kept: 3, harvestedSequence: harvested)
        }
      })
      let query = ["keep": "7"]
      return "\(try await home.ask(.planPurge, query: query, role: .researcher, at: handler).1)"
    }
    func expected(_ going: Int, _ harvested: Int, _ refusal: String) -> String {
      #"{"through_seq":0,"through_utc":null,"events":\#(going),"kept":3,"#
        + #""harvested_seq":\#(harvested),"refusal":\#(refusal)}"#
    }
    #expect(
      try await plan(going: 0, harvested: 0)
        == expected(
          0, 0,
          "\"the whole record was not exported in the default layout yet; export it first\""))
    #expect(
      try await plan(going: 0, harvested: 1)
        == expected(
          0, 1,
          "\"no event can be removed: those before that day were purged already, are still needed, "
            + "or were not exported yet\""))
    #expect(try await plan(going: 1, harvested: 0) == expected(1, 0, "null"))
  }

  @Test func `a purge reclaims space once, and its faults are refusals`() async throws {
    let home = await ServedHome()
    let reclaimed = Calls<Int>()
    let next = Mutex<[String]>([])
    let handler = home.handler(archive: { archive in
      let purges = archive.study.purge
      archive.study.purge.reclaimSpace = { reclaimed.add(1) }
      archive.study.purge.next = { through, digest in
        switch next.withLock({ $0.popLast() }) {
        case "none": return nil
        case "fault": throw FakePorts.DiskFull()
        default: return try purges.next(through, digest)
        }
      }
    })
    func purge() async throws -> (Int, String) {
      let digest = String(repeating: "0", count: 61) + "100"
      let body = #"{"through_seq":100,"archive_sha256":"\#(digest)"}"#
      let answer = try await home.ask(.purge, body: body, role: .admin, at: handler)
      return (answer.status, answer.document["detail"]?.string ?? "\(answer.document)")
    }
    next.withLock { $0 = ["none"] }
    var answer = try await purge()
    #expect(answer.0 == 409)
    #expect(answer.1 == "cannot purge: another request has already purged up to event 100")
    next.withLock { $0 = ["fault", "go"] }
    answer = try await purge()
    #expect(answer.0 >= 500 && answer.1 == "cannot purge: the disk is full", "\(answer)")
    #expect(home.fakes.purged.map(\.throughSequence) == [40] && reclaimed.all.isEmpty)
    answer = try await purge()
    #expect(answer.0 == 200)
    #expect(home.fakes.purged.map(\.throughSequence) == [40, 80, 100] && reclaimed.all == [1])
  }

  @Test func `a purge can end at the first event`() async throws {
    let home = await ServedHome()
    let digest = String(repeating: "0", count: 64)
    let handler = home.handler(archive: { archive in
      archive.study.purge.prepare = { _ in digest }
    })
    let answer = try await home.ask(
      .purge, body: #"{"through_seq":1,"archive_sha256":"\#(digest)"}"#, role: .admin, at: handler)
    #expect(answer.status == 200 && home.fakes.purged.map(\.throughSequence) == [1])
    #expect(answer.document["through_seq"] == .integer(1), "\(answer)")
    #expect(answer.document["kept"] == .integer(4))
  }

  @Test func `an erasure deletes its pictures and recordings, and the second copy forgets`()
    async throws
  {
    let home = await ServedHome()
    _ = try await home.ask(.addPerson, body: #"{"id":"anna"}"#, role: .admin)
    for body in ["12345", "123456"] { _ = try await home.ask(.addImage, body: body) }
    let pills = #"{"label":"Pills","schedule":"every day 09:00","person":"anna"}"#
    #expect(try await home.ask(.addAlarm, body: pills).status == 201)
    let (asked, swept, forgot) = (Calls<Erasure>(), Calls<Int>(), Calls<Int>())
    let picture = String(repeating: "a", count: 62) + "15"
    let isForgetting = Mutex(true)
    let handler = home.handler(archive: { archive in
      archive.study.pictures = {
        asked.add($0)
        return [picture, "unknown"]
      }
      archive.study.sweep = { swept.add($0.count) }
      archive.study.forget = {
        forgot.add(1)
        if !isForgetting.withLock({ $0 }) { throw FakePorts.DiskFull() }
      }
    })
    let words = #"{"person":"anna","scope":"words"}"#
    let erased = try await home.ask(.erase, body: words, role: .admin, at: handler)
    #expect(erased.status == 200 && erased.document["alarms_kept"]?.integer == 1, "\(erased)")
    #expect(asked.all == [.words(PersonID("anna"))] && forgot.all == [1])
    let wanted = await home.engine.read { [ports = home.fakes.ports] state, _ in
      state.wantedWords(at: ports.now(), in: ports.environment()).count
    }
    #expect(swept.all == [wanted] && wanted > 0)
    #expect(home.fakes.state.withLock { Set($0.pictures.keys) } == [picture.dropLast() + "6"])
    isForgetting.withLock { $0 = false }
    var failed = try await home.ask(.erase, body: words, role: .admin, at: handler)
    #expect(
      failed.document["detail"]?.string
        == "the words are erased from the record, but not yet from its second copy: the disk is "
        + "full; the daemon tries again with the next copy")
    failed = try await home.ask(.rekey, role: .admin, at: handler)
    #expect(
      failed.document["detail"]?.string
        == "the record has new pseudonyms, and the old key is erased from it, but not yet from its "
        + "second copy: the disk is full; the daemon tries again with the next copy")
    #expect(forgot.all.count == 3 && swept.all.count == 2)
    #expect(home.fakes.types.last == "pseudonyms_rekeyed")
  }

  @Test func `only a withdrawal that erases asks for pictures`() async throws {
    let home = await ServedHome()
    let asked = Calls<Erasure>()
    let forgot = Calls<Int>()
    let handler = home.handler(archive: { archive in
      archive.study.pictures = {
        asked.add($0)
        return []
      }
      archive.study.forget = { forgot.add(1) }
    })
    for (fields, count) in [("", 0), (#","erase":true"#, 1)] {
      let enrolled = try await home.ask(
        .enrol, body: #"{"person":"patient","pseudonym":"P-1","study":"x"}"#, role: .admin)
      #expect(enrolled.status == 201)
      home.fakes.pass(seconds: 60)
      let left = try await home.ask(
        .withdraw, body: #"{"person":"patient"\#(fields)}"#, role: .admin, at: handler)
      #expect(left.status == 200, "\(left)")
      #expect(asked.all == Array(repeating: .words(.patient), count: count))
      #expect(forgot.all.count == count)
    }
  }

  @Test(arguments: [(Int64(0), 200), (1, 422)])
  func `a diary entry about a prompt needs an enrolment at its due time`(
    late: Int64, status: Int
  ) async throws {
    let home = await ServedHome()
    let pills = #"{"label":"Pills","schedule":"every day 08:01"}"#
    #expect(try await home.ask(.addAlarm, body: pills).status == 201)
    home.fakes.pass(seconds: 60)
    await home.engine.wake()
    home.fakes.state.withLock { $0.now.wall = $0.now.wall.adding(milliseconds: late) }
    let enrolled = try await home.ask(
      .enrol, body: #"{"person":"patient","pseudonym":"P-1","study":"x"}"#, role: .admin)
    #expect(enrolled.status == 201)
    let file = "prompt_id,completion\nalarm1@2027-01-15T08:01:00,3\n"
    let imported = try await home.ask(.importDiary, body: file, role: .researcher)
    #expect(imported.status == status, "\(imported)")
  }

  @Test func `a series has a response for each prompt, in the order of time`() async throws {
    let home = await ServedHome()
    func given(_ prompt: String, _ at: Int64, _ value: Response.Value, unit: String? = nil)
      throws -> GivenResponse
    {
      let id = try #require(PromptID("alarm1@2027-01-\(prompt)T09:00:00"))
      return GivenResponse(
        sequence: at, prompt: id,
        response: Response(question: "pain", number: 1, value: value, unit: unit),
        role: .patient, at: Instant(seconds: at))
    }
    let found = try [
      given("02", 200, .number(2), unit: "a"), given("03", 100, .number(3)),
      given("04", 150, .text("much")), given("02", 300, .number(7), unit: "b"),
    ]
    let handler = home.handler(archive: { $0.study.responses = { _ in found } })
    let series = try await home.ask(
      .series, query: ["question": "pain"], role: .researcher, at: handler)
    #expect(series.status == 200)
    #expect(series.document["unit"]?.string == "b" && series.document["answers"]?.integer == 2)
    let points = (series.document["points"]?.array ?? []).map { "\($0)" }
    #expect(
      points == [
        #"{"utc":"1970-01-01T00:01:40.000Z","value":3.0,"min":3.0,"max":3.0,"count":1}"#,
        #"{"utc":"1970-01-01T00:03:20.000Z","value":7.0,"min":7.0,"max":7.0,"count":1}"#,
      ])
  }
}
