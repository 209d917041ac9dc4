import CaretakerPages
import Pages

/// Decides who may see the caretaker's pages, and for which user the page server sends requests to
/// the daemon.
package protocol CaretakerAccess: Sendable {
  /// Decides about a request before the body of the request arrives.
  ///
  /// - Parameter version: the number of changes in the home so far.
  func decide(_ request: PageRequest, version: Int) -> CaretakerDecision
}

/// The decision about a request for the caretaker's pages.
package enum CaretakerDecision: Sendable {
  /// The browser may see the pages.
  case pages(CaretakerAction, Visitor)
  /// The request concerns the access itself, for example a new phone. The function receives the
  /// body of the request and returns the reply.
  case own(@Sendable (_ body: [UInt8]) -> OwnReply)

  /// The browser that sent a request.
  package struct Visitor: Sendable {
    /// The client that sends requests to the daemon for the user of the browser.
    package var home: CaretakerClient
    /// The number of the device on which the browser runs; nil if the server is restricted to one
    /// browser.
    package var device: Int?
    /// Additional header fields for the reply.
    package var fields: [(name: String, value: String)]

    package init(
      home: CaretakerClient, device: Int? = nil, fields: [(name: String, value: String)] = []
    ) {
      (self.home, self.device, self.fields) = (home, device, fields)
    }
  }

  /// A reply that the page server makes without a page of the caretaker.
  package struct OwnReply: Sendable {
    package var status: Int
    package var contentType: String
    package var bytes: [UInt8]
    package var fields: [(name: String, value: String)]

    package init(
      status: Int, contentType: String, bytes: [UInt8], fields: [(name: String, value: String)] = []
    ) {
      (self.status, self.contentType) = (status, contentType)
      (self.bytes, self.fields) = (bytes, fields)
    }

    /// Makes a refusal with a text.
    package init(status: Int, why: String) {
      self.init(
        status: status, contentType: "text/plain; charset=utf-8", bytes: Array("\(why)\n".utf8))
    }
  }
}

/// The access of one browser on the computer of the caretaker.
struct OneBrowserAccess: CaretakerAccess {
  var browser: OneBrowser
  var home: CaretakerClient
  /// The values of the header field `Host` that name this server.
  var hosts: [String]

  func decide(_ request: PageRequest, version: Int) -> CaretakerDecision {
    let action = request.caretakerAction(
      hosts: hosts, session: browser.session, version: version)
    guard case .giveAccess(let token) = action else {
      return .pages(action, CaretakerDecision.Visitor(home: home))
    }
    let browser = browser
    return .own { _ in
      guard let cookie = browser.open(token: token) else {
        return CaretakerDecision.OwnReply(
          status: 403, why: "this address works once; run \"prompter open\" again")
      }
      return CaretakerDecision.OwnReply(
        status: 200, contentType: "text/html; charset=utf-8",
        bytes: Array(PageRequest.openedPage.utf8), fields: [("set-cookie", cookie)])
    }
  }
}
