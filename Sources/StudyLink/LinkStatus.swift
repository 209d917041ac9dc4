import ArchiveProtocol
import JSONValue

/// What the link last saw. `status.json` contains it, for `prompter-link status` and for the daemon.
public struct LinkStatus: Sendable, Hashable {
  /// The state of the link. The words never change, because programs use them.
  public enum State: String, Sendable, CaseIterable {
    /// The archive has all rows up to `head`.
    case collecting
    /// An administrator paused the link.
    case paused
    /// The archive or the daemon cannot be reached. The link tries again.
    case waiting
    /// The archive refuses the rows, or accepts nothing more from this home.
    case refused
  }

  public var state: State
  public var home: String
  public var study: String
  /// The newest row that the archive has.
  public var head: ArchiveHead?
  /// The newest row in a backup of the archive.
  public var safeHead: ArchiveHead?
  /// The number of the newest row of this home.
  public var homeHead: Int64?
  /// The last reply of the archive, in seconds since 1970-01-01 00:00 UTC.
  public var contactSeconds: Int64?
  /// The reason for the state, as a sentence.
  public var detail: String?

  /// The status before the first contact.
  public init(_ enrolment: LinkEnrolment) {
    (state, home, study) = (.waiting, enrolment.home, enrolment.study)
  }

  /// Reads what `json` wrote; nil if a member is missing or has another form.
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

  /// The number of rows that the archive does not have.
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
  /// The status after the last contact of this enrolment.
  ///
  /// Without a readable status of this enrolment, the result is the status before the first contact.
  /// Then the next contact asks the archive for its head.
  func readStatus(of enrolment: LinkEnrolment) -> LinkStatus {
    guard let document = try? read(status), let found = LinkStatus(document),
      found.home == enrolment.home, found.study == enrolment.study
    else { return LinkStatus(enrolment) }
    return found
  }
}
