/// The sender of a request about phones, and the phones that this sender may manage.
///
/// | Sender | Sees and revokes | May add a phone |
/// |---|---|---|
/// | an administrator | all phones | for every user |
/// | a user of the device | the phones of this user | for this user |
/// | a phone | the phones of its user | no |
///
/// A phone cannot add a second phone. Otherwise, a thief with a stolen phone or cookie could add a
/// phone, and this new phone would keep its access after somebody revoked the stolen phone. A phone
/// may revoke itself and the other phones of its user, because this only removes access.
public enum PhoneManager: Sendable, Hashable {
  case administrator
  case user(String)
  case phone(number: Int, user: String)

  /// The reason why the program refuses a request.
  public enum Refusal: Error, Sendable, Hashable {
    /// An administrator gave no user name, or the given text cannot be a user name.
    case noUser
    /// A user who is not an administrator asked for a code for a different user.
    case otherUser
    /// A phone asked for a code.
    case phone
  }

  /// Returns true if the sender may see and revoke this phone.
  public func manages(_ device: Device) -> Bool {
    switch self {
    case .administrator: true
    case .user(let name), .phone(_, let name): device.user == name
    }
  }

  /// Returns true if this phone is the sender of the request.
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

  /// Returns the user for whom the program makes a code.
  ///
  /// - Parameter asked: the user name in the request; nil if the request contains no user name. A
  ///   request from a user does not need a user name, because the code is for this user.
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
