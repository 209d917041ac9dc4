import CivilTime

/// The permanent id of one supply. `step` does not generate ids. Therefore the command that adds a
/// supply contains the id of the supply.
public struct SupplyID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { text }

  public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The properties that a caretaker sets for a supply.
public struct SupplySettings: Hashable, Sendable {
  /// The name, for example `Donepezil`. No two supplies of a home have the same name.
  public var name: String
  /// The plural of the unit, for example `tablets`; empty if the supply has no unit.
  public var unit: String
  /// The threshold. If at most this amount is left, the supply is low. If the threshold is nil, the
  /// supply is never low.
  public var lowAt: Int64?
  /// The contacts that the daemon notifies when the supply becomes low. If the list is empty, the
  /// daemon notifies all contacts of the configuration.
  public var contacts: [String]

  public init(name: String, unit: String = "", lowAt: Int64? = nil, contacts: [String] = []) {
    self.name = name
    self.unit = unit
    self.lowAt = lowAt
    self.contacts = contacts
  }
}

/// A stock that completed prompts use up, for example the tablets in a box.
public struct Supply: Hashable, Sendable {
  public var id: SupplyID
  public var settings: SupplySettings
  /// The amount that is left, in whole units; never negative.
  public var left: Int64
  /// True if the supply became low. The value becomes false when a refill, a count or a change of
  /// the settings puts the amount above the threshold.
  ///
  /// The daemon notifies the contacts when this value becomes true. An undo of an answer does not
  /// make the value false. Therefore a second completion after an undo causes no second notice.
  public var isLowNoted: Bool
  /// The amounts that the newest completed prompts used, oldest first. An undo of a completion adds
  /// exactly the used amount back to the supply.
  public var taken: [Taken]

  /// The amount that one completed prompt used.
  public struct Taken: Hashable, Sendable {
    public var prompt: PromptID
    public var amount: Int64
    public var at: Instant

    public init(prompt: PromptID, amount: Int64, at: Instant) {
      self.prompt = prompt
      self.amount = amount
      self.at = at
    }
  }

  public init(
    id: SupplyID, settings: SupplySettings, left: Int64, isLowNoted: Bool = false,
    taken: [Taken] = []
  ) {
    self.id = id
    self.settings = settings
    self.left = left
    self.isLowNoted = isLowNoted
    self.taken = taken
  }

  public var name: String { settings.name }

  /// True if the amount that is left is at or below the threshold.
  public var isLow: Bool { settings.lowAt.map { left <= $0 } ?? false }
}

/// A supply that an alarm uses, and the amount for each completed prompt of the alarm.
public struct SupplyUse: Hashable, Sendable {
  public var supply: SupplyID
  /// The amount in whole units, at least 1.
  public var amount: Int64

  public init(supply: SupplyID, amount: Int64) {
    self.supply = supply
    self.amount = amount
  }
}

/// A change of a supply. Each change is an event. Each event contains the amount that is left after
/// the change. Exception: `changed` and `removed` do not contain this amount.
public enum SupplyChange: Hashable, Sendable {
  case added(SupplySettings, left: Int64)
  case changed(SupplySettings)
  case removed
  /// A person added this amount to the supply.
  case refilled(amount: Int64, left: Int64)
  /// A person counted the amount that is left.
  case counted(left: Int64)
  /// A prompt was completed. `amount` is the amount that the alarm uses. `taken` is the amount that
  /// was subtracted from the supply; it is smaller than `amount` if less was left.
  case used(PromptID, amount: Int64, taken: Int64, left: Int64)
  /// A person undid the completion of the prompt. `amount` is the amount that the completion had
  /// used.
  case returned(PromptID, amount: Int64, left: Int64)

  /// The type of the event, as the codebook spells it.
  public var type: String {
    switch self {
    case .added: "supply_added"
    case .changed: "supply_changed"
    case .removed: "supply_removed"
    case .refilled: "supply_refilled"
    case .counted: "supply_counted"
    case .used: "supply_used"
    case .returned: "supply_returned"
    }
  }

  /// The prompt whose completion or undo caused the change; nil if a person caused the change
  /// directly.
  public var prompt: PromptID? {
    switch self {
    case .used(let id, _, _, _), .returned(let id, _, _): id
    case .added, .changed, .removed, .refilled, .counted: nil
    }
  }
}

/// The settings of a supply as the caretaker typed them. A field that the caretaker left out is
/// nil.
public struct SupplyForm: Hashable, Sendable {
  /// The typed threshold. `none` removes the threshold of the supply.
  public enum Threshold: Hashable, Sendable {
    case none
    case at(Int64)
  }

  public var name: String?
  public var unit: String?
  public var lowAt: Threshold?
  /// The typed contacts. An empty list means all contacts of the configuration.
  public var contacts: [String]?

  public init(
    name: String? = nil, unit: String? = nil, lowAt: Threshold? = nil, contacts: [String]? = nil
  ) {
    self.name = name
    self.unit = unit
    self.lowAt = lowAt
    self.contacts = contacts
  }
}

/// A supply that an alarm uses, as the caretaker typed it.
public struct SupplyUseForm: Hashable, Sendable {
  /// The name or the id of the supply.
  public var supply: String
  /// The amount for each completed prompt; nil means 1.
  public var amount: Int64?

  public init(supply: String, amount: Int64? = nil) {
    self.supply = supply
    self.amount = amount
  }
}

/// A request of a caretaker to change the supplies of the home. Each `String` is the name or the id
/// of an existing supply.
public enum SupplyCommand: Hashable, Sendable {
  case add(SupplyID, SupplyForm, left: Int64)
  case change(String, SupplyForm)
  case remove(String)
  /// Adds the amount `by` to a supply.
  case refill(String, by: Int64)
  /// Sets the amount of a supply to the number of units that a person counted.
  case count(String, left: Int64)
}
