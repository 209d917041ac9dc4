import CivilTime
import JSONValue

/// A phone that may show the pages.
struct PhoneReading: Sendable, Hashable {
  var number: Int
  var user: String
  /// The kind of device, for example "iPhone".
  var kind: String
  /// The UTC days on which the phone was added, and on which it was used last.
  var added: CivilDate?
  var used: CivilDate?
  /// True if this phone shows the page.
  var isThis: Bool

  init?(_ device: JSON) {
    guard let number = device["device"]?.integer, (1...1_000).contains(number) else { return nil }
    self.number = Int(number)
    (user, kind) = (device["user"]?.string ?? "", device["kind"]?.string ?? "")
    func day(_ name: String) -> CivilDate? {
      device[name]?.string.flatMap { try? CivilDate(parsing: $0) }
    }
    (added, used) = (day("added"), day("used"))
    isThis = device["this"]?.bool ?? false
  }
}

/// The phones that the person who uses the browser may manage.
struct PhonesReading: Sendable, Hashable {
  var phones: [PhoneReading]
  /// True if the person manages the phones of all users.
  var managesAll: Bool
  /// True if the person may add a phone from this browser.
  var mayAdd: Bool

  init(_ reply: JSON) {
    phones = (reply["devices"]?.array ?? []).compactMap(PhoneReading.init)
    managesAll = reply["manages"]?.string == "all"
    mayAdd = reply["may_add"]?.bool ?? false
  }
}

/// The code with which a person adds a phone.
struct PhoneCode: Sendable, Hashable {
  var user: String
  /// The code: 8 digits.
  var digits: String
  /// The address that the phone opens.
  var address: String
  var minutes: Int
  /// The rows of the QR code from top to bottom. A value is true for a dark square. The list is
  /// empty if there is no QR code.
  var rows: [[Bool]]

  init?(_ reply: JSON) {
    guard let digits = reply["code"]?.string, let address = reply["address"]?.string else {
      return nil
    }
    (self.digits, self.address) = (digits, address)
    user = reply["user"]?.string ?? ""
    minutes = Int((reply["expires_seconds"]?.integer ?? 0) / 60)
    rows = (reply["qr_rows"]?.array ?? []).compactMap(\.string).map { $0.map { $0 == "1" } }
  }

  /// The digits in two groups, which are easier to type.
  var grouped: String { "\(digits.prefix(4)) \(digits.dropFirst(4))" }

  /// The width of the light border that a QR code reader needs, in squares (ISO/IEC 18004).
  private static let border = 4

  /// Returns the QR code as an SVG picture. The picture is dark on a light background, even in a
  /// dark page.
  ///
  /// - Parameter words: the name of the picture for a screen reader, as HTML.
  func picture(_ words: String) -> String {
    guard !rows.isEmpty else { return "" }
    let size = rows.count + 2 * Self.border
    var path = ""
    for (y, row) in rows.enumerated() {
      var x = 0
      while x < row.count {
        let length = row[x...].prefix { $0 }.count
        if length > 0 { path += "M\(x + Self.border) \(y + Self.border)h\(length)v1h-\(length)z" }
        x += max(1, length)
      }
    }
    return """
      <svg class="code" viewBox="0 0 \(size) \(size)" role="img" aria-label="\(words)">
      <rect width="\(size)" height="\(size)" fill="#fff"/>
      <path d="\(path)" fill="#000" shape-rendering="crispEdges"/></svg>

      """
  }
}
