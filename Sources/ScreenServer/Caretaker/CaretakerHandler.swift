import CaretakerPages
import Dispatch
import NIOCore
import NIOHTTP1
import NIOPosix
import Pages

/// Serves the caretaker's pages on one connection of a browser.
package final class CaretakerHandler: PageReplying {
  package typealias InboundIn = HTTPServerRequestPart
  package typealias OutboundOut = HTTPServerResponsePart

  private let site: CaretakerSite
  private let access: any CaretakerAccess
  private let feed: ChangeFeed
  /// The threads that wait for the replies of the daemon.
  private let pool: NIOThreadPool
  private var decision = CaretakerDecision.own { _ in
    CaretakerDecision.OwnReply(status: 400, why: "there is no request")
  }
  private var body: [UInt8] = []
  private var viewer: Int?
  /// The maximum time that the server waits until the browser takes a piece of a file, in seconds.
  private static let stalledSeconds = 60
  /// True while the handler waits for a reply of the daemon, from which it makes a page. For
  /// example, the test of a contact takes some time.
  private var isWaiting = false
  /// The timer that ends the connection if the body does not arrive in time.
  private var deadline: Scheduled<Void>?

  /// The maximum time until the body of a request has arrived, in seconds. `PageServer` ends the
  /// connection if the head of a request does not arrive completely in time.
  private static let bodySeconds: Int64 = 120

  package init(
    site: CaretakerSite, access: any CaretakerAccess, feed: ChangeFeed, pool: NIOThreadPool
  ) {
    (self.site, self.access, self.feed, self.pool) = (site, access, feed, pool)
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      body = []
      decision = access.decide(
        PageRequest(
          method: head.method.rawValue, target: head.uri,
          headers: head.headers.map { ($0.name.lowercased(), $0.value) }),
        version: feed.version)
      let channel = context.channel
      deadline = context.eventLoop.scheduleTask(in: .seconds(Self.bodySeconds)) {
        channel.close(promise: nil)
      }
    case .body(let part):
      guard let bodyLimit else { return }
      if body.count + part.readableBytes > bodyLimit {
        body = []
        decision = .own { _ in
          CaretakerDecision.OwnReply(
            status: 413, why: "the form is too long; a file can have at most 10 MiB")
        }
      } else {
        body += part.readableBytesView
      }
    case .end:
      deadline?.cancel()
      carryOut(context)
    }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    if let viewer { feed.remove(viewer: viewer) }
    context.fireChannelInactive()
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent, !isWaiting { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Either the browser closed the connection, or the client is not a browser.
    context.close(promise: nil)
  }

  /// The maximum size of the body of the present request, in bytes; nil if the server does not read
  /// the body.
  private var bodyLimit: Int? {
    switch decision {
    case .pages(.take(_, let coding), _): coding.limit
    case .own: 4_096
    case .pages: nil
    }
  }

  private func carryOut(_ context: ChannelHandlerContext) {
    switch decision {
    case .pages(let action, let visitor): carryOut(context, action, visitor)
    case .own(let reply):
      // The function can write a file, so it must not run on the event loop.
      let body = body
      onAnotherThread(context, { reply(body) }, then: { self.send(context, $0) })
    }
  }

  private func carryOut(
    _ context: ChannelHandlerContext, _ action: CaretakerAction,
    _ visitor: CaretakerDecision.Visitor
  ) {
    switch action {
    case .show(let visit): page(context, visit, visitor, form: nil)
    case .take(let visit, let coding):
      guard let form = FormFields(body, coding: coding) else {
        return refuse(context, 400, "this form cannot be read")
      }
      page(context, visit, visitor, form: form)
    case .file(let file):
      send(
        context,
        CaretakerDecision.OwnReply(
          status: 200, contentType: file.contentType, bytes: file.bytes))
    case .live:
      beginStream(context, PageRequest.caretakerSecurity)
      let channel = context.channel
      viewer = feed.add(
        lineWriter(context), device: visitor.device, close: { channel.close(promise: nil) })
    case .giveAccess: refuse(context, 404, "there is no such page")
    case .refuse(let status, let why): refuse(context, status, why)
    }
  }

  /// Makes the page on another thread, because the page must wait for the daemon.
  private func page(
    _ context: ChannelHandlerContext, _ visit: Visit, _ visitor: CaretakerDecision.Visitor,
    form: FormFields?
  ) {
    feed.used()
    let site = site
    onAnotherThread(
      context, { site.reply(to: visit, form: form, home: visitor.home) },
      then: { reply in
        if reply.download != nil { return self.pass(context, reply, visitor) }
        let attachment = reply.fileName.map {
          [(name: "content-disposition", value: "attachment; filename=\"\($0)\"")]
        }
        self.send(
          context,
          CaretakerDecision.OwnReply(
            status: reply.status, contentType: reply.contentType, bytes: reply.bytes,
            fields: visitor.fields + (attachment ?? [])
              + (reply.location.map { [("location", $0)] } ?? [])))
      })
  }

  private func onAnotherThread<Result: Sendable>(
    _ context: ChannelHandlerContext, _ work: @escaping @Sendable () -> Result,
    then finish: @escaping (Result) -> Void
  ) {
    isWaiting = true
    let made = pool.runIfActive(eventLoop: context.eventLoop) { work() }
    made.assumeIsolated().whenComplete { result in
      self.isWaiting = false
      guard context.channel.isActive else { return }
      switch result {
      case .success(let value): finish(value)
      case .failure(let error): self.refuse(context, 503, "the page server ends: \(error)")
      }
    }
  }

  /// Passes a file from the daemon to the browser. After each piece, the thread of the pool waits
  /// until the browser has taken the piece. Therefore a large file does not fill the memory.
  private func pass(
    _ context: ChannelHandlerContext, _ reply: CaretakerSite.Reply,
    _ visitor: CaretakerDecision.Visitor
  ) {
    guard let download = reply.download else { return }
    isWaiting = true
    let (channel, home) = (context.channel, visitor.home)
    var headers = HTTPHeaders(
      (PageRequest.caretakerSecurity + visitor.fields).map { ($0.name, $0.value) })
    headers.add(name: "content-type", value: reply.contentType)
    headers.add(
      name: "content-disposition", value: "attachment; filename=\"\(download.name)\"")
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    let passed = pool.runIfActive(eventLoop: context.eventLoop) {
      try home.download(download.request) {
        channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
      } take: { bytes in
        let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))
        // This code runs on a thread of the client. Such a thread cannot wait for a future of NIO.
        let taken = DispatchSemaphore(value: 0)
        channel.writeAndFlush(part).whenComplete { _ in taken.signal() }
        let limit = DispatchTime.now() + .seconds(Self.stalledSeconds)
        guard taken.wait(timeout: limit) == .success, channel.isActive else {
          throw ChannelError.ioOnClosedChannel
        }
      }
    }
    passed.assumeIsolated().whenComplete { result in
      self.isWaiting = false
      switch result {
      case .success(nil):
        context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
      case .success(let refusal?): self.refuse(context, refusal.status, refusal.detail)
      // Close the connection, so that the browser detects that the file is incomplete.
      case .failure: context.close(promise: nil)
      }
    }
  }

  private func refuse(_ context: ChannelHandlerContext, _ status: Int, _ why: String) {
    send(context, CaretakerDecision.OwnReply(status: status, why: why))
  }

  private func send(_ context: ChannelHandlerContext, _ own: CaretakerDecision.OwnReply) {
    reply(
      context, own.status, PageRequest.caretakerSecurity + own.fields, own.contentType, own.bytes)
  }
}
