import ArchiveProtocol
import Compression
import JSONValue
import Synchronization

/// Answers the requests of homes.
///
/// | Request | Reply |
/// |---|---|
/// | `GET /v1/streams/{stream}/head` | the head of a stream |
/// | `POST /v1/streams/{stream}/append` | stores rows |
/// | `POST /v1/enrol` | binds the certificate of a home |
/// | `GET /metrics` | the state of all homes, for Prometheus |
package final class ArchiveService: Sendable {
  private let archive: Archive
  private let homes: HomeRegistry
  private let counters = Counters()
  private let wrongCodes = Mutex(WrongCodes())
  private let monotonicSeconds: @Sendable () -> Int64
  private let report: @Sendable (_ line: String) -> Void

  /// - Parameters:
  ///   - monotonicSeconds: a function that reads a clock that never goes back, in seconds.
  ///   - report: a function that writes a line for the administrator. No line contains an address
  ///     of a home.
  package init(
    pool: DatabasePool, monotonicSeconds: @escaping @Sendable () -> Int64,
    report: @escaping @Sendable (_ line: String) -> Void
  ) {
    archive = Archive(pool)
    homes = HomeRegistry(pool)
    (self.monotonicSeconds, self.report) = (monotonicSeconds, report)
  }

  /// Answers one request.
  ///
  /// - Parameter isTrusted: true if nginx sent the request and has checked the certificate of the
  ///   home. Only a request through the Unix socket comes from nginx.
  package func answer(_ request: ArchiveRequest, isTrusted: Bool) -> ArchiveReply {
    let reply: ArchiveReply
    do throws(ArchiveError) {
      reply = try route(request, isTrusted: isTrusted)
    } catch {
      report("\(error)")
      reply = .failure(error)
    }
    counters.count(reply.status)
    return reply
  }

  private func route(
    _ request: ArchiveRequest, isTrusted: Bool
  ) throws(ArchiveError) -> ArchiveReply {
    let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst().map(String.init)
    switch (request.method, parts) {
    case ("GET", ["metrics"]):
      return ArchiveReply(
        status: 200, type: "text/plain; version=0.0.4",
        body: try ArchiveMetrics.text(archive.pool, counters))
    case ("POST", ["v1", "enrol"]):
      return try known(request, isTrusted) { fingerprint throws(ArchiveError) in
        try enrol(request, fingerprint)
      }
    case ("GET", _)
    where parts.count == 4 && Array(parts[..<2]) == ["v1", "streams"]
      && parts[3] == "head":
      return try known(request, isTrusted) { fingerprint throws(ArchiveError) in
        guard let status = try archive.status(of: parts[2], fingerprint: fingerprint) else {
          return Self.unknownStream
        }
        return .json(200, status.json)
      }
    case ("POST", _)
    where parts.count == 4 && Array(parts[..<2]) == ["v1", "streams"]
      && parts[3] == "append":
      return try known(request, isTrusted) { fingerprint throws(ArchiveError) in
        try append(request, parts[2], fingerprint)
      }
    default:
      return .problem(404, "not_found", "cannot find \(request.method) on this path")
    }
  }

  /// Computes the fingerprint of the home's certificate, and calls `body` with this fingerprint. If
  /// the request has no valid certificate, the function returns the refusal `no_certificate` and
  /// does not call `body`.
  private func known(
    _ request: ArchiveRequest, _ isTrusted: Bool,
    _ body: (_ fingerprint: String) throws(ArchiveError) -> ArchiveReply
  ) throws(ArchiveError) -> ArchiveReply {
    guard isTrusted, let escaped = request.field(ClientCertificate.field), !escaped.isEmpty,
      let fingerprint = ClientCertificate.fingerprint(escaped: escaped)
    else {
      return .problem(
        401, "no_certificate",
        "cannot identify the home: the request has no client certificate; see docs/user/FLEET.md")
    }
    return try body(fingerprint)
  }

  private static let unknownStream = ArchiveReply.problem(
    404, "not_found", "cannot find a stream with this id for this home")

  // MARK: Enrolment

  private func enrol(
    _ request: ArchiveRequest, _ fingerprint: String
  ) throws(ArchiveError) -> ArchiveReply {
    let now = monotonicSeconds()
    guard wrongCodes.withLock({ $0.allows(at: now) }) else {
      return .problem(
        429, "too_many_codes", "cannot check a code: too many codes were wrong; try again later",
        retrySeconds: Int(WrongCodes.windowSeconds))
    }
    guard let document = try? JSONParser.document(request.body, allowsSpace: true),
      case .members(let members) = document, members.count == 1,
      let code = document["code"]?.string, code.utf8.count <= 64, !code.utf8.contains(0)
    else {
      return .problem(
        400, "malformed", "cannot read the body: it must be {\"code\":\"...\"}")
    }
    guard let reply = try homes.enrol(code: code, fingerprint: fingerprint) else {
      wrongCodes.withLock { $0.add(at: now) }
      return .problem(
        403, "wrong_code",
        "cannot enrol the home: the code is wrong, was used, or is older than "
          + "\(HomeRegistry.codeHours) hours; ask the study for a new code")
    }
    return .json(201, reply.json)
  }

  // MARK: Appending

  private func append(
    _ request: ArchiveRequest, _ stream: String, _ fingerprint: String
  ) throws(ArchiveError) -> ArchiveReply {
    guard let after = request.field(ArchiveField.after).flatMap({ ArchiveHead(parsing: $0) })
    else {
      return .problem(
        400, "malformed",
        "cannot append: the header field \(ArchiveField.after) must have the form SEQ-HASH")
    }
    var homeSequence: Int64?
    if request.has(ArchiveField.homeHead) {
      guard let value = request.field(ArchiveField.homeHead).flatMap({ Int64($0) }), value >= 0
      else {
        return .problem(
          400, "malformed",
          "cannot append: the header field \(ArchiveField.homeHead) must be the number of a row")
      }
      homeSequence = value
    }
    let rows: [ArchiveRow]
    switch Self.rows(request) {
    case .success(let found): rows = found
    case .failure(let refusal): return refusal.reply
    }
    counters.countBatch(rows: rows.count, bytes: request.body.count)
    let outcome = try archive.append(
      Archive.Append(
        stream: stream, fingerprint: fingerprint, after: after, rows: rows,
        homeSequence: homeSequence))
    return Self.reply(outcome)
  }

  private struct Refusal: Error { var reply: ArchiveReply }

  /// Reads the rows from the body of a request.
  private static func rows(_ request: ArchiveRequest) -> Result<[ArchiveRow], Refusal> {
    func refuse(_ status: Int, _ kind: String, _ detail: String, _ more: [(String, JSON)] = [])
      -> Result<[ArchiveRow], Refusal>
    { .failure(Refusal(reply: .problem(status, kind, detail, more))) }
    let tooLarge = refuse(
      413, "too_large",
      "cannot append: a batch has at most \(ArchiveLimits.rows) rows and \(ArchiveLimits.bytes) "
        + "bytes without compression",
      [
        ("rows", .integer(Int64(ArchiveLimits.rows))),
        ("bytes", .integer(Int64(ArchiveLimits.bytes))),
      ])
    var body = request.body
    switch request.field("content-encoding") {
    case nil where !request.has("content-encoding"), "identity": break
    case "gzip":
      do throws(GZip.Failure) {
        body = try GZip.expand(body, limit: ArchiveLimits.bytes)
      } catch .tooLarge {
        return tooLarge
      } catch {
        return refuse(400, "malformed", "cannot read the body: it is not in the format of gzip")
      }
    default:
      return refuse(
        415, "unknown_encoding", "cannot read the body: the only Content-Encoding is gzip")
    }
    do throws(BatchReader.Failure) {
      return .success(try BatchReader.rows(body))
    } catch {
      guard case .row(let row) = error else { return tooLarge }
      let more: [(String, JSON)] = [
        ("line", .optional(row.line)), ("member", .optional(row.member)),
        ("reason", .string(row.reason.rawValue)),
      ]
      return refuse(400, "malformed_row", "\(row)", more)
    }
  }

  private static func reply(_ outcome: Archive.Outcome) -> ArchiveReply {
    switch outcome {
    case .stored(let status): .json(200, status.json)
    case .gap(let status):
      .problem(
        409, "gap", "cannot append: the batch does not follow the head; go on from the head",
        status.members)
    case .broken(let sequence, let reason):
      .problem(
        422, "broken_chain", "cannot append: row \(sequence) does not continue the hash chain",
        [("seq", .integer(sequence)), ("reason", .string(reason.rawValue))])
    case .fork(let successor, let sequence, let status):
      .problem(
        423, "fork",
        "cannot append: the record of the home differs from the stored rows; go on with the stream "
          + "\"\(successor)\"",
        status.members + [
          ("stream", .string(successor)), ("seq", sequence.map { .integer($0) } ?? .null),
        ])
    case .tooManyForks:
      .problem(
        429, "too_many_forks",
        "cannot append: the home made too many forks today; look for a second device with the same "
          + "key", retrySeconds: 3_600)
    case .withdrawn(let status):
      .problem(
        410, "withdrawn", "cannot append: the study no longer collects the record of this home",
        status.members)
    case .unknown: unknownStream
    }
  }
}

/// Limits the number of wrong enrolment codes per minute, for all homes together.
struct WrongCodes {
  static let windowSeconds: Int64 = 60
  private static let most = 30

  private var times: [Int64] = []

  mutating func allows(at now: Int64) -> Bool {
    times.removeAll { $0 <= now - Self.windowSeconds }
    return times.count < Self.most
  }

  mutating func add(at now: Int64) { times.append(now) }
}
