import Alarms
import CivilTime
import JSONValue

/// The state of the program that sends the record of this home to the archive of a study
/// (`prompter-link`), as this program wrote it into its file `status.json`.
public struct ArchiveLink: Sendable, Hashable {
  /// `collecting`, `paused`, `waiting`, `refused`, or `unreadable` if the daemon cannot read the file.
  public var state: String
  public var study: String
  /// The number of the newest row that the archive has; 0 if it has no row.
  public var archivedSequence: Int64
  /// The number of the newest row in a backup of the archive; 0 if there is none.
  public var safeSequence: Int64
  /// The last reply of the archive.
  public var contact: Instant?
  /// The reason for the state; nil if there is none.
  public var detail: String?

  /// The states that the file can contain.
  static let states = ["collecting", "paused", "waiting", "refused"]
  /// A home with a link whose state is not known.
  public static let unreadable = ArchiveLink(
    state: "unreadable", study: "", archivedSequence: 0, safeSequence: 0)

  private init(state: String, study: String, archivedSequence: Int64, safeSequence: Int64) {
    (self.state, self.study) = (state, study)
    (self.archivedSequence, self.safeSequence) = (archivedSequence, safeSequence)
  }

  /// Reads the file; `unreadable` if it has another form.
  ///
  /// - Parameter file: the bytes of the file.
  public init(statusFile file: [UInt8]) {
    guard let json = try? JSON(parsing: file), let state = json["state"]?.string,
      Self.states.contains(state), let study = json["study"]?.string,
      let archived = Self.sequence(json["head"]), let safe = Self.sequence(json["safe_head"])
    else {
      self = .unreadable
      return
    }
    self.init(state: state, study: study, archivedSequence: archived, safeSequence: safe)
    contact = json["contact_s"]?.integer.map { Instant(milliseconds: $0 &* 1_000) }
    detail = json["detail"]?.string
  }

  /// The number in a head such as `12-9f86...`; 0 for null, nil for another value.
  private static func sequence(_ head: JSON?) -> Int64? {
    switch head {
    case .some(.null): 0
    case .some(.string(let text)): Int64(text.prefix { $0 != "-" })
    default: nil
    }
  }

  /// - Parameter head: the number of the newest row of the record.
  public func json(head: Int64) -> JSON {
    .object([
      ("state", .string(state)), ("study", .string(study)),
      ("archived_seq", .integer(archivedSequence)), ("safe_seq", .integer(safeSequence)),
      ("backlog", .integer(max(0, head - archivedSequence))),
      ("contact_utc", .optional(contact?.description)), ("detail", .optional(detail)),
    ])
  }
}
