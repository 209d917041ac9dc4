/// The sender of a request about phones, and the phones that this sender may manage.
///
/// | Sender | Sees and revokes | May add a phone |
/// |---|---|---|
/// | an administrator | all phones | for every user |
/// | a user of the device | the phones of this user | for this user |
/// | a phone | the phones of its user | no |
///
/// A phone cannot add a phone: with a stolen phone or a stolen cookie, somebody could otherwise make an
/// access that stays after the stolen one was revoked. To revoke a phone only takes access away.
public enum PhoneManager: Sendable, Hashable {
  case administrator
  case user(String)
  case phone(number: Int, user: String)

  /// Why a request is refused.
  public enum Refusal: Error, Sendable, Hashable {
    /// An administrator named no user, or the name cannot be a name of a user.
    case noUser
    /// A user asked for a code for another user.
    case otherUser
    /// A phone asked for a code.
    case phone
  }

  /// True if the sender sees this phone, and may revoke it.
  public func manages(_ device: Device) -> Bool {
    switch self {
    case .administrator: true
    case .user(let name), .phone(_, let name): device.user == name
    }
  }

  /// True if the page of the sender is on this phone.
  public func isThis(_ device: Device) -> Bool {
    guard case .phone(let number, _) = self else { return false }
    return device.number == number
  }

  public var managesAll: Bool { self == .administrator }

  public var mayAdd: Bool {
    switch self {
    case .administrator, .user: true
    case .phone: false
    }
  }

  /// The user for whom a code is made.
  ///
  /// - Parameter asked: the name in the request; nil for the user of the sender.
  public func userToInvite(_ asked: String?) throws(Refusal) -> String {
    switch self {
    case .administrator:
      guard let asked, (1...64).contains(asked.utf8.count),
        asked.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
      else { throw .noUser }
      return asked
    case .user(let own):
      guard asked == nil || asked == own else { throw .otherUser }
      return own
    case .phone: throw .phone
    }
  }
}
