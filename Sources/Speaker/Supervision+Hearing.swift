import SoundProtocol

/// Handles the messages of the player.
///
/// If a message is not about the present ring, the supervisor logs the message and ignores it. If a
/// message about the end of the present ring cannot be true, the supervisor replaces the player.
extension Supervision {
  mutating func handle(_ message: PlayerMessage, now: Int64) {
    switch message {
    case .ready:
      // If the message `ready` arrives during a ring, the message is late and is about the previous
      // ring. Therefore the deadline of the present ring does not change.
      if current == nil { overdueAt = nil }
    case .tested(let device, let trouble, let level):
      handle(DeviceCheck(device: device, trouble: trouble, level: level), now: now)
    case .opening(let device):
      if case .ring(var ring) = current, !ring.isStopping {
        ring.device = device
        current = .ring(ring)
        expect("sound from \(device)", within: Bound.open, now: now)
      }
    case .accepted(let id, _), .started(let id, _, _), .progress(let id, _),
      .ended(let id, _, _, _, _), .failed(let id, _), .fallback(let id, _, _, _):
      guard case .ring(let ring) = current, ring.sound.id == id else {
        actions.append(.log("the player reported a ring that is not playing: \(id)"))
        return
      }
      handle(message, of: ring, now: now)
    }
  }

  private mutating func handle(_ message: PlayerMessage, of ring: Ring, now: Int64) {
    var ring = ring
    switch message {
    case .accepted(_, let totalFrames):
      ring.totalFrames = totalFrames
      current = .ring(ring)
      if ring.isStopping {
        expect("answer to stop", within: Bound.stop, now: now)
      } else {
        expect("sound", within: Bound.open, now: now)
      }
    case .started(_, let device, let level):
      ring.device = device
      ring.startedAt = now
      ring.framesPlayed = 0
      if !ring.hasReportedStart { emit(.started(id: ring.sound.id, device: device, level: level)) }
      ring.hasReportedStart = true
      current = .ring(ring)
      if !ring.isStopping { expect("progress", within: Bound.progress, now: now) }
    case .progress(_, let frames):
      // If the player reports the same number of frames again, it has played no sound since the
      // last report. Ignore such a report, so that the deadline for the next progress message does
      // not change.
      guard frames > ring.framesPlayed else { return }
      ring.framesPlayed = frames
      current = .ring(ring)
      if !ring.isStopping { expect("progress", within: Bound.progress, now: now) }
    case .fallback(let id, let from, let to, let reason):
      emit(.fallback(id: id, from: from, to: to, reason: reason))
    case .failed(let id, let reason):
      finishJob()
      expect("end of the cleanup", within: Bound.tidy, now: now)
      emit(.failed(id: id, reason: reason))
      // If the test of one sound device fails, a different device can still work. Therefore this
      // failure does not make the speaker unusable.
      if ring.trial?.device == nil { judge(.unusable, because: reason) }
    case .ended(_, let device, let frames, let xruns, let stopped):
      if let lie = lie(in: ring, frames: frames, stopped: stopped, now: now) {
        return replacePlayer(reason: lie, now: now)
      }
      finishJob()
      expect("end of the cleanup", within: Bound.tidy, now: now)
      emit(
        .ended(
          id: ring.sound.id, device: device, framesPlayed: frames, xruns: xruns, stopped: stopped))
      if frames > 0 { judge(.usable(device), because: "") }
    case .ready, .opening, .tested: break
    }
  }

  /// Checks the report of a player about the end of a ring. Returns the reason why the report
  /// cannot be true; nil if the report can be true.
  ///
  /// The function detects five errors:
  ///
  /// - The player did not accept the ring before it ended the ring.
  /// - The player stopped the ring, but the supervisor did not request a stop.
  /// - The number of played frames is negative, or it is larger than the number of frames in the
  ///   ring. If the ring was not stopped, the number must be equal to the number of frames of the
  ///   ring, and must not be 0.
  /// - The player reports played frames of a ring that did not start.
  /// - The player reports more frames than the speaker could play since the start of the ring.
  private func lie(in ring: Ring, frames: Int, stopped: Bool, now: Int64) -> String? {
    guard let total = ring.totalFrames else {
      return "the player ended a ring that it did not accept"
    }
    if stopped, !ring.isStopping { return "the player stopped a ring without a command" }
    if frames < 0 || frames > total || (!stopped && (frames != total || total == 0)) {
      return "the player ended the ring after \(frames) of \(total) frames"
    }
    guard let startedAt = ring.startedAt else {
      return frames > 0 ? "the player reports \(frames) frames of a ring that did not start" : nil
    }
    let neededMilliseconds = Int64(frames) / 48
    if now - startedAt + Bound.early < neededMilliseconds {
      return "the player reports \(neededMilliseconds) ms of sound after \(now - startedAt) ms"
    }
    return nil
  }
}
