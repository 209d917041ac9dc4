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

/// The server of the caretaker's pages for phones, together with the parts that it needs.
package struct WebService: Sendable {
  package let loop: any EventLoop
  /// The port; 0 if the server does not listen on the loopback interface.
  package let port: Int

  private let feed: ChangeFeed
  private let events: PhoneEvents

  /// The maximum number of pages that wait for the daemon at the same time. The daemon permits
  /// eight connections per user. The stream of events needs one connection, and a connection that
  /// ends still counts for a moment. With five pages at the same time, the daemon refused some
  /// requests (429) when very many requests arrived.
  private static let pages = 3

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - web: the socket for the program that decrypts the connections of the phones.
  ///   - control: the socket for `prompter web` of an administrator.
  ///   - own: the socket for users who manage their own phones; nil if there is no such socket.
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

  /// Serves a control socket with its own thread. Therefore the requests of an administrator do not
  /// wait for requests to the pages. For example, an administrator can always remove a device.
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

  /// Asks the daemon whether this program may act for a user. Returns the refusal of the daemon;
  /// nil if the daemon permits it.
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

  /// The maximum size of a certificate that the server sends, in bytes.
  private static let certificateLimit = 65_536

  /// Reads the certificate of the certificate authority; nil if there is no such certificate.
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

/// The events of the daemon. The program reads them with the rights of the user of a device.
struct PhoneEvents: EventSource {
  var registry: PhoneRegistry
  var client: Client

  /// The additional pause after a failed try, in seconds. The follower itself pauses for one
  /// second.
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

/// Answers requests about phones for a client that never sends such requests.
@Sendable private func noPhones(_ request: PhoneRequest) throws(HomeTrouble) -> HomeReply {
  throw .unreachable("cannot answer \(request): this client has no phones")
}
