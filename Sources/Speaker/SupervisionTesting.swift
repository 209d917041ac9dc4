import SoundProtocol

/// A self-test on its way through the list of devices.
struct SelfTest {
  var remaining: [String]
  var found: [DeviceCheck] = []
}

/// What a silent try of a device showed.
public struct DeviceCheck: Sendable, Hashable {
  /// The ALSA PCM name.
  public var device: String
  /// Why it cannot be used; nil where it opened and took its parameters.
  public var trouble: String?
  /// How loud its card is; nil where it has no mixer, or mixers are left alone.
  public var level: CardLevel?

  /// The outcome of one try.
  public init(device: String, trouble: String?, level: CardLevel? = nil) {
    self.device = device
    self.trouble = trouble
    self.level = level
  }
}

/// Every device is tried in turn, and between two a ring that has come meanwhile goes first.
extension Supervision {
  mutating func handle(_ check: DeviceCheck, now: Int64) {
    guard case .selfTest(let test) = current, test.remaining.first == check.device else {
      actions.append(
        .log("the player tested a device that nobody asked about: \(check.device)"))
      return
    }
    goOn(test, with: check, now: now)
  }

  /// Notes what the first of the remaining devices showed, and tries the next.
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
    // In their own order, and what is out of order now comes last.
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
