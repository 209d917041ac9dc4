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
public struct ExportEncoder {
  /// What a profile makes of a column, decided once for the whole table.
  private enum Rule {
    case left, shown, short, safeDocument
    case opaque(Character)
    /// An instant as two cells, a local date-time as one.
    case dates, date
    /// Either, as two cells.
    case days
  }

  private let rules: [Rule]
  private let header: String
  private let firstDay: Int
  private let opaque: (Character, String) -> String

  /// - Parameter firstDay: the number of the local day that is day 1 of the study.
  /// - Parameter opaque: an identifier that cannot be traced back, the same for the same text.
  public init(
    _ table: ExportTable, _ profile: ExportProfile, firstDay: Int,
    opaque: @escaping (Character, String) -> String
  ) {
    rules = table.columns.map { Self.rule($0, profile) }
    header = table.fields(profile).map(\.name).joined(separator: ",")
    self.firstDay = firstDay
    self.opaque = opaque
  }

  private static func rule(_ column: ExportColumn, _ profile: ExportProfile) -> Rule {
    let isSafe = profile == .safeHarbor
    switch column.kind {
    case .word, .choice, .number, .boolean: return .shown
    case .integer: return isSafe && column.unit == "ms" ? .short : .shown
    case .document: return isSafe ? .safeDocument : .shown
    case .identifier(let letter): return isSafe ? .opaque(letter) : .shown
    case .detail, .detailInteger: return isSafe ? .left : .shown
    case .typed: return profile == .identified ? .shown : .left
    case .instant: return isSafe ? .days : .dates
    case .civil: return isSafe ? .days : .date
    }
  }

  /// Appends the first line of the file.
  public func appendHeader(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: header.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends a line.
  ///
  /// - Parameter cells: one for each column of the table, in order.
  public func append(_ cells: [ExportCell], to bytes: inout [UInt8]) {
    precondition(cells.count == rules.count, "a row has as many cells as its table has columns")
    var isFirst = true
    for (rule, cell) in zip(rules, cells) {
      if case .left = rule { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(cell, rule, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  private func append(_ cell: ExportCell, _ rule: Rule, to bytes: inout [UInt8]) {
    switch (rule, cell) {
    case (.dates, _), (.date, _), (.days, _): appendTimes(cell, rule, to: &bytes)
    case (.opaque(let letter), .text(let text)): CSV.append(text: opaque(letter, text), to: &bytes)
    case (.safeDocument, .text(let text)): CSV.append(text: SafePayload.text(text), to: &bytes)
    case (.short, .integer(let value)) where !SafePayload.isShort(value): break
    case (.shown, .integer(let value)), (.short, .integer(let value)):
      CSV.append(plain: String(value), to: &bytes)
    case (.shown, .text(let text)): CSV.append(text: text, to: &bytes)
    case (.shown, .number(let value)) where value.isFinite:
      CSV.append(plain: "\(value)", to: &bytes)
    case (.shown, .bool(let value)): CSV.append(plain: value ? "true" : "false", to: &bytes)
    default: break
    }
  }

  private func appendTimes(_ cell: ExportCell, _ rule: Rule, to bytes: inout [UInt8]) {
    switch (rule, cell) {
    case (.dates, .instant(let instant, let offset)):
      let fraction = instant.milliseconds - instant.seconds * 1000
      Self.append(CivilDateTime(localSeconds: instant.seconds), fraction, to: &bytes)
      CSV.append(plain: "Z,", to: &bytes)
      Self.append(local(instant, offset), fraction, to: &bytes)
    case (.date, .civil(let dateTime)): Self.append(dateTime, nil, to: &bytes)
    case (.days, .instant(let instant, let offset)):
      let fraction = instant.milliseconds - instant.seconds * 1000
      appendDay(local(instant, offset), fraction, to: &bytes)
    case (.days, .civil(let dateTime)): appendDay(dateTime, nil, to: &bytes)
    case (.date, _): break
    default: bytes.append(UInt8(ascii: ","))
    }
  }

  private func local(_ instant: Instant, _ offsetSeconds: Int) -> CivilDateTime {
    CivilDateTime(localSeconds: instant.seconds + Int64(offsetSeconds))
  }

  /// A time before day 1 stays empty. A clock that starts in 1970 would give the first day away.
  private func appendDay(_ local: CivilDateTime, _ fraction: Int64?, to bytes: inout [UInt8]) {
    let day = local.date.dayNumber - firstDay + 1
    if day >= 1 { CSV.append(plain: String(day), to: &bytes) }
    bytes.append(UInt8(ascii: ","))
    if day >= 1 { Self.append(local.time, fraction, to: &bytes) }
  }

  private static func append(
    _ local: CivilDateTime, _ fraction: Int64?, to bytes: inout [UInt8]
  ) {
    CSV.append(plain: "\(local.date)T", to: &bytes)
    append(local.time, fraction, to: &bytes)
  }

  private static func append(_ time: ClockTime, _ fraction: Int64?, to bytes: inout [UInt8]) {
    append(time.hour, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(time.minute, width: 2, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    append(time.second, width: 2, to: &bytes)
    guard let fraction else { return }
    bytes.append(UInt8(ascii: "."))
    append(Int(fraction), width: 3, to: &bytes)
  }

  private static func append(_ value: Int, width: Int, to bytes: inout [UInt8]) {
    var (divisor, rest) = (width == 3 ? 100 : 10, value)
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest / divisor))
      rest %= divisor
      divisor /= 10
    }
  }
}
