import CivilTime
import Foundation
import JSONValue
import Testing

@testable import ClientKit

@Suite struct `An outbox` {
  private let directory: String
  private let outbox: Outbox

  init() {
    directory = FileManager.default.temporaryDirectory
      .appending(path: "outbox-\(UUID().uuidString)").path(percentEncoded: false)
    outbox = Outbox(directory: directory)
  }

  private func add(_ words: String) throws -> QueuedChange {
    try outbox.add { number in
      QueuedChange(
        number: number,
        Request(
          method: "POST", target: "/v1/say", headers: [("idempotency-key", "k\(number)")],
          body: Array("{\"text\":\"\(words)\"}".utf8)),
        to: .here(socket: "/run/x.sock"), words: words, now: Instant(seconds: 1),
        expiresAt: nil)
    }
  }

  @Test func `keeps changes in order, and reads them back whole`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let added = try ["one", "two \"quoted\"\nline", "three"].map(add)
    #expect(try Outbox(directory: directory).changes() == added)
    #expect(added.map(\.number) == [1, 2, 3])
  }

  @Test func `never uses a number twice`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let first = try add("one")
    #expect(try outbox.remove(first.number))
    #expect(try !outbox.remove(first.number))
    #expect(try add("two").number > first.number)
  }

  @Test func `is for its user alone`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    _ = try add("one")
    let attributes = try FileManager.default.attributesOfItem(atPath: directory)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  /// Prepares the body of a request for the outbox. Returns the prepared body, and the due time of
  /// the alarm.
  private func lasting(_ body: String) throws -> (body: JSON, due: Instant?) {
    var request = Request(method: "POST", target: "/v1/alarms", headers: [], body: Array(body.utf8))
    let due = try ConnectionOptions.makeAbsolute(&request, Instant(parsing: "2026-12-01T10:00:00Z"))
    return (try JSON(parsing: request.body), due)
  }

  @Test func `keeps the zone of the home in a relative schedule`() throws {
    let soon = try lasting(#"{"label":"Tea","schedule":"in 20 minutes"}"#)
    #expect(soon.body["schedule"]?.string == "2026-12-01T10:20:00.000Z")
    #expect(soon.body["zone"] == nil)
    #expect(soon.due == (try Instant(parsing: "2026-12-01T10:20:00Z")))
    let tomorrow = try lasting(#"{"label":"Tea","schedule":"tomorrow 14:00"}"#)
    #expect(tomorrow.body["schedule"]?.string?.hasSuffix(" 14:00") == true, "\(tomorrow.body)")
    #expect(tomorrow.body["zone"] == nil && tomorrow.due == nil)
    let named = try lasting(
      #"{"label":"Tea","schedule":"tomorrow 14:00","zone":"America/New_York"}"#)
    #expect(named.due == (try Instant(parsing: "2026-12-02T19:00:00Z")))
    let daily = try lasting(#"{"label":"Tea","schedule":"every day 08:00"}"#)
    #expect(daily.body["schedule"]?.string == "every day 08:00" && daily.due == nil)
  }

  @Test func `shows the due time of a waiting alarm`() throws {
    func words(_ body: String) -> String {
      QueuedChange(
        number: 1,
        Request(method: "POST", target: "/v1/alarms", headers: [], body: Array(body.utf8)),
        to: .here(socket: "/run/x.sock"), words: "add", now: Instant(seconds: 1), expiresAt: nil
      ).dueWords
    }
    #expect(words(#"{"schedule":"2026-12-01T10:20:00.000Z"}"#).contains(" Dec 2026 "))
    #expect(words(#"{"schedule":"every day 08:00"}"#) == "every day 08:00")
    #expect(words("{}") == "" && words("") == "")
  }

  @Test func `does not bring back a change that was dropped meanwhile`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var change = try add("one")
    try outbox.remove(change.number)
    change.state = .refused
    try outbox.update(change)
    #expect(try outbox.changes().isEmpty)
  }
}
