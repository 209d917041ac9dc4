import CivilTime

extension Transition {
  /// Records a report of the player.
  ///
  /// The daemon ignores a repeated report, and a report about a ring that is not the active ring
  /// any more. Otherwise the record could contain a sound that nobody heard, or a sound of a closed
  /// prompt.
  mutating func handle(_ report: SoundReport) {
    switch report {
    case .started(let id, let ring, let device, let level):
      guard isActiveRing(id, ring), activeRing?.hasStarted == false else { return }
      emitForActiveRing { .ringStarted($0, number: $1, device: device, level: level) }
      activeRing?.hasStarted = true
      if let level { note(level, of: device) }
    case .ended(let id, let ring, let device, let frames, let xruns, let stopped):
      handleEnd(id, ring, device: device, frames: frames, xruns: xruns, stopped: stopped)
    case .failed(let id, let ring, let reason):
      guard isActiveRing(id, ring) else { return }
      emitForActiveRing { .ringFailed($0, number: $1, reason: reason) }
      activeRing = nil
    case .fallback(let id, let from, let to, let reason):
      fallback(id, from: from, to: to, reason: reason)
    case .tested(let tests): handle(tests)
    case .usable(let device): handleUsable(device)
    case .unusable(let reason):
      if speaker.isUsable != false { emit(.audioLost(reason: reason)) }
      speaker.isUsable = false
      speaker.trouble = reason
    }
  }

  /// Records that the player used a fallback device or sound.
  mutating func fallback(_ id: PromptID?, from: String, to: String, reason: String) {
    emit(.audioFallback(id, from: from, to: to, reason: reason))
    speaker.note(.init(at: wall, prompt: id, from: from, to: to, reason: reason))
    activeRing?.usedFallback = true
  }

  private mutating func handleEnd(
    _ id: PromptID, _ ring: Int, device: String, frames: Int, xruns: Int, stopped: Bool
  ) {
    guard let activeRing, isActiveRing(id, ring) else { return }
    if activeRing.hasStarted || stopped {
      emitForActiveRing {
        .ringEnded($0, number: $1, device: device, frames: frames, xruns: xruns, stopped: stopped)
      }
    } else {
      emitForActiveRing {
        .ringFailed($0, number: $1, reason: "the player reported an end without a start")
      }
    }
    if activeRing.hasStarted, frames > 0 {
      speaker.devices[device, default: .init()].lastHeardAt = wall
      if !activeRing.usedFallback { speaker.fallbacks = [] }
    }
    self.activeRing = nil
  }

  /// Stores the results of a self-test.
  ///
  /// A self-test tries all sound devices of the home. If the results do not contain a known sound
  /// device, somebody removed this device from the home. In this case, the function removes the
  /// device from the state.
  private mutating func handle(_ tests: [DeviceTest]) {
    var devices: [String: SpeakerHealth.Device] = [:]
    for test in tests {
      var device = speaker.devices[test.device] ?? .init()
      device.testedAt = wall
      device.trouble = test.trouble
      devices[test.device] = device
    }
    speaker.devices = devices
    for test in tests {
      guard var level = test.level else { continue }
      // A self-test does not set the volume, so the volume that the last ring set is still valid.
      level.setPercent = speaker.devices[test.device]?.level?.setPercent
      note(level, of: test.device)
    }
  }

  private mutating func handleUsable(_ device: String) {
    if speaker.isUsable == false { emit(.audioRestored(device: device)) }
    speaker.isUsable = true
    speaker.trouble = nil
    speaker.devices[device, default: .init()].trouble = nil
  }

  private func isActiveRing(_ id: PromptID, _ ring: Int) -> Bool {
    activeRing?.prompt == id && activeRing?.ring == ring
  }
}
