import API
import Alarms
import CaretakerPages
import CivilTime
import ClientKit
import ICalendar
import JSONValue

/// Sends the requests of the caretaker's pages to the daemon.
package struct CaretakerClient: CaretakerHome, EventSource {
  /// A function that answers a request about phones. The function throws if prompter-web cannot be
  /// reached.
  package typealias AskPhones =
    @Sendable (PhoneRequest) throws(HomeTrouble) -> HomeReply

  private var client: Client
  /// The user for whom the page server sends the requests, and the device of this user. The value
  /// is nil if the user runs the page server: the kernel then tells the daemon who the user is.
  private var delegated: (user: String, device: Int?)?
  /// Answers the requests about phones.
  private var askPhones: AskPhones

  /// - Parameters:
  ///   - user: the name of the user for whom the page server sends the requests; nil for the user
  ///     who runs the page server.
  ///   - device: the number of this user's device.
  ///   - phones: a function that answers the requests about phones.
  package init(
    client: Client, user: String? = nil, device: Int? = nil,
    phones: @escaping AskPhones
  ) {
    self.client = client
    askPhones = phones
    delegated = user.map { ($0, device) }
  }

  /// The time without data after which a request fails, in seconds. The value is larger than 75,
  /// because the test of a contact can take 75 seconds.
  private static let timeoutSeconds: Int64 = 90

  package func send(_ asked: HomeRequest) throws(HomeTrouble) -> HomeReply {
    do {
      let reply = try client.exchange(request(asked))
      return HomeReply(status: reply.status, body: reply.body)
    } catch let failure as Failure {
      throw .unreachable(failure.sentence)
    } catch {
      throw .unreachable("cannot reach the daemon: \(error)")
    }
  }

  private func request(_ asked: HomeRequest) -> Request {
    var request = Request(
      asked.operation, asked.parameters,
      query: asked.query.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    request.timeoutSeconds = Self.timeoutSeconds
    request = named(request)
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

  /// Returns the request with additional header fields: the kind of this program, the user and the
  /// device. The daemon records these values.
  private func named(_ request: Request) -> Request {
    var request = request
    request.headers.removeAll { $0.name == APIRequest.clientHeader }
    request.headers.append((APIRequest.clientHeader, ClientKind.web.rawValue))
    request.headers += delegation
    return request
  }

  /// The header fields that contain the user and the device.
  private var delegation: [(name: String, value: String)] {
    guard let delegated else { return [] }
    return [(APIRequest.forHeader, delegated.user)]
      + (delegated.device.map { [(APIRequest.deviceHeader, String($0))] } ?? [])
  }

  package func newKey() -> String { OneBrowser.secret(bytes: 16) }

  package func zone(_ name: String) -> Zone? { SystemZones.zone(name) }

  package func phones(_ request: PhoneRequest) throws(HomeTrouble) -> HomeReply {
    try askPhones(request)
  }

  package func findings(_ status: JSON) -> [HomeFinding] {
    // The page shows the time of the home, and does not compare it with the clock of this machine.
    let now = status["clock"]?["utc"]?.string.flatMap { try? Instant(parsing: $0) }
    return HomeChecks(status: status, now: now ?? Instant(milliseconds: 0)).findings.map {
      HomeFinding(
        check: $0.kind, grade: HomeFinding.Grade($0.grade), text: $0.text, fix: $0.fix)
    }
  }

  package func importCalendar(
    _ asked: CalendarRequest
  ) throws(HomeTrouble) -> Result<JSON, HomeRefusal> {
    func refused(_ why: String) -> HomeRefusal {
      HomeRefusal(status: 422, kind: "bad_calendar", detail: why)
    }
    do {
      let json = try CalendarProgram.read(
        asked.file, path: "this file", now: TextFormat.now().seconds)
      guard let tree = ICalendarTree(json) else {
        return .failure(
          refused("cannot read this file: install the same version of all programs of Prompter"))
      }
      var file = CalendarImport(
        person: asked.person, members: [("person", asked.person.map(JSON.string))],
        allDay: asked.allDay, duplicates: false, readsOlder: false, isTrial: asked.isTrial
      ) { try client.exchange(named($0)) }
      let result = try file.run(tree)
      guard result.isCalendar else {
        return .failure(
          refused(
            "cannot import this file: it is not a calendar file; export the calendar again as an "
              + "iCalendar file (.ics)"))
      }
      return .success(result.json)
    } catch Failure.unreachable(let why) {
      throw .unreachable(why)
    } catch let failure as Failure {
      return .failure(refused(failure.sentence))
    } catch {
      throw .unreachable("cannot import the file: \(error)")
    }
  }

  /// Passes the bytes of a reply to `take`, piece by piece.
  ///
  /// - Parameters:
  ///   - begin: a function that this function calls before the first piece, if the daemon accepts
  ///     the request.
  ///   - take: a function that processes a piece. While this function blocks, the daemon sends no
  ///     further piece.
  /// - Returns: the refusal of the daemon; nil if the function passed on all bytes.
  func download(
    _ asked: HomeRequest, begin: @escaping @Sendable () -> Void,
    take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws -> HomeRefusal? {
    var request = self.request(asked)
    request.timeoutSeconds = Request.recordTimeoutSeconds
    let reply = try client.exchange(request, consume: take) { head in
      if (200..<300).contains(head.status) { begin() }
    }
    if (200..<300).contains(reply.status) { return nil }
    return HomeRefusal(HomeReply(status: reply.status, body: reply.body))
  }

  package func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws {
    try client.followEvents(fields: delegation, begin: begin, take: take)
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
