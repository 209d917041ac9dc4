import API
import Alarms
import CivilTime
import Engine
import EventCoding
import JSONValue

/// The handlers of `/v1/tones`.
extension APIRequest {
  /// Returns true if the new recording may replace a stored recording with the same name.
  fileprivate func replaces() throws(Refusal) -> Bool {
    switch query["replace"] {
    case nil: return false
    case "yes"?: return true
    case let text?:
      throw Refusal(
        .invalidField, field: "replace", "\"\(text)\" is not yes; leave it out, or write yes")
    }
  }
}

extension RequestHandler {
  func tone(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .addTone: try await addTone(request)
    case .removeTone: try await removeTone(request)
    case .renameTone: try await renameTone(request)
    case .playTone: try await playTone(request)
    case .toneSound: try await toneSound(request)
    default: try await tones(request)
    }
  }

  func tones(_ request: APIRequest) async throws -> APIResponse {
    let tones = await engine.read { home, _ in home.tones(of: request.only) }
    let page = try Page(tones, of: request, most: 500) { [$0.name] }
    return .json(page.document("tones", JSON.tone))
  }

  /// Checks whether the home can accept the recording. If the home can accept it, the handler
  /// stores the file of the recording. Then the engine adds the recording to the home.
  ///
  /// If the engine refuses the recording, the handler deletes the file. If the recording replaces a
  /// stored recording, the handler deletes the file of the replaced recording. In both cases, the
  /// handler keeps a file that the home still uses.
  func addTone(_ request: APIRequest) async throws -> APIResponse {
    let replacing = try request.replaces()
    let typed = try toneName(request)
    // If the name of an existing tone differs only in upper and lower case, use the name of the
    // existing tone. Therefore, the alarms with this tone need no change after a replacement.
    let name = await engine.read { home, _ in NameMatch.find(typed, in: home.tones.keys) } ?? typed
    let user = request.actor.id
    try await admit(request.body.count) { home in
      let isTaken = replacing ? nil : home.refusesName(ofTone: name)
      return isTaken ?? home.refusesTone(named: name, by: user)
    }
    let tone = try await recordings.store(name, request.body) { tone throws(Refusal) in
      try await admit(tone.bytes) { tone.refusal(in: $0, by: user) }
    }
    let former = await engine.read { home, _ in home.tones[name]?.sha256 }
    let result: Result<APIResponse, Refusal>
    do throws(Refusal) {
      let response = try await carryOut(
        .addTone(tone, replacing: replacing), by: request.actor
      ) { _, _ in
        .json(.object([("tone", .tone(tone))]), status: 201)
      }
      result = .success(response)
    } catch {
      result = .failure(error)
    }
    recordings.settle(tone.sha256)
    await dropUnneeded([tone.sha256, former].compactMap { $0 })
    return try result.get()
  }

  func removeTone(_ request: APIRequest) async throws -> APIResponse {
    let name = request.parameters["name"] ?? ""
    let former = await engine.read { home, _ in
      NameMatch.find(name, in: home.tones.keys).flatMap { home.tones[$0]?.sha256 }
    }
    let command = Command.removeTone(name, replaceWith: request.query["replace_with"])
    let response = try await carryOut(command, by: request.actor) { reply, _ in
      guard case .tone(let tone) = reply else {
        preconditionFailure("the engine returned no removed tone")
      }
      return .json(.object([("tone", .tone(tone))]))
    }
    await dropUnneeded([former].compactMap { $0 })
    return response
  }

  /// Deletes each recording of the list if no alarm and no person of the home needs it.
  ///
  /// If a ring plays a recording at this time, the handler keeps the recording. The daemon deletes
  /// the recording during its next daily cleanup.
  private func dropUnneeded(_ digests: [String]) async {
    let (drop, log) = (recordings.drop, ports.log)
    await engine.read { home, _ in
      let needed = home.neededRecordings
      for digest in digests where !needed.contains(digest) {
        do {
          try drop(digest)
        } catch {
          log(LogLine(.warning, "cannot delete an unused recording: \(error)"))
        }
      }
    }
  }

  func renameTone(_ request: APIRequest) async throws -> APIResponse {
    var fields = try FieldReader(body: request.body)
    let new = try fields.string("name")
    try fields.finish()
    let command = Command.renameTone(
      request.parameters["name"] ?? "", to: try checkedToneName(new ?? ""))
    return try await carryOut(command, by: request.actor) { reply, _ in
      guard case .tone(let tone) = reply else {
        preconditionFailure("the engine returned no renamed tone")
      }
      return .json(.object([("tone", .tone(tone))]))
    }
  }

  func toneSound(_ request: APIRequest) async throws -> APIResponse {
    let name = request.parameters["name"] ?? ""
    let tone = await engine.read { home, _ in
      let tones = home.tones(of: request.only)
      let known = NameMatch.find(name, in: tones.map(\.name))
      return tones.first { $0.name == known }
    }
    guard let tone else { throw Refusal(.notFound, "there is no tone \"\(name)\"") }
    guard let bytes = sound.recording(tone.sha256) else {
      throw Refusal(
        .storage,
        "cannot read the recording \"\(name)\": its file is missing; add it again with --replace")
    }
    return APIResponse(status: 200, contentType: "audio/wav", body: .bytes(bytes))
  }

  func toneName(_ request: APIRequest) throws(Refusal) -> String {
    try checkedToneName(request.parameters["name"] ?? "")
  }

  private func checkedToneName(_ name: String) throws(Refusal) -> String {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || "._-".unicodeScalars.contains($0)
    }
    guard isPlain, (1...64).contains(name.count), !name.hasPrefix(".") else {
      throw Refusal(
        .invalidField, field: "name",
        "\"\(name)\" cannot be the name of a tone; use 1 to 64 letters, digits, dots, dashes and "
          + "underscores, without a dot at the beginning")
    }
    return name
  }
}
