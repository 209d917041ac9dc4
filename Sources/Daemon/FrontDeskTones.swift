import Alarms
import CivilTime
import Wire

/// `/v1/tones`.
extension FrontDesk {
  func tones() async -> JSON {
    let tones = await hallway.look { home, _ in home.tones.values.sorted { $0.name < $1.name } }
    return .object([("tones", .array(tones.map(JSON.tone)))])
  }

  func addTone(_ request: WireRequest) async throws -> WireResponse {
    let name = try toneName(request)
    let tone = try await archive.storeTone(name, request.body)
    _ = try await hallway.obey(.addTone(tone), by: request.actor)
    return .json(.object([("tone", .tone(tone))]), status: 201)
  }

  func removeTone(_ request: WireRequest) async throws -> WireResponse {
    let command = Command.removeTone(request.parameters["name"] ?? "")
    guard case .tone(let tone) = try await hallway.obey(command, by: request.actor) else {
      preconditionFailure("a tone was removed without being answered")
    }
    return .json(.object([("tone", .tone(tone))]))
  }

  func toneName(_ request: WireRequest) throws(Refusal) -> String {
    let name = request.parameters["name"] ?? ""
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
