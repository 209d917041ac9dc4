import API
import Alarms
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests requests that depend on the link to the archive of a study.
@Suite struct StudyLinkTests {
  /// The queries for rows that the handler sent to the record.
  private final class Asked: Sendable {
    let log = Mutex<[String]>([])
  }

  private static func link(safe: Int) -> ArchiveLink {
    ArchiveLink(
      statusFile: Array(
        #"{"state":"collecting","study":"trial","head":"120-ab","safe_head":"\#(safe)-ab"}"#.utf8))
  }

  private func handler(_ home: ServedHome, safe: Int) -> RequestHandler {
    let link = Self.link(safe: safe)
    return home.handler(machine: { $0.archiveLink = link })
  }

  @Test(arguments: [(99, false), (100, true), (101, true)])
  func `a purge waits until a backup of the archive has its rows`(safe: Int, isDone: Bool)
    async throws
  {
    let home = await ServedHome()
    let handler = handler(home, safe: safe)
    let plan = try await home.ask(
      .planPurge, query: ["keep": "7"], role: .researcher, at: handler)
    let refusal = plan.document["refusal"]?.string
    #expect(plan.status == 200 && (refusal == nil) == isDone, "\(plan)")
    if let refusal { #expect(refusal.contains("only up to event 99")) }
    let digest = String(repeating: "0", count: 61) + "100"
    let purge = try await home.ask(
      .purge, body: #"{"through_seq":100,"archive_sha256":"\#(digest)"}"#, role: .admin,
      at: handler)
    #expect(purge.status == (isDone ? 200 : 409), "\(purge)")
    #expect(home.fakes.purged.isEmpty == !isDone)
    if isDone {
      #expect(purge.document["through_seq"]?.integer == 100)
      #expect(purge.document["kept"]?.integer == 4)
    } else {
      #expect(purge.document["field"]?.string == "through_seq")
      #expect(purge.document["detail"]?.string?.contains("\"trial\"") == true)
    }
  }

  @Test func `a home that a study collects keeps its pseudonyms`() async throws {
    let home = await ServedHome()
    let before = home.fakes.types
    let refused = try await home.ask(.rekey, role: .admin, at: handler(home, safe: 100))
    #expect(refused.status == 409 && home.fakes.types == before)
    #expect(refused.document["detail"]?.string?.contains("\"trial\"") == true)
    #expect(try await home.ask(.rekey, role: .admin).status == 200)
  }

  @Test func `only a courier selects the rows of a study`() async throws {
    let home = await ServedHome()
    let asked = Asked()
    let handler = home.handler(archive: { archive in
      archive.study.rows = { after, limit, study in
        asked.log.withLock { $0.append("\(after) \(limit) \(study ?? "all")") }
        return study == "old" ? nil : [.object([("seq", .integer(after + 1))])]
      }
    })
    func log(_ query: [String: String], _ role: Role) async throws -> (status: Int, document: JSON)
    {
      try await home.ask(.log, query: query, role: role, at: handler)
    }
    let mine = try await log(["after": "4", "limit": "2", "study": "trial"], .courier)
    #expect(mine.status == 200 && "\(mine.document)" == #"{"seq":5}"#)
    #expect(try await log([:], .courier).status == 200)
    let changed = try await log(["study": "old"], .courier)
    #expect(changed.status == 409)
    #expect(changed.document["detail"]?.string?.contains("pseudonyms were changed") == true)
    #expect(asked.log.withLock { $0 } == ["4 3 trial", "0 1001 all", "0 1001 old"])
    let refused = try await log(["study": "trial"], .researcher)
    #expect(refused.status == 422 && refused.document["field"]?.string == "study")
    #expect(asked.log.withLock { $0.count } == 3)
  }

  @Test func `the number of the next page is in a header if there are more rows`() async throws {
    let home = await ServedHome()
    for (limit, next) in [("1", "1"), ("2", nil), ("3", nil)] as [(String, String?)] {
      let request = APIRequest(
        operation: .log, actor: Actor(role: .researcher, id: "uid:1", source: "socket"),
        query: ["limit": limit])
      let handler = home.handler(archive: { archive in
        archive.events = { after, limit in
          (after..<min(2, after + Int64(limit))).map { .object([("seq", .integer($0 + 1))]) }
        }
      })
      let response = await handler.answer(request)
      #expect(response.headers["x-prompter-next-after"] == next, "\(limit)")
    }
  }
}
