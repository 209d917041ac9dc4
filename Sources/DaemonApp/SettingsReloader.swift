import Engine
import HTTPServer
import Logging
import Platform
import ServiceLifecycle
import Speaker
import Synchronization
import UnixSignals

/// Reads the configuration again when the daemon gets the signal SIGHUP. A change of the
/// configuration does not change open prompts.
///
/// Roles, contacts, the home zone and the sound devices change at once. New roles apply to new
/// connections. New sound devices and levels apply to the next ring. New limits of the HTTP server
/// apply only after the next start of the daemon.
final class SettingsReloader: Service {
  private let source: SettingsSource
  private let zones: HomeZones
  private let speaker: SpeakerSupervisor
  private let notifier: Notifier
  private let engine: EngineActor
  private let logger: Logger
  private let settings: Mutex<Settings>
  private let trouble: Mutex<[String]>

  /// Problems of the configuration file, one sentence each.
  var problems: [String] { trouble.withLock { $0 } }

  /// The current roles of users.
  var identities: Identities { settings.withLock { $0.identities } }

  init(
    source: SettingsSource, settings: Settings, problems: [String], zones: HomeZones,
    speaker: SpeakerSupervisor, notifier: Notifier, engine: EngineActor, logger: Logger
  ) {
    self.source = source
    self.zones = zones
    self.speaker = speaker
    self.notifier = notifier
    self.engine = engine
    self.logger = logger
    self.settings = Mutex(settings)
    trouble = Mutex(problems)
  }

  func run() async throws {
    for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
      do {
        apply(try source.readTrusted())
        // Plan the prompts again, even if the zone did not change, because a comparison of the
        // zones would not be faster.
        await engine.zonesChanged()
      } catch {
        let problem = "\(error); the previous settings stay in use"
        logger.error("\(problem)")
        trouble.withLock { $0 = [problem] }
      }
    }
  }

  private func apply(_ found: SettingsSource.Found) {
    for warning in found.warnings { logger.warning("\(warning)") }
    trouble.withLock { $0 = found.problems }
    let new = found.settings
    let old = settings.withLock { settings in
      defer { settings = new }
      return settings
    }
    if new.devices != old.devices {
      speaker.use(devices: new.devices)
      speaker.selfTest()
    }
    notifier.use(contacts: new.contacts)
    _ = zones.move(to: new.zone)
    if new.level != old.level { speaker.setUsualLevel(percent: new.level) }
    if new.limits != old.limits || new.reward != old.reward || new.mergesRings != old.mergesRings {
      logger.warning(
        "the limits, the reward and merge_rings change at the next start of prompterd")
    }
    logger.info("the configuration was read again")
  }
}
