import API
import Alarms
import CivilTime
import Engine
import EventCoding
import JSONValue
import StudyExport

/// The handlers of `/v1/log`, `/v1/export`, `/v1/verify` and `/v1/backup`.
extension RequestHandler {
  func record(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .log: try log(request)
    case .export: try await export(request)
    case .verify: .json(try verify(request))
    case .backup: try await backup()
    case .retire: .json(try await retire(request))
    case .planPurge, .archive, .purge: try await purging(request)
    default: preconditionFailure("\(request.operation) is not an operation of the record")
    }
  }

  func log(_ request: APIRequest) throws -> APIResponse {
    let limit = try request.integer("limit", in: 1...10_000) ?? 1_000
    let after = Int64(try request.integer("after", in: 0...Int.max) ?? 0)
    let found =
      request.actor.role == .courier
      ? try studyRows(after, limit + 1, request.query["study"])
      : try archive.events(after, limit + 1)
    if request.query["study"] != nil, request.actor.role != .courier {
      throw Refusal(
        .invalidField, field: "study",
        "only a courier can select a study; leave out the field")
    }
    let events = found.prefix(limit)
    var headers: [String: String] = [:]
    if found.count > limit, let last = events.last?["seq"]?.integer {
      headers["x-prompter-next-after"] = String(last)
    }
    let text = events.map { "\($0)\n" }.joined()
    return APIResponse(
      status: 200, contentType: "application/x-ndjson", headers: headers,
      body: .bytes(Array(text.utf8)))
  }

  /// Returns the rows of the record for the archive of a study.
  private func studyRows(_ after: Int64, _ limit: Int, _ study: String?) throws -> [JSON] {
    guard let rows = try archive.study.rows(after, limit, study) else {
      throw Refusal(
        .conflict,
        "cannot send the record to an archive: the pseudonyms were changed with "
          + "\"prompter study rekey\", and the rows would contain the earlier pseudonyms")
    }
    return rows
  }

  func export(_ request: APIRequest) async throws -> APIResponse {
    let profile = try request.choice("profile", ExportProfile.self) ?? .safeHarbor
    if profile == .identified, request.actor.role == .analyst {
      throw Refusal(
        .forbidden, field: "profile",
        "cannot export \"identified\" as analyst: this profile contains names and typed words; choose "
          + "limited or safe_harbor")
    }
    let layout = try request.choice("layout", ExportLayout.self) ?? .frictionless
    let package = try await archive.export(profile, layout)
    // A purge may delete an event only if a recorded export contains the event. The sender of a
    // HEAD request receives no events. Therefore, do not record an export for a HEAD request.
    if !request.isHeadOnly {
      _ = try await engine.execute(
        .exported(
          profile: profile.rawValue, layout: layout.rawValue,
          throughSequence: package.throughSequence, sha256: package.sha256),
        by: request.actor)
    }
    var headers = [
      "x-prompter-through-seq": String(package.throughSequence),
      "x-prompter-bytes": String(package.bytes),
    ]
    headers["x-prompter-first-bad-seq"] = package.firstBadSequence.map { String($0) }
    return APIResponse(
      status: 200, contentType: "application/x-tar", headers: headers,
      body: .stream(package.chunks))
  }

  /// Handles `/v1/verify`.
  func verify(_ request: APIRequest) throws -> JSON {
    let head = try request.query["head"].map { text in
      guard let code = HeadCode(text) else {
        throw Refusal(
          .invalidField, field: "head",
          "\"\(text)\" is not a head code; check it for a typing error; a head code looks like "
            + "1204-7k3m-9x2p-4qwz-8h1v")
      }
      return code
    }
    let manifest = try request.query["manifest"].map { text in
      guard text.utf8.count == 64, text.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
      else {
        throw Refusal(
          .invalidField, field: "manifest",
          "\"\(text)\" is not the SHA-256 of a file: it must have 64 digits from 0 to 9 and a to f")
      }
      return text
    }
    return try archive.verify(head, manifest)
  }

  /// Handles `/v1/backup`.
  func backup() async throws -> APIResponse {
    let backup = try await archive.backup()
    return APIResponse(
      status: 200, contentType: "application/x-tar",
      headers: ["x-prompter-head": backup.head, "x-prompter-bytes": String(backup.bytes)],
      body: .stream(backup.chunks))
  }

  /// Handles `/v1/backup/retire`.
  ///
  /// The request contains the head of the backup. If this head equals the head of the record, the
  /// function marks the device as retired. The engine handles no input between the comparison and
  /// the mark. Therefore, the backup contains all events of the record.
  func retire(_ request: APIRequest) async throws -> JSON {
    let head = try request.retirementHead()
    let archive = archive
    let refusal: Refusal? = try await engine.withExclusiveAccess {
      guard archive.head().hash == head else {
        return Refusal(
          .conflict,
          "cannot retire this device: the record has new events since that backup; make another backup"
        )
      }
      try archive.retire()
      return nil
    }
    if let refusal { throw refusal }
    return .object([("head", .string(head))])
  }
}
