import CivilTime

// What the clocks tell: steps, sleeps, and how long nobody watched before the daemon came up.
extension Transition {
  /// Heartbeats are 15 minutes apart; one that comes a minute late was missed.
  private static let unwatchedMilliseconds: Int64 = 16 * 60_000
  /// The two clocks are read one after the other, which makes no difference of this size.
  private static let noticedMilliseconds: Int64 = 1_000

  /// Notices a step of the wall clock by what it does to the distance from boot time.
  ///
  /// - Parameter isAudited: false where the zones have changed too, and the audit comes after them.
  mutating func detectClockStep(isAudited: Bool = true) {
    let hasSlept = noteSleep()
    if let last = clock.lastRecord, clock.offsetMilliseconds == nil,
      last.reading.bootID == reading.bootID
    {
      clock.offsetMilliseconds = last.reading.offsetMilliseconds
    }
    let delta = clock.offsetMilliseconds.map { reading.offsetMilliseconds - $0 } ?? 0
    // Slewing moves the clock by less than this between two looks, and disturbs nobody.
    if abs(delta) >= 1_000 {
      emit(.clockStep(milliseconds: delta))
      clock.skipped = delta > 0 ? wall.adding(milliseconds: -delta)...wall : nil
      clock.startedAt = clock.startedAt?.adding(milliseconds: delta)
      clock.offsetMilliseconds = reading.offsetMilliseconds
      if let deadline = activeRing?.deadline {
        activeRing?.deadline = deadline.adding(milliseconds: delta)
      }
      if isAudited {
        releaseMoved()
        awaitForgottenSteps()
        auditPlans()
      }
    } else if clock.offsetMilliseconds == nil {
      clock.offsetMilliseconds = reading.offsetMilliseconds
    }
    if let state = clock.state, state != reading.clockState,
      state == .synced || reading.clockState == .synced
    {
      emit(.clockSync(gained: reading.clockState == .synced))
    }
    clock.state = reading.clockState
    if hasSlept, isAudited { audit() }
  }

  /// A device that slept through a heartbeat watched over nobody meanwhile, and the record says so.
  ///
  /// - Returns: whether it slept.
  private mutating func noteSleep() -> Bool {
    defer { clock.lastLook = reading }
    guard let last = clock.lastLook, last.bootID == reading.bootID else { return false }
    let elapsed = (reading.bootNanoseconds - last.bootNanoseconds) / 1_000_000
    let asleep = min(reading.asleepMilliseconds - last.asleepMilliseconds, elapsed)
    if asleep >= Self.noticedMilliseconds {
      let from = wall.adding(milliseconds: -asleep)
      emit(.suspended(from: from))
      emit(.resumed(asleepMilliseconds: asleep))
      emit(.gap(from: from, to: wall, cause: .suspended))
    } else if elapsed > Self.unwatchedMilliseconds {
      // By boot time: the wall clock may have been stepped in between.
      emit(.gap(from: wall.adding(milliseconds: -elapsed), to: wall, cause: .suspended))
    } else {
      return false
    }
    return true
  }

  /// Notes that the disk is filling up, once, and once that it is not any more. Between the two bounds
  /// nothing is said, so that a disk on the brink does not fill itself with that.
  mutating func lookAtDisk(freeBytes: Int64) {
    let isLow = freeBytes < (isDiskLow ? 2 : 1) * DiskRoom.lowBytes
    if isLow == isDiskLow { return }
    isDiskLow = isLow
    emit(.disk(isLow: isLow, freeBytes: freeBytes))
  }

  /// Comes up on what the record says: names the silence, and takes up what a crash left hanging.
  mutating func start(_ start: Start) {
    clock.startedAt = wall
    if let last = clock.lastRecord {
      let isSameBoot = last.reading.bootID == reading.bootID
      if !isSameBoot {
        emit(.boot(previousBootID: last.reading.bootID))
        noteClockPutBack(since: last.reading)
      }
      let cause: GapCause =
        last.isServiceStop ? .serviceStopped : isSameBoot ? .crash : .deviceOff
      emit(.gap(from: silentSince(last.reading), to: wall, cause: cause))
    }
    emit(.serviceStarted(version: start.version))
    clock.zones = .init(environment)
    replanMoved()
    releaseMoved()
    // The limit is in the configuration, which may be another one now.
    releaseCapped(of: nil)
    for prompt in activePrompts() {
      guard case .ringing(let ring, _) = prompt.phase else { continue }
      emit(
        .ringUncertain(
          prompt.id, number: ring.number,
          reason: ring.startedAt == nil
            ? "the daemon ended before the ring was seen to start"
            : "the daemon ended while the ring was sounding"))
    }
    resumeNotifying()
    resumeInactivityNotifications()
    audit()
  }

  /// The clock had run ahead before the device was switched off: what is counted in elapsed time goes on from
  /// where it was, as if it had been set back while the daemon ran. How long the device was off nobody knows.
  private mutating func noteClockPutBack(since last: ClockReading) {
    let delta = wall.milliseconds - last.wall.milliseconds
    guard delta <= -Self.noticedMilliseconds else { return }
    emit(.clockStep(milliseconds: delta))
    auditPlans()
  }

  /// When the record fell silent, on the wall clock as it is set now: no silence has less than no
  /// length. In another boot nobody knows how long it was, so a clock set back makes it nothing.
  private func silentSince(_ last: ClockReading) -> Instant {
    guard last.bootID == reading.bootID else { return min(last.wall, wall) }
    let elapsed = max(reading.bootNanoseconds - last.bootNanoseconds, 0) / 1_000_000
    return wall.adding(milliseconds: -elapsed)
  }
}

/// How much room a record needs.
public enum DiskRoom {
  /// A busy home writes about a mebibyte a day: below this there are two months to do something.
  public static let lowBytes: Int64 = 64 << 20
}
