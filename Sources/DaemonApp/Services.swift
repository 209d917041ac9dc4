import Alarms
import Engine
import Platform
import ServiceLifecycle
import Speaker

/// Wakes the engine at each timer tick and each clock step.
struct TimerService: Service {
  let ticks: AsyncStream<Void>
  let engine: EngineActor

  func run() async throws {
    for await _ in ticks.cancelOnGracefulShutdown() { await engine.wake() }
  }
}

/// Passes the reports of the speaker to the engine, in order.
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

/// Passes the results of notifications to the engine.
struct NotifyReportService: Service {
  let notifications: AsyncStream<NotifyResult>
  let engine: EngineActor

  func run() async throws {
    for await report in notifications.cancelOnGracefulShutdown() { await engine.handle(report) }
  }
}

/// Reports to systemd's watchdog while the timer's thread and the engine run.
struct WatchdogService: Service {
  let pulses: AsyncStream<Void>
  let manager: ServiceManager
  let engine: EngineActor

  func run() async throws {
    for await _ in pulses.cancelOnGracefulShutdown() {
      _ = await engine.read { _, _ in true }
      manager.alive()
    }
    // Without a watchdog there are no pulses; then the service only waits for the shutdown.
    try await gracefulShutdown()
  }
}

/// Tests the speakers without a sound.
///
/// It does so once a day, and when a sound card is added or removed. So a speaker that does not
/// work is known at once, and not at the next alarm.
struct SelfTestService: Service {
  let speaker: SpeakerSupervisor
  /// Yields when the sound devices have changed.
  let changes: AsyncStream<Void>

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup { group in
        group.addTask { while await hasSlept(milliseconds: 86_400_000) { speaker.selfTest() } }
        group.addTask {
          for await _ in changes {
            // A card has several devices; devices that follow at once are tested together with it.
            guard await hasSlept(milliseconds: 500) else { return }
            speaker.selfTest()
          }
        }
        await group.waitForAll()
      }
    }
  }
}

/// Plans again when a zone of the system or machine changes.
struct ZoneWatchService: Service {
  let changes: AsyncStream<Void>
  let zones: HomeZones
  let engine: EngineActor

  func run() async throws {
    for await _ in changes.cancelOnGracefulShutdown() {
      // A package is unpacked file by file. The delay makes it likely that all files are complete;
      // a later change is processed again.
      let isRunning = await cancelWhenGracefulShutdown { await hasSlept(milliseconds: 2_000) }
      if isRunning, zones.reload() { await engine.zonesChanged() }
    }
  }
}
