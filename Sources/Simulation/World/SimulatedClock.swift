import Alarms
import CivilTime

/// The clocks of the simulated home: the true time and the clocks of the device.
struct SimulatedClock: Hashable {
  /// The start of each simulation, in milliseconds since 1970: 2027-01-15T00:00:00Z. The first
  /// simulated year contains the change to summer time and the change from summer time.
  static let beginning: Int64 = 1_799_971_200_000

  /// The true time since the start of the simulation, in milliseconds.
  private(set) var time: Int64 = 0
  /// The error of the wall clock: its time minus the true time, in milliseconds.
  var errorMilliseconds: Int64 = 0
  var state = ClockState.synced
  private var bootedAt: Int64 = -60_000
  private(set) var boot = 1
  /// The total time for which the device has slept since its start, in milliseconds.
  private var asleepMilliseconds: Int64 = 0

  var wall: Instant { Instant(milliseconds: Self.beginning + time + errorMilliseconds) }

  var reading: ClockReading {
    ClockReading(
      wall: wall, bootNanoseconds: (time - bootedAt) * 1_000_000, bootID: "boot-\(boot)",
      clockState: state, asleepMilliseconds: asleepMilliseconds)
  }

  /// Returns the true time at which the wall clock will show `wall`, if no clock step happens
  /// before that time.
  func time(of wall: Instant) -> Int64 {
    wall.adding(milliseconds: -Self.beginning).adding(milliseconds: -errorMilliseconds).milliseconds
  }

  /// Adds a sleep of the device to the total time of sleep.
  mutating func sleep(milliseconds: Int64) { asleepMilliseconds += milliseconds }

  mutating func advance(to time: Int64) { self.time = max(self.time, time) }

  /// Simulates a new start of the device.
  mutating func reboot() {
    boot += 1
    bootedAt = time - 5_000
    asleepMilliseconds = 0
  }
}
