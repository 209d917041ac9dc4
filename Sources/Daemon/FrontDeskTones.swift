import Alarms
import CivilTime
import Wire

/// `/v1/tones`.
extension FrontDesk {
  func tones(_ request: WireRequest) async throws -> WireResponse {
    let tones = await hallway.look { home, _ in Array(home.tones.values) }
    let page = try Page(tones, of: request, most: 500) { [$0.name] }
    return .json(page.document("tones", JSON.tone))
  }

  func addTone(_ request: WireRequest) async throws -> WireResponse {
    let name = try toneName(request)
    let tone = try await archive.storeTone(name, request.body)
    return try await carryOut(.addTone(tone), by: request.actor) { _, _ in
      .json(.object([("tone", .tone(tone))]), status: 201)
    }
  }

  func removeTone(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.removeTone(
      request.parameters["name"] ?? "", replaceWith: request.query["replace_with"])
    return try await carryOut(command, by: request.actor) { reply, _ in
      guard case .tone(let tone) = reply else {
        preconditionFailure("a tone was removed without being answered")
      }
      return .json(.object([("tone", .tone(tone))]))
    }
  }

  func renameTone(_ request: WireRequest) async throws -> WireResponse {
    var fields = try FieldReader(body: request.body)
    let new = try fields.string("name")
    try fields.finish()
    let command = Command.renameTone(
      request.parameters["name"] ?? "", to: try checkedToneName(new ?? ""))
    return try await carryOut(command, by: request.actor) { reply, _ in
      guard case .tone(let tone) = reply else {
        preconditionFailure("a tone was renamed without being answered")
      }
      return .json(.object([("tone", .tone(tone))]))
    }
  }

  func toneSound(_ request: WireRequest) async throws -> WireResponse {
    let name = request.parameters["name"] ?? ""
    let tone = await hallway.look { home, _ in home.tones[name] }
    guard let tone else { throw Refusal(.notFound, "there is no tone \"\(name)\"") }
    guard let bytes = sound.recording(tone.sha256) else {
      throw Refusal(.storage, "the recording \"\(name)\" is gone from the disk; add it again")
    }
    return WireResponse(status: 200, contentType: "audio/wav", body: .bytes(bytes))
  }

  func toneName(_ request: WireRequest) throws(Refusal) -> String {
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
        "\"\(name)\" cannot name a tone; use 1 to 64 letters, digits, dots, dashes and underscores")
    }
    return name
  }
}
