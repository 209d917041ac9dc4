import Alarms
import CLinux
import CivilTime
import FileSystem
import Glibc

/// Reads the clocks of the kernel. Only this type reads these clocks.
public struct SystemClock: Sendable {
  private let bootID: String

  /// - Parameter bootID: the boot id; nil if the initializer must read the boot id from the kernel.
  public init(bootID: String? = nil) {
    self.bootID = bootID ?? Self.kernelBootID()
  }

  /// Reads all clocks.
  public func now() -> ClockReading {
    var wall = timespec()
    var boot = timespec()
    var awake = timespec()
    // The call of `clock_gettime` cannot fail. The three clocks exist since Linux 2.6.39, and the
    // pointers are valid.
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_BOOTTIME, &boot)
    clock_gettime(CLOCK_MONOTONIC, &awake)
    let (state, error) = synchronisation()
    let asleepSeconds = Int64(boot.tv_sec) - Int64(awake.tv_sec)
    let asleep = asleepSeconds * 1_000 + (Int64(boot.tv_nsec) - Int64(awake.tv_nsec)) / 1_000_000
    return ClockReading(
      wall: Instant(milliseconds: Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000),
      bootNanoseconds: Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec), bootID: bootID,
      clockState: state, clockErrorMilliseconds: error,
      asleepMilliseconds: asleep)
  }

  /// Returns the clock state, and the maximum error of the clock in milliseconds.
  private func synchronisation() -> (ClockState, Int?) {
    var status = timex()
    let answer = adjtimex(&status)
    guard answer >= 0 else { return (.unsynced, nil) }
    let isSynchronised = answer != TIME_ERROR && status.status & STA_UNSYNC == 0
    return (
      isSynchronised ? .synced : .unsynced, isSynchronised ? Int(status.maxerror / 1_000) : nil
    )
  }

  private static func kernelBootID() -> String {
    let text = (try? readFile(atPath: "/proc/sys/kernel/random/boot_id", limit: 64)).map {
      String(decoding: $0, as: UTF8.self)
    }
    if let text { return String(text.prefix { !$0.isWhitespace }) }
    // The setting `ProcSubset=pid` of the systemd unit hides the file that contains the boot id.
    // Therefore, the unit passes the boot id in an environment variable. In this variable, the boot
    // id has no hyphens.
    return getenv("PROMPTER_BOOT_ID").flatMap { uuid(String(cString: $0)) } ?? "unknown"
  }
}

/// Converts 32 hexadecimal digits to the format of the kernel: groups of 8, 4, 4, 4 and 12 digits.
///
/// - Returns: nil if the text does not consist of 32 hexadecimal digits.
func uuid(_ digits: String) -> String? {
  let letters = Array(digits.lowercased())
  guard letters.count == 32, letters.allSatisfy(\.isHexDigit) else { return nil }
  var groups: [String] = []
  var start = 0
  for length in [8, 4, 4, 4, 12] {
    groups.append(String(letters[start..<start + length]))
    start += length
  }
  return groups.joined(separator: "-")
}
