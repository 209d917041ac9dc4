import API
import Alarms
import Glibc
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct `A delegate` {
  /// Returns identities for a delegate. The delegate is the user who runs the test, and has the
  /// roles `own`.
  private static func delegated(_ own: Set<Role> = []) -> Identities {
    let group: UInt32 = 4_000_100
    return Identities(
      admins: own.contains(.admin) ? [geteuid(), 4_000_003] : [4_000_003],
      users: [
        geteuid(): own, 4_000_001: [.caretaker], 4_000_003: [.researcher], 4_000_004: [.patient],
      ],
      groups: [getegid(): own, group: [.researcher]], people: [4_000_005: "anna"],
      delegates: [
        geteuid(): [
          "sofia": .init(uid: 4_000_001, groups: []), "ben": .init(uid: 4_000_002, groups: [group]),
          "eve": .init(uid: 4_000_003, groups: []), "anna": .init(uid: 4_000_004, groups: []),
          "bob": .init(uid: 4_000_005, groups: []), "ida": .init(uid: 4_000_006, groups: []),
        ]
      ], alwaysAdmin: [])
  }

  /// Sends requests on one connection. Each request has its own header fields.
  private func statuses(
    _ identities: Identities, _ asked: [(target: String, headers: [String])]
  ) async throws -> (replies: [Caller.Reply], visits: Visits) {
    let found = Mutex<(replies: [Caller.Reply], visits: Visits)>(([], Visits()))
    try await withHome(identities) { home in
      let replies = try await blocking {
        let caller = try home.caller()
        return try asked.map { try caller.ask("GET", $0.target, headers: $0.headers) }
      }
      found.withLock { $0 = (replies, home.visits) }
    }
    return found.withLock { $0 }
  }

  @Test func `acts with the roles of the person that each request names`() async throws {
    let found = try await statuses(
      Self.delegated(),
      [
        ("/v1/alarms", ["Prompter-For: sofia", "Prompter-Device: 3", "Prompter-Client: web"]),
        ("/v1/alarms", ["prompter-for: sofia"]),
        ("/v1/log", ["Prompter-For: ben", "Prompter-Device: 12"]),
        ("/v1/agenda", ["Prompter-For: ben"]),
        ("/v1/log", ["Prompter-For: sofia"]),
        // The user eve is an admin. A request for eve has only the other roles of eve.
        ("/v1/log", ["Prompter-For: eve"]),
        ("/v1/backup", ["Prompter-For: eve"]),
      ])
    #expect(found.replies.map(\.status) == [200, 200, 200, 403, 403, 200, 403])
    let uid = geteuid()
    #expect(
      found.visits.seen.map(\.actor) == [
        Actor(role: .caretaker, id: "uid:4000001,via:uid:\(uid),device:3", source: "web"),
        Actor(role: .caretaker, id: "uid:4000001,via:uid:\(uid)", source: "socket"),
        Actor(role: .researcher, id: "uid:4000002,via:uid:\(uid),device:12", source: "socket"),
        Actor(role: .researcher, id: "uid:4000003,via:uid:\(uid)", source: "socket"),
      ])
    #expect(
      found.visits.seen.map(\.roles) == [[.caretaker], [.caretaker], [.researcher], [.researcher]])
    #expect(found.visits.denied.count == 3)
  }

  @Test func `is refused without a name, with a wrong name and as an admin`() async throws {
    let wrong = [
      [], ["Prompter-For: "], ["Prompter-For: nobody"], ["Prompter-For: anna"],
      ["Prompter-For: bob"], ["Prompter-For: ida"], ["Prompter-For: Sofia"],
      ["Prompter-For: sofia, ben"],
      ["Prompter-For: sofia", "Prompter-For: sofia"],
      ["Prompter-For: sofia", "Prompter-Device: 0"],
      ["Prompter-For: sofia", "Prompter-Device: 100"],
      ["Prompter-For: sofia", "Prompter-Device: 03"],
      ["Prompter-For: sofia", "Prompter-Device: x"],
      ["Prompter-For: sofia", "Prompter-Device: 3", "Prompter-Device: 3"], ["Prompter-Device: 3"],
    ]
    // The server refuses these requests even if the delegate has roles of its own or of its groups.
    for own in [[], [Role.admin], [.caretaker, .patient]] as [Set<Role>] {
      let found = try await statuses(
        Self.delegated(own), wrong.map { ("/v1/status", $0) })
      #expect(found.replies.map(\.status) == wrong.map { _ in 403 })
      #expect(found.visits.seen.isEmpty)
      #expect(found.visits.denied.count == wrong.count)
      #expect(found.replies.allSatisfy { $0.has(kind: "forbidden") && !$0.text.contains("nobody") })
    }
  }

  @Test(arguments: [Role.admin, .caretaker, .patient, .monitor])
  func `is the only user who may name a person`(role: Role) async throws {
    let found = try await statuses(
      onlyMe(role), [("/v1/status", ["Prompter-For: sofia"]), ("/v1/status", [])])
    #expect(found.replies.map(\.status) == [403, 200])
    #expect(found.visits.denied == [.init(uid: geteuid(), method: "GET", path: "/v1/status")])
  }
}

@Suite struct `The actor of a delegate` {
  @Test(arguments: [
    DelegatedActor(uid: 1_001, via: 994, device: 3), DelegatedActor(uid: 0, via: 0, device: nil),
    DelegatedActor(uid: .max, via: .max, device: 99),
  ])
  func `is read from its id`(actor: DelegatedActor) {
    #expect(DelegatedActor(id: actor.id) == actor)
  }

  @Test(arguments: [
    "", "uid:994", "daemon", "uid:1,via:994", "via:uid:994,uid:1", "uid:1,via:uid:+2",
    "uid:01,via:uid:2", "uid:1,via:uid:-1", "uid:1,via:uid:4294967296", "uid:1,via:uid:2,",
    "uid:1,via:uid:2,device:", "uid:1,via:uid:2,device:0", "uid:1,via:uid:2,device:100",
    "uid:1,via:uid:2,device:03", "uid:1,via:uid:2,device:3,device:4", "uid:1,via:uid:2 ",
  ])
  func `is not read from another text`(id: String) {
    #expect(DelegatedActor(id: id) == nil)
  }
}
