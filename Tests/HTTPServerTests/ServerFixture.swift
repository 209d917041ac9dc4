import API
import Alarms
import Foundation
import Glibc
import JSONValue
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import HTTPServer

/// The requests and denials that a server reported to the test.
final class Visits: Sendable {
  struct Denial: Hashable, Sendable {
    var uid: UInt32
    var method: String
    var path: String
  }

  private let requests = Mutex<[APIRequest]>([])
  private let denials = Mutex<[Denial]>([])

  var seen: [APIRequest] { requests.withLock { $0 } }
  var denied: [Denial] { denials.withLock { $0 } }

  func record(_ request: APIRequest) { requests.withLock { $0.append(request) } }
  func record(_ denial: Denial) { denials.withLock { $0.append(denial) } }
}

/// A running server with its own socket.
struct HomeState: Sendable {
  var path: String
  var server: Server
  var visits: Visits
  /// Asks the service group to stop gracefully, as SIGTERM does.
  var stop: @Sendable () async -> Void

  func caller() throws -> Caller { try Caller(path) }

  /// Waits at most 5 s until the server has no connection and no upload. Returns false if the
  /// server still has a connection or an upload after this time.
  func isEmptySoon() async throws -> Bool {
    for _ in 0..<500 {
      if server.limiter.held == (0, 0, 0, 0, 0) { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}

/// Returns identities in which the user of the test has this role and no other user has a role.
func onlyMe(_ role: Role?) -> Identities {
  Identities(
    admins: [], users: role.map { [geteuid(): [$0]] } ?? [:], groups: [:], alwaysAdmin: [])
}

extension ServerLimits {
  /// Returns the standard limits with some changes.
  static func with(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits.standard
    change(&limits)
    return limits
  }
}

/// Makes a new directory that other users may enter.
func temporaryDirectory() throws -> String {
  var template = Array("/tmp/server-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw Caller.Failed(description: "mkdtemp") }
  let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  chmod(path, 0o755)
  return path
}

func removeDirectory(_ path: String) {
  do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
}

/// Starts a server, runs the test, stops the server gracefully and removes all files.
func withHome(
  _ identities: Identities, _ limits: ServerLimits = .standard,
  handle: @escaping @Sendable (APIRequest) async -> APIResponse = { _ in
    .json(.object([("ok", .bool(true))]))
  },
  _ test: @Sendable (HomeState) async throws -> Void
) async throws {
  let directory = try temporaryDirectory()
  defer { removeDirectory(directory) }
  let path = directory + "/s"
  let visits = Visits()
  let server = Server(
    socket: try ListeningSocket.bind(path: path, mode: 0o666), identities: identities,
    limits: limits, logger: Logger(label: "server", factory: { _ in SwiftLogNoOpLogHandler() }),
    handle: { request in
      visits.record(request)
      return await handle(request)
    },
    onDenied: { visits.record(.init(uid: $0, method: $1, path: $2)) })
  let group = ServiceGroup(
    services: [server], logger: Logger(label: "group", factory: { _ in SwiftLogNoOpLogHandler() }))
  let running = Task { try await group.run() }
  let home = HomeState(path: path, server: server, visits: visits) {
    await group.triggerGracefulShutdown()
  }
  do {
    try await test(home)
    await home.stop()
    try await running.value
    #expect(server.limiter.held == (0, 0, 0, 0, 0), "something is still held")
  } catch {
    running.cancel()
    _ = await running.result
    throw error
  }
}

/// Runs blocking calls on a new thread. The server uses the two threads of the pool, so blocking
/// calls in the pool could stop the server. The calls run in the task of the test. Therefore, a
/// failed expectation in a call belongs to this test.
func blocking<Value: Sendable>(_ body: @Sendable () throws -> Value) async throws -> Value {
  try await withTaskExecutorPreference(ThreadForEach.shared) { try body() }
}

private final class ThreadForEach: TaskExecutor {
  static let shared = ThreadForEach()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

/// Responds with the request as the server understood it.
@Sendable func echo(_ request: APIRequest) async -> APIResponse {
  .json(
    .object([
      ("operation", .string(request.operation.rawValue)),
      ("id", .optional(request.parameters["id"])),
      ("body", .string(String(decoding: request.body, as: UTF8.self))),
    ]))
}

/// Responds like `echo`, but after 100 ms, even if the client has left.
@Sendable func slowEcho(_ request: APIRequest) async -> APIResponse {
  do { try await Task.sleep(for: .milliseconds(100)) } catch { Issue.record(error) }
  return await echo(request)
}
