/// A request about the phones that may show the pages.
///
/// prompter-web answers these requests, not the daemon.
public enum PhoneRequest: Sendable, Hashable {
  /// The phones that the person of the browser may manage.
  case list
  /// A code for a new phone.
  ///
  /// - Parameter user: the name of the user of the phone; nil for the person of the browser.
  case invite(user: String?)
  /// Takes the access away from the phone with this number.
  case revoke(number: Int)
}
