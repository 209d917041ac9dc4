@preconcurrency import CLinux
import Glibc

/// The button as the kernel shows it: an input device by a name that stays the same, which may be unplugged and
/// come back at any time.
struct Button {
  /// What `struct input_event` is on 64-bit machines (linux/input.h): a time, a type, a code and a value.
  private static let eventBytes = 24
  private static let keyType: UInt16 = 1

  /// `/dev/input/by-id/…` or `/dev/input/by-path/…`.
  let path: String
  /// The one key that counts; nil for any.
  let key: UInt16?
  private(set) var descriptor: CInt = -1

  init(path: String, key: UInt16?) {
    self.path = path
    self.key = key
  }

  var isPlugged: Bool { descriptor >= 0 }

  /// Looks for it, and takes it for itself: its keys are not to be typed into a console.
  ///
  /// - Returns: whether it is there now.
  mutating func look() -> Bool {
    if isPlugged { return true }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if isPlugged { _ = prompter_grab_input(descriptor) }
    return isPlugged
  }

  /// The edges that wait: true for down.
  ///
  /// - Returns: nil where it was unplugged.
  mutating func edges() -> [Bool]? {
    var found: [Bool] = []
    var buffer = [UInt8](repeating: 0, count: Self.eventBytes * 64)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN { return found }
      guard count > 0 else {
        close(descriptor)
        descriptor = -1
        return nil
      }
      for start in stride(from: 0, through: count - Self.eventBytes, by: Self.eventBytes) {
        let (type, code, value) = buffer.withUnsafeBytes { bytes in
          (
            bytes.loadUnaligned(fromByteOffset: start + 16, as: UInt16.self),
            bytes.loadUnaligned(fromByteOffset: start + 18, as: UInt16.self),
            bytes.loadUnaligned(fromByteOffset: start + 20, as: Int32.self)
          )
        }
        // 2 is the repeating of a key that is held.
        guard type == Self.keyType, value != 2, key == nil || key == code else { continue }
        found.append(value == 1)
      }
    }
  }
}
