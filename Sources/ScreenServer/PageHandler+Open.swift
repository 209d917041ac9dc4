import NIOCore
import Pages

extension PageHandler {
  /// Sends the cookie to the browser if the browser sent the right token.
  func open(_ context: ChannelHandlerContext, _ token: String) {
    guard let cookie = browser?.open(token: token) else {
      let why = "this address works once; run \"prompter open\" again\n"
      return send(context, 403, "text/plain; charset=utf-8", Array(why.utf8))
    }
    let page = Array(PageRequest.openedPage.utf8)
    send(context, 200, "text/html; charset=utf-8", page, [("set-cookie", cookie)])
  }
}
