import Alarms

/// One line of the contract: what may be asked, by whom, and how large the question may be.
///
/// This table is the only place where a path is written down. The router, the role checks, the
/// documentation and their tests all read it.
public struct Route: Sendable, Hashable {
  public enum Method: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// The name of the operation.
  public enum Operation: String, Sendable, CaseIterable {
    case status
    case listAlarms, addAlarm, showAlarm, editAlarm, removeAlarm
    case agenda, preview
    case listPrompts, showPrompt
    case acknowledge, complete, delay, decline, cancel
    case listTones, addTone, removeTone
    case log, export, verify
  }

  public var operation: Operation
  public var method: Method
  /// Segments in braces are parameters: `/v1/prompts/{id}/complete`.
  public var path: String
  public var roles: Set<Role>
  /// The largest body in bytes.
  public var bodyLimit: Int
  /// The names of the query parameters it knows; any other is refused by name.
  public var query: [String]
  /// One sentence for the documentation.
  public var summary: String

  init(
    _ operation: Operation, _ method: Method, _ path: String, _ roles: Set<Role>,
    bodyLimit: Int = Route.smallBody, query: [String] = [], _ summary: String
  ) {
    self.operation = operation
    self.method = method
    self.path = path
    self.roles = roles.union([.admin])
    self.bodyLimit = bodyLimit
    self.query = query
    self.summary = summary
  }

  /// 64 KiB: no description of an alarm is longer.
  public static let smallBody = 64 * 1024
  /// 10 MiB: a minute of uncompressed stereo sound.
  public static let uploadBody = 10 * 1024 * 1024
}

extension Route {
  private static let everyone: Set<Role> = [.patient, .caretaker, .researcher, .monitor]
  private static let home: Set<Role> = [.patient, .caretaker]

  /// The whole contract.
  public static let all: [Route] = [
    Route(
      .status, .get, "/v1/status", everyone,
      "Whether the daemon, its clock and its speaker are well."),
    Route(.listAlarms, .get, "/v1/alarms", [.caretaker, .researcher], "All alarms that are set."),
    Route(
      .addAlarm, .post, "/v1/alarms", [.caretaker], "Sets an alarm; answers with its next rings."),
    Route(
      .showAlarm, .get, "/v1/alarms/{id}", [.caretaker, .researcher],
      "One alarm and its next rings."),
    Route(
      .editAlarm, .put, "/v1/alarms/{id}", [.caretaker], "Changes the named fields of an alarm."),
    Route(
      .removeAlarm, .delete, "/v1/alarms/{id}", [.caretaker],
      "Removes an alarm; its record stays. Says what was stopped."),
    Route(
      .agenda, .get, "/v1/agenda", home, query: ["limit"], "What is due next, in order."),
    Route(
      .preview, .post, "/v1/alarms/preview", [.caretaker, .researcher],
      "What an alarm would do, without setting it."),
    Route(
      .listPrompts, .get, "/v1/prompts", [.patient, .caretaker, .researcher],
      query: ["state", "limit", "before"], "Prompts, newest first, with their outcomes."),
    Route(
      .showPrompt, .get, "/v1/prompts/{id}", [.patient, .caretaker, .researcher], "One prompt."),
    Route(
      .acknowledge, .post, "/v1/prompts/{id}/acknowledge", home,
      "On my way: the sound stops, and comes back unless the task is completed."),
    Route(
      .complete, .post, "/v1/prompts/{id}/complete", home, "Done: everything pending is cancelled."),
    Route(.delay, .post, "/v1/prompts/{id}/delay", home, "Later: a new burst after the delay."),
    Route(
      .decline, .post, "/v1/prompts/{id}/decline", home, "Not now and not later, with a reason."),
    Route(.cancel, .post, "/v1/prompts/{id}/cancel", [.caretaker], "The caretaker calls it off."),
    Route(.listTones, .get, "/v1/tones", home, "The stored recordings."),
    Route(
      .addTone, .put, "/v1/tones/{name}", [.caretaker], bodyLimit: Route.uploadBody,
      "Checks, normalises and stores a recording."),
    Route(
      .removeTone, .delete, "/v1/tones/{name}", [.caretaker], "Removes a recording no alarm uses."),
    Route(
      .log, .get, "/v1/log", [.researcher], query: ["after", "limit"],
      "The study record, one event a line, in order."),
    Route(
      .export, .get, "/v1/export", [.researcher], query: ["profile"],
      "The study package as a tar stream."),
    Route(.verify, .get, "/v1/verify", [.researcher], "Whether the record is whole and true."),
  ]

  /// What a method and a path lead to.
  public enum Match: Sendable, Hashable {
    /// - Parameter parameters: the path's parameters by name, percent-decoded.
    case found(Route, parameters: [String: String])
    /// The path exists, with these methods.
    case methodNotAllowed([Method])
    case notFound
  }

  /// Finds the route of a request.
  ///
  /// - Parameter path: the path without its query, still percent-encoded.
  public static func match(method: String, path: String) -> Match {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    var allowed: [Method] = []
    for route in all {
      guard let parameters = route.parameters(of: segments) else { continue }
      if route.method.rawValue == method { return .found(route, parameters: parameters) }
      allowed.append(route.method)
    }
    return allowed.isEmpty ? .notFound : .methodNotAllowed(allowed)
  }

  private func parameters(of segments: [Substring]) -> [String: String]? {
    let mine = path.split(separator: "/", omittingEmptySubsequences: false)
    guard mine.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (pattern, segment) in zip(mine, segments) {
      if pattern.hasPrefix("{") {
        guard !segment.isEmpty, let value = percentDecoded(segment) else { return nil }
        parameters[String(pattern.dropFirst().dropLast())] = value
      } else if pattern != segment {
        return nil
      }
    }
    return parameters
  }
}

/// Undoes percent-encoding.
///
/// - Returns: nil where an escape is cut short or the bytes are no UTF-8.
public func percentDecoded(_ text: some StringProtocol) -> String? {
  var bytes: [UInt8] = []
  var rest = text.utf8.makeIterator()
  while let byte = rest.next() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
      return nil
    }
    bytes.append(high << 4 | low)
  }
  return String(validating: bytes, as: UTF8.self)
}

private func hexValue(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
