import API
import Alarms
import CaretakerPages
import ClientKit
import FileSystem
import Glibc
import NIOCore
import NIOPosix
import Pairing
import ScreenServer

/// The server of the caretaker's pages for phones, with everything that it needs.
package struct WebService: Sendable {
  package let loop: any EventLoop
  /// The port; 0 if the server does not listen on the loopback interface.
  package let port: Int

  private let feed: ChangeFeed
  private let events: PhoneEvents

  /// The most pages that wait for the daemon at once. The daemon permits eight connections of one
  /// user: the stream of events needs one, and a connection that ends counts for a moment longer. With
  /// five pages at once, the daemon refused some requests of a flood (429).
  private static let pages = 3

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - web: where the program that decrypts the connections of the phones connects.
  ///   - control: where `prompter web` of an administrator connects.
  ///   - own: where each user connects to manage the user's own phones; nil for nowhere.
  package init(
    client: Client, settings: WebSettings, registry: PhoneRegistry, web: PageSocket,
    control: PageSocket, own: PageSocket?, report: @escaping @Sendable (_ line: String) -> Void
  ) throws {
    loop = MultiThreadedEventLoopGroup.singleton.next()
    let feed = ChangeFeed(milliseconds: monotonicMilliseconds, report: report)
    let pool = NIOThreadPool(numberOfThreads: Self.pages)
    pool.start()
    let site = CaretakerSite(language: settings.language, isInstallable: true)
    let path = settings.authority
    let answers = PhoneControl(
      registry: registry, feed: feed, address: settings.address,
      check: { Self.refusal(of: $0, client) })
    let access = PhoneAccess(
      registry: registry, client: client, control: answers, host: settings.host,
      authority: { Self.certificate(path, report) }, pool: pool)
    let server = try PageServer(at: web, loop: loop) {
      CaretakerHandler(site: site, access: access, feed: feed, pool: pool)
    }
    try Self.listen(control, .administrator, answers, loop)
    if let own { try Self.listen(own, .ownDevices, answers, loop) }
    (self.feed, port) = (feed, server.port)
    events = PhoneEvents(registry: registry, client: client)
  }

  /// Serves a control socket, with threads of its own: a device can be removed even if all pages wait
  /// for the daemon, and an administrator does not wait for other users.
  private static func listen(
    _ socket: PageSocket, _ rights: ControlHandler.Rights, _ answers: PhoneControl,
    _ loop: any EventLoop
  ) throws {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    _ = try PageServer(at: socket, loop: loop) {
      ControlHandler(control: answers, rights: rights, pool: pool)
    }
  }

  /// Follows the events of the daemon on another thread.
  package func start() {
    feed.start(on: loop)
    DaemonFollower(source: events, listener: feed).start()
  }

  /// The refusal of the daemon to act for a user; nil if the daemon permits it.
  private static func refusal(of user: String, _ client: Client) -> PhoneControl.Reply? {
    do throws(HomeTrouble) {
      let reply = try CaretakerClient(client: client, user: user, phones: noPhones).send(
        HomeRequest(.status))
      guard !reply.isAccepted else { return nil }
      return .problem(
        .forbidden,
        "cannot make a code for \"\(user)\": \(HomeRefusal(reply).detail); see the section "
          + "[delegates] of /etc/prompter/config.toml")
    } catch {
      guard case .unreachable(let why) = error else {
        return .problem(.storage, "cannot understand the daemon")
      }
      return .problem(.storage, why)
    }
  }

  /// The longest certificate that is served, in bytes.
  private static let certificateLimit = 65_536

  /// Reads the certificate of the authority; nil if there is none.
  private static func certificate(
    _ path: String, _ report: @Sendable (_ line: String) -> Void
  ) -> [UInt8]? {
    do throws(FileReadError) {
      return try readFile(atPath: path, limit: certificateLimit)
    } catch {
      report("cannot read the certificate \"\(path)\": \(error)")
      return nil
    }
  }
}

/// The events of the daemon, as the user of a device gets them.
struct PhoneEvents: EventSource {
  var registry: PhoneRegistry
  var client: Client

  /// The pause after a failed try, in seconds. The follower itself makes a pause of one second.
  private static let pauseSeconds: UInt32 = 5

  func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws {
    let device = registry.nextFollower()
    do {
      try CaretakerClient(
        client: client, user: device.user, device: device.number, phones: noPhones
      )
      .followEvents(begin: begin, take: take)
    } catch {
      sleep(Self.pauseSeconds)
      throw error
    }
  }
}

/// For a client that never asks about phones.
@Sendable private func noPhones(_ request: PhoneRequest) throws(HomeTrouble) -> HomeReply {
  throw .unreachable("cannot answer \(request): this client has no phones")
}
