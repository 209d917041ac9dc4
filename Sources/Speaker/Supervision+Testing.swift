import SoundProtocol

/// A self-test of all sound devices, one after another.
struct SelfTest {
  var remaining: [String]
  var found: [DeviceCheck] = []
}

/// The result of a silent test of a sound device.
public struct DeviceCheck: Sendable, Hashable {
  /// The ALSA PCM name of the sound device.
  public var device: String
  /// The reason why the sound device cannot be used; nil if the device opened and accepted its
  /// parameters.
  public var trouble: String?
  /// The level of the sound card to which this sound device belongs. The value is nil if the card
  /// has no mixer, or if the player leaves the mixers unchanged.
  public var level: CardLevel?

  /// Creates the result of one test.
  public init(device: String, trouble: String?, level: CardLevel? = nil) {
    self.device = device
    self.trouble = trouble
    self.level = level
  }
}

/// Tests the sound devices one after another. If the daemon requests a ring during a self-test, the
/// ring plays before the test of the next sound device.
extension Supervision {
  mutating func handle(_ check: DeviceCheck, now: Int64) {
    guard case .selfTest(let test) = current, test.remaining.first == check.device else {
      actions.append(
        .log("the player tested another device: \(check.device)"))
      return
    }
    goOn(test, with: check, now: now)
  }

  /// Stores the result of the sound device that was just tested, and continues with the next
  /// device. If a ring waits, the speaker plays the ring before it tests the next sound device.
  mutating func goOn(_ test: SelfTest, with check: DeviceCheck, now: Int64) {
    var test = test
    test.remaining.removeFirst()
    test.found.append(check)
    if waiting.contains(where: { !$0.isSelfTest }), !test.remaining.isEmpty {
      finishJob()
      waiting.removeAll(where: \.isSelfTest)
      waiting.append(.selfTest(test))
    } else {
      current = .selfTest(test)
      sendCurrent(now: now)
    }
  }

  mutating func conclude(_ test: SelfTest) {
    let working = test.found.filter { $0.trouble == nil }.map(\.device)
    // Put the working sound devices first and the failed devices last. Within each of these two
    // groups, keep the configured order.
    let order = working + configuredDevices.filter { !working.contains($0) }
    devices = order.compactMap { name in devices.first { $0.name == name } }
    finishJob()
    emit(.tested(test.found))
    if let first = working.first {
      judge(.usable(first), because: "")
    } else {
      let troubles = test.found.map { "\($0.device): \($0.trouble ?? "")" }
      judge(.unusable, because: troubles.joined(separator: "; "))
    }
  }
}
