import Glibc
import StudyExport

/// A builder for one chart as SVG.
///
/// Different kinds of marks have different shapes or hatchings, and not only different colours.
/// Therefore a reader can distinguish the marks in a black-and-white print.
struct Drawing {
  let name: String
  let title: String
  let width: Double
  let height: Double
  private(set) var body = ""

  init(_ name: String, _ title: String, width: Double, height: Double) {
    // The HTML page uses the name of the chart as the id of an element. The name can contain the
    // key of a question from an export file, and this file can come from an attacker. Therefore a
    // dash replaces each character that an id must not contain.
    self.name = String(
      decoding: name.utf8.map { Self.isWord($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
    self.title = title
    self.width = width
    self.height = height
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  static let ink = "#1b1b1b"
  static let blue = "#0b5fa5"
  static let pale = "#cfe0ee"
  static let orange = "#c4570c"
  static let grey = "#8a8a8a"

  var svg: String {
    """
    <figure id="\(name)"><figcaption>\(HTMLText.escaped(title))</figcaption>
    <svg viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img" \
    aria-label="\(HTMLText.escaped(title))">\(body)</svg></figure>

    """
  }

  mutating func rect(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String,
    stroke: String = "none", tip: String? = nil
  ) {
    body +=
      "<rect x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"\(Self.number(max(0, width)))\""
    body += " height=\"\(Self.number(max(0, height)))\" fill=\"\(fill)\" stroke=\"\(stroke)\""
    body += tip.map { "><title>\(HTMLText.escaped($0))</title></rect>" } ?? "/>"
  }

  mutating func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, stroke: String = ink, width: Double = 1
  ) {
    body += "<line x1=\"\(Self.number(x1))\" y1=\"\(Self.number(y1))\" x2=\"\(Self.number(x2))\""
    body +=
      " y2=\"\(Self.number(y2))\" stroke=\"\(stroke)\" stroke-width=\"\(Self.number(width))\"/>"
  }

  /// The colour of a cell for a share from 0 to 1, from white to dark blue. The colour of a larger
  /// share is always darker than the colour of a smaller share. Therefore a reader can compare the
  /// cells in a print without colours.
  static func shade(_ share: Double) -> String {
    let part = min(max(share, 0), 1)
    func level(_ end: Double) -> Int { Int((255 - (255 - end) * part).rounded()) }
    return "rgb(\(level(16)),\(level(72)),\(level(130)))"
  }

  /// - Parameter dashes: the lengths of the dashes and of the spaces between the dashes. An empty
  ///   text means a solid line.
  mutating func path(
    _ points: [(x: Double, y: Double)], stroke: String = blue, width: Double = 1.5,
    dashes: String = ""
  ) {
    let text = points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(Self.number(point.x)) \(Self.number(point.y))"
    }
    body += "<path d=\"\(text.joined())\" fill=\"none\" stroke=\"\(stroke)\""
    body += " stroke-width=\"\(Self.number(width))\""
    body += dashes.isEmpty ? "/>" : " stroke-dasharray=\"\(dashes)\"/>"
  }

  mutating func dot(_ x: Double, _ y: Double, radius: Double = 2.5, fill: String = blue) {
    body += "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\""
    body += " fill=\"\(fill)\" stroke=\"\(Self.ink)\" stroke-width=\"0.5\"/>"
  }

  mutating func cross(_ x: Double, _ y: Double, radius: Double = 2.5) {
    for side in [-1.0, 1.0] {
      line(
        x - radius, y - side * radius, x + radius, y + side * radius, stroke: Self.orange,
        width: 1.5)
    }
  }

  enum Anchor: String { case start, middle, end }

  mutating func text(
    _ x: Double, _ y: Double, _ text: String, anchor: Anchor = .start, size: Double = 11,
    fill: String = ink
  ) {
    body +=
      "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor.rawValue)\""
    body += " font-size=\"\(Self.number(size))\""
    body += fill == Self.ink ? ">" : " fill=\"\(fill)\">"
    body += "\(HTMLText.escaped(text))</text>"
  }

  /// Defines the hatching: a pattern of parallel lines. The hatching fills the rectangles that show
  /// gaps.
  mutating func defineHatching() {
    body +=
      "<defs><pattern id=\"hatch-\(name)\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\""
    body += " patternTransform=\"rotate(45)\"><rect width=\"5\" height=\"5\" fill=\"#eeeeee\"/>"
    body += "<line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" stroke=\"\(Self.grey)\" stroke-width=\"2\"/>"
    body += "</pattern></defs>"
  }

  var hatching: String { "url(#hatch-\(name))" }

  /// The text of a number, with at most two decimals. The text is never `-0`.
  static func number(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
    let fraction =
      rest == 0 ? "" : rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
    return "\(hundredths < 0 ? "-" : "")\(whole)\(fraction)"
  }
}
