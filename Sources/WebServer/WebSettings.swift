import Pages
import Sentences
import TOMLKit

/// The configuration of the caretaker's pages for phones.
///
/// ```toml
/// address = "https://home.local:8443"
/// ```
package struct WebSettings: Sendable, Hashable {
  /// The address that phones open, without a slash at its end.
  package var address: String
  /// The value of the header field `Host` that browsers send for this address.
  package var host: String
  /// The language of the pages; nil if each page uses the language of the browser.
  package var language: Language?
  /// The path of the certificate of the certificate authority, in PEM. Phones can download this
  /// certificate.
  package var authority: String

  private static let keys = ["address", "language", "authority"]

  /// A mistake in the configuration.
  package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
  }

  package init(text: String, path: String) throws(Mistake) {
    func mistake(_ why: String) -> Mistake {
      Mistake(description: "cannot use the configuration \"\(path)\": \(why)")
    }
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch let error as TOMLParseError {
      throw mistake("line \(error.source.begin.line): \(error.description)")
    } catch {
      throw mistake("\(error)")
    }
    for key in table.keys where !Self.keys.contains(key) {
      throw mistake(
        "\"\(key)\" is not a key; the keys are: \(Self.keys.joined(separator: ", "))")
    }
    func string(_ key: String) throws(Mistake) -> String? {
      guard let value = table[key] else { return nil }
      guard let string = value.string else { throw mistake("\"\(key)\" must be a text") }
      return string
    }
    guard let address = try string("address") else {
      throw mistake("\"address\" is missing; for example: address = \"https://home.local:8443\"")
    }
    guard let host = Self.host(of: address) else {
      throw mistake(
        "\"address\" must have the form \"https://NAME:PORT\" with small letters, not "
          + "\"\(address)\"")
    }
    language = nil
    if let tag = try string("language") {
      guard let found = Language(rawValue: tag) else {
        let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
        throw mistake("\"language\" must be one of: \(known)")
      }
      language = found
    }
    (self.address, self.host) = (address, host)
    authority = try string("authority") ?? "/etc/prompter-web/tls/ca.crt"
  }

  /// Returns the host and the port of an address. The function omits the port 443, because browsers
  /// do not send it.
  private static func host(of address: String) -> String? {
    let start = "https://"
    guard address.hasPrefix(start) else { return nil }
    let host = String(address.dropFirst(start.count))
    let parts = host.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !parts[0].isEmpty,
      parts[0].utf8.allSatisfy({ "abcdefghijklmnopqrstuvwxyz0123456789.-".utf8.contains($0) })
    else { return nil }
    guard parts.count == 2 else { return host }
    guard let port = Int(parts[1]), (1...65_535).contains(port), String(port) == parts[1] else {
      return nil
    }
    return port == 443 ? String(parts[0]) : host
  }
}
