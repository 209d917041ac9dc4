import CivilTime
import Foundation
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

  @Test func `does not bring back a change that was dropped meanwhile`() throws {
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var change = try add("one")
    try outbox.remove(change.number)
    change.state = .refused
    try outbox.update(change)
    #expect(try outbox.changes().isEmpty)
  }
}
