import Alarms
import CivilTime
import JSONValue

/// The state of `prompter-link`, which sends the record of this home to the archive of a study.
/// `prompter-link` writes this state into its file `status.json`.
public struct ArchiveLink: Sendable, Hashable {
  /// The state of the link: `collecting`, `paused`, `waiting`, `refused`, or `unreadable` if the
  /// daemon cannot read the file.
  public var state: String
  public var study: String
  /// The number of this home's newest row in the archive; 0 if the archive has no row of this home.
  public var archivedSequence: Int64
  /// The number of the newest row of this home in a backup of the archive; 0 if no backup contains
  /// a row of this home.
  public var safeSequence: Int64
  /// The instant at which the archive last replied.
  public var contact: Instant?
  /// The reason for the state; nil if the file contains no reason.
  public var detail: String?

  /// The states that the file can contain.
  static let states = ["collecting", "paused", "waiting", "refused"]
  /// The value for a home in which the daemon cannot read the state of `prompter-link`.
  public static let unreadable = ArchiveLink(
    state: "unreadable", study: "", archivedSequence: 0, safeSequence: 0)

  private init(state: String, study: String, archivedSequence: Int64, safeSequence: Int64) {
    (self.state, self.study) = (state, study)
    (self.archivedSequence, self.safeSequence) = (archivedSequence, safeSequence)
  }

  /// Reads the file `status.json`. If the file does not have the expected form, the result is
  /// `unreadable`.
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

  /// The sequence number in a head such as `12-9f86...`; 0 for null, and nil for any other value.
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
