import API
import Platform

/// Returns the name for the id of an actor, for example for the id `uid:1000`.
///
/// If a delegate sent the request, the result also contains the delegate and the device:
/// `sofia (prompter-web, device 3)`.
///
/// - Returns: nil if the actor is not a user, or if the machine does not know the user.
func userName(_ actor: String) -> String? {
  if let delegated = DelegatedActor(id: actor) {
    let name = Account.name(delegated.uid) ?? "uid:\(delegated.uid)"
    let via = Account.name(delegated.via) ?? "uid:\(delegated.via)"
    let device = delegated.device.map { ", device \($0)" } ?? ""
    return "\(name) (\(via)\(device))"
  }
  guard actor.hasPrefix("uid:"), let uid = UInt32(actor.dropFirst(4)) else { return nil }
  return Account.name(uid)
}
