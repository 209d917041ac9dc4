import Alarms
import CivilTime

/// An encoder that writes the rows of one table with one profile, cell by cell.
///
/// For each row, call one method for each column of the table, in order, and then call `endRow`. An
/// export has very many cells. Therefore the encoder writes directly into its buffer, and allocates
/// no additional memory for most cells.
public struct ExportEncoder {
  /// The rule that decides how the encoder prints a column. The encoder selects the rule once for
  /// the whole table.
  private enum Rule {
    case left, shown, safeDocument
    /// The profile shows the column, but each cell is empty.
    case empty
    /// A measured value with the profile `safe_harbor`. `duration`, `amount` and `level` print a
    /// rounded value (see `SafeNumber`).
    case duration, amount, level
    /// `pseudonym` replaces a pseudonym. `document` replaces the pseudonyms in a document.
    /// `renamed` replaces the pseudonyms and the identifiers in a document.
    case pseudonym, document, renamed
    case opaque(Character)
    /// Several names with `|` between them.
    case opaqueNames(Character)
    /// `dates` prints an instant in two cells: as a time in UTC, and as a local date-time. `date`
    /// prints a local date-time in one cell.
    case dates, date
    /// An instant or a local date-time, in two cells: the study day and the time of day.
    case days
    /// A day. `calendarDay` prints a calendar date, and `studyDay` prints the number of the study
    /// day.
    case calendarDay, studyDay
    /// An instant or a local date-time, in one cell, as the layouts `mpath` and `cleanadh` need it.
    case localSeconds, localText, localDate
  }

  /// The words of Prompter that a column of the kind `names` can contain.
  ///
  /// No person typed these words. Therefore the encoder never replaces them by hashes.
  private static let fixedWords = Set(Mood.allCases.map(\.rawValue) + ["yes", "no"])

  private let rules: [Rule]
  private let header: String
  private let delimiter: UInt8
  private let firstDay: Int
  /// The number of days by which the encoder shifts dates; 0 if the profile does not shift dates.
  /// The encoder shifts dates only in columns with the rule `localSeconds`, `localText` or
  /// `localDate`.
  private let shiftDays: Int
  private let isShifted: Bool
  private let opaque: (Character, String) -> String
  private let pseudonyms: any PseudonymKey
  private var column = 0
  private var isFirst = true
  /// The last day that the encoder printed, and the text of this day. If the next row has the same
  /// day, the encoder copies this text. A copy is faster than a new conversion of the day.
  /// Successive rows often have the same day.
  private var lastDate: (number: Int, text: [UInt8]) = (.min, [])
  /// The output of the encoder since the last call of `clear`.
  public private(set) var bytes: [UInt8] = []

  /// Creates an encoder.
  ///
  /// - Parameter firstDay: day 1 of the study, as the number of days since 1970-01-01.
  /// - Parameter opaque: a function that replaces a text by an opaque identifier. Nobody can
  ///   compute the text from the identifier. If two texts are equal, their identifiers are equal.
  /// - Parameter pseudonyms: the current key of the pseudonyms.
  public init(
    _ table: ExportTable, _ profile: ExportProfile, firstDay: Int, pseudonyms: any PseudonymKey,
    opaque: @escaping (Character, String) -> String
  ) {
    rules = table.columns.map {
      Self.rule($0, profile, isKeyed: pseudonyms.isSet, hidesChain: pseudonyms.hidesChain)
    }
    self.pseudonyms = pseudonyms
    header = table.fields(profile).map(\.name).joined(separator: String(table.delimiter))
    delimiter = table.delimiter.asciiValue ?? UInt8(ascii: ",")
    self.firstDay = firstDay
    isShifted = profile == .safeHarbor
    shiftDays = profile == .safeHarbor ? Self.pretendedFirstDay - firstDay : 0
    self.opaque = opaque
  }

  /// The date that replaces day 1 of the study if the profile shifts dates: 2000-01-01, as the
  /// number of days since 1970-01-01.
  static let pretendedFirstDay = 10_957

  private static func rule(
    _ column: ExportColumn, _ profile: ExportProfile, isKeyed: Bool, hidesChain: Bool
  ) -> Rule {
    let isSafe = profile == .safeHarbor
    // After a rekey, an export with the profile `limited` contains new identifiers, which differ
    // from the identifiers in earlier exports.
    let isRenamed = isSafe || profile == .limited && isKeyed
    switch column.kind {
    case .word, .choice, .number, .boolean: return .shown
    case .integer: return isSafe && column.unit == "ms" ? .duration : .shown
    case .amount: return isSafe ? .amount : .shown
    case .level: return isSafe ? .level : .shown
    case .sequence: return isSafe ? .opaque("s") : .shown
    case .pseudonym: return isKeyed ? .pseudonym : .shown
    case .document:
      return isSafe
        ? .safeDocument : isRenamed ? .renamed : isKeyed || hidesChain ? .document : .shown
    case .identifier(let letter): return isRenamed ? .opaque(letter) : .shown
    case .name(let letter): return isSafe ? .opaque(letter) : .shown
    case .names(let letter): return isSafe ? .opaqueNames(letter) : .shown
    case .chain: return isSafe ? .left : isRenamed || hidesChain ? .empty : .shown
    case .detail, .detailInteger: return isSafe ? .left : .shown
    case .typed: return profile == .identified ? .shown : .left
    case .instant: return isSafe ? .days : .dates
    case .civil: return isSafe ? .days : .date
    case .day: return isSafe ? .studyDay : .calendarDay
    case .localSeconds: return .localSeconds
    case .localText: return .localText
    case .localDate: return .localDate
    }
  }

  /// Reserves space for `count` bytes in the buffer.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  /// Removes all bytes from the buffer, but does not free the memory of the buffer.
  public mutating func clear() { bytes.removeAll(keepingCapacity: true) }

  /// Prints the first line of the file.
  public mutating func appendHeader() {
    bytes.append(contentsOf: header.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  /// True if an export with this profile contains the next column. If the value is false, the
  /// caller does not have to compute the value of the cell.
  public var isNextShown: Bool {
    if case .left = rules[column] { false } else { true }
  }

  /// Writes the end of the row.
  public mutating func endRow() {
    precondition(column == rules.count, "a row has as many cells as its table has columns")
    bytes.append(UInt8(ascii: "\n"))
    column = 0
    isFirst = true
  }

  /// Prints the delimiter before the next cell, and returns the rule for this cell. If the profile
  /// hides the column, prints nothing and returns nil.
  private mutating func next() -> Rule? {
    let rule = rules[column]
    column += 1
    if case .left = rule { return nil }
    if !isFirst { bytes.append(delimiter) }
    isFirst = false
    return rule
  }

  /// Prints an empty cell. If the values of the column need two cells, the function prints two
  /// empty cells.
  public mutating func null() {
    switch next() {
    case .dates, .days: bytes.append(delimiter)
    default: break
    }
  }

  /// Prints a text. If `text` is nil, the cell is empty.
  public mutating func text(_ text: String?) {
    guard var text else { return null() }
    text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
  }

  /// Prints a text in UTF-8. If `text` is nil, the cell is empty.
  public mutating func text(_ text: UnsafeRawBufferPointer?) {
    guard let text else { return null() }
    switch next() {
    case nil: break
    case .opaque(let letter):
      CSV.append(text: opaque(letter, String(decoding: text, as: UTF8.self)), to: &bytes)
    case .opaqueNames(let letter):
      let names = String(decoding: text, as: UTF8.self).split(separator: "|").map { name in
        Self.fixedWords.contains(String(name)) ? String(name) : opaque(letter, String(name))
      }
      CSV.append(text: names.joined(separator: "|"), to: &bytes)
    case .empty: break
    case .renamed:
      let stored = pseudonyms.document(String(decoding: text, as: UTF8.self))
      CSV.append(text: RenamedPayload.text(stored, opaque), to: &bytes)
    case .safeDocument:
      let safe = SafePayload.text(String(decoding: text, as: UTF8.self))
      CSV.append(text: safe, to: &bytes)
    case .pseudonym:
      CSV.append(text: pseudonyms.name(String(decoding: text, as: UTF8.self)), to: &bytes)
    case .document:
      let shown = pseudonyms.document(String(decoding: text, as: UTF8.self))
      CSV.append(text: shown, to: &bytes)
    default: CSV.append(utf8: text, to: &bytes)
    }
  }

  /// Prints a fixed word, a hash, a pseudonym or the name of a study.
  ///
  /// These texts need no quotation marks. Only the name of a study can begin like a formula of a
  /// spreadsheet program. If the name begins like a formula, the encoder prints an apostrophe
  /// before the name.
  public mutating func word(_ text: UnsafeRawBufferPointer?) {
    guard let text else { return null() }
    switch next() {
    case nil: break
    case .opaque(let letter):
      CSV.append(text: opaque(letter, String(decoding: text, as: UTF8.self)), to: &bytes)
    case .pseudonym:
      CSV.append(text: pseudonyms.name(String(decoding: text, as: UTF8.self)), to: &bytes)
    case .empty: break
    // The name of a study can begin with a dash. A spreadsheet program can execute a text that
    // begins with a dash, because the text looks like a formula. Therefore the encoder checks the
    // first character. If a text looks like a formula, `CSV.append(utf8:to:)` writes an apostrophe
    // before the text.
    default:
      if text.first.map("=+-@".utf8.contains) ?? false {
        CSV.append(utf8: text, to: &bytes)
      } else {
        bytes.append(contentsOf: text)
      }
    }
  }

  /// Prints a whole number. If the number is nil, the cell is empty.
  public mutating func integer(_ value: Int64?) {
    guard let value else { return null() }
    switch next() {
    case nil: break
    case .duration: if let value = SafeNumber.duration(value) { CSV.append(value, to: &bytes) }
    case .amount: CSV.append(SafeNumber.amount(value), to: &bytes)
    case .opaque(let letter): CSV.append(text: opaque(letter, String(value)), to: &bytes)
    default: CSV.append(value, to: &bytes)
    }
  }

  /// Prints a number. If the number is nil, infinite or not a number (NaN), the cell is empty.
  public mutating func number(_ value: Double?) {
    guard let value, value.isFinite else { return null() }
    switch next() {
    case nil: break
    case .level: CSV.append(Int64(SafeNumber.level(value)), to: &bytes)
    default: CSV.append(plain: "\(value)", to: &bytes)
    }
  }

  /// Prints true or false. If the value is nil, the cell is empty.
  public mutating func bool(_ value: Bool?) {
    guard let value else { return null() }
    if next() != nil { CSV.append(plain: value ? "true" : "false", to: &bytes) }
  }

  /// Prints an instant.
  ///
  /// - Parameter milliseconds: the time since 1970. If the value is nil, the cells are empty.
  /// - Parameter offsetSeconds: the UTC offset of the wall clock.
  public mutating func instant(_ milliseconds: Int64?, offsetSeconds: Int64) {
    guard let milliseconds else { return null() }
    let rule = next()
    let seconds = (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
    let fraction = milliseconds - seconds * 1_000
    switch rule {
    case .dates:
      dateTime(seconds, fraction)
      bytes.append(UInt8(ascii: "Z"))
      bytes.append(delimiter)
      dateTime(seconds + offsetSeconds, fraction)
    case .days: day(seconds + offsetSeconds)
    case let rule?: single(rule, seconds + offsetSeconds)
    case nil: break
    }
  }

  /// Prints a local date-time. The profile of the export decides whether the date-time fills one
  /// cell, or two cells for the study day and the time of day.
  ///
  /// - Parameter localSeconds: the local date-time, as the number of seconds since
  ///   1970-01-01T00:00:00 in local time. If the value is nil, the cells are empty.
  public mutating func civil(_ localSeconds: Int64?) {
    guard let localSeconds else { return null() }
    switch next() {
    case .date: dateTime(localSeconds, nil)
    case .days: day(localSeconds)
    case let rule?: single(rule, localSeconds)
    case nil: break
    }
  }

  /// Prints a day of the calendar. If the day is nil, the cell is empty.
  public mutating func day(_ day: CivilDate?) {
    guard let day else { return null() }
    switch next() {
    case .calendarDay: CSV.append(plain: day.description, to: &bytes)
    case .studyDay where day.dayNumber >= firstDay:
      CSV.append(Int64(day.dayNumber - firstDay + 1), to: &bytes)
    default: break
    }
  }

  private static func split(_ localSeconds: Int64) -> (day: Int, second: Int) {
    let second = (localSeconds % 86_400 + 86_400) % 86_400
    return (Int((localSeconds - second) / 86_400), Int(second))
  }

  /// Prints a study day and a time of day. For a time before day 1, both cells stay empty. Reason:
  /// a clock that nobody has set starts on 1970-01-01. The number of days from 1970-01-01 to day 1
  /// would reveal the date of day 1.
  private mutating func day(_ localSeconds: Int64) {
    let (number, second) = Self.split(SafeNumber.quarter(localSeconds))
    let day = number - firstDay + 1
    if day >= 1 { CSV.append(Int64(day), to: &bytes) }
    bytes.append(delimiter)
    if day >= 1 { time(second, nil) }
  }

  /// Prints a local time in one cell. If the profile shifts dates and the time is before day 1 of
  /// the study, the cell stays empty.
  private mutating func single(_ rule: Rule, _ localSeconds: Int64) {
    let localSeconds = isShifted ? SafeNumber.quarter(localSeconds) : localSeconds
    exact(rule, localSeconds)
  }

  /// Prints an instant in one cell. The instant belongs to a prompt.
  ///
  /// With the profile `safe_harbor`, the cell contains the due time, rounded down to a quarter of
  /// an hour, plus the rounded time from the due time to the instant. Therefore the differences
  /// between the times of a row are the same in all layouts.
  ///
  /// - Parameter due: the due time of the prompt, in milliseconds since 1970.
  public mutating func instant(_ milliseconds: Int64?, due: Int64, offsetSeconds: Int64) {
    guard isShifted, let milliseconds else {
      return instant(milliseconds, offsetSeconds: offsetSeconds)
    }
    guard let latency = SafeNumber.duration(milliseconds - due) else { return null() }
    guard let rule = next() else { return }
    let local = Instant(milliseconds: due).seconds + offsetSeconds
    exact(rule, SafeNumber.quarter(local) + Instant(milliseconds: latency).seconds)
  }

  private mutating func exact(_ rule: Rule, _ localSeconds: Int64) {
    let (number, second) = Self.split(localSeconds)
    if isShifted, number < firstDay { return }
    let day = number + shiftDays
    switch rule {
    case .localSeconds: CSV.append(Int64(day) * 86_400 + Int64(second), to: &bytes)
    case .localDate: CSV.append(plain: CivilDate(dayNumber: day).description, to: &bytes)
    case .localText:
      CSV.append(plain: "\"\(CivilDate(dayNumber: day)) ", to: &bytes)
      time(second, nil)
      bytes.append(UInt8(ascii: "\""))
    default: break
    }
  }

  private mutating func dateTime(_ localSeconds: Int64, _ fraction: Int64?) {
    let (number, second) = Self.split(localSeconds)
    if lastDate.number != number {
      lastDate = (number, Array("\(CivilDate(dayNumber: number))T".utf8))
    }
    bytes.append(contentsOf: lastDate.text)
    time(second, fraction)
  }

  private mutating func time(_ second: Int, _ fraction: Int64?) {
    pair(second / 3_600)
    bytes.append(UInt8(ascii: ":"))
    pair(second / 60 % 60)
    bytes.append(UInt8(ascii: ":"))
    pair(second % 60)
    guard let fraction else { return }
    bytes.append(UInt8(ascii: "."))
    bytes.append(UInt8(ascii: "0") + UInt8(fraction / 100))
    pair(Int(fraction % 100))
  }

  private mutating func pair(_ value: Int) {
    bytes.append(UInt8(ascii: "0") + UInt8(value / 10))
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}
