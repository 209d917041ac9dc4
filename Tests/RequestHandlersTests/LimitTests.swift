import API
import Alarms
import CivilTime
import JSONValue
import Testing

@testable import RequestHandlers

/// Tests rate limits and counters, also at their exact limits.
@Suite struct LimitTests {
  private func actor(_ id: String, _ role: Role = .caretaker) -> Actor {
    Actor(role: role, id: id, source: "socket")
  }

  @Test func `a rate limit counts accepted requests of one user for exactly its window`() {
    let rate = Rate(most: 2, windowSeconds: 10)
    let second: Int64 = 1_000_000_000
    let cases: [(String, Int64, Bool)] = [
      ("a", 0, true), ("a", second, true), ("a", 2 * second, false), ("b", 2 * second, true),
      // The refused request of "a" does not count. After 10 s, the first request of "a" is outside
      // the window.
      ("a", 10 * second - 1, false), ("a", 10 * second, true), ("a", 10 * second, false),
      ("a", 11 * second - 1, false), ("a", 11 * second, true), ("b", 11 * second, true),
      ("b", 11 * second, false),
    ]
    for (user, at, isTaken) in cases {
      #expect(rate.takes(user, at: at) == isTaken, "\(user) at \(at)")
    }
  }

  @Test func `refused requests are those from status 400, and each operation is counted`() {
    let stats = CallerStats()
    for status in [200, 399, 400, 404, 404, 503] { stats.count(.status, status) }
    stats.count(.listAlarms, 200)
    let names = [Route.Operation.listAlarms, .status].map(\.rawValue)
    #expect(stats.requests.map { $0.0 } == names.sorted())
    #expect(stats.requests.first { $0.0 == names[1] }?.1 == 6)
    #expect(stats.refused.map { [$0.0, $0.1] } == [[400, 1], [404, 2], [503, 1]])
  }

  @Test func `the last answer is searched once, and an answer since the start is newer`() {
    let stats = CallerStats()
    #expect(stats.mustLookBack && stats.lastAnswer == nil)
    stats.lookedBack(nil)
    #expect(!stats.mustLookBack && stats.lastAnswer == nil)
    stats.lookedBack(Instant(seconds: 5))
    #expect(stats.lastAnswer == Instant(seconds: 5))
    stats.answered(at: Instant(seconds: 9))
    stats.lookedBack(Instant(seconds: 7))
    #expect(stats.lastAnswer == Instant(seconds: 9))
    let other = CallerStats()
    other.answered(at: Instant(seconds: 1))
    #expect(!other.mustLookBack)
  }

  @Test func `a caller has its first role, its last request and its open streams`() {
    let stats = CallerStats()
    stats.saw(actor("uid:2", .patient), at: Instant(seconds: 1))
    stats.saw(actor("uid:1", .admin), at: Instant(seconds: 2))
    stats.saw(actor("uid:2", .patient), at: Instant(seconds: 3))
    stats.attached(actor("uid:1"), by: 1)
    stats.attached(actor("unknown"), by: 1)
    let document = JSON.callerStats(stats, device: Instant(seconds: 4))
    #expect(
      "\(document)"
        == #"{"device_seen_utc":"1970-01-01T00:00:04.000Z","patient_answered_utc":null,"callers":["#
        + #"{"id":"uid:1","role":"admin","seen_utc":"1970-01-01T00:00:02.000Z","watching":true},"#
        + #"{"id":"uid:2","role":"patient","seen_utc":"1970-01-01T00:00:03.000Z","watching":false}]}"#
    )
  }

  @Test func `refused requests are counted with the last of them, until the period ends`() {
    let log = DenialLog()
    #expect(
      log.note(uid: 7, method: "GET", path: "/a")
        == Denials(uid: 7, count: 1, method: "GET", path: "/a"))
    #expect(log.close(uid: 7) == nil && log.close(uid: 8) == nil)
    #expect(log.note(uid: 7, method: "GET", path: "/b")?.count == 1)
    #expect(log.note(uid: 7, method: "PUT", path: "/c") == nil)
    #expect(log.note(uid: 7, method: "POST", path: "/d") == nil)
    #expect(log.note(uid: 3, method: "GET", path: "/e")?.uid == 3)
    #expect(log.note(uid: 3, method: "HEAD", path: "/f") == nil)
    #expect(log.note(uid: 5, method: "GET", path: "/g")?.uid == 5)
    #expect(
      log.closeAll() == [
        Denials(uid: 3, count: 1, method: "HEAD", path: "/f"),
        Denials(uid: 7, count: 2, method: "POST", path: "/d"),
      ])
    #expect(log.closeAll() == [])
  }

  @Test func `a user with an own counter keeps this counter if there is no free counter`() {
    let log = DenialLog()
    func note(_ uid: UInt32) -> Denials? { log.note(uid: uid, method: "GET", path: "/") }
    for uid in 1...64 as ClosedRange<UInt32> { #expect(note(uid)?.uid == uid) }
    #expect(note(65)?.uid == 4_294_967_295 && note(66) == nil && note(1) == nil)
    #expect(log.close(uid: 1)?.count == 1)
    // The counter for all other users is one of the 64 open counters. Therefore user 67 does not
    // get an own counter.
    #expect(note(67) == nil && log.close(uid: 2) == nil && note(68)?.uid == 68)
    #expect(
      log.closeAll() == [Denials(uid: 4_294_967_295, count: 2, method: "GET", path: "/")])
    #expect(DenialLog.windowSeconds == 900)
  }

  @Test func `in full statistics, a new user replaces the oldest user without an event stream`() {
    let stats = CallerStats()
    for number in 0..<66 {
      stats.saw(actor("uid:\(number)"), at: Instant(seconds: Int64(number)))
      if number < 3 { stats.attached(actor("uid:\(number)"), by: 1) }
    }
    let left = Set(stats.callers.map(\.id))
    #expect(left.count == 64 && left.isDisjoint(with: ["uid:3", "uid:4"]))
    #expect(left.isSuperset(of: ["uid:0", "uid:2", "uid:5", "uid:65"]))
  }
}
