import Alarms
import CivilTime

/// The clocks of the simulated home: true time, and the clocks that the device shows.
struct SimulatedClock {
  /// 2027-01-15T00:00:00Z. The first year contains both changes to and from summer time.
  static let beginning: Int64 = 1_799_971_200_000

  /// True time since the beginning, in milliseconds.
  private(set) var time: Int64 = 0
  /// The wall clock minus the true time, in milliseconds.
  var errorMilliseconds: Int64 = 0
  var state = ClockState.synced
  private var bootedAt: Int64 = -60_000
  private(set) var boot = 1
  /// How long the device has slept since it was switched on, in milliseconds.
  private var asleepMilliseconds: Int64 = 0

  var wall: Instant { Instant(milliseconds: Self.beginning + time + errorMilliseconds) }

  var reading: ClockReading {
    ClockReading(
      wall: wall, bootNanoseconds: (time - bootedAt) * 1_000_000, bootID: "boot-\(boot)",
      clockState: state, asleepMilliseconds: asleepMilliseconds)
  }

  /// The true time at which the wall clock shows an instant. It uses the present error of the
  /// clock.
  func time(of wall: Instant) -> Int64 {
    wall.adding(milliseconds: -Self.beginning).adding(milliseconds: -errorMilliseconds).milliseconds
  }

  /// Puts the device to sleep. The clock is not read before the device is awake again.
  mutating func sleep(milliseconds: Int64) { asleepMilliseconds += milliseconds }

  mutating func advance(to time: Int64) { self.time = max(self.time, time) }

  /// Starts the next boot: boot time begins again.
  mutating func reboot() {
    boot += 1
    bootedAt = time - 5_000
    asleepMilliseconds = 0
  }
}
