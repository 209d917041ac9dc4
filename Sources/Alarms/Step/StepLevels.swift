/// What is known of how loud a device's card is made.
public enum VolumeChange: Hashable, Sendable {
  /// Somebody listened and settled how loud it is made for a ring, in percent of its range; nil where
  /// that was given back to the configuration.
  case calibrated(percent: Int?)
  /// A hand, or another program, has turned it since it was last looked at.
  case found(percent: Int, muted: Bool, formerPercent: Int, formerMuted: Bool)
}

// How loud the cards are made.
extension Transition {
  /// 0 % is no level: it would silence the home by way of its loudspeaker.
  static let levels = 1...100

  mutating func setLevel(_ percent: Int?, of device: String) throws(Refusal) {
    // What was settled for a device that is not there now can still be taken back.
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
      "\(percent) is no level; levels go from \(Self.levels.lowerBound) to "
        + "\(Self.levels.upperBound) percent")
  }

  func knownDevice(_ name: String) throws(Refusal) {
    guard speaker.devices[name] == nil else { return }
    let known = speaker.devices.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    throw Refusal(
      .invalidField, field: "device",
      "this home has no sound device \"\(name)\"; "
        + (known.isEmpty ? "none was tried yet" : "there are: \(known)"))
  }

  /// Takes over how a card was found, and tells where that is not how it was left. A ring sets the
  /// level right by itself; what it finds each time is who turns it back.
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
