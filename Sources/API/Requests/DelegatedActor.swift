/// A user for whom a delegate sent a request.
///
/// The record contains the user, the delegate and the device in the id of the actor:
/// `uid:1001,via:uid:994,device:3`. The id contains no name, because the record can never be
/// changed.
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

  /// Reads the id of an actor; nil if no delegate sent the request.
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
    // Another spelling of a number, such as `+5`, is not an id.
    guard self.id == id else { return nil }
  }

  private static func number(_ part: Substring, after start: String) -> UInt32? {
    part.hasPrefix(start) ? UInt32(part.dropFirst(start.count)) : nil
  }

  /// The highest number of a device. Each device has a share of the storage like a user, so the
  /// number of devices must be small.
  public static let deviceLimit = 99

  /// Reads the number of a device: 1 to 99 without leading zeros; nil for another text.
  public static func device(_ text: String) -> Int? {
    guard let number = Int(text), (1...deviceLimit).contains(number), text == String(number) else {
      return nil
    }
    return number
  }
}

extension APIRequest {
  /// The header field in which a delegate names the user for whom it sends the request.
  public static let forHeader = "Prompter-For"
  /// The header field in which a delegate gives the number of the user's device.
  public static let deviceHeader = "Prompter-Device"
}
