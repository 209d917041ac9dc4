/// The versions of an object at which a requested change is permitted.
///
/// The caretaker has seen one of these versions, and wants the change only if nobody has changed
/// the object since then.
public struct VersionCondition: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The permitted versions. If the set is empty, no version permits the change.
  public var versions: Set<Int>

  public init(versions: Set<Int>) { self.versions = versions }

  public init(_ version: Int) { versions = [version] }

  public init(integerLiteral version: Int) { versions = [version] }

  /// Returns true if the current version of the object permits the change.
  public func permits(_ current: Int) -> Bool { versions.contains(current) }

  /// Returns the reason why the current version does not permit the change, for example `is at
  /// version 3, not 1: somebody has changed it`.
  func reason(current: Int) -> String {
    guard !versions.isEmpty else {
      return "is at version \(current), and If-Match names no version; a weak tag never matches"
    }
    let wanted = versions.sorted().map(String.init).joined(separator: " or ")
    return "is at version \(current), not \(wanted): somebody has changed it"
  }
}
