import CaretakerPages
import NIOCore
import NIOHTTP1
import NIOPosix
import Pages

/// Serves the caretaker's pages to one connection of the browser.
final class CaretakerHandler: PageReplying {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: CaretakerSite
  private let home: CaretakerClient
  private let feed: ChangeFeed
  /// Waits for the replies of the daemon.
  private let pool: NIOThreadPool
  /// The values of the field `Host` that name this server.
  private let hosts: [String]
  private let browser: OneBrowser
  private var action = CaretakerAction.refuse(status: 400, why: "there is no request")
  private var body: [UInt8] = []
  private var viewer: Int?
  /// True while a page waits for the daemon, for example for the test of a contact.
  private var isWaiting = false

  init(
    site: CaretakerSite, home: CaretakerClient, feed: ChangeFeed, pool: NIOThreadPool,
    hosts: [String], browser: OneBrowser
  ) {
    (self.site, self.home, self.feed) = (site, home, feed)
    (self.pool, self.hosts, self.browser) = (pool, hosts, browser)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      body = []
      action = PageRequest(
        method: head.method.rawValue, target: head.uri,
        headers: head.headers.map { ($0.name.lowercased(), $0.value) }
      ).caretakerAction(hosts: hosts, session: browser.session, version: feed.version)
    case .body(let part):
      guard case .take(_, let coding) = action else { return }
      if body.count + part.readableBytes > coding.limit {
        body = []
        action = .refuse(
          status: 413, why: "the form is too long; a file can have at most 10 MiB")
      } else {
        body += part.readableBytesView
      }
    case .end: carryOut(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let viewer { feed.remove(viewer: viewer) }
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent, !isWaiting { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The browser closed the connection, or it is not a browser.
    context.close(promise: nil)
  }

  private func carryOut(_ context: ChannelHandlerContext) {
    switch action {
    case .show(let visit): page(context, visit, form: nil)
    case .take(let visit, let coding):
      guard let form = FormFields(body, coding: coding) else {
        return refuse(context, 400, "this form cannot be read")
      }
      page(context, visit, form: form)
    case .file(let file): send(context, 200, file.contentType, file.bytes)
    case .live:
      beginStream(context, PageRequest.caretakerSecurity)
      viewer = feed.add(lineWriter(context))
    case .giveAccess(let token):
      guard let cookie = browser.open(token: token) else {
        return refuse(context, 403, "this address works once; run \"prompter open\" again")
      }
      let page = Array(PageRequest.openedPage.utf8)
      send(context, 200, "text/html; charset=utf-8", page, [("set-cookie", cookie)])
    case .refuse(let status, let why): refuse(context, status, why)
    }
  }

  /// Makes the page on another thread, because the page waits for the daemon.
  private func page(_ context: ChannelHandlerContext, _ visit: Visit, form: FormFields?) {
    feed.used()
    isWaiting = true
    let (site, home) = (site, home)
    let made = pool.runIfActive(eventLoop: context.eventLoop) {
      site.reply(to: visit, form: form, home: home)
    }
    made.assumeIsolated().whenComplete { result in
      self.isWaiting = false
      guard context.channel.isActive else { return }
      switch result {
      case .success(let reply):
        self.send(
          context, reply.status, reply.contentType, reply.bytes,
          reply.location.map { [("location", $0)] } ?? [])
      case .failure(let error): self.refuse(context, 503, "the page server ends: \(error)")
      }
    }
  }

  private func refuse(_ context: ChannelHandlerContext, _ status: Int, _ why: String) {
    send(context, status, "text/plain; charset=utf-8", Array("\(why)\n".utf8))
  }

  private func send(
    _ context: ChannelHandlerContext, _ status: Int, _ type: String, _ bytes: [UInt8],
    _ more: [(name: String, value: String)] = []
  ) {
    reply(context, status, PageRequest.caretakerSecurity + more, type, bytes)
  }
}
