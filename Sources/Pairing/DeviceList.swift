import API
import JSONValue

/// A phone or another device that may show the caretaker's pages.
public struct Device: Sendable, Hashable {
  /// The number of the device, from 1 to 99. The record of the home contains this number.
  public var number: Int
  /// The name of the user for whom the device sends requests.
  public var user: String
  /// The kind of the device, for a person who reads the list: "iPhone", "Android".
  public var kind: String
  /// The SHA-256 of the session cookie, in hexadecimal. Only the device stores the cookie itself.
  public var digest: String
  /// The UTC day on which a person added the device: `2026-11-26`.
  public var addedOn: String
  /// The UTC day of the device's newest request.
  public var usedOn: String

  public init(
    number: Int, user: String, kind: String, digest: String, addedOn: String, usedOn: String
  ) {
    (self.number, self.user, self.kind) = (number, user, kind)
    (self.digest, self.addedOn, self.usedOn) = (digest, addedOn, usedOn)
  }
}

/// The devices that have access to the caretaker's pages. The type also converts the list to the
/// content of its file, and back.
///
/// The file is a JSON object. It contains no secret that gives access: a cookie has 256 random
/// bits, and nobody can compute the cookie from its SHA-256.
public struct DeviceList: Sendable, Hashable {
  public private(set) var devices: [Device] = []
  /// The number that the list gave to the newest device. A new device gets the next number, and
  /// after the largest number the count starts again at 1. Therefore two different devices rarely
  /// have the same number in the record.
  private var lastNumber = 0

  /// The maximum number of devices that can have access at the same time.
  public static let limit = 30

  public init() {}

  /// Adds a device.
  ///
  /// - Parameter day: the present UTC day.
  /// - Returns: the new device; nil if the list is full.
  public mutating func add(user: String, kind: String, digest: String, on day: String) -> Device? {
    guard devices.count < Self.limit else { return nil }
    let used = Set(devices.map(\.number))
    var number = lastNumber
    repeat { number = number % DelegatedActor.deviceLimit + 1 } while used.contains(number)
    lastNumber = number
    let device = Device(
      number: number, user: user, kind: kind, digest: digest, addedOn: day, usedOn: day)
    devices.append(device)
    return device
  }

  /// Returns the device whose cookie has this digest.
  public func device(digest: String) -> Device? { devices.first { $0.digest == digest } }

  /// Removes the device with this number, and returns it; nil if there is no such device.
  public mutating func remove(number: Int) -> Device? {
    guard let index = devices.firstIndex(where: { $0.number == number }) else { return nil }
    return devices.remove(at: index)
  }

  /// Records the day on which a device sent a request. Returns true if the recorded day changed.
  public mutating func used(number: Int, on day: String) -> Bool {
    guard let index = devices.firstIndex(where: { $0.number == number }),
      devices[index].usedOn != day
    else { return false }
    devices[index].usedOn = day
    return true
  }

  // MARK: The file

  /// The content of the file as JSON.
  public var json: JSON {
    .object([
      ("last_number", .integer(Int64(lastNumber))),
      (
        "devices",
        .array(
          devices.map { device in
            .object(
              Self.publicMembers(device) + [("cookie_sha256", .string(device.digest))])
          })
      ),
    ])
  }

  /// Returns the JSON members of a device without the digest of its cookie, for a list that a
  /// person sees.
  public static func publicMembers(_ device: Device) -> [(String, JSON)] {
    [
      ("device", .integer(Int64(device.number))), ("user", .string(device.user)),
      ("kind", .string(device.kind)), ("added", .string(device.addedOn)),
      ("used", .string(device.usedOn)),
    ]
  }

  /// Reads the content of the file.
  ///
  /// - Throws: `DeviceFileError` if a member is missing or wrong. In this case, the initializer
  ///   returns no device at all, because an incorrect file could contain a device that somebody has
  ///   removed.
  public init(_ document: JSON) throws(DeviceFileError) {
    guard let last = document["last_number"]?.integer,
      (0...Int64(DelegatedActor.deviceLimit)).contains(last)
    else { throw DeviceFileError(member: "last_number") }
    guard let rows = document["devices"]?.array, rows.count <= Self.limit else {
      throw DeviceFileError(member: "devices")
    }
    lastNumber = Int(last)
    for row in rows {
      func text(_ name: String) throws(DeviceFileError) -> String {
        guard let text = row[name]?.string else { throw DeviceFileError(member: name) }
        return text
      }
      guard let number = row["device"]?.integer,
        let checked = DelegatedActor.device(String(number)),
        !devices.contains(where: { $0.number == checked })
      else { throw DeviceFileError(member: "device") }
      let digest = try text("cookie_sha256")
      guard digest.utf8.count == 64 else { throw DeviceFileError(member: "cookie_sha256") }
      devices.append(
        Device(
          number: checked, user: try text("user"), kind: try text("kind"), digest: digest,
          addedOn: try text("added"), usedOn: try text("used")))
    }
  }
}

/// The error if the file with the devices cannot be read.
public struct DeviceFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The member of the JSON document that is missing or wrong.
  public var member: String

  public var description: String { "\"\(member)\" is missing or wrong" }
}
