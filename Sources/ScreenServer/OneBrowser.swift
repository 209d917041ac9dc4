import Pages
import Synchronization

/// The access of one browser to the page server, which all connections share.
package final class OneBrowser: Sendable {
  /// A random name of this machine. Cookies belong to a name and not to a port, so no other page
  /// server of this machine gets the cookie.
  package let name: String
  /// The path that the person opens.
  package let path: String
  let session: String
  private let access: Mutex<PageAccess>

  package init() {
    let (token, session) = (Self.secret(bytes: 32), Self.secret(bytes: 32))
    name = "p\(Self.secret(bytes: 8)).localhost"
    path = PageRequest.openPath + token
    self.session = session
    access = Mutex(PageAccess(token: token, session: session))
  }

  /// Accepts the right token once.
  ///
  /// - Returns: the header field with the cookie; nil if the token is wrong or was used.
  func open(token: String) -> String? {
    access.withLock { $0.accept(token) ? $0.setCookie : nil }
  }

  /// Random bytes of the kernel as hexadecimal text.
  package static func secret(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<bytes).map { _ in
      let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
