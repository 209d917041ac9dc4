import Alarms
import CivilTime
import Engine
import Logging
import Platform
import RequestHandlers
import ServiceLifecycle
import Speaker
import Systemd

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

/// A summary that a contact should get.
struct SummaryRequest: Sendable {
  var contact: String
  var day: CivilDate
}

/// Writes the summaries for contacts from the data of the record, and passes the summaries to the
/// engine.
struct SummaryService: Service {
  let requests: AsyncStream<SummaryRequest>
  let handler: RequestHandler
  let engine: EngineActor
  let logger: Logger

  /// The maximum number of attempts to write and send one summary. The attempts are one minute
  /// apart. An attempt fails if the record cannot be read or written.
  private static let attempts = 10

  func run() async throws {
    await cancelWhenGracefulShutdown {
      for await request in requests { await send(request) }
    }
  }

  private func send(_ request: SummaryRequest) async {
    for attempt in 1...Self.attempts {
      do {
        let text = try await handler.summaryText(of: request.day)
        _ = try await engine.execute(
          .sendSummary(contact: request.contact, request.day, text: text), by: .daemon("summary"))
        return
      } catch {
        logger.error("cannot send a summary (attempt \(attempt) of \(Self.attempts)): \(error)")
      }
      guard await hasSlept(milliseconds: 60_000) else { return }
    }
  }
}

/// Notifies the systemd watchdog while both the timer thread and the engine run.
struct WatchdogService: Service {
  let pulses: AsyncStream<Void>
  let manager: ServiceManager
  let engine: EngineActor

  func run() async throws {
    for await _ in pulses.cancelOnGracefulShutdown() {
      _ = await engine.read { _, _ in true }
      manager.alive()
    }
    // Without a watchdog, `pulses` is empty. In this case, the service only waits for the shutdown.
    try await gracefulShutdown()
  }
}

/// Tests the sound devices. The test plays no sound.
///
/// The service runs the test once a day, and after a sound card is added or removed. If a sound
/// device cannot be opened, the test detects this error before the next alarm.
struct SelfTestService: Service {
  let speaker: SpeakerSupervisor
  /// Yields a value after each change of the sound devices.
  let changes: AsyncStream<Void>

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup { group in
        group.addTask { while await hasSlept(milliseconds: 86_400_000) { speaker.selfTest() } }
        group.addTask {
          for await _ in changes {
            // If a person plugs in a sound card, several sound devices appear one after another.
            // The delay lets one test include all these devices.
            guard await hasSlept(milliseconds: 500) else { return }
            speaker.selfTest()
          }
        }
        await group.waitForAll()
      }
    }
  }
}

/// Plans the prompts again after the zone files or the zone of the machine have changed.
struct ZoneWatchService: Service {
  let changes: AsyncStream<Void>
  let zones: HomeZones
  let engine: EngineActor

  func run() async throws {
    for await _ in changes.cancelOnGracefulShutdown() {
      // The package manager unpacks the files of the new tzdata one by one. After a delay of two
      // seconds, all files are probably complete. If a file changes later, the service reads the
      // zones again.
      let isRunning = await cancelWhenGracefulShutdown { await hasSlept(milliseconds: 2_000) }
      if isRunning, zones.reload() { await engine.zonesChanged() }
    }
  }
}
