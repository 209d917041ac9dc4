/// A change of the volume of a sound card.
public enum VolumeChange: Hashable, Sendable {
  /// A caretaker set the volume for rings, in percent of the range of the sound card.
  ///
  /// If `percent` is nil, the volume in the configuration applies again.
  case calibrated(percent: Int?)
  /// A person or another program has changed the volume since the player last reported the volume.
  case found(percent: Int, muted: Bool, formerPercent: Int, formerMuted: Bool)
}

// The volume of the sound cards. In this file, "level" means the volume in percent.
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

  /// Stores the level that the player found on a sound card before a ring or a test. If this level
  /// is different from the level in the previous report, the function records the change.
  ///
  /// The player sets the correct level again before each ring. From the recorded changes, a
  /// caretaker can see that a person or program repeatedly changes the level of the card.
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
