/// The two secrets of a page server that only one browser may use.
///
/// Every user of a machine can connect to its loopback interface. Therefore the person opens an
/// address with a secret token. In exchange for this token, the browser gets a cookie. Every other
/// request needs this cookie.
public struct PageAccess: Sendable {
  /// The value of the cookie that each request must contain.
  public let session: String
  private let token: String
  private var wrongTries = 0
  private var isUsed = false

  /// The maximum number of wrong tokens. After this number of wrong tokens, the page server refuses
  /// every token, also the right token.
  static let wrongTriesLimit = 5

  /// - Parameters:
  ///   - token: at least 128 random bits, as text.
  ///   - session: at least 128 random bits, as text.
  public init(token: String, session: String) { (self.token, self.session) = (token, session) }

  /// Returns true if the given token is right and is used for the first time.
  public mutating func accept(_ given: String) -> Bool {
    guard !isUsed, wrongTries < Self.wrongTriesLimit else { return false }
    guard Self.isEqual(given, token) else {
      wrongTries += 1
      return false
    }
    isUsed = true
    return true
  }

  /// The header field that sets the cookie in the browser.
  public var setCookie: String { "\(Self.cookie)=\(session); Path=/; HttpOnly; SameSite=Strict" }

  static let cookie = "prompter"

  /// Compares two secrets. The time of the comparison does not depend on the position of the first
  /// difference.
  public static func isEqual(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension PageRequest {
  /// Decides what to do with a request to a page server that can be restricted to one browser.
  ///
  /// - Parameter session: the value of the cookie that each request needs; nil if every user of the
  ///   machine may use the page server.
  public func action(hosts: [String], session: String?) -> Action {
    let action = action(hosts: hosts)
    guard let session else { return action }
    if case .refuse(status: 421, why: _) = action { return action }
    return tokenOrRefusal(session: session) ?? action
  }

  /// Decides what to do with a request that asks for access, or that has no access.
  ///
  /// - Returns: nil if the request has access, because it contains the cookie.
  public func tokenOrRefusal(session: String) -> Action? {
    // Do not check where this request comes from: the person can open the address from a file on
    // this machine or from a terminal.
    if method == "GET", target.hasPrefix(Self.openPath) {
      return .giveAccess(token: String(target.dropFirst(Self.openPath.count)))
    }
    guard let given = cookie(PageAccess.cookie), PageAccess.isEqual(given, session) else {
      return .refuse(
        status: 403, why: "this screen is open in another browser; run \"prompter open\" again")
    }
    return nil
  }

  /// The beginning of the path that contains a token.
  public static let openPath = "/open/"

  /// Returns the value of a cookie; nil if the request contains no such cookie, or several.
  public func cookie(_ name: String) -> String? {
    let pairs = headers.filter { $0.name == "cookie" }.flatMap { $0.value.split(separator: ";") }
    let start = "\(name)="
    let values = pairs.map { $0.drop { $0 == " " } }.filter { $0.hasPrefix(start) }
    return values.count == 1 ? String(values[0].dropFirst(start.count)) : nil
  }

  /// The page that the browser gets after the person opened the address with the right token. This
  /// page opens the screen.
  ///
  /// A redirect would not work, because the browser sends a cookie with `SameSite=Strict` only if a
  /// page of the page server caused the request.
  public static let openedPage = """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=/"><title>Prompter</title></head>
    <body><p><a href="/">Open the screen</a></p></body>
    </html>

    """
}
