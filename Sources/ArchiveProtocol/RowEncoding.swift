/// The value of one column in a row of the record.
public enum RowCell: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)

  public init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
  public init(_ value: String?) { self = value.map { .text($0) } ?? .null }

  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  public var text: String? { if case .text(let value) = self { value } else { nil } }
}

/// A column of the record: the name, the type, and whether the value can be null.
public struct RowColumn: Sendable, Hashable {
  public enum Kind: Sendable { case integer, text, hash }

  public var name: String
  public var kind: Kind
  public var isOptional: Bool

  /// All columns. The hash, the lists and the exports use this order.
  public static let all: [RowColumn] = [
    RowColumn("seq", .integer), RowColumn("event_id"), RowColumn("schema_version", .integer),
    RowColumn("study_id"), RowColumn("person", isOptional: true), RowColumn("device"),
    RowColumn("phase", isOptional: true), RowColumn("type"),
    RowColumn("prompt_id", isOptional: true), RowColumn("ring_no", .integer, isOptional: true),
    RowColumn("alarm_id", isOptional: true), RowColumn("alarm_version", .integer, isOptional: true),
    RowColumn("tone_sha256", isOptional: true), RowColumn("actor_role"), RowColumn("actor_id"),
    RowColumn("source"), RowColumn("wall_utc_ms", .integer), RowColumn("tz_name"),
    RowColumn("utc_offset_s", .integer), RowColumn("tzdata_version"), RowColumn("boot_id"),
    RowColumn("boottime_ns", .integer), RowColumn("clock_state"),
    RowColumn("clock_error_ms", .integer, isOptional: true), RowColumn("payload"),
    RowColumn("payload_digest", isOptional: true), RowColumn("prev_hash", .hash),
    RowColumn("hash", .hash),
  ]

  private init(_ name: String, _ kind: Kind = .text, isOptional: Bool = false) {
    (self.name, self.kind, self.isOptional) = (name, kind, isOptional)
  }
}

/// The bytes from which the hash of a row is computed.
///
/// The encoding of a null value is `-;`. The encoding of any other value has four parts: the length
/// of the value in bytes as a decimal number, `:`, the value as UTF-8 bytes, and `;`. The value of
/// an integer is its decimal text, with a leading `-` if the integer is negative.
public enum RowEncoding {
  /// - Parameter cells: the values of all columns except `hash`, in the order of `RowColumn.all`.
  public static func bytes(_ cells: ArraySlice<RowCell>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    for cell in cells {
      switch cell {
      case .null: bytes.append(UInt8(ascii: "-"))
      case .integer(let value): append(String(value), to: &bytes)
      case .text(let text): append(text, to: &bytes)
      }
      bytes.append(UInt8(ascii: ";"))
    }
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: String(text.utf8.count).utf8)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(contentsOf: text.utf8)
  }
}
