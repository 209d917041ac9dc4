import Alarms

/// The routes for the supplies of the home.
extension Route {
  static let supplyRoutes: [Route] = [
    Route(
      .listSupplies, .get, "/v1/supplies", [.caretaker], answers: .json(.supplyList),
      "The supplies of the home. For each supply: the amount that is left, the number of days for "
        + "which this amount lasts, and the alarms that use the supply."),
    Route(
      .addSupply, .post, "/v1/supplies", [.caretaker], takes: .json(.newSupply), status: 201,
      answers: .json(.supplyShown),
      "Adds a supply, for example a box of tablets. Each completed prompt of an alarm that uses "
        + "the supply reduces the amount that is left."),
    Route(
      .changeSupply, .put, "/v1/supplies/{name}", [.caretaker], takes: .json(.supplyForm),
      answers: .json(.supplyShown),
      "Changes those fields of a supply that the request contains. In the path, `{name}` is the "
        + "name or the id of the supply."),
    Route(
      .removeSupply, .delete, "/v1/supplies/{name}", [.caretaker], answers: .json(.supplyShown),
      "Removes a supply that no alarm uses."),
    Route(
      .refillSupply, .post, "/v1/supplies/{name}/refill", [.caretaker],
      takes: .json(.supplyRefill), answers: .json(.supplyShown), "Adds an amount to a supply."),
    Route(
      .countSupply, .post, "/v1/supplies/{name}/count", [.caretaker], takes: .json(.supplyCount),
      answers: .json(.supplyShown),
      "Replaces the amount that is left of a supply by the amount that somebody counted."),
  ]
}

/// The schemas of the requests and responses for supplies.
extension JSONSchema {
  private static let amount = JSONSchema.integer(SupplyRules.left)

  /// A supply that an alarm uses.
  static let supplyUse = JSONSchema.named(
    "SupplyUse",
    .object([
      .always("supply", .text, "The name of the supply."), .always("supply_id", .text),
      .always(
        "amount", .integer(SupplyRules.use), "The amount that each completed prompt uses."),
    ]))

  static let supply = JSONSchema.named(
    "Supply",
    .object([
      .always("id", .text), .always("name", .text),
      .always("unit", .text, "The unit in the plural, for example `tablets`; empty: no unit."),
      .always("left", amount, "The amount that is left."),
      .always(
        "low_at", .optional(amount),
        "If at most this amount is left, the supply is low. Null: it is never low."),
      .always("low", .flag, "True if the supply is low."),
      .always(
        "tell", .list(.text),
        "The contacts to notify when the supply becomes low; empty: all contacts of the "
          + "configuration."),
      .always("told", .list(.text), "The contacts that the daemon notifies at present."),
      .always(
        "used_by",
        .list(
          .object([
            .always("alarm_id", .text), .always("label", .text), .always("person", .text),
            .always("amount", .integer(SupplyRules.use)),
          ])), "The alarms that use the supply and can still ring."),
      .always(
        "lasts_days", .optional(.integer(0...Int64(HomeState.supplyDays))),
        "Full days until the supply no longer suffices, if every planned prompt is completed. Null: "
          + "no planned prompt uses it up. \(HomeState.supplyDays): at least \(HomeState.supplyDays) days."
      ),
    ]))

  static let supplyList = JSONSchema.named(
    "SupplyList", .object([.always("supplies", .list(.supply))]))

  static let supplyShown = JSONSchema.named("SupplyShown", .object([.always("supply", .supply)]))

  private static let supplyName =
    "The name, for example `Donepezil`: 1 to 100 characters. No other supply may have the same "
    + "name. Upper and lower case make no difference."

  private static let supplyFields: [Field] = [
    .maybe("unit", .text, "The unit in the plural, for example `tablets`. Empty: no unit."),
    .maybe(
      "low_at", .any,
      "If this amount or less is left, the supply is low, and the daemon notifies contacts. "
        + "`none`: the supply is never low."),
    .maybe(
      "tell", .list(.text),
      "The contacts to notify. An empty list: all contacts of the configuration (default)."),
  ]

  static let supplyForm = JSONSchema.named(
    "SupplyForm", .object([.maybe("name", .text, supplyName)] + supplyFields))

  static let newSupply = JSONSchema.named(
    "NewSupply",
    .object(
      [.always("name", .text, supplyName)] + supplyFields + [
        .always("left", amount, "The amount that the home has.")
      ]))

  static let supplyRefill = JSONSchema.named(
    "SupplyRefill", .object([.always("amount", amount, "The amount to add.")]))

  static let supplyCount = JSONSchema.named(
    "SupplyCount", .object([.always("left", amount, "The counted amount.")]))

  /// The amount of a supply after an answer.
  static let supplyLeft = JSONSchema.named(
    "SupplyLeft",
    .object([
      .always("supply", .text, "The name of the supply."), .always("unit", .text),
      .always("left", amount),
    ]))
}
