import Alarms
import CivilTime
import Wire

/// `/v1/log`, `/v1/export` and `/v1/verify`.
extension FrontDesk {
  func log(_ request: WireRequest) throws -> WireResponse {
    let limit = try request.integer("limit", in: 1...10_000) ?? 1_000
    let found = try archive.events(
      Int64(try request.integer("after", in: 0...Int.max) ?? 0), limit + 1)
    let events = found.prefix(limit)
    var headers: [String: String] = [:]
    if found.count > limit, let last = events.last?["seq"]?.integer {
      headers["x-prompter-next-after"] = String(last)
    }
    let text = events.map { "\($0)\n" }.joined()
    return WireResponse(
      status: 200, contentType: "application/x-ndjson", headers: headers,
      body: .bytes(Array(text.utf8)))
  }

  func export(_ request: WireRequest) async throws -> WireResponse {
    let profile = request.query["profile"] ?? "safe_harbor"
    let package = try await archive.export(profile)
    _ = try await hallway.obey(
      .exported(
        profile: profile, throughSequence: package.throughSequence, sha256: package.sha256),
      by: request.actor)
    return WireResponse(
      status: 200, contentType: "application/x-tar",
      headers: ["x-prompter-through-seq": String(package.throughSequence)],
      body: .stream(package.chunks))
  }

  /// `/v1/backup`.
  func backup() async throws -> WireResponse {
    let backup = try await archive.backup()
    return WireResponse(
      status: 200, contentType: "application/x-tar", headers: ["x-prompter-head": backup.head],
      body: .stream(backup.chunks))
  }

  /// `/v1/backup/retire`: between the look at the head and the mark nothing can happen to the home, so the
  /// backup holds everything that ever did.
  func retire(_ request: WireRequest) async throws -> JSON {
    let head = try request.retirementHead()
    let archive = archive
    let refusal: Refusal? = try await hallway.whileNothingHappens {
      guard archive.head().hash == head else {
        return Refusal(.conflict, "something has happened since that backup; make another one")
      }
      try archive.retire()
      return nil
    }
    if let refusal { throw refusal }
    return .object([("head", .string(head))])
  }
}
