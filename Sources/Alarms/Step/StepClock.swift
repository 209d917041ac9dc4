import CivilTime

// Changes that the daemon detects from its two clocks: clock steps, sleep of the device, and the
// gap in monitoring before the daemon started.
extension Transition {
  /// The maximum interval between two clock readings, in milliseconds: 16 minutes. A longer
  /// interval is a gap.
  ///
  /// Heartbeats are 15 minutes apart. If a heartbeat is more than 1 minute late, the daemon records
  /// a gap, because it is possible that the daemon did not run in this time.
  private static let unwatchedMilliseconds: Int64 = 16 * 60_000
  /// The minimum length of a sleep in milliseconds. The daemon does not record a shorter sleep.
  ///
  /// The time asleep is the difference of two clocks, `CLOCK_BOOTTIME` and `CLOCK_MONOTONIC`. The
  /// daemon reads these clocks one after the other. Therefore the difference changes slightly from
  /// one reading to the next, even if the device did not sleep. Such a change is smaller than this
  /// minimum.
  private static let noticedMilliseconds: Int64 = 1_000

  /// Detects a clock step. After a clock step, the difference between wall time and boot time has
  /// changed.
  ///
  /// - Parameter isAudited: false if the zones have also changed. In this case, the caller first
  ///   moves the prompts, and then calls `auditPlans`.
  mutating func detectClockStep(isAudited: Bool = true) {
    let hasSlept = noteSleep()
    if let last = clock.lastRecord, clock.offsetMilliseconds == nil,
      last.reading.bootID == reading.bootID
    {
      clock.offsetMilliseconds = last.reading.offsetMilliseconds
    }
    let delta = clock.offsetMilliseconds.map { reading.offsetMilliseconds - $0 } ?? 0
    // A time source can also correct the clock in small amounts. The daemon does not record these
    // corrections as a clock step until their sum is 1 s.
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
        restoreLostSteps()
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

  /// Records a sleep or a missed heartbeat as a gap in monitoring.
  ///
  /// - Returns: true if the device slept, or if the daemon missed a heartbeat.
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
      // The length of the gap is measured in boot time, because it is possible that somebody set
      // the wall clock during the gap.
      emit(.gap(from: wall.adding(milliseconds: -elapsed), to: wall, cause: .suspended))
    } else {
      return false
    }
    return true
  }

  /// Records that disk space has become low, or that disk space is sufficient again.
  ///
  /// The limit for "sufficient" is twice the limit for "low". If both limits were equal, each small
  /// change near the limit would add a row to the record, and these rows would fill the disk.
  mutating func lookAtDisk(freeBytes: Int64) {
    let isLow = freeBytes < (isDiskLow ? 2 : 1) * DiskSpaceLimits.lowBytes
    if isLow == isDiskLow { return }
    isDiskLow = isLow
    emit(.disk(isLow: isLow, freeBytes: freeBytes))
  }

  /// Handles the start of the daemon: records the gap in monitoring, and continues the open
  /// prompts.
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
    // It is possible that an administrator changed the hourly limit in the configuration before the
    // restart. Therefore the daemon checks all prompts that the hourly limit suppresses.
    releaseCapped(of: nil)
    for prompt in activePrompts() {
      guard case .ringing(let ring, _) = prompt.state else { continue }
      emit(
        .ringUncertain(
          prompt.id, number: ring.number,
          reason: ring.startedAt == nil
            ? "the daemon ended before the player reported the start of the ring"
            : "the daemon ended while the ring sounded"))
    }
    resumeNotifying()
    resumeInactivityNotifications()
    resumeNotices()
    audit()
  }

  /// Records a clock step if the clock was set back while the device was off.
  ///
  /// The daemon cannot know how long the device was off. Therefore the daemon handles this clock
  /// step as if it had happened while the daemon was running: the remaining time until the ring of
  /// a waiting prompt does not change.
  private mutating func noteClockPutBack(since last: ClockReading) {
    let delta = wall.milliseconds - last.wall.milliseconds
    guard delta <= -Self.noticedMilliseconds else { return }
    emit(.clockStep(milliseconds: delta))
    auditPlans()
  }

  /// Returns the instant at which the gap in monitoring started, according to the present wall
  /// clock.
  ///
  /// Within one boot, the function computes the length of the gap from the boot time. At a reboot,
  /// the boot time starts at 0 again, so the gap starts at the wall time of the reading `last`. If
  /// this wall time is later than the present wall time, the gap starts now and has the length 0.
  private func silentSince(_ last: ClockReading) -> Instant {
    guard last.bootID == reading.bootID else { return min(last.wall, wall) }
    let elapsed = max(reading.bootNanoseconds - last.bootNanoseconds, 0) / 1_000_000
    return wall.adding(milliseconds: -elapsed)
  }
}

/// The limits of free disk space at which the daemon reacts.
public enum DiskSpaceLimits {
  /// The limit below which free disk space is low: 64 MiB. The record of a busy home grows by about
  /// 1 MiB a day, so a caretaker has about two months to free disk space.
  public static let lowBytes: Int64 = 64 << 20
}
