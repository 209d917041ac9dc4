import CaretakerPages
import Pages

/// The action with which the server for phones answers a request.
public enum PhoneAction: Sendable, Hashable {
  /// Answer a request for a page or for data. The device has access, and `digest` is the digest of
  /// its cookie.
  case pages(CaretakerAction, digest: String)
  /// Send the page on which a person types the code.
  case pairPage
  /// Check a code that a person typed on the page. The body of the request is a form.
  case pair
  /// Send a file without data of the home. Every browser may read this file.
  case file(PhoneFile)
  /// Send the certificate of the authority that signed the certificate of this server.
  case authority
  case refuse(status: Int, why: String)
}

extension PageRequest {
  /// The name of the cookie. Because the name begins with `__Host-`, a browser accepts the cookie
  /// only over TLS, for one host and for all paths (RFC 6265bis, section 4.1.3.2).
  public static let deviceCookie = "__Host-prompter"

  /// The path of the page on which a person types the code.
  public static let pairPath = "/pair"
  /// The path at which a browser gets the certificate of the authority (see
  /// `PhoneAction.authority`).
  static let authorityPath = "/ca.crt"

  /// Returns the action for a request to the server for phones.
  ///
  /// - Parameters:
  ///   - host: the value that the header field `Host` must have in a request to this server.
  ///   - version: the number of changes in the home so far.
  ///   - device: a function that returns the digest of a cookie; nil if no device with this cookie
  ///     has access.
  public func phoneAction(
    host: String, version: Int, device: (_ cookie: String) -> String?
  ) -> PhoneAction {
    if let refusal = refusalOfHost([host]) { return PhoneAction(refusal) }
    if method == "GET" {
      if target == Self.pairPath { return sitePermits(.pairPage, host, isChange: false) }
      if target == Self.authorityPath { return .authority }
      if let file = PhoneFile(name: String(target.dropFirst())), target.hasPrefix("/") {
        return sitePermits(.file(file), host, isChange: false)
      }
    }
    if method == "POST", target == Self.pairPath {
      return sitePermits(isForm ? .pair : .refuse(status: 415, why: "a code is a form"), host)
    }
    guard let digest = cookie(Self.deviceCookie).flatMap(device) else {
      // The device has no access. If a person opened a page, send the page on which this person can
      // type a code. If a script of an open page sent the request, send a refusal.
      return method == "GET" && target != "/live"
        ? sitePermits(.pairPage, host, isChange: false)
        : .refuse(status: 401, why: "this device has no access")
    }
    return .pages(
      caretakerAction(hosts: [host], scheme: "https", version: version), digest: digest)
  }

  /// True if the body of the request is a form that a browser sent.
  private var isForm: Bool {
    value("content-type")?.split(separator: ";").first == "application/x-www-form-urlencoded"
  }

  private func sitePermits(
    _ action: PhoneAction, _ host: String, isChange: Bool = true
  ) -> PhoneAction {
    refusalOfSite([host], scheme: "https", isChange: isChange).map(PhoneAction.init) ?? action
  }

  /// Returns the header field that sets the cookie of a device.
  ///
  /// A browser keeps a cookie for at most 400 days (RFC 6265bis, section 5.5). Therefore, on each
  /// day on which a person uses the device, the server sends this header field again. The 400 days
  /// then start again.
  public static func setDeviceCookie(_ cookie: String) -> String {
    "\(deviceCookie)=\(cookie); Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=34560000"
  }
}

extension PhoneAction {
  fileprivate init(_ refusal: PageRequest.Action) {
    guard case .refuse(let status, let why) = refusal else {
      self = .refuse(status: 400, why: "this request cannot be read")
      return
    }
    self = .refuse(status: status, why: why)
  }
}
