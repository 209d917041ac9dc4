import Alarms
import CivilTime
import EventCoding
import JSONValue
import MessageDigest

/// One row of the record, with the values that are stored, hashed, listed and exported.
///
/// ## The hash chain
///
/// `hash` is a SHA-256 in lower-case hex. The SHA-256 covers the encodings of all other columns, in
/// the order of `columnNames`. The column `prev_hash` is the last of these columns. `prev_hash`
/// contains the `hash` of the previous row, or 64 zeros in the first row. The encoding of a column
/// is
///
/// - `-;` if the column is null,
/// - otherwise a sequence of four parts: the length of the value in bytes as a decimal number, `:`,
///   the value as UTF-8 bytes, and `;`. An integer is written as its decimal text, with a leading
///   `-` if it is negative.
///
/// Because the encoding contains the lengths, two different rows never have the same encoding. The
/// hash covers the stored bytes of `payload`. The row does not contain the content of the event.
/// `payload_digest` is the SHA-256 of the salt (16 bytes) and the body of the content, in hex.
/// `payload_digest` is null if the event has no content. After an erasure of the content and its
/// salt, the hash chain is still valid. Without the salt, a person who guesses the content cannot
/// confirm the guess with the digest.
///
/// The hash chain alone does not show that the newest rows were deleted, or that somebody wrote the
/// whole chain again. To detect these two changes, store the head (the newest `seq` and `hash`)
/// outside the device, and give this head to `verify`.
public struct EventRow: Sendable, Hashable {
  public var sequence: Int64
  public var eventID: String
  /// The version of the format of the row and its payload. The only version so far is 1.
  public var schemaVersion: Int64
  public var studyID: String
  /// The pseudonym of the person, `P-` and eight characters; nil if the event is not about a
  /// person.
  public var person: String?
  /// The pseudonym of the device: `D-` and eight characters.
  public var device: String
  /// The phase of the study; nil if no phase was set.
  public var phase: String?
  public var type: String
  public var promptID: String?
  public var ringNumber: Int64?
  public var alarmID: String?
  public var alarmVersion: Int64?
  public var toneSHA256: String?
  public var actorRole: String
  public var actorID: String
  public var source: String
  public var wallMilliseconds: Int64
  public var zoneName: String
  public var utcOffsetSeconds: Int64
  public var tzdataVersion: String
  public var bootID: String
  public var bootNanoseconds: Int64
  public var clockState: String
  public var clockErrorMilliseconds: Int64?
  /// The payload: the text of a JSON object, byte for byte as it was hashed.
  public var payload: String
  public var payloadDigest: String?
  public var previousHash: String
  public var hash: String

  /// The names of all columns, in order.
  public static let columnNames = [
    "seq", "event_id", "schema_version", "study_id", "person", "device", "phase", "type",
    "prompt_id", "ring_no", "alarm_id", "alarm_version", "tone_sha256", "actor_role", "actor_id",
    "source", "wall_utc_ms", "tz_name", "utc_offset_s", "tzdata_version", "boot_id", "boottime_ns",
    "clock_state", "clock_error_ms", "payload", "payload_digest", "prev_hash", "hash",
  ]

  /// The `prev_hash` of the first row.
  public static let genesis = String(repeating: "0", count: 64)

  /// A value of a column.
  enum Cell {
    case null
    case integer(Int64)
    case text(String)

    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  }

  /// The values of all columns, in the order of `columnNames`.
  var cells: [Cell] {
    [
      .integer(sequence), .text(eventID), .integer(schemaVersion), .text(studyID), Cell(person),
      .text(device), Cell(phase), .text(type), Cell(promptID), Cell(ringNumber), Cell(alarmID),
      Cell(alarmVersion), Cell(toneSHA256), .text(actorRole), .text(actorID), .text(source),
      .integer(wallMilliseconds), .text(zoneName), .integer(utcOffsetSeconds),
      .text(tzdataVersion), .text(bootID), .integer(bootNanoseconds), .text(clockState),
      Cell(clockErrorMilliseconds), .text(payload), Cell(payloadDigest), .text(previousHash),
      .text(hash),
    ]
  }

  /// Computes the correct value of `hash`.
  func computedHash() -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    for cell in cells.dropLast() {
      switch cell {
      case .null: bytes.append(UInt8(ascii: "-"))
      case .integer(let value): Self.append(String(value), to: &bytes)
      case .text(let text): Self.append(text, to: &bytes)
      }
      bytes.append(UInt8(ascii: ";"))
    }
    return SHA256Digest.hex(bytes)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: String(text.utf8.count).utf8)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: text.utf8)
  }

  /// The row as a JSON object with the columns in order. Inside this object, the payload is an
  /// object and not a text.
  public var json: JSON {
    JSON.object(
      zip(Self.columnNames, cells).map { name, cell in
        switch cell {
        case .null: (name, .null)
        case .integer(let value): (name, .integer(value))
        case .text(let text):
          (name, name == "payload" ? payloadObject ?? .string(text) : .string(text))
        }
      })
  }

  /// The payload as JSON; nil if the payload cannot be parsed. In this case, the property `json`
  /// contains the payload as a text, and only `verify` reports the damage.
  private var payloadObject: JSON? { try? JSON(stored: payload) }

  /// The time in the row: wall clock, boot time, boot id, clock state and clock error.
  public var reading: ClockReading {
    ClockReading(
      wall: Instant(milliseconds: wallMilliseconds), bootNanoseconds: bootNanoseconds,
      bootID: bootID, clockState: ClockState(rawValue: clockState) ?? .unset,
      clockErrorMilliseconds: clockErrorMilliseconds.map { Int($0) })
  }

  /// Converts the row to a `StoredEvent`.
  ///
  /// - Parameter content: the content of the event; nil if the event has no content, or if the
  ///   content was erased.
  func storedEvent(content: String?) throws -> StoredEvent {
    var promptName: PromptID?
    if let promptID {
      guard let id = PromptID(promptID) else {
        throw EventCodingError(
          "cannot read a stored \"\(type)\": \"\(promptID)\" is not the id of a prompt")
      }
      promptName = id
    }
    return StoredEvent(
      type: type, promptID: promptName, ringNumber: ringNumber.map { Int($0) },
      alarmID: alarmID.map { AlarmID($0) }, alarmVersion: alarmVersion.map { Int($0) },
      toneSHA256: toneSHA256, payload: try JSON(stored: payload),
      content: try content.map { try JSON(stored: $0) })
  }
}
