import CivilTime

extension Draft {
  /// Records what truly came out of the speaker.
  ///
  /// Only of the ring that has the voice, and once: a report that comes twice, or of a ring that was
  /// given up, would count a sound that nobody heard, on a prompt that may be over.
  mutating func hear(_ report: SoundReport) {
    switch report {
    case .started(let id, let ring, let device):
      guard hasVoice(id, ring), voice?.hasStarted == false else { return }
      emit(.ringStarted(id, number: ring, device: device))
      voice?.hasStarted = true
    case .ended(let id, let ring, let device, let frames, let xruns, let stopped):
      guard hasVoice(id, ring) else { return }
      if voice?.hasStarted == true || stopped {
        emit(
          .ringEnded(
            id, number: ring, device: device, frames: frames, xruns: xruns, stopped: stopped))
      } else {
        emit(.ringFailed(id, number: ring, reason: "the player reported an end without a start"))
      }
      voice = nil
    case .failed(let id, let ring, let reason):
      guard hasVoice(id, ring) else { return }
      emit(.ringFailed(id, number: ring, reason: reason))
      voice = nil
    case .fallback(let id, let from, let to, let reason):
      emit(.audioFallback(id, from: from, to: to, reason: reason))
    case .usable(let device): hearUsable(device)
    case .unusable(let reason):
      if (isSpeakerUsable ?? home.isSpeakerUsable) != false { emit(.audioLost(reason: reason)) }
      isSpeakerUsable = false
    }
  }

  private mutating func hearUsable(_ device: String) {
    if (isSpeakerUsable ?? home.isSpeakerUsable) == false { emit(.audioRestored(device: device)) }
    isSpeakerUsable = true
  }

  private func hasVoice(_ id: PromptID, _ ring: Int) -> Bool {
    voice?.prompt == id && voice?.ring == ring
  }
}
