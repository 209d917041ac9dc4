/// The user for whom a delegate sent a request.
///
/// In the record, the id of the actor contains the user, the delegate and the device:
/// `uid:1001,via:uid:994,device:3`. The record is append-only, so the daemon could not remove a
/// name from the record later. Therefore the id shows users and devices only as numbers.
public struct DelegatedActor: Sendable, Hashable {
  public var uid: UInt32
  /// The uid of the delegate.
  public var via: UInt32
  /// The number that the delegate gave to the device; nil if the delegate named no device.
  public var device: Int?

  public init(uid: UInt32, via: UInt32, device: Int?) {
    (self.uid, self.via, self.device) = (uid, via, device)
  }

  /// The id of the actor in the record.
  public var id: String {
    "uid:\(uid),via:uid:\(via)" + (device.map { ",device:\($0)" } ?? "")
  }

  /// Reads the id of an actor; returns nil if the id contains no delegate.
  public init?(id: String) {
    let parts = id.split(separator: ",", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let uid = Self.number(parts[0], after: "uid:"),
      let via = Self.number(parts[1], after: "via:uid:")
    else { return nil }
    self.init(uid: uid, via: via, device: nil)
    if parts.count == 3 {
      guard parts[2].hasPrefix("device:"),
        let device = Self.device(String(parts[2].dropFirst("device:".count)))
      else { return nil }
      self.device = device
    }
    // The initializer accepts only one spelling of each number. For example, it refuses `+5`.
    guard self.id == id else { return nil }
  }

  private static func number(_ part: Substring, after start: String) -> UInt32? {
    part.hasPrefix(start) ? UInt32(part.dropFirst(start.count)) : nil
  }

  /// The highest number that a device can have. The number of devices must be small, because each
  /// device gets a share of the storage, in the same way as a user.
  public static let deviceLimit = 99

  /// Reads the number of a device: 1 to 99 without leading zeros. The result is nil for any other
  /// text.
  public static func device(_ text: String) -> Int? {
    guard let number = Int(text), (1...deviceLimit).contains(number), text == String(number) else {
      return nil
    }
    return number
  }
}

extension APIRequest {
  /// The name of the header field that contains the user for whom a delegate sends the request.
  public static let forHeader = "Prompter-For"
  /// The name of the header field that contains the number of the user's device.
  public static let deviceHeader = "Prompter-Device"
}
