import Alarms
import CivilTime

extension World {
  private static let admin = Actor(role: .admin, id: "uid:0", source: "socket")

  /// Sends the request that records an export.
  ///
  /// - Returns: true if the record contains the export.
  @discardableResult
  func export() -> Bool {
    request(
      .exported(
        profile: "limited", layout: "frictionless", throughSequence: Int64(store.count),
        sha256: String(repeating: "0", count: 64)),
      by: Self.researcher)
  }

  /// Purges the record in the same way as the request handler. The function exports the record,
  /// plans the purge and checks the plan (`planPurge`), and sends one request for each piece of the
  /// purge.
  func purge(keepingDays days: Int64) {
    guard let disk, export() else { return }
    do {
      let before = clock.wall.adding(seconds: -days * 86_400)
      guard let plan = try disk.planPurge(before: before) else { return }
      while let piece = try disk.nextPurge(plan) {
        // If a fault interrupts this purge, the next purge continues it.
        guard request(.purge(piece), by: Self.admin) else { return }
      }
      try disk.reclaimSpace()
    } catch {
      audit.fail("I7", "the record cannot be purged: \(error)")
    }
  }
}
