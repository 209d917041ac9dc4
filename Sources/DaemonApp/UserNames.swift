import Glibc

/// Returns the user name for the id of an actor, for example for the id `uid:1000`.
///
/// - Returns: nil if the actor is not a user, or if the machine does not know the user.
func userName(_ actor: String) -> String? {
  guard actor.hasPrefix("uid:"), let uid = UInt32(actor.dropFirst(4)) else { return nil }
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  // The entry of one user in the user database is much shorter than this buffer.
  var buffer = [CChar](repeating: 0, count: 4_096)
  guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
  return String(cString: found.pointee.pw_name)
}
