import Alarms
import JSONValue

extension SoundLevel {
  /// The sound level as members for the payload of an event. If the sound card has no volume
  /// control, the value of each member is null.
  static func members(_ level: SoundLevel?) -> [(String, JSON)] {
    [
      ("level_found", .optional(level?.foundPercent)),
      ("muted", level.map { .bool($0.wasMuted) } ?? .null),
      ("level_set", .optional(level?.setPercent)),
    ]
  }

  /// Decodes a sound level.
  ///
  /// - Returns: nil if the member `level_found` is null. In this case, the sound card had no volume
  ///   control.
  init?(_ payload: JSON) throws(EventCodingError) {
    if payload["level_found"] == .null { return nil }
    let members = StoredMembers(payload)
    self.init(
      foundPercent: try members.int("level_found"), wasMuted: try members.bool("muted"),
      setPercent: payload["level_set"]?.integer.map(Int.init))
  }
}

extension VolumeChange {
  /// The payload of the event that records a volume change.
  var stored: JSON {
    switch self {
    case .calibrated(let percent):
      .object([("cause", .string("calibrated")), ("percent", .optional(percent))])
    case .found(let percent, let muted, let formerPercent, let formerMuted):
      .object([
        ("cause", .string("found")), ("percent", .integer(Int64(percent))),
        ("muted", .bool(muted)), ("former_percent", .integer(Int64(formerPercent))),
        ("former_muted", .bool(formerMuted)),
      ])
    }
  }

  init(stored members: StoredMembers) throws(EventCodingError) {
    switch try members.string("cause") {
    case "calibrated": self = .calibrated(percent: try members.optionalInt("percent"))
    case "found":
      self = .found(
        percent: try members.int("percent"), muted: try members.bool("muted"),
        formerPercent: try members.int("former_percent"),
        formerMuted: try members.bool("former_muted"))
    case let cause:
      throw EventCodingError("cannot read a stored change of volume: its cause is \"\(cause)\"")
    }
  }
}
