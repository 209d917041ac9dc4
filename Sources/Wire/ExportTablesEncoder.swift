import Alarms
import CivilTime

/// The value of a cell before a profile was applied.
public enum ExportCell: Sendable, Hashable {
  case null
  case text(String)
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  /// An instant, and the offset of the wall clock beside it.
  case instant(Instant, offsetSeconds: Int)
  case civil(CivilDateTime)

  public init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  public init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
}

/// Prints rows of one table as one profile shows them.
public struct ExportEncoder: Sendable {
  private let columns: [ExportColumn]
  private let profile: ExportProfile
  private let firstDay: Int
  private let opaque: @Sendable (Character, String) -> String

  /// - Parameter firstDay: the number of the local day that is day 1 of the study.
  /// - Parameter opaque: an identifier that cannot be traced back, the same for the same text.
  public init(
    _ table: ExportTable, _ profile: ExportProfile, firstDay: Int,
    opaque: @escaping @Sendable (Character, String) -> String
  ) {
    columns = table.columns
    self.profile = profile
    self.firstDay = firstDay
    self.opaque = opaque
  }

  /// Appends the first line of the file.
  public func appendHeader(to bytes: inout [UInt8]) {
    let names = columns.flatMap { $0.fields(profile).map(\.name) }
    bytes.append(contentsOf: names.joined(separator: ",").utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a line.
  ///
  /// - Parameter cells: one for each column of the table, in order.
  public func append(_ cells: [ExportCell], to bytes: inout [UInt8]) {
    precondition(cells.count == columns.count, "a row has as many cells as its table has columns")
    var isFirst = true
    for (column, cell) in zip(columns, cells) {
      for field in printed(cell, column) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        switch field {
        case .empty: break
        case .plain(let text): CSV.append(plain: text, to: &bytes)
        case .text(let text): CSV.append(text: text, to: &bytes)
        }
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private enum Printed {
    case empty
    case plain(String)
    case text(String)
  }

  private func printed(_ cell: ExportCell, _ column: ExportColumn) -> [Printed] {
    let isSafe = profile == .safeHarbor
    switch column.kind {
    case .typed where profile != .identified: return []
    case .detail where isSafe, .detailInteger where isSafe: return []
    case .instant, .civil:
      let places = column.fields(profile).count
      return times(cell) ?? Array(repeating: .empty, count: places)
    case .identifier(let letter) where isSafe:
      guard case .text(let text) = cell else { return [.empty] }
      return [.text(opaque(letter, text))]
    case .document where isSafe:
      guard case .text(let text) = cell else { return [.empty] }
      return [.text(SafePayload.text(text))]
    case .integer where isSafe && column.unit == "ms":
      guard case .integer(let value) = cell, SafePayload.isShort(value) else { return [.empty] }
      return [.plain(String(value))]
    default: return [value(cell)]
    }
  }

  private func value(_ cell: ExportCell) -> Printed {
    switch cell {
    case .null: .empty
    case .text(let text): .text(text)
    case .integer(let value): .plain(String(value))
    case .number(let value): value.isFinite ? .plain("\(value)") : .empty
    case .bool(let value): .plain(value ? "true" : "false")
    case .instant, .civil: .empty
    }
  }

  private func times(_ cell: ExportCell) -> [Printed]? {
    let isSafe = profile == .safeHarbor
    switch cell {
    case .instant(let instant, let offset):
      let local = CivilDateTime(localSeconds: instant.seconds + Int64(offset))
      let fraction = padded(instant.milliseconds - instant.seconds * 1000, 3)
      if isSafe { return dayAndTime(local, fraction) }
      return [.plain(instant.description), .plain("\(local).\(fraction)")]
    case .civil(let local):
      return isSafe ? dayAndTime(local, nil) : [.plain(local.description)]
    default: return nil
    }
  }

  /// A time before day 1 stays empty. A clock that starts in 1970 would give the first day away.
  private func dayAndTime(_ local: CivilDateTime, _ fraction: String?) -> [Printed] {
    let day = local.date.dayNumber - firstDay + 1
    guard day >= 1 else { return [.empty, .empty] }
    let time = "\(local)".split(separator: "T").last.map(String.init) ?? ""
    return [.plain(String(day)), .plain(fraction.map { "\(time).\($0)" } ?? time)]
  }
}

private func padded(_ value: Int64, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
