import Glibc

/// The users of this machine.
public enum Account {
  /// Returns the name of a user; nil if the machine does not know the uid.
  public static func name(_ uid: UInt32) -> String? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    // The entry of one user in the user database is much shorter than this buffer.
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    return String(cString: found.pointee.pw_name)
  }
}
