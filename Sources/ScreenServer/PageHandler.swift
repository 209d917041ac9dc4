import ClientKit
import NIOCore
import NIOHTTP1
import NIOPosix
import Pages
import Sentences

/// Handles the requests on one connection of the browser.
final class PageHandler: PageReplying {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let stage: Stage
  private let home: DaemonHome
  /// The threads that send answers and wait for the replies of the daemon.
  private let pool: NIOThreadPool
  /// The values of the header field `Host` that name this server.
  private let hosts: [String]
  /// The access of one browser; nil if every user of the machine may use the page server.
  let browser: OneBrowser?
  private var action = PageRequest.Action.refuse(status: 400, why: "there is no request")
  private var body: [UInt8] = []
  private var viewer: Int?

  init(
    stage: Stage, home: DaemonHome, pool: NIOThreadPool, hosts: [String], browser: OneBrowser?
  ) {
    (self.stage, self.home, self.pool, self.hosts) = (stage, home, pool, hosts)
    self.browser = browser
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      body = []
      action = PageRequest(
        method: head.method.rawValue, target: head.uri,
        headers: head.headers.map { ($0.name.lowercased(), $0.value) }
      ).action(hosts: hosts, session: browser?.session)
    case .body(let part):
      if body.count + part.readableBytes > action.bodyLimit {
        action = .refuse(status: 413, why: "the answer is too long")
      } else {
        body += part.readableBytesView
      }
    case .end: carryOut(context)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let viewer { stage.remove(viewer: viewer) }
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Either the browser closed the connection, or the client is not a browser.
    context.close(promise: nil)
  }

  private func carryOut(_ context: ChannelHandlerContext) {
    switch action {
    case .page: send(context, 200, "text/html; charset=utf-8", Array(stage.page().utf8))
    case .file(let file): send(context, 200, file.contentType, file.bytes)
    case .live: stream(context)
    case .picture(let id):
      let home = home
      wait(context, on: stage.reader) {
        try home.picture(id: id)
      } then: { me, context, bytes in
        me.send(context, 200, PictureType.of(bytes), bytes)
      }
    case .answer: answer(context)
    case .question: question(context)
    case .photo(let promptID): photo(context, of: promptID)
    case .seen: seen(context)
    case .alive:
      stage.painted()
      send(context, 204, "text/plain", [])
    case .giveAccess(let token): open(context, token)
    case .refuse(let status, let why):
      send(context, status, "text/plain; charset=utf-8", Array("\(why)\n".utf8))
    }
  }

  private func seen(_ context: ChannelHandlerContext) {
    guard let form = SeenForm(body: body), stage.reports(form.promptID) else {
      return send(context, 409, "text/plain", Array("the screen does not ask for this\n".utf8))
    }
    let home = home
    wait(context, on: stage.reader) {
      try home.report(seen: form)
    } then: { me, context, status in
      me.send(context, (200..<300).contains(status) ? 204 : status, "text/plain", [])
    }
  }

  private func photo(_ context: ChannelHandlerContext, of promptID: String) {
    guard home.hasCamera, stage.takesPhoto(of: promptID) else {
      return send(context, 409, "text/plain", Array("the screen asks for no photo now\n".utf8))
    }
    let (home, photo) = (home, body)
    wait(context) {
      try home.add(photo: photo, to: promptID)
    } then: { me, context, status in
      me.send(context, (200..<300).contains(status) ? 204 : status, "text/plain", [])
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    guard let form = AnswerForm(body: body) else {
      return send(context, 400, "text/plain", Array("this is not an answer\n".utf8))
    }
    guard stage.offers(form) else { return refuse(context, stage.refusal(of: form)) }
    let (home, stage) = (home, stage)
    let asksFirst = stage.asksFirst(form)
    wait(context) {
      let reply = try asksFirst ? Self.ask(form, stage, home) : home.give(form)
      // Read the prompt again even if the daemon refused the answer, because the next screen
      // depends on the present state in the daemon.
      stage.changed(promptID: form.promptID)
      return reply
    } then: { me, context, reply in
      me.finish(context, reply)
    }
  }

  /// Tells the page that the daemon accepted an answer. If the daemon refused the answer, sends the
  /// reason in the language of the screen.
  private func finish(_ context: ChannelHandlerContext, _ reply: AnswerReply) {
    if reply.isAccepted { return send(context, 204, "text/plain", []) }
    refuse(context, reply.status, reply.refusal.map(stage.text) ?? "")
  }

  /// Refuses an answer that the present screen does not offer. If the page server has no connection
  /// to the daemon, the page gets the status 503 and shows no sentence, because nobody refused the
  /// answer.
  private func refuse(_ context: ChannelHandlerContext, _ sentence: String) {
    guard stage.isConnected else { return refuse(context, 503, "") }
    refuse(context, 409, sentence)
  }

  private func refuse(_ context: ChannelHandlerContext, _ status: Int, _ sentence: String) {
    send(context, status, "text/plain; charset=utf-8", Array(sentence.utf8))
  }

  /// Shows the questions of a prompt before the prompt is completed, and stops the sound of the
  /// prompt.
  ///
  /// - Returns: the reply for the page.
  private static func ask(
    _ form: AnswerForm, _ stage: Stage, _ home: DaemonHome
  ) throws -> AnswerReply {
    if stage.isCalling(form.promptID) {
      var onMyWay = form
      onMyWay.answer = .acknowledge
      let reply = try home.give(onMyWay)
      // If "on my way" comes too late, the daemon refuses it. In this case, show the questions
      // although the prompt rings.
      guard reply.isAccepted || reply.refusal == .refusedOnMyWay else { return reply }
    }
    stage.startQuestions(form.promptID)
    return AnswerReply(status: 204)
  }

  private func question(_ context: ChannelHandlerContext) {
    guard let touch = QuestionTouch(body: body) else {
      return send(context, 400, "text/plain", Array("this is not an answer\n".utf8))
    }
    switch stage.take(touch) {
    case .refuse: refuse(context, stage.text(.refusedAnswer))
    case .show: send(context, 200, "text/plain", [])
    case .send(let answers):
      let (home, stage) = (home, stage)
      wait(context) {
        let reply = try home.send(answers)
        if reply.isAccepted { stage.finish(answers) }
        stage.changed(promptID: answers.promptID)
        return reply
      } then: { me, context, reply in
        me.finish(context, reply)
      }
    }
  }

  /// Runs a request to the daemon on another thread, and then continues on the event loop.
  ///
  /// - Parameter threads: the threads that wait for the daemon; nil for the threads of `pool`.
  private func wait<Value: Sendable>(
    _ context: ChannelHandlerContext, on threads: NIOThreadPool? = nil,
    _ work: @escaping @Sendable () throws -> Value,
    then finish: @escaping (PageHandler, ChannelHandlerContext, Value) -> Void
  ) {
    let reply = (threads ?? pool).runIfActive(eventLoop: context.eventLoop, work)
    reply.assumeIsolated().whenComplete { result in
      guard context.channel.isActive else { return }
      switch result {
      case .success(let value): finish(self, context, value)
      case .failure(let error):
        let why = (error as? Failure)?.sentence ?? "\(error)"
        self.stage.report(why)
        self.send(context, 503, "text/plain; charset=utf-8", Array("\(why)\n".utf8))
      }
    }
  }

  func send(
    _ context: ChannelHandlerContext, _ status: Int, _ type: String, _ bytes: [UInt8],
    _ more: [(String, String)] = []
  ) {
    let security = PageRequest.security(hasCamera: home.hasCamera)
    reply(context, status, security + more.map { ($0.0, $0.1) }, type, bytes)
  }

  /// Sends each new screen to the page until the browser closes the connection.
  private func stream(_ context: ChannelHandlerContext) {
    beginStream(context, PageRequest.security(hasCamera: home.hasCamera))
    viewer = stage.add(lineWriter(context))
  }
}

/// The media type of a picture. The daemon stores only JPEG and PNG files.
enum PictureType {
  static func of(_ bytes: [UInt8]) -> String {
    bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) ? "image/png" : "image/jpeg"
  }
}
