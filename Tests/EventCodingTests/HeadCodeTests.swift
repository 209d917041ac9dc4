import EventCoding
import Testing

@Suite struct `A head code` {
  private let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

  @Test func `it is read as it is printed, in any case and grouping`() throws {
    let code = HeadCode(sequence: 1_204, hash: hash)
    #expect(code.description.wholeMatch(of: /1204(-[0-9a-hjkmnp-tv-z]{4}){4}/) != nil)
    for text in [
      code.description, code.description.uppercased(), "1204 " + code.description.dropFirst(5),
      "1204-\(hash)",
    ] {
      let read = try #require(HeadCode(text), "\(text)")
      #expect(read.sequence == 1_204 && read.matches(hash: hash))
      #expect(read.description == code.description)
      #expect(!read.matches(hash: "8" + hash.dropFirst()))
    }
  }

  @Test func `it has this form`() {
    #expect(HeadCode(sequence: 1_204, hash: hash).description == "1204-ky3d-10c8-9hyp-b6h9")
    #expect(
      HeadCode(sequence: 0, hash: String(repeating: "f", count: 64)).description
        == "0-zzzz-zzzz-zzzz-zzzf")
    let zero = String(repeating: "f", count: 64)
    for text in ["0-zzzz-zzzz-zzzz-zzzf", "0-\(zero)"] {
      #expect(HeadCode(text)?.sequence == 0 && HeadCode(text)?.matches(hash: zero) == true)
    }
    // A person can type a letter that looks like a digit. The reader of the code takes this letter
    // as the digit.
    let code = HeadCode(sequence: 7, hash: "08421" + String(repeating: "0", count: 59))
    #expect(code.description == "7-1111-0000-0000-000k")
    let similar = code.description.replacing("1", with: "l").replacing("0", with: "O")
    #expect(HeadCode(similar) == HeadCode(code.description))
    #expect(HeadCode(similar.replacing("l", with: "i")) == HeadCode(code.description))
    #expect(!HeadCode(sequence: 1, hash: hash).matches(hash: String(hash.dropLast()) + "9"))
  }

  @Test func `every error of one character is noticed`() {
    let text = Array(HeadCode(sequence: 90_417, hash: hash).description)
    for place in text.indices where text[place] != "-" {
      for other in "0123456789abcdefghjkmnpqrstvwxyz" where other != text[place] {
        var slip = text
        slip[place] = other
        #expect(HeadCode(String(slip)) == nil, "\(String(slip))")
      }
    }
    for no in ["", "12", "x-7k3m", "-1-7k3m-9x2p-4qwz-8h1v", "1204-\(hash.dropLast())"] {
      #expect(HeadCode(no) == nil, "\(no)")
    }
  }
}
