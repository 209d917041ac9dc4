import API
import Alarms
import HTTPServer
import Logging
import Platform
import RequestHandlers
import ServiceLifecycle
import UnixSignals

/// What is left of a home that has moved to another device: it rings nothing, and says why to whoever asks.
///
/// It stays up, because a service that ends would be started again and again, and in the end sound the plain
/// tone of a broken one.
struct RetiredDaemon {
  private static let epitaph =
    "this home has moved to another device, and this one rings no more; "
    + "restore a backup to begin anew"
  var socket: String

  func run() async throws {
    let logger = Logger.daemon(Journal())
    let manager = ServiceManager()
    let control = manager.inheritedSockets().first
    let timer = try WallTimer(pulseMicroseconds: manager.watchdogMicroseconds.map { $0 / 2 })
    let denials = DenialLog()
    let gate = Server(
      socket: try control.map { control throws(ServerError) in
        try ListeningSocket(inherited: control.descriptor)
      } ?? ListeningSocket.bind(path: socket, mode: 0o660),
      // Those who are let in at all are told; there is nothing else to be had.
      identities: Identities(admins: [], users: [:], groups: [:]), limits: .standard,
      logger: logger, handle: { _ in .problem(Refusal(.conflict, Self.epitaph)) },
      // One line for each user, however often it asks.
      onDenied: { uid, method, path in
        if denials.note(uid: uid, method: method, path: path) != nil {
          logger.warning("denied uid \(uid)")
        }
      })
    logger.warning("\(Self.epitaph)")
    manager.ready(status: Self.epitaph)
    try await ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [gate, WatchdogService(pulses: timer.pulses, manager: manager)],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    ).run()
  }
}

/// Keeps the watchdog content where there is no engine to ask.
private struct WatchdogService: Service {
  let pulses: AsyncStream<Void>
  let manager: ServiceManager

  func run() async throws {
    for await _ in pulses.cancelOnGracefulShutdown() { manager.alive() }
    try await gracefulShutdown()
  }
}
