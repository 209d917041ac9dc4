import JSONValue

/// The settings of a supply in a form of the page "Home", as a person typed them.
struct SupplySettings: Sendable, Hashable {
  var name = ""
  /// The unit in the plural; empty if the supply has no unit.
  var unit = ""
  /// The amount at which the daemon notifies the contacts; empty if the daemon notifies nobody.
  var lowAt = ""
  /// The amount that the home has. Only the form of a new supply contains this field.
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

  /// The members of a request that adds a supply. The request does not contain an empty unit or an
  /// empty threshold.
  var newMembers: [(String, JSON?)] {
    [
      ("name", .string(name)), ("unit", unit.isEmpty ? nil : .string(unit)),
      ("low_at", lowAt.isEmpty ? nil : .number(typed: lowAt)), ("left", .number(typed: left)),
    ]
  }

  /// Returns the members of a request that changes a supply: the name, and the values that differ
  /// from `old`. Therefore, the request does not undo a change by a different caretaker.
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
