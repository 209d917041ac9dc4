import API
import Alarms
import CaretakerPages
import CivilTime
import ClientKit
import JSONValue

/// The requests of the caretaker's pages to the daemon.
struct CaretakerClient: CaretakerHome, EventSource {
  var client: Client

  /// The time without data after which a request fails, in seconds. The test of a contact takes 75
  /// seconds.
  private static let timeoutSeconds: Int64 = 90

  func send(_ asked: HomeRequest) throws(HomeTrouble) -> HomeReply {
    do {
      let reply = try client.exchange(Self.request(asked))
      return HomeReply(status: reply.status, body: reply.body)
    } catch let failure as Failure {
      throw .unreachable(failure.sentence)
    } catch {
      throw .unreachable("cannot reach the daemon: \(error)")
    }
  }

  private static func request(_ asked: HomeRequest) -> Request {
    var request = Request(
      asked.operation, asked.parameters,
      query: asked.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    request.timeoutSeconds = timeoutSeconds
    request.headers.removeAll { $0.name == APIRequest.clientHeader }
    request.headers.append((APIRequest.clientHeader, ClientKind.web.rawValue))
    if let key = asked.key {
      request.headers.removeAll { $0.name == "Idempotency-Key" }
      request.headers.append(("Idempotency-Key", key))
    }
    if let version = asked.version { request.headers.append(("If-Match", "\"\(version)\"")) }
    switch asked.body {
    case .none: break
    case .json(let document):
      request.headers.append(("Content-Type", "application/json"))
      request.body = Array(document.description.utf8)
    case .bytes(let type, let bytes):
      request.headers.append(("Content-Type", type))
      request.body = bytes
    }
    return request
  }

  func newKey() -> String { OneBrowser.secret(bytes: 16) }

  func zone(_ name: String) -> Zone? { SystemZones.zone(name) }

  func findings(_ status: JSON) -> [HomeFinding] {
    // The page shows the time of the home. It does not compare it with the clock of this machine.
    let now = status["clock"]?["utc"]?.string.flatMap { try? Instant(parsing: $0) }
    return HomeChecks(status: status, now: now ?? Instant(milliseconds: 0)).findings.map {
      HomeFinding(
        check: $0.kind, grade: HomeFinding.Grade($0.grade), text: $0.text, fix: $0.fix)
    }
  }

  func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws {
    try client.followEvents(begin: begin, take: take)
  }
}

extension HomeFinding.Grade {
  fileprivate init(_ grade: Finding.Grade) {
    switch grade {
    case .well: self = .well
    case .note: self = .note
    case .warning: self = .warning
    case .problem: self = .problem
    case .silent: self = .silent
    }
  }
}
