import API
import Alarms
import CivilTime
import Engine
import JSONValue

/// The newest success and the newest failure among the notifications of one contact.
public struct ContactResult: Sendable, Hashable {
  public var reachedAt: Instant?
  public var failedAt: Instant?
  /// The reason for the newest failure; nil if there was no failure, or if the reason was erased.
  public var failure: String?

  public init(reachedAt: Instant? = nil, failedAt: Instant? = nil, failure: String? = nil) {
    self.reachedAt = reachedAt
    self.failedAt = failedAt
    self.failure = failure
  }
}

// The handlers for the contacts of the configuration.
extension RequestHandler {
  /// The maximum time for which a request waits for the result of its test message, in nanoseconds.
  /// The value is 75 seconds.
  private static let testNanoseconds: Int64 = 75_000_000_000

  func contacts(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .testContact: try await testContact(request)
    case .call: try await call(request)
    case .listMessages: try await messages(request)
    default: try await listContacts()
    }
  }

  private func listContacts() async throws -> APIResponse {
    let results = try archive.contactResults()
    let environment = ports.environment()
    let names = environment.contacts.sorted()
    let (alarms, people, supplies) = await engine.read { home, _ in
      (home.alarmsByContact, home.people, home.supplies.values.filter { $0.settings.lowAt != nil })
    }
    return .json(
      .object([
        (
          "contacts",
          .array(
            names.map { name in
              let of = people.values.filter {
                $0.person?.inactivity?.notifySteps.contains { $0.contact == name } ?? false
              }
              return .contact(
                name, alarms: alarms[name] ?? 0, people: of.map(\.id.text).sorted(),
                supplies: supplies.filter { $0.contacts(in: environment).contains(name) }
                  .map(\.name).sorted(),
                takesCalls: environment.callContacts.contains(name),
                results[name] ?? ContactResult())
            })
        )
      ]))
  }

  /// Sends a test message, and waits for its result.
  private func testContact(_ request: APIRequest) async throws -> APIResponse {
    try FieldReader(body: request.body).finish()
    let name = request.parameters["name"] ?? ""
    let reply = try await engine.execute(.testContact(name), by: request.actor)
    guard case .notice(let notice) = reply else {
      preconditionFailure("the engine returned no notice")
    }
    let began = ports.now().bootNanoseconds
    while true {
      let head = archive.head().sequence
      let result = await engine.read { home, _ in home.noticeBook.testResult(notice.number) }
      if let result {
        return .contactTest(
          notice, state: result.failure == nil ? "sent" : "failed", reason: result.failure)
      }
      let isLate = ports.now().bootNanoseconds - began >= Self.testNanoseconds
      if isLate { return .contactTest(notice, state: "waiting", reason: nil) }
      // The daemon records the result of the test as a new event. Therefore, wait for events after
      // `head`.
      if await archive.newEvents(head) == nil {
        return .contactTest(notice, state: "waiting", reason: nil)
      }
    }
  }
}

extension APIResponse {
  fileprivate static func contactTest(
    _ notice: Notice, state: String, reason: String?
  ) -> APIResponse {
    .json(
      .object([
        ("contact", .string(notice.contact)), ("notice", .integer(notice.number)),
        ("state", .string(state)), ("reason", .optional(reason)),
      ]))
  }
}

extension JSON {
  fileprivate static func contact(
    _ name: String, alarms: Int, people: [String], supplies: [String], takesCalls: Bool,
    _ result: ContactResult
  ) -> JSON {
    .object([
      ("name", .string(name)), ("alarms", .integer(Int64(alarms))),
      ("people", .array(people.map(JSON.string))),
      ("supplies", .array(supplies.map(JSON.string))), ("calls", .bool(takesCalls)),
      ("last_reached_utc", .optional(result.reachedAt?.description)),
      ("last_failure_utc", .optional(result.failedAt?.description)),
      ("last_failure", .optional(result.failure)),
    ])
  }
}
