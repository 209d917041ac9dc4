import Alarms
import CivilTime
import EventCoding
import TestRandom

extension EventSampler {
  mutating func uses() -> [SupplyUse] {
    (0..<int(1...3)).map { SupplyUse(supply: SupplyID("s\($0)"), amount: Int64(int(1...9))) }
  }

  private mutating func settings() -> SupplySettings {
    SupplySettings(
      name: text(), unit: text(), lowAt: bool() ? Int64(int()) : nil,
      contacts: (0..<int(0...3)).map { _ in text() })
  }

  mutating func supplies() -> [Event] {
    let id = SupplyID("k3v9s\(int())")
    return [
      .supply(id, .added(settings(), left: Int64(int()))), .supply(id, .changed(settings())),
      .supply(id, .removed),
      .supply(id, .refilled(amount: Int64(int()), left: Int64(int()))),
      .supply(id, .counted(left: Int64(int()))),
      .supply(
        id, .used(self.id(), amount: Int64(int()), taken: Int64(int()), left: Int64(int()))),
      .supply(id, .returned(self.id(), amount: Int64(int()), left: Int64(int()))),
    ]
  }
}
