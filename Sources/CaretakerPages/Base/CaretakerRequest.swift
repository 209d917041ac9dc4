import API
import Pages

/// The action of the page server for a request of the caretaker's browser.
public enum CaretakerAction: Sendable, Hashable {
  case show(Visit)
  /// Reads the body, and passes the form to a page.
  case take(Visit, FormCoding)
  case file(CaretakerFile)
  case live
  case giveAccess(token: String)
  case refuse(status: Int, why: String)
}

extension PageRequest {
  /// Decides what to do with a request for the caretaker's page.
  ///
  /// - Parameters:
  ///   - hosts: the values of the header field `Host` that are valid for this server.
  ///   - session: the value of the cookie that each request needs.
  ///   - version: the number of changes at home so far.
  public func caretakerAction(
    hosts: [String], session: String, version: Int
  ) -> CaretakerAction {
    if let refusal = refusalOfHost(hosts) ?? tokenOrRefusal(session: session) {
      return CaretakerAction(refusal)
    }
    return caretakerAction(hosts: hosts, scheme: "http", version: version)
  }

  /// Decides what to do with a request of a browser that has access.
  ///
  /// - Parameters:
  ///   - hosts: the values of the header field `Host` that are valid for this server. The caller
  ///     has already checked this header field.
  ///   - scheme: the scheme of the address that the browser shows, `http` or `https`.
  ///   - version: the number of changes at home so far.
  public func caretakerAction(
    hosts: [String], scheme: String, version: Int
  ) -> CaretakerAction {
    let isChange = method == "POST"
    guard isChange || method == "GET" else {
      return .refuse(status: 405, why: "this method is not allowed here")
    }
    if let refusal = refusalOfSite(hosts, scheme: scheme, isChange: isChange) {
      return CaretakerAction(refusal)
    }
    let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let text = sides.first.map(String.init) ?? ""
    guard text.hasPrefix("/"), let visit = visit(text, sides.count > 1 ? sides[1] : "", version)
    else { return .refuse(status: 400, why: "this address cannot be read") }
    guard !isChange else {
      guard let coding = FormCoding(contentType: value("content-type")) else {
        return .refuse(status: 415, why: "a change is a form")
      }
      return .take(visit, coding)
    }
    if text == "/live" { return .live }
    if let file = CaretakerFile(rawValue: String(text.dropFirst())) { return .file(file) }
    return .show(visit)
  }

  private func visit(_ path: String, _ query: Substring, _ version: Int) -> Visit? {
    var segments: [String] = []
    for segment in path.dropFirst().split(separator: "/") {
      guard let text = percentDecoded(segment) else { return nil }
      segments.append(text)
    }
    guard let query = FormFields(encoded: String(query)) else { return nil }
    return Visit(path: segments, query: query, languages: languages, version: version)
  }

  /// The languages that the browser requests, as BCP 47 tags. The preferred language is the first.
  public var languages: [String] {
    // The header field is a list such as `de-AT, en;q=0.5`. Browsers send the preferred language
    // first.
    (value("accept-language") ?? "").split(separator: ",").map {
      String($0.split(separator: ";").first ?? "").trimmed
    }
  }

  /// The header fields of every response with a page of the caretaker.
  ///
  /// With `media-src blob:`, a person can listen to a new recording before the browser sends it.
  /// `form-action` permits the forms. With the referrer policy `no-referrer`, a browser would send
  /// a form with the origin `null`. Therefore the referrer policy is `same-origin`.
  public static let caretakerSecurity: [(name: String, value: String)] = [
    (
      "content-security-policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        + "media-src 'self' blob:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types prompter"
    ),
    ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"), ("cache-control", "no-store"),
    (
      "permissions-policy",
      "camera=(), microphone=(self), geolocation=(), display-capture=(), usb=(), serial=()"
    ),
  ]
}

extension CaretakerAction {
  /// Converts an action that all page servers have: the refusal of a request, or the access for a
  /// browser.
  fileprivate init(_ action: PageRequest.Action) {
    switch action {
    case .giveAccess(let token): self = .giveAccess(token: token)
    case .refuse(let status, let why): self = .refuse(status: status, why: why)
    default: self = .refuse(status: 400, why: "this request cannot be read")
    }
  }
}
