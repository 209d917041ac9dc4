/// A long operation on the record, and its progress.
///
/// The status lists the operation in `work`. A client that waits for the result can show the
/// progress.
public struct LongWork: Hashable, Sendable {
  /// The kind of the operation. The raw value is the member `kind` in the status. Clients evaluate
  /// this member.
  public enum Kind: String, Sendable, CaseIterable {
    case verify, export, backup
  }

  public var kind: Kind
  /// The number of processed events; `total` is the number of all events.
  public var done: Int64
  public var total: Int64

  public init(_ kind: Kind, done: Int64, total: Int64) {
    self.kind = kind
    self.done = done
    self.total = total
  }
}
