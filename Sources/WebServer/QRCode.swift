import CQREncode

/// A QR code. The library libqrencode makes the code.
struct QRCode: Sendable, Hashable {
  /// The rows of squares from top to bottom. The value true means a dark square.
  var rows: [[Bool]]

  /// The width of the light border that a QR code reader needs, in squares (ISO/IEC 18004).
  private static let border = 4

  /// - Returns: nil if the text does not fit into a QR code (about 2,300 bytes), or if the system
  ///   has no free memory.
  init?(_ text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    guard let data = code.pointee.data else { return nil }
    // The lowest bit is 1 if the square is dark. The other bits describe the purpose of the square.
    rows = (0..<width).map { row in
      (0..<width).map { data[row * width + $0] & 1 == 1 }
    }
  }

  /// The code as text for a terminal. One line of text shows two rows of squares. The text draws
  /// the light squares, so that the code also works on a dark background.
  var terminalText: String {
    let (width, border) = (rows.count, Self.border)
    func isLight(_ row: Int, _ column: Int) -> Bool {
      guard rows.indices.contains(row), rows.indices.contains(column) else { return true }
      return !rows[row][column]
    }
    return stride(from: -border, to: width + border, by: 2).map { row in
      String(
        (-border..<width + border).map { column in
          switch (isLight(row, column), isLight(row + 1, column)) {
          case (true, true): "█"
          case (true, false): "▀"
          case (false, true): "▄"
          case (false, false): " "
          }
        } as [Character])
    }.joined(separator: "\n")
  }
}
