import Alarms
import JSONValue

extension Route {
  /// The result of the search for the route of a request.
  public enum Match: Sendable, Hashable {
    /// The route of the request.
    ///
    /// - Parameter parameters: the parameters of the path by name, percent-decoded.
    case found(Route, parameters: [String: String])
    /// The table contains routes with the path of the request, but none of these routes has the
    /// method of the request. The array contains the methods that the path permits.
    case methodNotAllowed([Method])
    case notFound
  }

  /// Finds the route of a request.
  ///
  /// For the method HEAD, the result is the route of GET (RFC 9110, section 9.3.2).
  ///
  /// - Parameter path: the path of the request without the query, still percent-encoded.
  public static func match(method: String, path: String) -> Match {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let wanted = method == headMethod ? Method.get.rawValue : method
    var allowed: [Method] = []
    for route in all {
      guard let parameters = route.parameters(of: segments) else { continue }
      if route.method.rawValue == wanted { return .found(route, parameters: parameters) }
      allowed.append(route.method)
    }
    return allowed.isEmpty ? .notFound : .methodNotAllowed(allowed)
  }

  /// The HTTP method HEAD. The response to a HEAD request has the status and the header fields of
  /// the response to a GET request, but no body.
  public static let headMethod = "HEAD"

  private func parameters(of segments: [Substring]) -> [String: String]? {
    guard self.segments.count == segments.count else { return nil }
    var parameters: [String: String] = [:]
    for (pattern, segment) in zip(self.segments, segments) {
      if pattern.hasPrefix("{") {
        guard !segment.isEmpty, let value = percentDecoded(segment) else { return nil }
        parameters[String(pattern.dropFirst().dropLast())] = value
      } else if pattern != segment {
        return nil
      }
    }
    return parameters
  }
}

/// Decodes percent-encoding.
///
/// - Returns: nil if the text contains a percent sign without two hexadecimal digits after it, or
///   if the bytes are not UTF-8.
public func percentDecoded(_ text: some StringProtocol) -> String? {
  var bytes: [UInt8] = []
  var rest = text.utf8.makeIterator()
  while let byte = rest.next() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    guard let high = rest.next().flatMap(hexValue), let low = rest.next().flatMap(hexValue) else {
      return nil
    }
    bytes.append(high << 4 | low)
  }
  return String(validating: bytes, as: UTF8.self)
}
