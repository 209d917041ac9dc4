import Alarms
import Engine
import Platform
import ServiceLifecycle
import Speaker

/// Wakes the engine at each tick of the timer, and after each step of the clock.
struct TimerService: Service {
  let ticks: AsyncStream<Void>
  let engine: EngineActor

  func run() async throws {
    for await _ in ticks.cancelOnGracefulShutdown() { await engine.wake() }
  }
}

/// Tells the engine what the speaker did, in order.
struct SoundReportService: Service {
  let reports: AsyncStream<SoundReport>
  let engine: EngineActor
  let speakerTests: SpeakerTests

  func run() async throws {
    for await report in reports.cancelOnGracefulShutdown() {
      await engine.handle(report)
      if case .tested = report { speakerTests.noticedTest() }
    }
  }
}

/// Tells the engine whether people could be told.
struct NotifyReportService: Service {
  let notifications: AsyncStream<NotifyResult>
  let engine: EngineActor

  func run() async throws {
    for await report in notifications.cancelOnGracefulShutdown() { await engine.handle(report) }
  }
}

/// Keeps systemd's watchdog content for as long as the timer's thread strikes and the engine takes
/// its turns.
struct Watching: Service {
  let pulses: AsyncStream<Void>
  let manager: ServiceManager
  let engine: EngineActor

  func run() async throws {
    for await _ in pulses.cancelOnGracefulShutdown() {
      _ = await engine.read { _, _ in true }
      manager.alive()
    }
    // Without a watchdog there is no pulse, and that is no reason to end.
    try await gracefulShutdown()
  }
}

/// Opens the speakers without a sound once a day, and when a sound card comes or goes, so that a dead
/// one is known at once and not at the next alarm.
struct SelfTestService: Service {
  let speaker: SpeakerSupervisor
  /// Something has changed among the sound devices.
  let changes: AsyncStream<Void>

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup { group in
        group.addTask { while await hasSlept(milliseconds: 86_400_000) { speaker.selfTest() } }
        group.addTask {
          for await _ in changes {
            // A card comes with several devices; those that follow at once are tested with it.
            guard await hasSlept(milliseconds: 500) else { return }
            speaker.selfTest()
          }
        }
        await group.waitForAll()
      }
    }
  }
}

/// Plans anew when the system's zones or the machine's own zone change.
struct ZoneWatchService: Service {
  let changes: AsyncStream<Void>
  let zones: HomeZones
  let engine: EngineActor

  func run() async throws {
    for await _ in changes.cancelOnGracefulShutdown() {
      // A package is unpacked file by file; what was seen half-way is looked at again after this.
      let isRunning = await cancelWhenGracefulShutdown { await hasSlept(milliseconds: 2_000) }
      if isRunning, zones.reload() { await engine.zonesChanged() }
    }
  }
}
