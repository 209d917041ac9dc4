import FoundationEssentials

/// A command of the daemon to the player, `prompter-sound play`. The player reads the commands from
/// its standard input. Each line contains one command as a JSON object.
public enum PlayerCommand: Hashable, Sendable {
  /// Plays a ring on the first sound device that accepts the ring.
  case play(RingSound, on: [OutputDevice])
  case stop(id: String)
  /// Opens the sound device, plays no sound, and reads the level of the sound card.
  case test(device: String)

  /// Reads one line without its newline. If the maximum length of the ring is missing in the line,
  /// the function uses 30 s. If any other number is missing, the function uses 0.
  ///
  /// - Throws: `MessageFault` if the line is not one of the commands.
  public init(line: some Sequence<UInt8>) throws(MessageFault) {
    let form = try PlayerForm.read(CommandForm.self, line)
    switch (form.command, form.id) {
    case ("play", let id?):
      let segments = try (form.segments ?? []).map { form throws(MessageFault) in
        try SoundSegment(form)
      }
      self = .play(
        RingSound(
          id: id, segments: segments, gainDecibels: form.gainDecibels ?? 0,
          fadeInMilliseconds: form.fadeInMilliseconds ?? 0,
          maxMilliseconds: form.maxMilliseconds ?? 30_000,
          leadInMilliseconds: form.leadInMilliseconds ?? 0), on: form.devices ?? [])
    case ("stop", let id?): self = .stop(id: id)
    case ("test", _):
      guard let device = form.devices?.first else { throw MessageFault("a test without a device") }
      self = .test(device: device.name)
    default: throw MessageFault("unknown command \"\(form.command)\", or wrong fields")
    }
  }

  /// Returns the command as a line of JSON, with the newline.
  ///
  /// - Throws: `MessageFault` if a number is not finite.
  public func line() throws(MessageFault) -> [UInt8] {
    var form: CommandForm
    switch self {
    case .play(let sound, let devices):
      form = CommandForm(command: "play", id: sound.id, devices: devices)
      form.segments = sound.segments.map(SegmentForm.init)
      form.gainDecibels = sound.gainDecibels
      form.fadeInMilliseconds = sound.fadeInMilliseconds
      form.maxMilliseconds = sound.maxMilliseconds
      form.leadInMilliseconds = sound.leadInMilliseconds
    case .stop(let id): form = CommandForm(command: "stop", id: id)
    case .test(let device):
      form = CommandForm(command: "test", devices: [OutputDevice(device)])
    }
    return try PlayerForm.write(form)
  }
}

/// The reason why a line is not a valid message.
public struct MessageFault: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// Reads and writes lines of JSON, for commands and for messages.
enum PlayerForm {
  static func read<Form: Decodable>(
    _ type: Form.Type, _ line: some Sequence<UInt8>
  ) throws(MessageFault) -> Form {
    do {
      return try JSONDecoder().decode(type, from: Data(line))
    } catch {
      throw MessageFault("\(error)")
    }
  }

  static func write(_ form: some Encodable) throws(MessageFault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    do {
      return [UInt8](try encoder.encode(form)) + [UInt8(ascii: "\n")]
    } catch {
      throw MessageFault("\(error)")
    }
  }
}

/// The JSON members of a command.
private struct CommandForm: Codable {
  var command: String
  var id: String?
  var devices: [OutputDevice]?
  var segments: [SegmentForm]?
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
}

/// The JSON members of a segment. A segment is silence, a built-in tone, or files with a built-in
/// tone as the fallback.
private struct SegmentForm: Codable {
  var silenceMilliseconds: Int?
  var files: [String]?
  var builtin: String?

  enum CodingKeys: String, CodingKey {
    case silenceMilliseconds = "silence_ms"
    case files, builtin
  }

  init(_ segment: SoundSegment) {
    switch segment {
    case .silence(let milliseconds): silenceMilliseconds = milliseconds
    case .recording(let paths, let otherwise):
      files = paths
      builtin = otherwise.rawValue
    case .builtin(let tone): builtin = tone.rawValue
    }
  }
}

extension SoundSegment {
  fileprivate init(_ form: SegmentForm) throws(MessageFault) {
    if let milliseconds = form.silenceMilliseconds {
      self = .silence(milliseconds: milliseconds)
      return
    }
    guard let tone = form.builtin.flatMap(BuiltinTone.init(rawValue:)) else {
      throw MessageFault("a segment with an unknown sound: \(form.builtin ?? "nothing")")
    }
    self = form.files.map { .recording(paths: $0, otherwise: tone) } ?? .builtin(tone)
  }
}
