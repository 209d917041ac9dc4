import Testing

@testable import StudyExport

/// Checks the rows of one prompt in rings.csv.
@Suite struct `The rings of a prompt` {
  private struct Payload: RingPayload {
    var numbers: [String: Double] = [:]
    var flags: [String: Bool] = [:]
    var words: [String: String] = [:]
    func integer(_ name: StaticString) -> Int64? { numbers["\(name)"].map { Int64($0) } }
    func double(_ name: StaticString) -> Double? { numbers["\(name)"] }
    func bool(_ name: StaticString) -> Bool? { flags["\(name)"] }
    func word(_ name: StaticString) -> String? { words["\(name)"] }
  }

  private struct Stored: PseudonymKey {
    var isSet: Bool { false }
    var hidesChain: Bool { false }
    func name(_ stored: String) -> String { stored }
    func document(_ stored: String) -> String { stored }
  }

  private func stamp(_ milliseconds: Int64, boot: Int = 0) -> Stamp {
    Stamp(
      wallMilliseconds: milliseconds, offsetSeconds: 0, boot: boot,
      bootNanoseconds: milliseconds * 1_000_000)
  }

  private func rows(_ rings: RingList) throws -> [[String: String]] {
    var encoder = ExportEncoder(
      .rings, .limited, firstDay: 0, pseudonyms: Stored(), opaque: { $1 })
    encoder.appendHeader()
    for ring in rings.rings {
      encoder.text("p")
      ring.write(to: &encoder)
      encoder.endRow()
    }
    let cells = try CSV.rows(encoder.bytes).map { $0.map(\.text) }
    return cells.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(cells[0], $0)) }
  }

  @Test func `a ring has the values of its intent and its end`() throws {
    var rings = RingList()
    let intent = Payload(
      numbers: ["step": 1, "index": 3, "gain_db": -4.5], flags: ["alert": false],
      words: ["leading_prompt": "q"])
    rings.add("ring_intent", number: 4, toneSHA256: "9f", intent, at: stamp(100))
    rings.add("ring_started", number: 4, toneSHA256: nil, Payload(), at: stamp(118))
    let end = Payload(numbers: ["frames": 48_000, "xruns": 2], flags: ["stopped": true])
    rings.add("ring_ended", number: 4, toneSHA256: nil, end, at: stamp(900))
    let row = try #require(try rows(rings).first)
    let wanted = [
      "ring_no": "4", "step": "1", "burst_index": "3", "has_alert": "false", "gain_db": "-4.5",
      "tone_sha256": "9f", "intended_utc": "1970-01-01T00:00:00.100Z",
      "started_utc": "1970-01-01T00:00:00.118Z", "start_latency_ms": "18",
      "ended_utc": "1970-01-01T00:00:00.900Z", "frames": "48000", "xruns": "2",
      "is_stopped": "true",
      "result": "sounded", "leading_prompt_id": "q",
    ]
    for (name, cell) in wanted { #expect(row[name] == cell, "\(name)") }
  }

  @Test func `an intent of an earlier version has a chime and the first step`() throws {
    var rings = RingList()
    rings.add("ring_intent", number: 1, toneSHA256: nil, Payload(), at: stamp(1))
    let row = try #require(try rows(rings).first)
    #expect(
      [row["step"], row["burst_index"], row["has_alert"], row["gain_db"]] == ["0", "", "true", ""])
    #expect([row["result"], row["started_utc"], row["is_stopped"]] == ["open", "", ""])
  }

  @Test func `the last intent with a number gets the events, and a restart leaves the latency out`()
    throws
  {
    var rings = RingList()
    rings.add("ring_failed", number: 1, toneSHA256: nil, Payload(), at: stamp(0))
    rings.add("ring_intent", number: 1, toneSHA256: nil, Payload(), at: stamp(1))
    rings.add("ring_intent", number: 2, toneSHA256: nil, Payload(), at: stamp(2))
    rings.add("ring_intent", number: 1, toneSHA256: nil, Payload(), at: stamp(3))
    rings.add("ring_started", number: 1, toneSHA256: nil, Payload(), at: stamp(5, boot: 1))
    rings.add("ring_failed", number: 2, toneSHA256: nil, Payload(), at: stamp(6))
    rings.add("ring_uncertain", number: 1, toneSHA256: nil, Payload(), at: stamp(7))
    let found = try rows(rings)
    #expect(found.map { $0["ring_no"] } == ["1", "2", "1"])
    #expect(found.map { $0["result"] } == ["open", "failed", "uncertain"])
    #expect(found.map { $0["started_utc"] } == ["", "", "1970-01-01T00:00:00.005Z"])
    #expect(found.map { $0["start_latency_ms"] } == ["", "", ""])
  }
}
