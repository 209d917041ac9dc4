import Alarms
import CivilTime
import EventCoding
import JSONValue
import StudyExport

/// The values that an export computes for one prompt from the events of this prompt.
struct PromptMetrics {
  /// The study phase in which the last event of the prompt was recorded.
  private(set) var phase: String?
  private(set) var studyID = ""
  private(set) var plans = 0
  /// The sequence number of the first event of the prompt.
  private(set) var firstSequence: Int64 = 0
  private(set) var lateMilliseconds: Int64?
  private var sounds = RingList()
  var rings: [RingMetrics] { sounds.rings }
  /// The time at which the first ring began to sound; nil if no ring sounded.
  private(set) var firstSound: Stamp?
  private(set) var firstSoundSequence: Int64 = 0
  /// The time at which a screen first showed the prompt; nil if no screen reported that it showed
  /// the prompt.
  private(set) var presented: Stamp?
  private(set) var firstAnswer: (type: String, role: String, source: String, at: Stamp)?
  private(set) var soundsBeforeAnswer = 0
  private(set) var closedRole: String?
  /// The least reliable clock state of all events of the prompt.
  private(set) var clockState = ClockState.synced
  /// The largest clock error in the events of the prompt, in milliseconds; nil if no event contains
  /// a clock error. The clock error of an event is the maximum error that the kernel reported for
  /// the clock.
  private(set) var clockErrorMilliseconds: Int64?
  private(set) var boots = 0
  private(set) var corrections = 0
  private(set) var contactsNotified = 0
  private(set) var contactsReached = 0
  /// The newest response to each question. The key is the name of the question.
  private(set) var responses: [String: JSON] = [:]
  private var lastBoot: Int?

  /// Adds the next event of the prompt.
  ///
  /// - Parameter type: the type of the event that the row contains.
  mutating func add(_ row: RawRow, type: String, _ stamp: Stamp) {
    noteQuality(row, stamp)
    switch type {
    case "planned": plans += 1
    case "due": lateMilliseconds = row.payload.integer("late_ms")
    case "ring_intent", "ring_started", "ring_ended", "ring_failed", "ring_uncertain":
      addSound(row, type, stamp)
    case "presented": presented = presented ?? stamp
    case "acknowledged", "delayed": addAnswer(row, type, stamp)
    case "completed", "declined":
      addAnswer(row, type, stamp)
      addEnd(row)
    case "missed", "suppressed", "cancelled", "superseded": addEnd(row)
    case "correction": undo(row)
    case "response": addResponse(row)
    case "escalated": contactsNotified += 1
    case "notified", "told": contactsReached += 1
    default: break
    }
  }

  private mutating func noteQuality(_ row: RawRow, _ stamp: Stamp) {
    if lastBoot != stamp.boot {
      boots += 1
      lastBoot = stamp.boot
    }
    if firstSequence == 0 { firstSequence = row.integer(EventColumn.seq) }
    phase = row.string(EventColumn.phase)
    if studyID.isEmpty { studyID = row.string(EventColumn.studyID) ?? "" }
    let state = row.string(EventColumn.clockState).flatMap { ClockState(rawValue: $0) } ?? .unset
    if state.rank > clockState.rank { clockState = state }
    if let error = row.optionalInteger(EventColumn.clockError) {
      clockErrorMilliseconds = max(error, clockErrorMilliseconds ?? 0)
    }
  }

  private mutating func addAnswer(_ row: RawRow, _ type: String, _ stamp: Stamp) {
    guard firstAnswer == nil else { return }
    firstAnswer = (
      type, row.string(EventColumn.actorRole) ?? "", row.string(EventColumn.source) ?? "", stamp
    )
  }

  /// Handles an event that undoes an answer. After the event, the prompt is open again.
  private mutating func undo(_ row: RawRow) {
    corrections += 1
    closedRole = nil
    if let first = firstAnswer, first.at.wallMilliseconds == row.payload.integer("answered_ms") {
      firstAnswer = nil
    }
  }

  private mutating func addResponse(_ row: RawRow) {
    guard let json = row.string(EventColumn.payload).flatMap({ try? JSON(stored: $0) }),
      let question = json["question"]?.string
    else { return }
    // The text of a response is content. Only an export with the profile `identified` reads
    // content.
    let words = row.string(EventColumn.content).flatMap { try? JSON(stored: $0) }?["text"]
    responses[question] = words ?? json["value"] ?? .null
  }

  private mutating func addEnd(_ row: RawRow) {
    closedRole = row.string(EventColumn.actorRole)
  }

  private mutating func addSound(_ row: RawRow, _ type: String, _ stamp: Stamp) {
    if type == "ring_started" {
      if firstSound == nil {
        firstSound = stamp
        firstSoundSequence = row.integer(EventColumn.seq)
      }
      if firstAnswer == nil { soundsBeforeAnswer += 1 }
    }
    sounds.add(
      type, number: row.integer(EventColumn.ringNumber),
      toneSHA256: row.string(EventColumn.tone), row.payload, at: stamp)
  }
}

extension ClockState {
  /// The rank of the clock state: 0 for a synchronised clock. A less reliable clock has a larger
  /// rank than a more reliable clock.
  fileprivate var rank: Int {
    switch self {
    case .synced: 0
    case .unsynced: 1
    case .unset: 2
    }
  }
}

/// The index of each column in a row that was selected with `EventRow.selection`.
enum EventColumn {
  static let seq = 0
  static let device = 5
  static let studyID = 3
  static let person = 4
  static let phase = 6
  static let type = 7
  static let promptID = 8
  static let ringNumber = 9
  static let alarmID = 10
  static let alarmVersion = 11
  static let tone = 12
  static let actorRole = 13
  static let actorID = 14
  static let source = 15
  static let wall = 16
  static let zone = 17
  static let offset = 18
  static let bootID = 20
  static let bootTime = 21
  static let clockState = 22
  static let clockError = 23
  static let payload = 24
  static let previousHash = 26
  static let hash = 27
  /// The index of the column `body` (table `contents`) in the result of a query that joins this
  /// table.
  static let content = 28
}

extension RawRow {
  /// The members of the payload of an event.
  var payload: PayloadScan {
    PayloadScan(bytes: text(EventColumn.payload) ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

extension PayloadScan: RingPayload {}
