import Alarms
import ArchiveProtocol
import CivilTime
import EventCoding
import JSONValue
import MessageDigest

/// One row of the record, with the values that are stored, hashed, listed and exported.
///
/// ## The hash chain
///
/// `hash` is a SHA-256 in lower-case hex. The SHA-256 covers the encodings of all other columns, in
/// the order of `columnNames` (see `RowEncoding`). The last of these columns, `prev_hash`, contains
/// the `hash` of the previous row. In the first row, `prev_hash` contains 64 zeros. The encoding
/// contains the lengths of the values. Therefore, two different rows never have the same encoding.
/// The hash covers the stored bytes of `payload`. The content of the event is not in the row.
/// `payload_digest` is the SHA-256 of the salt (16 bytes) and the body of the content, in hex. If
/// the event has no content, `payload_digest` is null. After an erasure of the content and its
/// salt, the hash chain is still valid. Without the salt, a person who guesses the content cannot
/// confirm the guess with the digest.
///
/// The hash chain alone does not show two changes: a deletion of the newest rows, and a new
/// computation of the whole chain. To detect these changes, store the head (the newest `seq` and
/// `hash`) outside the device, and give this head to `verify`.
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
  public static let columnNames = RowColumn.all.map(\.name)

  /// The `prev_hash` of the first row.
  public static let genesis = ArchiveHead.genesis.hash

  /// The values of all columns, in the order of `columnNames`.
  var cells: [RowCell] {
    [
      .integer(sequence), .text(eventID), .integer(schemaVersion), .text(studyID), RowCell(person),
      .text(device), RowCell(phase), .text(type), RowCell(promptID), RowCell(ringNumber),
      RowCell(alarmID),
      RowCell(alarmVersion), RowCell(toneSHA256), .text(actorRole), .text(actorID), .text(source),
      .integer(wallMilliseconds), .text(zoneName), .integer(utcOffsetSeconds),
      .text(tzdataVersion), .text(bootID), .integer(bootNanoseconds), .text(clockState),
      RowCell(clockErrorMilliseconds), .text(payload), RowCell(payloadDigest), .text(previousHash),
      .text(hash),
    ]
  }

  /// Computes the correct value of `hash`.
  func computedHash() -> String {
    SHA256Digest.hex(RowEncoding.bytes(cells.dropLast()))
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
