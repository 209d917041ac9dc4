import CivilTime
import StudyExport

/// One export in a pool: its home, and the information about its files that the pool needs.
public struct PooledExport: Sendable {
  public var site: String
  public var home: String
  /// The directory of the export. Error messages contain this directory.
  public var directory: String
  public var profile: String
  /// The head code of the newest event; nil with the profile `safe_harbor`.
  public var headCode: String?
  /// The SHA-256 of MANIFEST.json.
  public var manifestSHA256: String
  /// The pseudonym of the device; empty if the export has no events.
  public var device = ""
  /// The header row of each table. The key is the name of the file.
  public var headers: [String: [String]] = [:]
  /// The enrolments of each person. The key is the pseudonym.
  var enrolments: [String: [Enrolment]] = [:]
  private var days = StudyDays()

  struct Enrolment: Sendable {
    var study: String
    /// The code of the participant; empty if the export does not contain this code.
    var code: String
  }

  public init(
    site: String, home: String, directory: String, profile: String, headCode: String?,
    manifestSHA256: String
  ) {
    self.site = site
    self.home = home
    self.directory = directory
    self.profile = profile
    self.headCode = headCode
    self.manifestSHA256 = manifestSHA256
  }

  /// The columns that the pool adds to a table without these columns.
  static let addedColumns = ["site", "home", "device"]
  /// The column with the study day. The pool adds this column only to prompts.csv. Study day 1 is
  /// the first day of the enrolment.
  static let studyDay = "study_day"

  /// The added columns of a table. For example, the pool does not add the column `device` to
  /// events.csv, because events.csv already has this column.
  func added(to file: String) -> [String] {
    let own = headers[file, default: []]
    return Self.addedColumns.filter { !own.contains($0) }
      + (file == "prompts.csv" ? [Self.studyDay] : [])
  }

  /// Adds a row of participants.csv.
  public mutating func add(participant line: CSVTableReader.Line) {
    guard let person = line["person"], let from = Self.day(line["from_day"] ?? line["from_local"])
    else { return }
    let study = line["study_id"] ?? ""
    enrolments[person, default: []].append(
      Enrolment(study: study, code: line["participant"] ?? ""))
    days.add(person, study: study, from: from)
  }

  /// Reads a local day as a number: a study day, or the number of days since 1970-01-01.
  static func day(_ text: String?) -> Int? {
    guard let text else { return nil }
    if let day = Int(text) { return day }
    return (try? CivilDate(parsing: String(text.prefix { $0 != "T" })))?.dayNumber
  }

  /// The study day of a prompt; nil if the person was not enrolled in this study.
  ///
  /// - Parameter due: the cell with the local day of the due time.
  func studyDay(of person: String, study: String, due: String?) -> Int? {
    Self.day(due).flatMap { days.day(of: person, study: study, due: $0) }
  }
}

/// The reason why Prompter cannot pool the exports, as a sentence.
public struct PoolError: Error, Hashable, Sendable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// The rules for the exports of a pool.
public enum PoolRules {
  /// True if a text can be the name of a site or a home: 1 to 40 ASCII letters, digits, and the
  /// signs `.`, `_` and `-`. The first character is a letter or a digit.
  public static func isName(_ text: String) -> Bool {
    func isPlain(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber)
    }
    return (1...40).contains(text.utf8.count) && text.first.map(isPlain) == true
      && text.allSatisfy { isPlain($0) || "._-".contains($0) }
  }

  /// Checks that the exports belong together, and that no export is in the pool twice.
  ///
  /// - Throws: a `PoolError` that names the exports and the difference.
  public static func check(_ exports: [PooledExport]) throws(PoolError) {
    guard let first = exports.first else { throw PoolError("there is no export to pool") }
    for export in exports {
      guard export.profile == first.profile else {
        throw PoolError(
          "\(first.directory) has the profile \(first.profile), and \(export.directory) has the profile "
            + "\(export.profile); export all homes with the same profile")
      }
      for file in Set(export.headers.keys).union(first.headers.keys).sorted()
      where export.headers[file] != first.headers[file] {
        throw PoolError(
          "\(file) of \(export.directory) has other columns than \(file) of \(first.directory); export "
            + "all homes with the same version of Prompter")
      }
    }
    try refuseDouble(exports, "have the same home", by: \.home)
    try refuseDouble(exports, "are the same export", by: \.manifestSHA256)
    try refuseDouble(exports, "are from the same device; give only the newest", by: \.device)
    try refuseDoublePeople(exports)
  }

  private static func refuseDouble(
    _ exports: [PooledExport], _ what: String, by key: KeyPath<PooledExport, String>
  ) throws(PoolError) {
    var known: [String: PooledExport] = [:]
    for export in exports where !export[keyPath: key].isEmpty {
      if let other = known.updateValue(export, forKey: export[keyPath: key]) {
        throw PoolError(
          "\(other.directory) and \(export.directory) \(what) (\(export[keyPath: key].prefix(40)))")
      }
    }
  }

  private static func refuseDoublePeople(_ exports: [PooledExport]) throws(PoolError) {
    var (people, codes): ([String: PooledExport], [String: PooledExport]) = ([:], [:])
    for export in exports {
      for (person, enrolments) in export.enrolments.sorted(by: { $0.key < $1.key }) {
        if let other = people.updateValue(export, forKey: person) {
          throw PoolError(
            "the person \(person) is in \(other.directory) and in \(export.directory)")
        }
        for enrolment in Set(enrolments.map { [$0.study, $0.code] }) where !enrolment[1].isEmpty {
          let other = codes.updateValue(export, forKey: enrolment.joined(separator: "\n"))
          if let other, other.home != export.home {
            throw PoolError(
              "the participant \(enrolment[1]) of the study \(enrolment[0]) is in \(other.directory) "
                + "and in \(export.directory)")
          }
        }
      }
    }
  }
}
