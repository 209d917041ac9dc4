/// A request about the phones that may show the pages.
///
/// These requests go to prompter-web and not to the daemon.
public enum PhoneRequest: Sendable, Hashable {
  /// Lists the phones that the person who uses the browser may manage.
  case list
  /// Creates a code for a new phone.
  ///
  /// - Parameter user: the name of the user of the phone; nil if the phone is for the person who
  ///   uses the browser.
  case invite(user: String?)
  /// Removes the access of the phone with this number.
  case revoke(number: Int)
}
