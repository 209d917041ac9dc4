import ArchiveProtocol
import Testing

struct AppendDecisionTests {
  private static let length = 7
  private let chain = Chain().adding(length)

  @Test(arguments: [false, true])
  func `each cut of a batch against each stored part gets the right decision`(isSealed: Bool) {
    let chain = chain.sealing { isSealed && $0.isMultiple(of: 2) }
    for start in 0...Self.length {
      for end in start...Self.length {
        for after in 0...Self.length {
          for last in after...Self.length { check(chain, start, end, after, last) }
        }
      }
    }
  }

  private func check(_ chain: Chain, _ start: Int, _ end: Int, _ after: Int, _ last: Int) {
    let decision = decide(
      chain.stored(from: start, through: end), chain.head(at: after), chain.rows[after..<last])
    let place = "stored \(start)...\(end), batch \(after)...\(last)"
    if end == start {
      let rows = Array(chain.rows[after..<last])
      #expect(
        decision == (rows.isEmpty ? .nothingNew : .accept(rows: rows, head: chain.head(at: last))),
        "\(place)")
    } else if after > end || after < start {
      #expect(decision == .gap, "\(place)")
    } else if last <= end {
      #expect(decision == .nothingNew, "\(place)")
    } else {
      let new = Array(chain.rows[end..<last])
      #expect(decision == .accept(rows: new, head: chain.head(at: last)), "\(place)")
    }
  }

  @Test func `a record that continues differently is a fork at its first different row`() {
    for common in 0..<Self.length {
      let other = Chain(rows: Array(chain.rows.prefix(common))).adding(
        Self.length - common, history: "b")
      for end in (common + 1)...Self.length {
        for after in 0...end {
          let decision = decide(
            chain.stored(through: end), other.head(at: after), other.rows[after...])
          let place = "common \(common), stored \(end), batch after \(after)"
          if after > common {
            #expect(decision == .fork(at: Int64(after), common: nil), "\(place)")
          } else {
            let first = Int64(common + 1)
            #expect(decision == .fork(at: first, common: Int64(common)), "\(place)")
          }
        }
      }
    }
  }

  @Test func `an empty batch that names another newest row is a fork`() {
    let other = Chain().adding(Self.length, history: "b")
    #expect(
      decide(chain.stored(through: Self.length), other.head, [])
        == .fork(at: Int64(Self.length), common: nil))
  }

  @Test func `a missing, doubled or moved row breaks the batch`() {
    var missing = chain.rows
    missing.remove(at: 3)
    #expect(decide(.empty, .genesis, missing) == .broken(at: 5, .sequence))
    var doubled = chain.rows
    doubled.insert(doubled[3], at: 3)
    #expect(decide(.empty, .genesis, doubled) == .broken(at: 4, .sequence))
    var moved = chain.rows
    moved.swapAt(3, 4)
    #expect(decide(.empty, .genesis, moved) == .broken(at: 5, .sequence))
  }

  @Test func `a row of another history breaks the batch and opens no fork`() {
    let other = Chain(rows: Array(chain.rows.prefix(2))).adding(5, history: "b")
    let mixed = Array(chain.rows.prefix(4)) + other.rows[4...]
    for stored in 0...4 {
      #expect(
        decide(chain.stored(through: stored), .genesis, mixed) == .broken(at: 5, .link),
        "stored \(stored)")
    }
  }

  @Test func `a changed value breaks the batch, and no row before it is accepted`() {
    let head = chain.head(at: 3)
    var rows = chain.rows
    rows[3] = .plain(row(after: head, payload: "{\"changed\":1}", hash: rows[3].hash))
    #expect(decide(chain.stored(through: 2), .genesis, rows) == .broken(at: 4, .hash))
  }

  @Test func `a first row that does not begin with zeros breaks the batch`() {
    let false0 = ArchiveHead(sequence: 0, hash: String(repeating: "1", count: 64))
    let rows = [ArchiveRow.plain(row(after: false0))]
    #expect(decide(.empty, false0, rows) == .broken(at: 1, .link))
    #expect(decide(.empty, false0, []) == .broken(at: 1, .link))
  }

  @Test func `a batch after the largest number is broken`() {
    let last = ArchiveHead(sequence: .max, hash: chain.head.hash)
    #expect(decide(.empty, last, chain.rows) == .broken(at: 1, .sequence))
  }
}
