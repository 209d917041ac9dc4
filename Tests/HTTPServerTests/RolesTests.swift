import API
import Alarms
import Foundation
import Glibc
import Testing

@testable import HTTPServer

@Suite struct RolesTests {
  static let peers: [Role] = [
    .patient, .caretaker, .researcher, .analyst, .monitor, .admin, .courier,
  ]

  /// Returns the path of a route. Each parameter in the path has a value.
  static func target(_ route: Route) -> String {
    route.path.split(separator: "/").map { $0.hasPrefix("{") ? "x1" : String($0) }
      .reduce("") { $0 + "/" + $1 }
  }

  @Test(arguments: peers)
  func `each route admits exactly the roles of its table`(role: Role) async throws {
    try await withHome(onlyMe(role)) { home in
      let replies = try await blocking {
        let caller = try home.caller()
        return try Route.all.map { route in
          (route, try caller.ask(route.method.rawValue, Self.target(route)))
        }
      }
      #expect(replies.count == Route.all.count)
      for (route, reply) in replies {
        if route.roles.contains(role) {
          #expect(reply.status == 200, "\(role) \(route.operation)")
        } else {
          #expect(reply.status == 403, "\(role) \(route.operation)")
          #expect(reply.has(kind: "forbidden") && reply.isProblem)
          for needed in route.roles { #expect(reply.text.contains(needed.rawValue)) }
        }
      }
      let open = Route.all.filter { $0.roles.contains(role) }
      let shut = Route.all.filter { !$0.roles.contains(role) }
      #expect(home.visits.seen.map(\.operation) == open.map(\.operation))
      #expect(
        home.visits.seen.allSatisfy {
          $0.actor == Actor(role: role, id: "uid:\(geteuid())", source: "socket")
        })
      #expect(
        home.visits.denied
          == shut.map { .init(uid: geteuid(), method: $0.method.rawValue, path: $0.path) })
    }
  }

  @Test func `a user without a role gets the same refusal for every request, and no data is read`()
    async throws
  {
    try await withHome(onlyMe(nil)) { home in
      let asked =
        Route.all.map { ($0.method.rawValue, Self.target($0)) }
        + [("GET", "/nothing"), ("PATCH", "/v1/status"), ("GET", "/v1/log?bogus=1")]
      let replies = try await blocking {
        let caller = try home.caller()
        return try asked.map { try caller.ask($0.0, $0.1) }
      }
      let first = try #require(replies.first)
      #expect(first.status == 403 && first.isProblem && first.has(kind: "forbidden"))
      for reply in replies { #expect(reply.body == first.body && reply.status == 403) }
      #expect(home.visits.seen.isEmpty)
      #expect(home.visits.denied.count == asked.count)
      #expect(home.visits.denied.contains(.init(uid: geteuid(), method: "GET", path: "/v1/log")))
    }
  }

  @Test func `the body of a user without a role is not read`() async throws {
    try await withHome(onlyMe(nil)) { home in
      let reply = try await blocking {
        let caller = try home.caller()
        caller.send("PUT /v1/tones/dad HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n")
        let reply = try caller.reply()
        #expect(try caller.receiveToEnd().isEmpty)
        return reply
      }
      #expect(reply.status == 403 && reply.headers["connection"] == "close")
    }
  }

  @Test func `a group gives its members a role`() async throws {
    let identities = Identities(
      admins: [], users: [:], groups: [getegid(): [.researcher]], alwaysAdmin: [])
    try await withHome(identities) { home in
      let reply = try await blocking { try home.caller().ask("GET", "/v1/log") }
      #expect(reply.status == 200)
      #expect(home.visits.seen.first?.actor.role == .researcher)
    }
  }

  @Test func `a request acts with the strongest role that the route allows`() async throws {
    let identities = Identities(
      admins: [], users: [geteuid(): [.patient]], groups: [getegid(): [.researcher]],
      alwaysAdmin: [])
    try await withHome(identities) { home in
      try await blocking {
        let caller = try home.caller()
        for target in ["/v1/log", "/v1/agenda", "/v1/prompts"] {
          #expect(try caller.ask("GET", target).status == 200)
        }
      }
      #expect(home.visits.seen.map(\.actor.role) == [.researcher, .patient, .researcher])
    }
  }

  @Test func `root and the user of the daemon are admins in every configuration`() {
    let identities = Identities(admins: [], users: [0: [.patient]], groups: [:])
    #expect(identities.role(uid: 0, groups: []) == .admin)
    #expect(identities.role(uid: geteuid(), groups: []) == .admin)
    #expect(identities.role(uid: 4_000_000, groups: [0]) == nil)
  }

  @Test func `roles come strongest first, and nobody has the system role`() {
    let identities = Identities(
      admins: [7], users: [7: [.monitor, .patient], 8: [.system], 10: [.researcher, .caretaker]],
      groups: [
        1: [.patient], 2: [.caretaker], 3: [.researcher], 4: [.system], 5: [.patient, .monitor],
      ], alwaysAdmin: [])
    #expect(
      identities.roles(uid: 7, groups: [1, 2, 3, 4])
        == [.admin, .caretaker, .researcher, .patient, .monitor])
    #expect(identities.role(uid: 9, groups: [3, 1]) == .researcher)
    #expect(identities.role(uid: 8, groups: [4]) == nil)
    #expect(identities.roles(uid: 10, groups: []) == [.caretaker, .researcher])
    #expect(
      identities.roles(uid: 10, groups: [5]) == [.caretaker, .researcher, .patient, .monitor])
    #expect(identities.roles(uid: 11, groups: [5]) == [.patient, .monitor])
    #expect(identities.role(uid: 0, groups: []) == nil)
  }
}
