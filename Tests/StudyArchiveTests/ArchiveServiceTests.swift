import JSONValue
import Testing

@testable import StudyArchive

/// Tests requests that the service can answer without the database.
struct ArchiveServiceTests {
  private static let certificate =
    "-----BEGIN%20CERTIFICATE-----%0AAQID%0A-----END%20CERTIFICATE-----%0A"
  private let hash = String(repeating: "0", count: 64)

  private func answer(
    _ method: String, _ path: String, _ fields: [String: String?] = [:], body: String = "",
    isTrusted: Bool = true
  ) -> ArchiveReply {
    // This directory does not exist. Therefore, the service cannot connect to a database server.
    let pool = DatabasePool("host=/nonexistent dbname=prompter")
    let service = ArchiveService(pool: pool, monotonicSeconds: { 0 }, report: { _ in })
    return service.answer(
      ArchiveRequest(method: method, path: path, fields: fields, body: Array(body.utf8)),
      isTrusted: isTrusted)
  }

  private func kind(_ reply: ArchiveReply) throws -> String? {
    try JSON(parsing: Array(reply.body.utf8))["kind"]?.string
  }

  @Test(arguments: [
    ("GET", "/v1/streams/a/head"), ("POST", "/v1/streams/a/append"), ("POST", "/v1/enrol"),
  ])
  func `a request without a trusted certificate is refused`(method: String, path: String) throws {
    let with = ["prompter-certificate": Self.certificate]
    for (fields, isTrusted) in [
      ([:], true), (with, false), (["prompter-certificate": nil], true),
      (["prompter-certificate": ""], true),
    ] as [([String: String?], Bool)] {
      let reply = answer(method, path, fields, isTrusted: isTrusted)
      #expect(reply.status == 401)
      #expect(try kind(reply) == "no_certificate")
    }
  }

  @Test(arguments: [
    ("GET", "/"), ("GET", "/v1/streams/a/append"), ("POST", "/v1/streams/a/head"),
    ("GET", "/v1/streams/a/b/head"), ("GET", "//v1/streams/head"), ("GET", "metrics/x"),
    ("DELETE", "/v1/enrol"), ("GET", ""),
  ])
  func `other paths are not found`(method: String, path: String) throws {
    let reply = answer(method, path, ["prompter-certificate": Self.certificate])
    #expect(reply.status == 404)
    #expect(try kind(reply) == "not_found")
  }

  @Test func `a missing database is a reason to try again`() throws {
    for reply in [
      answer(
        "POST", "/v1/streams/a/append",
        ["prompter-certificate": Self.certificate, "prompter-after": "0-\(hash)"]),
      answer("GET", "/v1/streams/a/head", ["prompter-certificate": Self.certificate]),
      answer(
        "POST", "/v1/enrol", ["prompter-certificate": Self.certificate], body: #"{"code":"A"}"#),
      answer("GET", "/metrics"),
    ] {
      #expect(reply.status == 503)
      #expect(reply.retrySeconds == 15)
      #expect(reply.type == "application/problem+json")
      #expect(try kind(reply) == "unavailable")
    }
  }

  @Test func `a batch is read before the database is asked`() throws {
    let fields = ["prompter-certificate": Self.certificate, "prompter-after": "0-\(hash)"]
    let reply = answer("POST", "/v1/streams/a/append", fields, body: "{}\n")
    #expect(reply.status == 400)
    let document = try JSON(parsing: Array(reply.body.utf8))
    #expect(document["kind"] == .string("malformed_row"))
    #expect(document["member"] == .string("seq"))
    #expect(document["line"] == .integer(1))
  }

  @Test func `errors of PostgreSQL become the right status`() {
    for (state, status) in [
      ("53100", 503), ("53300", 503), ("57P01", 503), ("08006", 503), ("40001", 503), ("", 503),
      ("23505", 500), ("42501", 500),
    ] {
      #expect(ArchiveReply.failure(.sorted(state: state, "words")).status == status, "\(state)")
    }
    #expect(ArchiveReply.failure(.full("words")).retrySeconds == 300)
  }
}
