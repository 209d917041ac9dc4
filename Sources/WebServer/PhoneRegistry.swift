import CivilTime
import Dispatch
import FileSystem
import Glibc
import JSONValue
import MessageDigest
import Pairing
import ScreenServer
import Synchronization

/// The devices that have access, and the open invitation. All connections share this object.
package final class PhoneRegistry: Sendable {
  /// The error if the program cannot use the file of the devices.
  package struct FileTrouble: Error, Sendable, Hashable, CustomStringConvertible {
    package var description: String
  }

  private struct State {
    var devices = DeviceList()
    var invitations = Invitations()
    /// The index of the device for whose user the program follows the events of the daemon.
    var follower = 0
  }

  /// The code and the secret that a person types or scans on the new device.
  struct Invitation: Sendable {
    var code: String
    var secret: String
  }

  private let state: Mutex<State>
  private let path: String
  private let report: @Sendable (_ line: String) -> Void
  /// A semaphore that the registry signals for each new device.
  private let added = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - directory: the directory of the file with the devices.
  ///   - report: a function that writes a line to the journal.
  package init(
    directory: String, report: @escaping @Sendable (_ line: String) -> Void
  ) throws(FileTrouble) {
    path = directory + "/devices.json"
    self.report = report
    var read = State()
    if let bytes = try Self.read(path) {
      do {
        read.devices = try DeviceList(JSON(parsing: bytes))
      } catch {
        throw FileTrouble(
          description:
            "cannot read the list of devices \"\(path)\": \(error); restore the file, or "
            + "remove it and add all devices again")
      }
    }
    state = Mutex(read)
  }

  /// The maximum size of the file, in bytes. The file of 30 devices has about 6 kB.
  private static let fileLimit = 1 << 20

  /// Reads the file; nil if the file does not exist.
  private static func read(_ path: String) throws(FileTrouble) -> [UInt8]? {
    do throws(FileReadError) {
      return try readFile(atPath: path, limit: fileLimit)
    } catch {
      if case .system(let error) = error, error.code == ENOENT { return nil }
      throw FileTrouble(description: "cannot read the list of devices \"\(path)\": \(error)")
    }
  }

  // MARK: Devices

  package var devices: [Device] { state.withLock { $0.devices.devices } }

  /// Returns the device with this cookie.
  func device(cookie: String) -> Device? {
    let digest = Self.digest(cookie)
    return state.withLock { $0.devices.device(digest: digest) }
  }

  static func digest(_ cookie: String) -> String { SHA256Digest.hex(Array(cookie.utf8)) }

  /// Adds a device if the code of an invitation is right.
  ///
  /// - Returns: the cookie for the device.
  /// - Throws: the reason of the refusal, for the person who uses the device.
  func add(code: String, kind: String) throws(PairPage.Trouble) -> String {
    let cookie = OneBrowser.secret(bytes: 32)
    let (digest, day) = (Self.digest(cookie), Self.day)
    let result = state.withLock { state -> Result<Device, PairPage.Trouble> in
      do throws(Invitations.Refusal) {
        let user = try state.invitations.accept(code, at: Self.bootSeconds)
        var devices = state.devices
        guard let device = devices.add(user: user, kind: kind, digest: digest, on: day) else {
          return .failure(.tooManyDevices)
        }
        guard save(devices) else { return .failure(.notSaved) }
        state.devices = devices
        return .success(device)
      } catch {
        return .failure(.refused(error))
      }
    }
    switch result {
    case .success(let device):
      report("added device \(device.number) (\(device.kind)) for \(device.user)")
      added.signal()
      return cookie
    case .failure(let trouble):
      report("refused a code: \(trouble)")
      throw trouble
    }
  }

  /// Removes a device.
  ///
  /// - Parameter isPermitted: a function that returns true if the sender of the request may remove
  ///   this device.
  /// - Returns: the removed device; nil if no device has this number, or if the sender may not
  ///   remove it.
  func remove(
    number: Int, if isPermitted: (Device) -> Bool
  ) throws(FileTrouble) -> Device? {
    let result = state.withLock { state -> (device: Device?, isSaved: Bool) in
      var devices = state.devices
      guard let device = devices.remove(number: number), isPermitted(device) else {
        return (nil, true)
      }
      // Remove the access of the device even if the file cannot be written.
      state.devices = devices
      return (device, save(devices))
    }
    guard result.isSaved else {
      throw FileTrouble(
        description: "the device has no access now, but the list of devices could not be written: "
          + "after a restart the device has access again; make room on the disk, and repeat the "
          + "command")
    }
    if let device = result.device { report("removed device \(device.number) of \(device.user)") }
    return result.device
  }

  /// Returns true if a device sends its first request of the day.
  func isFirstUse(of device: Device) -> Bool { device.usedOn != Self.day }

  /// Records the day on which a device sent a request. For each device, the function writes the
  /// file at most once a day.
  func used(number: Int) {
    let day = Self.day
    state.withLock { state in
      if state.devices.used(number: number, on: day) { _ = save(state.devices) }
    }
  }

  /// Returns a device whose user can follow the events of the daemon. Each call returns the next
  /// device, so that a user without rights does not stop the events for the other users. If there
  /// is no device, the function waits for the first device.
  func nextFollower() -> Device {
    while true {
      let found = state.withLock { state -> Device? in
        let devices = state.devices.devices
        guard !devices.isEmpty else { return nil }
        state.follower = (state.follower + 1) % devices.count
        return devices[state.follower]
      }
      if let found { return found }
      added.wait()
    }
  }

  // MARK: Invitations

  /// Opens an invitation.
  func invite(_ user: String) throws(Invitations.Refusal) -> Invitation {
    var generator = SystemRandomNumberGenerator()
    let digits = String(UInt32.random(in: 0..<100_000_000, using: &generator))
    let invitation = Invitation(
      code: String(repeating: "0", count: 8 - digits.count) + digits,
      secret: OneBrowser.secret(bytes: 16))
    let refusal = state.withLock { state -> Invitations.Refusal? in
      do throws(Invitations.Refusal) {
        try state.invitations.invite(
          user, code: invitation.code, secret: invitation.secret, at: Self.bootSeconds)
        return nil
      } catch {
        return error
      }
    }
    if let refusal { throw refusal }
    return invitation
  }

  // MARK: The clock and the file

  private static var bootSeconds: Int64 { monotonicMilliseconds() / 1_000 }

  private static var day: String {
    "\(Zone.utc.civil(at: Instant(milliseconds: wallMilliseconds())).dateTime.date)"
  }

  /// Writes the file. If the write fails, reports the error and returns false.
  private func save(_ devices: DeviceList) -> Bool {
    do {
      try DurableFile.write(
        Array("\(devices.json)\n".utf8), to: path, temporary: path + ".new")
      return true
    } catch {
      report("cannot write \"\(path)\": \(error)")
      return false
    }
  }
}
