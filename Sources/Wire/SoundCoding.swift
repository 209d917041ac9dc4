import Alarms

extension SoundLevel {
  /// The members of a payload that say a level, or that the card had none.
  static func members(_ level: SoundLevel?) -> [(String, JSON)] {
    [
      ("level_found", .optional(level?.foundPercent)),
      ("muted", level.map { .bool($0.wasMuted) } ?? .null),
      ("level_set", .optional(level?.setPercent)),
    ]
  }

  /// - Returns: nil where the payload says that the card had no mixer.
  init?(_ payload: JSON) throws(FactCodingError) {
    if payload["level_found"] == .null { return nil }
    let members = StoredMembers(payload)
    self.init(
      foundPercent: try members.int("level_found"), wasMuted: try members.bool("muted"),
      setPercent: payload["level_set"]?.integer.map(Int.init))
  }
}
