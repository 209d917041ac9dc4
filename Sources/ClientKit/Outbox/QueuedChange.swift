import CivilTime
import JSONValue

/// A change that waits until its home can be reached.
package struct QueuedChange: Sendable, Hashable {
  package enum State: String, Sendable {
    case waiting = "waiting"
    /// The home refused the change.
    case refused = "refused"
    /// The change expired before the home could be reached.
    case expired = "expired"
  }

  /// The sequence number of the change in the outbox. The outbox never uses a number twice.
  package var number: Int
  package var address: HomeAddress
  /// The command as the user typed it.
  package var words: String
  package var method: String
  package var target: String
  package var headers: [Header]
  package var body: [UInt8]
  package var queuedAt: Instant
  /// At this instant or later, the outbox does not deliver the change; nil if there is no limit.
  package var expiresAt: Instant?
  package var state = State.waiting
  /// The instant at which the command line first sent the change; nil if it is certain that the
  /// change has not reached its home.
  package var sentAt: Instant?
  /// The number of attempts to deliver the change in which the home neither accepted nor refused
  /// it.
  package var tries = 0
  /// The reason why the change waits, was refused or expired; nil before the first attempt.
  package var reason: String?

  package struct Header: Sendable, Hashable {
    package var name: String
    package var value: String
  }

  package init(
    number: Int, _ request: Request, to address: HomeAddress, words: String, now: Instant,
    expiresAt: Instant?
  ) {
    self.number = number
    self.address = address
    self.words = words
    method = request.method
    target = request.target
    headers = request.headers.map { Header(name: $0.name, value: $0.value) }
    body = request.body
    queuedAt = now
    self.expiresAt = expiresAt
  }

  package var request: Request {
    Request(
      method: method, target: target, headers: headers.map { ($0.name, $0.value) }, body: body)
  }

  /// The schedule in the change, as a text that a person can read; empty if the change contains no
  /// schedule.
  ///
  /// The text shows an instant in the zone of this machine, because only the home knows the home
  /// zone.
  package var dueWords: String {
    guard let body = try? JSON(parsing: body), let schedule = body["schedule"]?.string else {
      return ""
    }
    guard (try? Instant(parsing: schedule)) != nil else { return TextFormat.oneLine(schedule) }
    let zone = SystemZones.home()
    return TextFormat.whole(schedule, zone: zone) + " (\(zone.name))"
  }

  // MARK: The stored and shown form

  /// The change as a JSON object, without the headers and the body of its request. The members of
  /// this object are in the file of the change and in the output of `prompter outbox list`.
  package var json: JSON {
    var document = JSON.object([
      ("number", .integer(Int64(number))), ("host", .optional(address.host)),
      ("socket", .optional(address.socket)), ("command", .string(words)),
      ("queued_utc", .string(queuedAt.description)),
      ("expires_utc", .optional(expiresAt?.description)), ("state", .string(state.rawValue)),
      ("tries", .integer(Int64(tries))), ("reason", .optional(reason)),
    ])
    document.set("sent_utc", .optional(sentAt?.description))
    document.set("method", .string(method))
    document.set("target", .string(target))
    return document
  }

  /// The content of the file in which the outbox stores the change: one line of JSON, followed by
  /// the unchanged body.
  package var bytes: [UInt8] {
    var document = json
    document.set(
      "headers",
      .array(headers.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) }))
    return Array(document.description.utf8) + [UInt8(ascii: "\n")] + body
  }

  /// - Returns: nil if the bytes are not the content of a stored change.
  package init?(number: Int, bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let document = try? JSON(parsing: Array(bytes[..<end])),
      let address = HomeAddress(
        host: document["host"]?.string, socket: document["socket"]?.string),
      let method = document["method"]?.string, let target = document["target"]?.string,
      let queuedAt = document["queued_utc"]?.string.flatMap({ try? Instant(parsing: $0) }),
      let state = document["state"]?.string.flatMap(State.init(rawValue:))
    else { return nil }
    self.number = number
    self.address = address
    self.method = method
    self.target = target
    self.queuedAt = queuedAt
    self.state = state
    words = document.text("command")
    headers = document.list("headers").map {
      Header(name: $0.text("name"), value: $0.text("value"))
    }
    expiresAt = document["expires_utc"]?.string.flatMap { try? Instant(parsing: $0) }
    sentAt = document["sent_utc"]?.string.flatMap { try? Instant(parsing: $0) }
    tries = document.count("tries")
    reason = document["reason"]?.string
    body = Array(bytes[(end + 1)...])
  }
}

extension HomeAddress {
  fileprivate var host: String? {
    if case .ssh(let host, _) = self { "\(host)" } else { nil }
  }

  fileprivate var socket: String? {
    switch self {
    case .here(let socket): socket
    case .ssh(_, let socket): socket
    }
  }

  fileprivate init?(host: String?, socket: String?) {
    if let host {
      guard let host = SSHHost(argument: host) else { return nil }
      self = .ssh(host, socket: socket)
    } else if let socket {
      self = .here(socket: socket)
    } else {
      return nil
    }
  }
}
