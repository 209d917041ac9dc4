import API
import Alarms
import Engine
import Fakes
import JSONValue
import Synchronization
import Testing

@testable import RequestHandlers

/// Tests the reply to a test message to a contact.
@Suite struct ContactTestTests {
  private static let waitSeconds: Int64 = 25

  private final class Waits: Sendable {
    let count = Mutex(0)
  }

  /// Sends a test message to a contact.
  ///
  /// - Parameters:
  ///   - result: returns the result of the contact's command after a wait; nil if the command has
  ///     not ended yet.
  ///   - stopsAt: the number of the wait during which the daemon ends; by default, the daemon does
  ///     not end.
  /// - Returns: the state of the message, the reason of a failure, and the number of waits.
  private func test(
    _ result: @escaping @Sendable (_ wait: Int) -> NotifyResult.Result?, stopsAt: Int = .max
  ) async throws -> String {
    let home = await ServedHome()
    let (fakes, engine, waits) = (home.fakes, home.engine, Waits())
    let handler = home.handler(archive: { archive in
      archive.newEvents = { _ in
        let wait = waits.count.withLock {
          $0 += 1
          return $0
        }
        if wait >= stopsAt { return nil }
        fakes.pass(seconds: Self.waitSeconds)
        if let order = fakes.state.withLock({ $0.notifications.last }), let result = result(wait) {
          await engine.handle(
            NotifyResult(
              subject: order.subject, position: order.position, contact: order.contact, attempt: 1,
              reason: order.reason, result: result))
        }
        return true
      }
    })
    let reply = try await home.ask(.testContact, ["name": "anna"], at: handler).document
    #expect(reply["contact"]?.string == "anna" && reply["notice"]?.integer != nil)
    let (state, reason) = (reply["state"]?.string ?? "?", reply["reason"]?.string ?? "-")
    return "\(state) \(reason) \(waits.count.withLock { $0 })"
  }

  @Test func `the reply waits for the result, and at most 75 seconds`() async throws {
    let sent = try await test { $0 == 1 ? .notified : nil }
    #expect(sent == "sent - 1")
    let late = try await test { $0 == 3 ? .notified : nil }
    #expect(late == "sent - 3")
    let failed = try await test { $0 == 2 ? .failed(reason: "exit status 1", isLast: true) : nil }
    #expect(failed == "failed exit status 1 2")
    let waiting = try await test { _ in nil }
    #expect(waiting == "waiting - 3")
    let stopped = try await test({ _ in nil }, stopsAt: 2)
    #expect(stopped == "waiting - 2")
  }
}
