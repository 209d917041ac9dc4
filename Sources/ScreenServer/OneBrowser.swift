import Pages
import Synchronization

/// The access of one browser to the page server. All connections share this object.
package final class OneBrowser: Sendable {
  /// A random host name of this machine. A browser sends a cookie to all ports of a host name.
  /// Because the name is random, the browser does not send the cookie to another page server of
  /// this machine.
  package let name: String
  /// The path that the person opens in the browser.
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
  /// - Returns: the header field with the cookie; nil if the token is wrong or already used.
  func open(token: String) -> String? {
    access.withLock { $0.accept(token) ? $0.setCookie : nil }
  }

  /// Returns random bytes from the kernel as hexadecimal text.
  package static func secret(bytes: Int) -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<bytes).map { _ in
      let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
      return digits.count == 1 ? "0\(digits)" : digits
    }.joined()
  }
}
