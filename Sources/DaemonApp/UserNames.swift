import API
import Glibc

/// Returns the name for the id of an actor, for example for the id `uid:1000`.
///
/// If a delegate sent the request, the result also contains the delegate and the device:
/// `sofia (prompter-web, device 3)`.
///
/// - Returns: nil if the actor is not a user, or if the machine does not know the user.
func userName(_ actor: String) -> String? {
  if let delegated = DelegatedActor(id: actor) {
    let name = accountName(delegated.uid) ?? "uid:\(delegated.uid)"
    let via = accountName(delegated.via) ?? "uid:\(delegated.via)"
    let device = delegated.device.map { ", device \($0)" } ?? ""
    return "\(name) (\(via)\(device))"
  }
  guard actor.hasPrefix("uid:"), let uid = UInt32(actor.dropFirst(4)) else { return nil }
  return accountName(uid)
}

private func accountName(_ uid: UInt32) -> String? {
  var entry = passwd()
  var found: UnsafeMutablePointer<passwd>?
  // The entry of one user in the user database is much shorter than this buffer.
  var buffer = [CChar](repeating: 0, count: 4_096)
  guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
  return String(cString: found.pointee.pw_name)
}
