import CivilTime

/// The permanent id of one supply. The command that adds the supply contains the id, because `step`
/// generates no ids.
public struct SupplyID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) { self.text = text }

  public var description: String { text }

  public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The part of a supply that a caretaker sets.
public struct SupplySettings: Hashable, Sendable {
  /// The name, for example `Donepezil`. No two supplies of a home have the same name.
  public var name: String
  /// The unit in the plural, for example `tablets`; empty if the supply has no unit.
  public var unit: String
  /// If at most this amount is left, the supply is low. The value is nil if the supply is never
  /// low.
  public var lowAt: Int64?
  /// The contacts to notify when the supply becomes low. If the list is empty, the daemon notifies
  /// all contacts of the configuration.
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
  /// True if the supply became low, and nobody has filled it or counted it above the threshold
  /// since then.
  ///
  /// The daemon notifies the contacts when this value becomes true. An undo of an answer does not
  /// make the value false. So the contacts get one notice each time the supply becomes low.
  public var isLowNoted: Bool
  /// The newest amounts that prompts took, oldest first. An undo of an answer gives back exactly
  /// the amount that the answer took.
  public var taken: [Taken]

  /// The amount that one prompt took.
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

/// The amount of a supply that each completed prompt of an alarm uses.
public struct SupplyUse: Hashable, Sendable {
  public var supply: SupplyID
  /// The amount in whole units, at least 1.
  public var amount: Int64

  public init(supply: SupplyID, amount: Int64) {
    self.supply = supply
    self.amount = amount
  }
}

/// A change of a supply. Each change is an event. Except for `changed` and `removed`, the event
/// contains the amount that is left after the change.
public enum SupplyChange: Hashable, Sendable {
  case added(SupplySettings, left: Int64)
  case changed(SupplySettings)
  case removed
  /// A person filled the supply with this amount.
  case refilled(amount: Int64, left: Int64)
  /// A person counted the amount that is left.
  case counted(left: Int64)
  /// A prompt was completed. `amount` is the amount that the alarm uses. If less was left, `taken`
  /// is smaller than `amount`.
  case used(PromptID, amount: Int64, taken: Int64, left: Int64)
  /// A person undid the completion of the prompt. `amount` is the amount that the prompt had taken.
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

/// The settings of a supply as the caretaker typed them. A field that was left out is nil.
public struct SupplyForm: Hashable, Sendable {
  /// The typed threshold.
  public enum Threshold: Hashable, Sendable {
    case none
    case at(Int64)
  }

  public var name: String?
  public var unit: String?
  public var lowAt: Threshold?
  /// The contacts; an empty list for all contacts of the configuration.
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
  /// The amount for each completed prompt; nil for 1.
  public var amount: Int64?

  public init(supply: String, amount: Int64? = nil) {
    self.supply = supply
    self.amount = amount
  }
}

/// A request of a caretaker to change the supplies of the home. A text names an existing supply by
/// its name or its id.
public enum SupplyCommand: Hashable, Sendable {
  case add(SupplyID, SupplyForm, left: Int64)
  case change(String, SupplyForm)
  case remove(String)
  /// Adds an amount.
  case refill(String, by: Int64)
  /// Sets the amount that a person counted.
  case count(String, left: Int64)
}
