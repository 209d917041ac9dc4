import API
import Alarms
import Glibc
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import HTTPServer

/// Tests the maximum number of connections of each user. Also tests the connections that are
/// reserved for answers.
@Suite struct ConnectionLimiterTests {
  /// Simulated users and their connections.
  private final class SimulatedUsers {
    let limiter = ConnectionLimiter(limits: .standard)
    private var channels: [EmbeddedChannel] = []

    @discardableResult func enter(_ uid: UInt32, _ role: Role?) -> ConnectionLimiter.Entry {
      let channel = EmbeddedChannel()
      channels.append(channel)
      return limiter.enter(channel, uid: uid, roles: role.map { [$0] } ?? [])
    }

    func leave() {
      for channel in channels { _ = try? channel.finish() }
    }
  }

  @Test func `eight users with eight connections each do not keep a patient from answering`() {
    let users = SimulatedUsers()
    for uid in UInt32(1)...8 {
      for _ in 0..<8 { #expect(users.enter(uid, .caretaker) == .admitted) }
    }
    // All connections that are not reserved are now in use. The server refuses a user who cannot
    // answer prompts. A user who can answer prompts gets one ordinary connection and two
    // connections for answers.
    #expect(users.enter(20, .monitor) == .refused(.server))
    #expect(users.enter(21, .researcher) == .refused(.server))
    #expect(users.enter(22, nil) == .refused(.server))
    #expect(users.enter(30, .patient) == .admitted)
    #expect(users.enter(30, .patient) == .forOneAnswer(.server))
    #expect(users.enter(30, .patient) == .forOneAnswer(.server))
    #expect(users.enter(30, .patient) == .refused(.server))
    // Each user with eight connections gets two more connections for answers. These two connections
    // do not reduce the number of connections that are reserved for other users.
    for uid in UInt32(1)...8 {
      #expect(users.enter(uid, .caretaker) == .forOneAnswer(.user))
      #expect(users.enter(uid, .caretaker) == .forOneAnswer(.user))
      #expect(users.enter(uid, .caretaker) == .refused(.user))
    }
    #expect(users.enter(31, .patient) == .admitted)
    for _ in 0..<7 { #expect(users.enter(0, .admin) == .admitted) }
    users.leave()
    #expect(users.limiter.held == (0, 0, 0, 0, 0))
  }

  @Test func `the total of all connections has a limit, also for very many users`() {
    let users = SimulatedUsers()
    var counts: [ConnectionLimiter.Entry: Int] = [:]
    for uid in UInt32(1)...100 {
      for _ in 0..<20 { counts[users.enter(uid, .patient), default: 0] += 1 }
    }
    let limits = ServerLimits.standard
    let most = limits.connections + limits.firstConnections
    #expect(counts[.admitted] == most)
    let answering =
      counts[.forOneAnswer(.server), default: 0]
      + counts[.forOneAnswer(.user), default: 0]
    #expect(answering == limits.answerConnections)
    let refused = counts[.refused(.server), default: 0] + counts[.refused(.user), default: 0]
    #expect(refused == limits.connections)
    #expect(counts[.turnedAway, default: 0] == 2_000 - most - answering - refused)
    users.leave()
    #expect(users.limiter.held == (0, 0, 0, 0, 0))
  }

  @Test func `users without a role share eight connections, however many users there are`() {
    let users = SimulatedUsers()
    let entries = (UInt32(100_000)..<100_040).map { users.enter($0, nil) }
    #expect(entries.count { $0 == .admitted } == 8)
    #expect(entries.dropFirst(8).allSatisfy { $0 == .refused(.user) })
    users.leave()
  }

  @Test func `a user with all connections in use has one left for an answer, and for nothing else`()
    async throws
  {
    let limits = ServerLimits.with { $0.connectionsPerUser = 2 }
    try await withHome(onlyMe(.patient), limits) { home in
      try await blocking {
        let idle = try (0..<2).map { _ in try home.caller() }
        for caller in idle { #expect(try caller.ask("GET", "/v1/status").status == 200) }
        let asking = try home.caller()
        let listed = try asking.ask("GET", "/v1/prompts?state=current")
        #expect(listed.status == 200 && listed.headers["connection"] == "close")
        #expect(try asking.receiveToEnd().isEmpty)
        for word in ["acknowledge", "complete", "delay", "decline", "undo", "responses"] {
          let reply = try home.caller().ask("POST", "/v1/prompts/current/\(word)", body: "{}")
          #expect(reply.status == 200, "\(word)")
        }
        for (method, path) in [
          ("GET", "/v1/status"), ("GET", "/v1/events"), ("POST", "/v1/images"),
        ] {
          let reply = try home.caller().ask(method, path)
          #expect(reply.status == 429 && reply.has(kind: "limit"), "\(method) \(path)")
          #expect(reply.headers["connection"] == "close")
        }
        // On a connection for answers, a request that the user may not send gets the status 403.
        #expect(try home.caller().ask("DELETE", "/v1/alarms/x1").status == 403)
        withExtendedLifetime(idle) {}
      }
      #expect(!home.visits.seen.map(\.operation).contains(.events))
      let isEmpty = try await home.isEmptySoon()
      #expect(isEmpty)
    }
  }

  @Test func `a silent client does not keep a connection for answers`() async throws {
    let limits = ServerLimits.with {
      $0.connectionsPerUser = 1
      $0.headerSeconds = 0.3
    }
    try await withHome(onlyMe(.patient), limits) { home in
      try await blocking {
        let idle = try home.caller()
        #expect(try idle.ask("GET", "/v1/status").status == 200)
        let silent = try (0..<2).map { _ in try home.caller() }
        var status = 0
        for _ in 0..<200 where status != 200 {
          usleep(10_000)
          status = (try? home.caller().ask("POST", "/v1/prompts/current/complete"))?.status ?? 0
        }
        #expect(status == 200)
        for caller in silent { #expect(try caller.receiveToEnd().isEmpty) }
        withExtendedLifetime(idle) {}
      }
    }
  }
}

/// Tests how many lines the connections of a user can add to the journal.
@Suite struct ConnectionLogTests {
  /// The logged lines, and a clock that the test sets.
  private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])
    private let nanoseconds = Mutex<UInt64>(0)
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    func pass(_ seconds: UInt64) { nanoseconds.withLock { $0 += seconds * 1_000_000_000 } }
    var now: NIODeadline { .uptimeNanoseconds(nanoseconds.withLock { $0 }) }
  }

  private struct Handler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(_ lines: Lines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.add(event.message.description) }
  }

  @Test func `users without a role share a few lines, and a user with a role has lines of its own`()
  {
    let lines = Lines()
    let log = ConnectionLog(
      Logger(label: "server", factory: { _ in Handler(lines) }), now: { lines.now })
    for uid in UInt32(100_000)..<101_000 {
      log.note(ClientKey(uid: uid, roles: []), "closed a connection: uid \(uid)")
    }
    #expect(lines.all.count == ConnectionLog.linesPerWindow)
    log.note(ClientKey(uid: 7, roles: [.patient]), "closed a connection: uid 7")
    #expect(lines.all.last == "closed a connection: uid 7")
    lines.pass(UInt64(ConnectionLog.windowSeconds))
    log.note(ClientKey(uid: 100_000, roles: []), "closed a connection: uid 100000")
    #expect(
      lines.all.last
        == "closed a connection: uid 100000; 995 earlier lines like this were not written")
  }

  @Test func `very many users with a role fill neither memory nor journal`() {
    let lines = Lines()
    let log = ConnectionLog(
      Logger(label: "server", factory: { _ in Handler(lines) }), now: { lines.now })
    for uid in UInt32(0)..<10_000 { log.note(.user(uid), "cut a connection: uid \(uid)") }
    #expect(lines.all.count <= ConnectionLog.mostClients + ConnectionLog.linesPerWindow)
  }
}
