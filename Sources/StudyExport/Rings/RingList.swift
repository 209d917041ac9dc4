/// The payload of an event about a ring. Each function returns nil if the payload does not contain
/// the member `name`.
public protocol RingPayload {
  func integer(_ name: StaticString) -> Int64?
  func double(_ name: StaticString) -> Double?
  func bool(_ name: StaticString) -> Bool?
  /// Reads a text that contains no JSON escapes.
  func word(_ name: StaticString) -> String?
}

/// The rings of one prompt, collected from its events.
public struct RingList: Sendable {
  /// The types of events about rings.
  public static let types: Set<String> = [
    "ring_intent", "ring_started", "ring_ended", "ring_failed", "ring_uncertain",
  ]

  /// The rings in the order of their intents.
  public private(set) var rings: [RingMetrics] = []

  public init() {}

  /// Processes the next event about a ring, in the order of the record.
  ///
  /// If a prompt was planned again, two rings can have the same number. In this case, the event is
  /// about the newest ring with this number. If the ring has no ring intent, the event changes
  /// nothing.
  public mutating func add(
    _ type: String, number: Int64, toneSHA256: @autoclosure () -> String?,
    _ payload: some RingPayload, at stamp: Stamp
  ) {
    if type == "ring_intent" {
      rings.append(
        RingMetrics(number: number, toneSHA256: toneSHA256(), intent: payload, at: stamp))
    } else if let index = rings.lastIndex(where: { $0.number == number }) {
      rings[index].take(type, payload, at: stamp)
    }
  }
}
