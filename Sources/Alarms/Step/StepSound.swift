import CivilTime

extension Transition {
  /// Records what truly came out of the speaker.
  ///
  /// Only of the ring that has the voice, and once: a report that comes twice, or of a ring that was
  /// given up, would count a sound that nobody heard, on a prompt that may be over.
  mutating func handle(_ report: SoundReport) {
    switch report {
    case .started(let id, let ring, let device, let level):
      guard hasVoice(id, ring), activeRing?.hasStarted == false else { return }
      emit(.ringStarted(id, number: ring, device: device, level: level))
      activeRing?.hasStarted = true
      if let level { note(level, of: device) }
    case .ended(let id, let ring, let device, let frames, let xruns, let stopped):
      hearEnd(id, ring, device: device, frames: frames, xruns: xruns, stopped: stopped)
    case .failed(let id, let ring, let reason):
      guard hasVoice(id, ring) else { return }
      emit(.ringFailed(id, number: ring, reason: reason))
      activeRing = nil
    case .fallback(let id, let from, let to, let reason):
      fallback(id, from: from, to: to, reason: reason)
    case .tested(let tests): handle(tests)
    case .usable(let device): hearUsable(device)
    case .unusable(let reason):
      if speaker.isUsable != false { emit(.audioLost(reason: reason)) }
      speaker.isUsable = false
      speaker.trouble = reason
    }
  }

  /// Records that something else sounds than was asked for.
  mutating func fallback(_ id: PromptID?, from: String, to: String, reason: String) {
    emit(.audioFallback(id, from: from, to: to, reason: reason))
    speaker.note(.init(at: wall, prompt: id, from: from, to: to, reason: reason))
    activeRing?.hadStandIn = true
  }

  private mutating func hearEnd(
    _ id: PromptID, _ ring: Int, device: String, frames: Int, xruns: Int, stopped: Bool
  ) {
    guard let activeRing, hasVoice(id, ring) else { return }
    if activeRing.hasStarted || stopped {
      emit(
        .ringEnded(
          id, number: ring, device: device, frames: frames, xruns: xruns, stopped: stopped))
    } else {
      emit(.ringFailed(id, number: ring, reason: "the player reported an end without a start"))
    }
    if activeRing.hasStarted, frames > 0 {
      speaker.devices[device, default: .init()].lastHeardAt = wall
      if !activeRing.hadStandIn { speaker.fallbacks = [] }
    }
    self.activeRing = nil
  }

  /// A self-test tries all that there are: what it did not try is no device of this home any more.
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
      // A test sets nothing: what the last ring set is still what is known.
      level.setPercent = speaker.devices[test.device]?.level?.setPercent
      note(level, of: test.device)
    }
  }

  private mutating func hearUsable(_ device: String) {
    if speaker.isUsable == false { emit(.audioRestored(device: device)) }
    speaker.isUsable = true
    speaker.trouble = nil
    speaker.devices[device, default: .init()].trouble = nil
  }

  private func hasVoice(_ id: PromptID, _ ring: Int) -> Bool {
    activeRing?.prompt == id && activeRing?.ring == ring
  }
}
