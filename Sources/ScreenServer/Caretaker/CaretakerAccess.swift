import CaretakerPages
import Pages

/// Decides who may see the caretaker's pages, and for whom the page server asks the daemon.
package protocol CaretakerAccess: Sendable {
  /// Decides about a request, before its body arrives.
  ///
  /// - Parameter version: the number of changes at home so far.
  func decide(_ request: PageRequest, version: Int) -> CaretakerDecision
}

/// What happens with a request for the caretaker's pages.
package enum CaretakerDecision: Sendable {
  /// The browser may see the pages.
  case pages(CaretakerAction, Visitor)
  /// The request is about the access itself. The function gets the body of the request.
  case own(@Sendable (_ body: [UInt8]) -> OwnReply)

  /// The browser that sent a request.
  package struct Visitor: Sendable {
    /// Sends requests to the daemon for the person of the browser.
    package var home: CaretakerClient
    /// The number of the device; nil if only one browser has access.
    package var device: Int?
    /// More header fields of the reply.
    package var fields: [(name: String, value: String)]

    package init(
      home: CaretakerClient, device: Int? = nil, fields: [(name: String, value: String)] = []
    ) {
      (self.home, self.device, self.fields) = (home, device, fields)
    }
  }

  /// A reply that no page makes.
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

    /// A refusal in words.
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
  /// The values of the field `Host` that name this server.
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
