import Testing

@testable import WebServer

@Suite struct `A QR code` {
  @Test func `has the three corners that a reader looks for`() throws {
    let code = try #require(QRCode("https://home.local:8443/pair#00112233445566778899aabbccddeeff"))
    let last = code.rows.count - 1
    #expect(code.rows.allSatisfy { $0.count == code.rows.count })
    for (row, column) in [(0, 0), (0, last - 6), (last - 6, 0)] {
      for step in 0..<7 {
        #expect(code.rows[row][column + step] && code.rows[row + 6][column + step])
        #expect(code.rows[row + step][column] && code.rows[row + step][column + 6])
      }
      #expect(code.rows[row + 3][column + 3] && !code.rows[row + 1][column + 1])
    }
  }

  @Test func `has a light border in the terminal`() throws {
    let code = try #require(QRCode("prompter"))
    let lines = code.terminalText.split(separator: "\n")
    let width = code.rows.count + 8
    #expect(lines.allSatisfy { $0.count == width })
    #expect(lines.prefix(2).allSatisfy { $0.allSatisfy { $0 == "█" } })
    #expect(lines.allSatisfy { $0.hasPrefix("████") && $0.hasSuffix("████") })
  }

  @Test func `cannot have too much text`() {
    #expect(QRCode(String(repeating: "a", count: 5_000)) == nil)
  }
}
