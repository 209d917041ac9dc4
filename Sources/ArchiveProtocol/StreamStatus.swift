import JSONValue

/// The limits of a batch.
public enum ArchiveLimits {
  /// The maximum number of rows in a batch.
  public static let rows = 1_000
  /// The maximum size of a batch before compression, in bytes.
  public static let bytes = 1 << 20
}

/// The names of the header fields of an append request.
public enum ArchiveField {
  /// The row before the batch, as `SEQ-HASH`.
  public static let after = "Prompter-After"
  /// The number of the newest row of the home.
  public static let homeHead = "Prompter-Home-Head"
}

/// The archive's reply about a stream.
public struct StreamStatus: Sendable, Hashable {
  public enum State: String, Sendable, CaseIterable {
    case collecting
    case withdrawn
    /// The record of the home no longer continues this stream. The home must send its rows to
    /// another stream.
    case fork
  }

  /// The newest row of the stream in the archive; nil if the archive has no row of the stream.
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

  /// Reads a reply of the archive; nil if the document is not such a reply. The function ignores
  /// unknown members.
  public init?(_ json: JSON) {
    guard let state = json["state"]?.string.flatMap(State.init),
      let head = Self.head("head", json), let safeHead = Self.head("safe_head", json)
    else { return nil }
    self.init(head: head, safeHead: safeHead, state: state)
  }

  /// Reads a member as a head. The outer optional is nil if the member is missing or is not a head.
  /// The inner optional is nil if the member is null.
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
  /// A text in plain words that says which data the archive collects.
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

  /// Reads a reply of the archive; nil if the document is not such a reply. The function ignores
  /// unknown members.
  public init?(_ json: JSON) {
    guard let home = json["home"]?.string, let site = json["site"]?.string,
      let study = json["study"]?.string, let stream = json["stream"]?.string,
      let words = json["words"]?.string
    else { return nil }
    self.init(home: home, site: site, study: study, stream: stream, words: words)
  }
}
