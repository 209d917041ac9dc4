import CivilTime

extension Draft {
  /// Records what truly came out of the speaker.
  mutating func hear(_ report: SoundReport) {
    switch report {
    case .started(let id, let ring, let device):
      emit(.ringStarted(id, number: ring, device: device))
    case .ended(let id, let ring, let device, let frames, let xruns, let stopped):
      emit(
        .ringEnded(
          id, number: ring, device: device, frames: frames, xruns: xruns, stopped: stopped))
      freeVoice(id, ring)
    case .failed(let id, let ring, let reason):
      emit(.ringFailed(id, number: ring, reason: reason))
      freeVoice(id, ring)
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

  private mutating func freeVoice(_ id: PromptID, _ ring: Int) {
    if voice?.prompt == id, voice?.ring == ring { voice = nil }
  }
}
