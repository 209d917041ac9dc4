import JSONValue

/// A supply of the home.
struct SupplyReading: Sendable, Hashable {
  var id: String
  var name: String
  /// The unit in the plural, for example `tablets`; empty if the supply has no unit.
  var unit: String
  var left: Int64
  var isLow: Bool
  /// The amount at which the supply is low; nil if the supply is never low.
  var lowAt: Int64?
  /// The number of full days until the amount is too small for a task; nil if no task uses the
  /// supply.
  var lastsDays: Int?
  /// The labels of the alarms that use the supply.
  var alarms: [String]

  init?(_ supply: JSON) {
    guard let id = supply["id"]?.string, let name = supply["name"]?.string else { return nil }
    (self.id, self.name) = (id, name)
    unit = supply["unit"]?.string ?? ""
    left = supply["left"]?.integer ?? 0
    isLow = supply["low"]?.bool ?? false
    lowAt = supply["low_at"]?.integer
    lastsDays = supply["lasts_days"]?.integer.map { Int($0) }
    alarms = (supply["used_by"]?.array ?? []).compactMap { $0["label"]?.string }
  }

  /// The amount that is left, for example "26 tablets".
  var amount: String { unit.isEmpty ? String(left) : "\(left) \(unit)" }
}
