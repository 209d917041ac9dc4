/// A message of `prompter-sound record`. Each line of the standard output of the recorder contains
/// one message as a JSON object.
public enum RecorderMessage: Hashable, Sendable {
  /// The microphone is open. The recorder already reports sound levels, but does not record yet.
  case listening(device: String)
  /// The sound levels of the previous 0.1 s, in dB relative to full scale.
  ///
  /// `milliseconds` is the current length of the recording.
  case level(milliseconds: Int, peakDecibels: Double, loudnessDecibels: Double)
  /// The recording has ended, and the file of the recording is complete.
  case recorded(milliseconds: Int)
  case failed(reason: String)

  /// Reads one line without its newline. The result is nil if the line is not a valid message.
  public init?(line: some Sequence<UInt8>) {
    guard let form = try? PlayerForm.read(RecorderForm.self, line) else { return nil }
    switch (form.event, form.milliseconds) {
    case ("listening", _):
      guard let device = form.device else { return nil }
      self = .listening(device: device)
    case ("level", let milliseconds?):
      guard let peak = form.peakDecibels, let loudness = form.loudnessDecibels else { return nil }
      self = .level(milliseconds: milliseconds, peakDecibels: peak, loudnessDecibels: loudness)
    case ("recorded", let milliseconds?): self = .recorded(milliseconds: milliseconds)
    case ("failed", _):
      guard let reason = form.reason else { return nil }
      self = .failed(reason: reason)
    default: return nil
    }
  }

  /// Returns the message as a line of JSON, with the newline.
  ///
  /// - Throws: `MessageFault` if the message cannot be written as JSON.
  public func line() throws(MessageFault) -> [UInt8] {
    switch self {
    case .listening(let device):
      try PlayerForm.write(RecorderForm(event: "listening", device: device))
    case .level(let milliseconds, let peak, let loudness):
      try PlayerForm.write(
        RecorderForm(
          event: "level", milliseconds: milliseconds, peakDecibels: peak,
          loudnessDecibels: loudness))
    case .recorded(let milliseconds):
      try PlayerForm.write(RecorderForm(event: "recorded", milliseconds: milliseconds))
    case .failed(let reason): try PlayerForm.write(RecorderForm(event: "failed", reason: reason))
    }
  }
}

/// The JSON members of a message.
private struct RecorderForm: Codable {
  var event: String
  var device: String?
  var milliseconds: Int?
  var peakDecibels: Double?
  var loudnessDecibels: Double?
  var reason: String?

  enum CodingKeys: String, CodingKey {
    case event, device, reason
    case milliseconds = "ms"
    case peakDecibels = "peak_db"
    case loudnessDecibels = "loudness_db"
  }
}
