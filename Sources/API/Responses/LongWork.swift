/// A long operation on the record, and its progress.
///
/// The member `work` of the status lists the operation. A client that waits for the result can show
/// the progress.
public struct LongWork: Hashable, Sendable {
  /// The kind of the operation. The member `kind` of the status contains the raw value, from which
  /// clients learn the kind.
  public enum Kind: String, Sendable, CaseIterable {
    case verify, export, backup
  }

  public var kind: Kind
  /// The number of events that the operation has processed so far. `total` is the number of events
  /// that the operation has to process.
  public var done: Int64
  public var total: Int64

  public init(_ kind: Kind, done: Int64, total: Int64) {
    self.kind = kind
    self.done = done
    self.total = total
  }
}
