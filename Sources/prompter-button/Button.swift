@preconcurrency import CLinux
import Glibc

/// The button, which is an input device with a fixed path. A person can unplug the button and plug
/// it in again at any time.
struct Button {
  /// The size of `struct input_event` (time, type, code, value) on 64-bit machines, in bytes
  /// (linux/input.h).
  private static let eventBytes = 24
  private static let keyType: UInt16 = 1

  /// The path of the input device, `/dev/input/by-id/…` or `/dev/input/by-path/…`.
  let path: String
  /// The code of the key that answers prompts; nil if every key answers prompts.
  let key: UInt16?
  private(set) var descriptor: CInt = -1

  init(path: String, key: UInt16?) {
    self.path = path
    self.key = key
  }

  var isPlugged: Bool { descriptor >= 0 }

  /// Opens the input device for the exclusive use of this program.
  ///
  /// While this program has the exclusive use, no other program receives the presses of the button.
  /// Otherwise, a console could show a character after each press.
  ///
  /// - Returns: true if the button is plugged in.
  mutating func look() -> Bool {
    if isPlugged { return true }
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if isPlugged { _ = prompter_grab_input(descriptor) }
    return isPlugged
  }

  /// Reads the presses and releases of the key since the last call.
  ///
  /// - Returns: for each change, true if the person pressed the key and false if the person
  ///   released the key; nil if a person unplugged the button.
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
        // In a key event, the value 1 is a press, the value 0 is a release, and the value 2 is the
        // automatic repeat of a key that is held down. The program ignores repeats.
        guard type == Self.keyType, value != 2, key == nil || key == code else { continue }
        found.append(value == 1)
      }
    }
  }
}
