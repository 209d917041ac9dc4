/// The clock readings of an event. The export computes times from these readings.
public struct Stamp: Hashable, Sendable {
  public var wallMilliseconds: Int64
  public var offsetSeconds: Int64
  /// The number of the boot after which the event was recorded. The export gives a number to each
  /// boot of the device.
  public var boot: Int
  public var bootNanoseconds: Int64

  public init(
    wallMilliseconds: Int64, offsetSeconds: Int64, boot: Int, bootNanoseconds: Int64
  ) {
    self.wallMilliseconds = wallMilliseconds
    self.offsetSeconds = offsetSeconds
    self.boot = boot
    self.bootNanoseconds = bootNanoseconds
  }

  /// The time from this event to a later event, in milliseconds of boot time; nil if the device
  /// booted again between the two events.
  public func milliseconds(until later: Stamp) -> Int64? {
    guard boot == later.boot else { return nil }
    return (later.bootNanoseconds - bootNanoseconds) / 1_000_000
  }
}

extension ExportEncoder {
  /// Prints the time of an event. If the stamp is nil, the cells are empty.
  public mutating func instant(_ stamp: Stamp?) {
    guard let stamp else { return null() }
    instant(stamp.wallMilliseconds, offsetSeconds: stamp.offsetSeconds)
  }
}
