import API
import Alarms
import HTTPServer
import Logging
import Platform
import RequestHandlers
import ServiceLifecycle
import Systemd
import UnixSignals

/// The daemon of a home that moved to a different device.
///
/// The retired daemon plays no sound, and refuses each request. The refusal contains the reason.
/// The retired daemon keeps running. If it ended, systemd would restart it again and again. After
/// three failed starts in a row, a plain tone sounds, which means that the service is broken. But
/// the service of a retired device is not broken.
package struct RetiredDaemon {
  private static let reason =
    "this home has moved to another device, and this device never rings again; "
    + "restore a backup to use it again"
  var socket: String
  var source: SettingsSource

  /// - Parameters:
  ///   - socket: the path of the socket for clients.
  ///   - source: the settings with the roles of the users. If a user has a role, the refusals for
  ///     this user contain the reason why the device is retired.
  package init(socket: String, source: SettingsSource) {
    self.socket = socket
    self.source = source
  }

  package func run() async throws {
    let logger = Logger.daemon(Journal())
    let manager = ServiceManager()
    let control = manager.inheritedSockets().first
    let timer = try WallTimer(pulseMicroseconds: manager.watchdogMicroseconds.map { $0 / 2 })
    let denials = DenialLog()
    let server = Server(
      socket: try control.map { control throws(ServerError) in
        try ListeningSocket(inherited: control.descriptor)
      } ?? ListeningSocket.bind(path: socket, mode: 0o660),
      identities: identities(logger), limits: .standard,
      logger: logger, handle: { _ in .problem(Refusal(.conflict, Self.reason)) },
      // The daemon logs one line for each user, even if the user sends many requests.
      onDenied: { uid, method, path in
        if denials.note(uid: uid, method: method, path: path) != nil {
          logger.warning("denied uid \(uid)")
        }
      })
    logger.warning("\(Self.reason)")
    manager.ready(status: Self.reason)
    try await ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [server, RetiredWatchdogService(pulses: timer.pulses, manager: manager)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    ).run()
  }

  /// Returns the roles of the users. If the settings cannot be read, only root and the user of the
  /// daemon have a role.
  private func identities(_ logger: Logger) -> Identities {
    do {
      return try source.readOrRecall().settings.identities
    } catch {
      logger.warning("\(error); only root gets the reason why this device does not ring")
      return Settings().identities
    }
  }
}

/// Reports to the systemd watchdog at each pulse of the timer. The service does not check an
/// engine, because a retired daemon has no engine.
private struct RetiredWatchdogService: Service {
  let pulses: AsyncStream<Void>
  let manager: ServiceManager

  func run() async throws {
    for await _ in pulses.cancelOnGracefulShutdown() { manager.alive() }
    try await gracefulShutdown()
  }
}
