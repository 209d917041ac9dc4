/// A change of the volume level of a device's sound card.
public enum VolumeChange: Hashable, Sendable {
  /// A caretaker set the level for rings, in percent of the level range of the sound card.
  ///
  /// If `percent` is nil, the level in the configuration applies again.
  case calibrated(percent: Int?)
  /// A person or another program has changed the level since the daemon last read the level.
  case found(percent: Int, muted: Bool, formerPercent: Int, formerMuted: Bool)
}

// The levels of the sound cards.
extension Transition {
  /// The valid levels, in percent. At 0 %, nobody could hear a ring, so 0 % is not valid.
  static let levels = 1...100

  mutating func setLevel(_ percent: Int?, of device: String) throws(Refusal) {
    // A caretaker can remove a level even if the device is not connected now.
    if percent != nil || home.levels[device] == nil { try knownDevice(device) }
    try checkLevel(percent)
    if home.levels[device] != percent {
      emit(.volumeChanged(device: device, .calibrated(percent: percent)))
      effects.append(.setLevel(device: device, percent: percent))
    }
    reply = .done
  }

  func checkLevel(_ percent: Int?) throws(Refusal) {
    guard let percent, !Self.levels.contains(percent) else { return }
    throw Refusal(
      .invalidField, field: "percent",
      "\(percent) is out of range; it must be from \(Self.levels.lowerBound) to "
        + "\(Self.levels.upperBound) percent")
  }

  func knownDevice(_ name: String) throws(Refusal) {
    guard speaker.devices[name] == nil else { return }
    let known = speaker.devices.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    throw Refusal(
      .invalidField, field: "device",
      "this home has no sound device \"\(name)\"; "
        + (known.isEmpty ? "the daemon has not tried a device yet" : "the devices are: \(known)"))
  }

  /// Stores the level that the player read from a sound card. If the level has changed, records the
  /// change.
  ///
  /// The player sets the level again before each ring. From the recorded changes, a caretaker can
  /// see that a person or program repeatedly changes the level of the card.
  mutating func note(_ level: SoundLevel, of device: String) {
    let former = speaker.devices[device]?.level
    speaker.devices[device, default: .init()].level = level
    guard let former,
      former.foundPercent != level.foundPercent || former.wasMuted != level.wasMuted
    else { return }
    emit(
      .volumeChanged(
        device: device,
        .found(
          percent: level.foundPercent, muted: level.wasMuted, formerPercent: former.foundPercent,
          formerMuted: former.wasMuted)))
  }
}
