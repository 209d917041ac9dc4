import Pages

/// The invitation with which a caretaker adds a phone. Limits on wrong codes prevent that somebody
/// guesses the code of an invitation.
///
/// At most one invitation is open. A new invitation ends the open invitation, so that a guess can
/// match only one code.
///
/// ```
///  none ──invite──▶ open ──right code──▶ none
///   ▲                │
///   └── 5 wrong codes, or 10 minutes
/// ```
/// The limits follow NIST SP 800-63B, section 5.1.3.2: a secret with fewer than 64 bits must be
/// valid for at most 10 minutes, must work only once, and must have a rate limit.
public struct Invitations: Sendable {
  /// An open invitation.
  struct Invitation: Sendable, Hashable {
    /// The name of the user for whom the phone will send requests.
    var user: String
    /// The code of 8 digits that a person types.
    var code: String
    /// The secret in the QR code: 128 random bits as hexadecimal text.
    var secret: String
    /// The boot time at which the invitation ends, in seconds.
    var endsAt: Int64
    var wrongTries = 0
  }

  /// The reason why the program does not accept a code.
  public enum Refusal: Error, Sendable, Hashable {
    /// No invitation is open. Either nobody made an invitation, or the invitation was used,
    /// replaced or expired.
    case noInvitation
    case wrongCode(triesLeft: Int)
    /// A person or a program sent too many wrong codes. The program accepts no code for the next
    /// `minutes` minutes.
    case locked(minutes: Int)
  }

  /// The period in which an invitation is open, in seconds.
  public static let openSeconds: Int64 = 600
  /// The number of wrong codes after which an invitation ends.
  public static let tries = 5
  /// The number of wrong codes in one hour after which the program accepts no code for one hour.
  public static let failuresPerHour = 10
  private static let lockSeconds: Int64 = 3_600

  private var open: Invitation?
  /// The boot times at which the program received a wrong code in the last hour, in seconds.
  private var failures: [Int64] = []
  private var lockedUntil: Int64?

  public init() {}

  /// Opens a new invitation, and ends the invitation that was open.
  ///
  /// - Parameters:
  ///   - code: 8 random digits.
  ///   - secret: 128 random bits as hexadecimal text.
  ///   - now: the boot time in seconds.
  public mutating func invite(
    _ user: String, code: String, secret: String, at now: Int64
  ) throws(Refusal) {
    try checkLock(now)
    open = Invitation(user: user, code: code, secret: secret, endsAt: now + Self.openSeconds)
  }

  /// Accepts the code or the secret of the open invitation. Each invitation is accepted only once.
  ///
  /// - Parameter given: the code that a person typed, with or without spaces and hyphens, or the
  ///   secret from the QR code.
  /// - Returns: the name of the user for whom the phone will send requests.
  public mutating func accept(_ given: String, at now: Int64) throws(Refusal) -> String {
    try checkLock(now)
    guard var invitation = open, now < invitation.endsAt else {
      open = nil
      throw .noInvitation
    }
    let typed = String(given.filter { !$0.isWhitespace && $0 != "-" })
    // The function always makes both comparisons. Therefore an attacker cannot learn from the
    // running time whether the text was compared with the code only, or also with the secret.
    let isCode = PageAccess.isEqual(typed, invitation.code)
    let isSecret = PageAccess.isEqual(typed, invitation.secret)
    if isCode || isSecret {
      open = nil
      return invitation.user
    }
    failures = failures.filter { now - $0 < Self.lockSeconds } + [now]
    invitation.wrongTries += 1
    let left = Self.tries - invitation.wrongTries
    open = left > 0 ? invitation : nil
    if failures.count >= Self.failuresPerHour {
      open = nil
      lockedUntil = now + Self.lockSeconds
      throw .locked(minutes: Int(Self.lockSeconds / 60))
    }
    throw .wrongCode(triesLeft: left)
  }

  private mutating func checkLock(_ now: Int64) throws(Refusal) {
    guard let end = lockedUntil else { return }
    guard now < end else {
      lockedUntil = nil
      failures = []
      return
    }
    throw .locked(minutes: Int((end - now + 59) / 60))
  }
}
