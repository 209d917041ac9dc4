import ArchiveProtocol
import JSONValue

/// The state of the link after its last contact. The link writes it to `status.json`.
/// `prompter-link status` and the daemon read this file.
public struct LinkStatus: Sendable, Hashable {
  /// The state of the link. The raw values never change, because programs read them.
  public enum State: String, Sendable, CaseIterable {
    /// The last contact succeeded: the archive has all rows up to `head`.
    case collecting
    /// An administrator paused the link.
    case paused
    /// The last contact failed, for example because the archive or the daemon did not answer. The
    /// link tries again.
    case waiting
    /// The archive refuses the rows, or no longer accepts rows from this home.
    case refused
  }

  public var state: State
  public var home: String
  public var study: String
  /// The newest row that the archive has.
  public var head: ArchiveHead?
  /// The newest row of this home that a backup of the archive contains.
  public var safeHead: ArchiveHead?
  /// The number of the newest row of this home.
  public var homeHead: Int64?
  /// The time of the archive's last reply, in seconds since 1970-01-01 00:00 UTC.
  public var contactSeconds: Int64?
  /// The reason for the state, as a sentence.
  public var detail: String?

  /// Creates the status of a home that has not contacted the archive yet.
  public init(_ enrolment: LinkEnrolment) {
    (state, home, study) = (.waiting, enrolment.home, enrolment.study)
  }

  /// Reads the JSON that the property `json` returns. The result is nil if `state`, `home` or
  /// `study` is missing or wrong. If another member is missing or wrong, its property is nil.
  init?(_ json: JSON) {
    guard let state = json["state"]?.string.flatMap(State.init),
      let home = json["home"]?.string, let study = json["study"]?.string
    else { return nil }
    (self.state, self.home, self.study) = (state, home, study)
    head = json["head"]?.string.flatMap(ArchiveHead.init(parsing:))
    safeHead = json["safe_head"]?.string.flatMap(ArchiveHead.init(parsing:))
    (homeHead, contactSeconds) = (json["home_seq"]?.integer, json["contact_s"]?.integer)
    detail = json["detail"]?.string
  }

  /// The number of rows that the archive does not have; nil if the number of the home's newest row
  /// is unknown.
  public var backlog: Int64? {
    homeHead.map { max(0, $0 - (head?.sequence ?? 0)) }
  }

  public var json: JSON {
    JSON.object([
      ("state", .string(state.rawValue)), ("home", .string(home)), ("study", .string(study)),
      ("head", .optional(head?.description)), ("safe_head", .optional(safeHead?.description)),
      ("home_seq", homeHead.map { .integer($0) } ?? .null),
      ("backlog", backlog.map { .integer($0) } ?? .null),
      ("contact_s", contactSeconds.map { .integer($0) } ?? .null),
      ("detail", .optional(detail)),
    ])
  }
}

extension LinkFiles {
  /// Reads the status that the last contact of this enrolment wrote.
  ///
  /// If the file does not contain a readable status of this enrolment, the result is a status
  /// without heads. In this case, the next contact first asks the archive for its head.
  func readStatus(of enrolment: LinkEnrolment) -> LinkStatus {
    guard let document = try? read(status), let found = LinkStatus(document),
      found.home == enrolment.home, found.study == enrolment.study
    else { return LinkStatus(enrolment) }
    return found
  }
}
