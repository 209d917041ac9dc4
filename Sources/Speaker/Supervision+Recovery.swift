import SoundProtocol

/// Replaces a player that hung, crashed or sent an impossible message, and repeats the ring.
extension Supervision {
  /// Handles a player that ended without a command or could not be started.
  mutating func lose(reason: String, now: Int64) {
    isPlayerUp = false
    if isShuttingDown {
      return current.map { giveUp($0, reason: reason) } ?? ()
    }
    recover(reason: reason, now: now)
  }

  /// Kills a player that hangs or has sent an impossible message, and starts a new player.
  mutating func replacePlayer(reason: String, now: Int64) {
    actions.append(.kill)
    isPlayerUp = false
    if isShuttingDown {
      return current.map { giveUp($0, reason: reason) } ?? ()
    }
    recover(reason: reason, now: now)
  }

  private mutating func recover(reason: String, now: Int64) {
    overdueAt = nil
    quickDeaths = now - spawnedAt < Bound.steady ? quickDeaths + 1 : 0
    emit(.playerRestarted(reason: reason))
    switch current {
    case .ring(let ring) where ring.isStopping || ring.attempt > 0:
      giveUp(.ring(ring), reason: reason)
      restartWhenSensible(now: now)
    case .ring(var ring):
      let suspect = ring.device
      ring.attempt += 1
      ring.startedAt = nil
      ring.totalFrames = nil
      ring.framesPlayed = 0
      ring.device = ""
      current = .ring(ring)
      if ring.trial?.device == nil { distrust(suspect, id: ring.sound.id, reason: reason) }
      sendCurrent(now: now)
    case .selfTest(let test):
      // The player hung while it tested one sound device. The other sound devices can still work,
      // so the test continues with the next device.
      guard let device = test.remaining.first else { return conclude(test) }
      goOn(test, with: DeviceCheck(device: device, trouble: reason), now: now)
    case nil:
      restartWhenSensible(now: now)
      if quickDeaths >= Bound.hopelessDeaths { judge(.unusable, because: reason) }
    }
  }

  private mutating func distrust(_ device: String, id: String, reason: String) {
    guard let index = devices.firstIndex(where: { $0.name == device }), devices.count > 1 else {
      return
    }
    devices.append(devices.remove(at: index))
    emit(.fallback(id: id, from: device, to: devices[0].name, reason: reason))
  }

  private mutating func giveUp(_ job: Job, reason: String) {
    finishJob()
    guard case .ring(let ring) = job else { return }
    if ring.isStopping {
      // The supervisor killed the player, so the kernel closed the sound device, and the device is
      // silent. The event contains the number of frames from the last progress message, because at
      // least this number of frames has sounded.
      emit(
        .ended(
          id: ring.sound.id, device: ring.device, framesPlayed: ring.framesPlayed, xruns: 0,
          stopped: true))
    } else {
      emit(.failed(id: ring.sound.id, reason: reason))
      if ring.trial?.device == nil { judge(.unusable, because: reason) }
    }
  }

  /// Restarts the player if no ring waits.
  ///
  /// If the player repeatedly ends soon after its start, the supervisor waits before each new
  /// start. Each wait is longer than the previous wait, up to a limit. Without the waits, a broken
  /// program would restart without end. A wait does not delay a ring, because a request for a ring
  /// starts a player at once.
  private mutating func restartWhenSensible(now: Int64) {
    guard waiting.isEmpty else { return }
    if quickDeaths <= 1 { return spawn(now: now) }
    respawnAt = now + min(Bound.longestPause, 250 << Int64(min(quickDeaths, 8)))
  }
}
