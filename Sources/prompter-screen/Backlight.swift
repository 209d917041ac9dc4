import FoundationEssentials
import Glibc
import Synchronization

/// Sets the brightness of the display. The display is dim while the dark screen of the night is
/// visible, and bright while any other screen is visible.
///
/// Linux represents each backlight as a directory with the files `brightness` and `max_brightness`.
/// A display that is connected by HDMI usually has no such directory. In this case, the class does
/// nothing.
final class Backlight: Sendable {
  /// The brightness by day and at night, in percent of the maximum brightness.
  struct Levels: Equatable {
    var day = 100
    var night = 10

    /// Returns the value for the file `brightness`. The value is never 0, because the patient must
    /// see that the display works.
    func value(isNight: Bool, greatest: Int) -> Int {
      max(1, (greatest * (isNight ? night : day) + 50) / 100)
    }
  }

  private let directory: String
  private let levels: Levels
  private let report: @Sendable (_ line: String) -> Void
  /// The last reported fault of each backlight. The class reports the same fault only once.
  private let faults = Mutex([String: String]())

  /// - Parameter directory: a directory that contains one directory for each backlight, such as
  ///   `/sys/class/backlight`.
  init(
    directory: String, levels: Levels, report: @escaping @Sendable (_ line: String) -> Void
  ) {
    (self.directory, self.levels, self.report) = (directory, levels, report)
  }

  /// Makes all backlights bright or dim.
  func show(isNight: Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    for name in names {
      let fault = setting("\(directory)/\(name)", isNight: isNight)
      let isNew = faults.withLock { faults in
        defer { faults[name] = fault }
        return fault != nil && faults[name] != fault
      }
      if isNew, let fault { report("cannot set the brightness of the display: \(fault)") }
    }
  }

  /// Sets the brightness of a backlight. Returns a text about the fault; nil if there is no fault.
  private func setting(_ light: String, isNight: Bool) -> String? {
    do {
      try set(light, isNight: isNight)
      return nil
    } catch {
      return error.words
    }
  }

  private func set(_ light: String, isNight: Bool) throws(Fault) {
    let value = levels.value(isNight: isNight, greatest: try number("\(light)/max_brightness"))
    // Write only if the value is different, because each write sends a command to the display.
    guard try number("\(light)/brightness") != value else { return }
    try write("\(value)\n", to: "\(light)/brightness")
  }

  private func number(_ path: String) throws(Fault) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(path, errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw Fault(path, errno) }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    guard let value = Int(text.split(separator: "\n").first ?? "") else {
      throw Fault(words: "\(path) contains no number")
    }
    return value
  }

  private func write(_ text: String, to path: String) throws(Fault) {
    let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(path, errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, text, text.utf8.count) == text.utf8.count else {
      throw Fault(path, errno)
    }
  }

  private struct Fault: Error {
    var words: String

    init(words: String) { self.words = words }

    init(_ path: String, _ code: Int32) { words = "\(path): \(String(cString: strerror(code)))" }
  }
}
