import FoundationEssentials

/// One line to the player. `prompter-sound play` reads these on its standard input.
struct PlayerCommand: Encodable, Hashable {
  struct Segment: Encodable, Hashable {
    var silenceMilliseconds: Int?
    var file: String?
    var builtin: String?

    enum CodingKeys: String, CodingKey {
      case silenceMilliseconds = "silence_ms"
      case file, builtin
    }
  }

  var command: String
  var id: String?
  var devices: [String]?
  var segments: [Segment]?
  var gainDecibels: Double?
  var fadeInMilliseconds: Int?
  var maxMilliseconds: Int?
  var leadInMilliseconds: Int?

  enum CodingKeys: String, CodingKey {
    case command, id, devices, segments
    case gainDecibels = "gain_db"
    case fadeInMilliseconds = "fade_in_ms"
    case maxMilliseconds = "max_ms"
    case leadInMilliseconds = "lead_in_ms"
  }

  static func play(_ sound: RingSound, devices: [String]) -> PlayerCommand {
    PlayerCommand(
      command: "play", id: sound.id, devices: devices, segments: sound.segments.map(Segment.init),
      gainDecibels: sound.gainDecibels, fadeInMilliseconds: sound.fadeInMilliseconds,
      maxMilliseconds: sound.maxMilliseconds, leadInMilliseconds: sound.leadInMilliseconds)
  }

  static func stop(id: String) -> PlayerCommand { PlayerCommand(command: "stop", id: id) }

  static func test(device: String) -> PlayerCommand {
    PlayerCommand(command: "test", devices: [device])
  }

  /// The command as a line of JSON, newline included.
  /// - Throws: `EncodingError` when a number is not finite.
  func line() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    return [UInt8](try encoder.encode(self)) + [UInt8(ascii: "\n")]
  }
}

extension PlayerCommand.Segment {
  init(_ segment: SoundSegment) {
    switch segment {
    case .silence(let milliseconds): self.init(silenceMilliseconds: milliseconds)
    case .file(let path): self.init(file: path)
    case .builtin(let tone): self.init(builtin: tone.rawValue)
    }
  }
}
