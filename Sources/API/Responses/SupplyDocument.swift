import Alarms
import CivilTime
import JSONValue

extension JSON {
  /// The supplies that an alarm uses.
  ///
  /// - Parameter supplies: the supplies of the home. If a supply was removed, its name is empty.
  static func uses(_ uses: [SupplyUse], _ supplies: [SupplyID: Supply]) -> JSON {
    .array(
      uses.map {
        .object([
          ("supply", .string(supplies[$0.supply]?.name ?? "")),
          ("supply_id", .string($0.supply.text)), ("amount", .integer($0.amount)),
        ])
      })
  }

  /// The amount of each supply that is left after an answer.
  public static func left(_ supplies: [Supply]) -> JSON {
    .array(
      supplies.map {
        .object([
          ("supply", .string($0.name)), ("unit", .string($0.settings.unit)),
          ("left", .integer($0.left)),
        ])
      })
  }

  /// A supply with its alarms and its forecast.
  ///
  /// - Parameter home: the home with the alarms. `supply` can have a newer amount than the same
  ///   supply in `home`.
  public static func supply(
    _ supply: Supply, in home: HomeState, at wall: Instant, _ environment: Environment
  ) -> JSON {
    let alarms = home.alarms(using: supply.id).map { alarm in
      JSON.object([
        ("alarm_id", .string(alarm.id.text)), ("label", .string(alarm.label)),
        ("person", .string(alarm.person.text)),
        ("amount", .integer(alarm.uses.first { $0.supply == supply.id }?.amount ?? 1)),
      ])
    }
    let told = supply.settings.lowAt == nil ? [] : supply.contacts(in: environment)
    return .object([
      ("id", .string(supply.id.text)), ("name", .string(supply.name)),
      ("unit", .string(supply.settings.unit)), ("left", .integer(supply.left)),
      ("low_at", supply.settings.lowAt.map { .integer($0) } ?? .null),
      ("low", .bool(supply.isLow)),
      ("tell", .array(supply.settings.contacts.map(JSON.string))),
      ("told", .array(told.map(JSON.string))), ("used_by", .array(alarms)),
      ("lasts_days", .optional(home.daysLeft(of: supply, at: wall))),
    ])
  }
}
