import Alarms
import CivilTime
import Wire

/// What the events of one prompt say about it, as an analysis wants to know it.
struct PromptLife {
  /// The phase of the study when it was first planned.
  private(set) var phase: String?
  private(set) var plans = 0
  private(set) var lateMilliseconds: Int64?
  private(set) var rings: [RingLife] = []
  /// The row that says that the first ring began to sound.
  private(set) var firstSound: EventRow?
  private(set) var firstAnswer: EventRow?
  private(set) var soundsBeforeAnswer = 0
  private(set) var closedRole: String?
  /// The worst that was known of the clock.
  private(set) var clockState: String?
  private(set) var boots: Set<String> = []

  private static func rank(_ clockState: String) -> Int {
    switch ClockState(rawValue: clockState) {
    case .synced: 0
    case .unsynced: 1
    case .unset, nil: 2
    }
  }

  mutating func add(_ event: EventRow) throws {
    boots.insert(event.bootID)
    if clockState.map({ Self.rank($0) < Self.rank(event.clockState) }) ?? true {
      clockState = event.clockState
    }
    switch event.type {
    case "planned":
      if plans == 0 { phase = event.phase }
      plans += 1
    case "due": lateMilliseconds = try payload(event)["late_ms"]?.integer
    case "ring_intent": rings.append(RingLife(event, try payload(event)))
    case "ring_started", "ring_ended", "ring_failed", "ring_uncertain": try addSound(event)
    case "acknowledged", "delayed": addAnswer(event)
    case "completed", "declined":
      addAnswer(event)
      closedRole = event.actorRole
    case "missed", "suppressed", "cancelled", "superseded": closedRole = event.actorRole
    default: break
    }
  }

  private mutating func addAnswer(_ event: EventRow) {
    if firstAnswer == nil { firstAnswer = event }
  }

  private mutating func addSound(_ event: EventRow) throws {
    if event.type == "ring_started" {
      if firstSound == nil { firstSound = event }
      if firstAnswer == nil { soundsBeforeAnswer += 1 }
    }
    guard let index = rings.lastIndex(where: { $0.number == event.ringNumber }) else { return }
    switch event.type {
    case "ring_started": rings[index].started = event
    case "ring_ended": rings[index].end(event, try payload(event))
    case "ring_failed": rings[index].result = "failed"
    default: rings[index].result = "uncertain"
    }
  }

  private func payload(_ event: EventRow) throws -> JSON {
    do { return try JSON(stored: event.payload) } catch {
      throw LogbookError.corrupt(
        doing: "export row \(event.sequence)", reason: error.description)
    }
  }
}

/// One ring from its intent to its end.
struct RingLife {
  let number: Int64?
  private let intent: EventRow
  private let payload: JSON
  var started: EventRow?
  private var ended: EventRow?
  private var report: JSON = .null
  /// What came of it; nil where that follows from whether it has ended.
  var result: String?

  init(_ intent: EventRow, _ payload: JSON) {
    self.intent = intent
    self.payload = payload
    number = intent.ringNumber
  }

  mutating func end(_ event: EventRow, _ payload: JSON) {
    ended = event
    report = payload
    result = "sounded"
  }

  /// Its row, but for the prompt's name.
  var cells: [ExportCell] {
    [
      ExportCell(number), ExportCell(payload["index"]?.integer),
      payload["gain_db"]?.double.map { .number($0) } ?? .null, ExportCell(intent.toneSHA256),
      intent.wall, started?.wall ?? .null,
      ExportCell(started.flatMap { intent.milliseconds(until: $0) }), ended?.wall ?? .null,
      ExportCell(report["frames"]?.integer), ExportCell(report["xruns"]?.integer),
      report["stopped"]?.bool.map { .bool($0) } ?? .null, .text(result ?? "open"),
    ]
  }
}

extension EventRow {
  /// The time to a later row by the boot clock, which nobody sets; nil across a boot.
  func milliseconds(until later: EventRow) -> Int64? {
    guard bootID == later.bootID else { return nil }
    return (later.bootNanoseconds - bootNanoseconds) / 1_000_000
  }
}
