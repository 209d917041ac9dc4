import API
import Alarms
import JSONValue
import TestRandom
import Testing

/// Tests the parser with damaged documents. The documents are the same in every run.
///
/// The parser must read or refuse each document. If the parser reads a document, the test prints
/// the value and reads the printed text. The two values must be equal.
@Suite struct JSONFuzzTests {
  private static let seeds = [
    #"{"label":"Pills","schedule":"every day 08:00","rings":5,"gains":[-12,-9.5,1e-3],"tone":null}"#,
    #"{"for":"10m","reason":"busy","a":{"b":[[{}],[true,false]]},"é":"\ud83d\udc8a\n\u0041"}"#,
    "[1,-0,0.5,123456789012345678901234567890,\"\\\\\\\"\",\"\u{7f}ü\"]",
  ]
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "0", "-", "1e9", ".", "null",
    "true", " ", "\n", "\u{0}", "label", "\"label\":", "é",
  ].map { Array($0.utf8) }

  @Test func `forty thousand damaged documents are read or refused`() throws {
    var numbers = SeededGenerator(seed: 1)
    var (read, refused) = (0, 0)
    for _ in 0..<40_000 {
      var bytes = Array(Self.seeds.randomElement(using: &numbers)?.utf8 ?? "".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let place = Int.random(in: 0...bytes.count, using: &numbers)
        switch Int.random(in: 0...3, using: &numbers) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
        default:
          bytes.insert(contentsOf: Self.pieces.randomElement(using: &numbers) ?? [], at: place)
        }
      }
      do throws(Refusal) {
        let document = try JSON(parsing: bytes)
        let again = try JSON(parsing: Array(document.description.utf8))
        #expect(again == document, "\(bytes)")
        read += 1
        _ = try AlarmForm(body: bytes)
      } catch {
        #expect([.malformed, .unknownField, .invalidField].contains(error.kind), "\(error)")
        refused += 1
      }
    }
    #expect(read > 1_000 && refused > 10_000, "\(read) \(refused)")
  }
}
