import Alarms
import Daemon
import Host
import ServiceLifecycle
import Speaker

/// Wakes the hallway at each tick of the timer, and after each step of the clock.
struct Ticking: Service {
  let ticks: AsyncStream<Void>
  let hallway: Hallway

  func run() async throws {
    for await _ in ticks.cancelOnGracefulShutdown() { await hallway.wake() }
  }
}

/// Tells the hallway what the speaker did, in order.
struct Listening: Service {
  let reports: AsyncStream<SoundReport>
  let hallway: Hallway

  func run() async throws {
    for await report in reports.cancelOnGracefulShutdown() { await hallway.hear(report) }
  }
}

/// Keeps systemd's watchdog content for as long as the hallway takes its turns.
struct Watching: Service {
  let manager: ServiceManager
  let hallway: Hallway

  func run() async throws {
    guard let interval = manager.watchdogMicroseconds else {
      try await gracefulShutdown()
      return
    }
    try await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        _ = await hallway.look { _, _ in true }
        manager.alive()
        try await Task.sleep(for: .microseconds(Int64(interval / 2)))
      }
    }
  }
}

/// Opens the speaker once a day without a sound, so that a dead one is known before the next alarm.
struct SelfTesting: Service {
  let speaker: SpeakerSupervisor

  func run() async throws {
    try await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(86_400))
        speaker.selfTest()
      }
    }
  }
}
