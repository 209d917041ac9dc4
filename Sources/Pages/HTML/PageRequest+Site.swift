extension PageRequest {
  /// Refuses a request that does not name the address of the page server.
  ///
  /// A page of another site can send requests to this machine through a host name of that site (DNS
  /// rebinding). The header field `Host` of such a request contains the host name of the other
  /// site.
  public func refusalOfHost(_ hosts: [String]) -> Action? {
    guard let host = value("host"), hosts.contains(host) else {
      return .refuse(status: 421, why: "this is not the address of the screen")
    }
    return nil
  }

  /// Refuses a request that a page of another site sent.
  ///
  /// - Parameters:
  ///   - scheme: the scheme of the address in the browser: `http` or `https`.
  ///   - isChange: true if the request can change data of the home.
  public func refusalOfSite(
    _ hosts: [String], scheme: String = "http", isChange: Bool
  ) -> Action? {
    if let site = value("sec-fetch-site"), site != "same-origin", !(site == "none" && !isChange) {
      return .refuse(status: 403, why: "another site may not ask")
    }
    guard isChange else { return nil }
    guard let origin = value("origin"), hosts.contains(where: { origin == "\(scheme)://\($0)" })
    else {
      return .refuse(status: 403, why: "another site may not answer")
    }
    return nil
  }
}
