import JSONValue

/// The limits of a batch.
public enum ArchiveLimits {
  /// The most rows of a batch.
  public static let rows = 1_000
  /// The most bytes of a batch, without compression.
  public static let bytes = 1 << 20
}

/// The names of the header fields of an append.
public enum ArchiveField {
  /// The row that the batch follows, as `SEQ-HASH`.
  public static let after = "Prompter-After"
  /// The number of the newest row of the home.
  public static let homeHead = "Prompter-Home-Head"
}

/// The archive's reply about a stream.
public struct StreamStatus: Sendable, Hashable {
  public enum State: String, Sendable, CaseIterable {
    case collecting
    case withdrawn
    /// The home's record no longer continues this stream. The home goes on with another stream.
    case fork
  }

  /// The newest row that the archive has; nil if it has no row.
  public var head: ArchiveHead?
  /// The newest row in a backup of the archive; nil if there is no backup.
  public var safeHead: ArchiveHead?
  public var state: State

  public init(head: ArchiveHead?, safeHead: ArchiveHead?, state: State) {
    (self.head, self.safeHead, self.state) = (head, safeHead, state)
  }

  public var json: JSON {
    JSON.object([
      ("head", .optional(head?.description)), ("safe_head", .optional(safeHead?.description)),
      ("state", .string(state.rawValue)),
    ])
  }

  /// Reads a reply; nil if it is not the reply of an archive. Further members are ignored.
  public init?(_ json: JSON) {
    guard let state = json["state"]?.string.flatMap(State.init),
      let head = Self.head("head", json), let safeHead = Self.head("safe_head", json)
    else { return nil }
    self.init(head: head, safeHead: safeHead, state: state)
  }

  /// The member as a head; nil inside if the member is null, nil if it is missing or not a head.
  private static func head(_ name: String, _ json: JSON) -> ArchiveHead?? {
    switch json[name] {
    case .some(.null): .some(nil)
    case .some(.string(let text)): ArchiveHead(parsing: text).map { .some($0) }
    default: nil
    }
  }
}

/// The archive's reply to an enrolment.
public struct EnrolmentReply: Sendable, Hashable {
  public var home: String
  public var site: String
  public var study: String
  public var stream: String
  /// Plain words that say which data the archive collects.
  public var words: String

  public init(home: String, site: String, study: String, stream: String, words: String) {
    (self.home, self.site, self.study) = (home, site, study)
    (self.stream, self.words) = (stream, words)
  }

  public var json: JSON {
    JSON.object([
      ("home", .string(home)), ("site", .string(site)), ("study", .string(study)),
      ("stream", .string(stream)), ("words", .string(words)),
    ])
  }

  /// Reads a reply; nil if it is not the reply of an archive. Further members are ignored.
  public init?(_ json: JSON) {
    guard let home = json["home"]?.string, let site = json["site"]?.string,
      let study = json["study"]?.string, let stream = json["stream"]?.string,
      let words = json["words"]?.string
    else { return nil }
    self.init(home: home, site: site, study: study, stream: stream, words: words)
  }
}
