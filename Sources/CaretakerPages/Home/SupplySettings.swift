import JSONValue

/// The settings of a supply in a form of the page "Home", as a person typed them.
struct SupplySettings: Sendable, Hashable {
  var name = ""
  /// The unit in the plural; empty for none.
  var unit = ""
  /// The amount at which contacts are notified; empty if nobody is notified.
  var lowAt = ""
  /// The amount that the home has. Only the form of a new supply has it.
  var left = ""

  init() {}

  init(_ supply: SupplyReading) {
    (name, unit, lowAt) = (supply.name, supply.unit, supply.lowAt.map(String.init) ?? "")
  }

  /// - Parameter prefix: the beginning of the names of the fields.
  init(_ form: FormFields, prefix: String = "") {
    (name, unit) = (form.text(prefix + "name"), form.text(prefix + "unit"))
    (lowAt, left) = (form.text(prefix + "low_at"), form.text(prefix + "left"))
  }

  /// The members of a request that adds a supply. An empty unit or warning is not sent.
  var newMembers: [(String, JSON?)] {
    [
      ("name", .string(name)), ("unit", unit.isEmpty ? nil : .string(unit)),
      ("low_at", lowAt.isEmpty ? nil : .number(typed: lowAt)), ("left", .number(typed: left)),
    ]
  }

  /// The members of a request that changes a supply: the name, and what differs from `old`. So the
  /// change of another caretaker stays.
  func changes(from old: SupplySettings) -> [(String, JSON?)] {
    [
      ("name", .string(name)), ("unit", unit == old.unit ? nil : .string(unit)),
      (
        "low_at",
        lowAt == old.lowAt ? nil : lowAt.isEmpty ? .string("none") : .number(typed: lowAt)
      ),
    ]
  }
}
