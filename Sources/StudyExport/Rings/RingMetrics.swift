/// The values of one ring in the table `rings`, collected from the events of the ring.
public struct RingMetrics: Hashable, Sendable {
  public let number: Int64
  let step: Int64
  let index: Int64?
  let hasAlert: Bool
  let gainDecibels: Double?
  let toneSHA256: String?
  /// The id of the leading prompt of a merged ring; nil if the ring is not a merged ring.
  let leadingPrompt: String?
  let intended: Stamp
  private(set) var started: Stamp?
  private(set) var ended: Stamp?
  private(set) var frames: Int64?
  private(set) var xruns: Int64?
  private(set) var isStopped: Bool?
  /// The result of the ring: `open`, `sounded`, `failed` or `uncertain`.
  public private(set) var result = "open"

  init(number: Int64, toneSHA256: String?, intent payload: some RingPayload, at stamp: Stamp) {
    self.number = number
    self.toneSHA256 = toneSHA256
    step = payload.integer("step") ?? 0
    index = payload.integer("index")
    hasAlert = payload.bool("alert") ?? true
    gainDecibels = payload.double("gain_db")
    leadingPrompt = payload.word("leading_prompt")
    intended = stamp
  }

  /// Processes an event that follows the intent of the ring.
  mutating func take(_ type: String, _ payload: some RingPayload, at stamp: Stamp) {
    switch type {
    case "ring_started": started = stamp
    case "ring_ended":
      ended = stamp
      frames = payload.integer("frames")
      xruns = payload.integer("xruns")
      isStopped = payload.bool("stopped")
      result = "sounded"
    case "ring_failed": result = "failed"
    case "ring_uncertain": result = "uncertain"
    default: break
    }
  }

  /// Writes the cells of this ring in rings.csv, except the cell with the id of the prompt.
  public func write(to line: inout ExportEncoder) {
    line.integer(number)
    line.integer(step)
    line.integer(index)
    line.bool(hasAlert)
    line.number(gainDecibels)
    line.text(toneSHA256)
    line.instant(intended)
    line.instant(started)
    line.integer(started.flatMap { intended.milliseconds(until: $0) })
    line.instant(ended)
    line.integer(frames)
    line.integer(xruns)
    line.bool(isStopped)
    line.text(result)
    line.text(leadingPrompt)
  }
}
