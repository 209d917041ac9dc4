import LinkTimer
import Testing

@Suite struct `The times of contacts` {
  @Test func `are a quarter of an hour apart, and differ from home to home`() {
    var phases: Set<Int64> = []
    for number in 0..<200 {
      let stream = "stream-\(number)"
      let first = LinkTiming.nextContact(after: 1_800_000_000, stream: stream)
      #expect((1_800_000_001...1_800_000_900).contains(first))
      #expect(LinkTiming.nextContact(after: first, stream: stream) == first + 900)
      #expect(LinkTiming.nextContact(after: first - 1, stream: stream) == first)
      #expect(LinkTiming.nextContact(after: -5, stream: stream) > -5)
      phases.insert(first % 900)
    }
    #expect(phases.count > 150)
  }

  @Test(arguments: [
    (1, 5), (2, 10), (3, 20), (4, 40), (7, 320), (8, 640), (9, 900), (1_000, 900),
  ]) func `after failures, the longest pause doubles up to 15 minutes`(
    failures: Int, longest: Int64
  ) {
    #expect(LinkTiming.pause(failures: failures, retryAfter: nil, random: 1) == longest)
    #expect(LinkTiming.pause(failures: failures, retryAfter: nil, random: 0) == 1)
    let middle = LinkTiming.pause(failures: failures, retryAfter: nil, random: 0.5)
    #expect(middle > longest / 3 && middle < longest)
  }

  @Test func `the archive can ask for a longer pause, up to 15 minutes`() {
    #expect(LinkTiming.pause(failures: 1, retryAfter: 120, random: 0.5) == 120)
    #expect(LinkTiming.pause(failures: 1, retryAfter: 90_000, random: 0.5) == 900)
    #expect(LinkTiming.pause(failures: 9, retryAfter: 1, random: 1) == 900)
  }
}
