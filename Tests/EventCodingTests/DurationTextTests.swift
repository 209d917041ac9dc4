import EventCoding
import Testing

@Suite struct `A duration as text` {
  @Test(arguments: [
    ("90s", 90), ("10m", 600), ("1h30m", 5_400), ("2d", 172_800), ("1d1h1m1s", 90_061),
    ("0s", 0), ("0d", 0), ("100000000s", 100_000_000), ("1157d9h46m40s", 100_000_000),
  ])
  func `is read`(text: String, seconds: Int64) {
    #expect(DurationText.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "s", "10", "m10", "1m1h", "1s1s", "1.5h", "-1s", "1x", " 1s", "1 s", "1h30", "100000001s",
    "1157d9h46m41s", "1158d", "٣s", "1H", "100000001d", "99999999999999999999s",
  ])
  func `is refused`(text: String) {
    #expect(DurationText.seconds(text) == nil)
  }

  @Test func `is written in its shortest form`() {
    let rows: [(Int64, String)] = [
      (0, "0s"), (1, "1s"), (59, "59s"), (60, "1m"), (61, "1m1s"), (3_599, "59m59s"),
      (3_600, "1h"), (5_400, "1h30m"), (86_399, "23h59m59s"), (86_400, "1d"), (90_061, "1d1h1m1s"),
    ]
    for (seconds, text) in rows {
      #expect(DurationText.text(seconds) == text && DurationText.seconds(text) == seconds)
    }
  }
}
