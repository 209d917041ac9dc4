import Alarms
import CivilTime
import JSONValue

// The stored form of supplies. The name, the unit and the contacts are content.
extension StoredEvent {
  mutating func setSupply(_ id: SupplyID, _ change: SupplyChange) {
    var members: [(String, JSON)] = [("supply", .string(id.text))]
    switch change {
    case .added(let settings, let left):
      members += [
        ("low_at", settings.lowAt.map { .integer($0) } ?? .null), ("left", .integer(left)),
      ]
      content = .object(settings.words)
    case .changed(let settings):
      members.append(("low_at", settings.lowAt.map { .integer($0) } ?? .null))
      content = .object(settings.words)
    case .removed: break
    case .refilled(let amount, let left):
      members += [("amount", .integer(amount)), ("left", .integer(left))]
    case .counted(let left): members.append(("left", .integer(left)))
    case .used(_, let amount, let taken, let left):
      members += [
        ("amount", .integer(amount)), ("taken", .integer(taken)), ("left", .integer(left)),
      ]
    case .returned(_, let amount, let left):
      members += [("amount", .integer(amount)), ("left", .integer(left))]
    }
    payload = .object(members)
  }

  func supplyEvent() throws(EventCodingError) -> Event {
    .supply(SupplyID(try members.string("supply")), try supplyChange())
  }

  private func supplyChange() throws(EventCodingError) -> SupplyChange {
    switch type {
    case "supply_added":
      .added(SupplySettings(payload, words: content), left: try members.integer("left"))
    case "supply_changed": .changed(SupplySettings(payload, words: content))
    case "supply_removed": .removed
    case "supply_refilled":
      .refilled(amount: try members.integer("amount"), left: try members.integer("left"))
    case "supply_counted": .counted(left: try members.integer("left"))
    case "supply_used":
      .used(
        try require(promptID, "prompt_id"), amount: try members.integer("amount"),
        taken: try members.integer("taken"), left: try members.integer("left"))
    default:
      .returned(
        try require(promptID, "prompt_id"), amount: try members.integer("amount"),
        left: try members.integer("left"))
    }
  }
}

extension SupplySettings {
  /// The members of the content: the name, the unit and the contacts.
  fileprivate var words: [(String, JSON)] {
    [
      ("name", .string(name)), ("unit", .string(unit)),
      ("contacts", .array(contacts.map(JSON.string))),
    ]
  }

  /// - Parameter words: the typed texts; nil if the texts were erased.
  fileprivate init(_ payload: JSON, words: JSON?) {
    self.init(
      name: words?["name"]?.string ?? "", unit: words?["unit"]?.string ?? "",
      lowAt: payload["low_at"]?.integer,
      contacts: (words?["contacts"]?.array ?? []).compactMap(\.string))
  }
}

extension Supply {
  /// The state of the supply in the form in which the table `supplies` stores it.
  public var stored: JSON {
    .object(
      settings.words + [
        ("low_at", settings.lowAt.map { .integer($0) } ?? .null), ("left", .integer(left)),
        ("low_noted", .bool(isLowNoted)),
        (
          "taken",
          .array(
            taken.map {
              .object([
                ("prompt", .string($0.prompt.description)), ("amount", .integer($0.amount)),
                ("at_ms", .integer($0.at.milliseconds)),
              ])
            })
        ),
      ])
  }

  /// Reads the JSON that the property `stored` returns.
  public init(id: SupplyID, stored json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    var taken: [Taken] = []
    for entry in try members.array("taken") {
      let entryMembers = StoredMembers(entry)
      let name = try entryMembers.string("prompt")
      guard let prompt = PromptID(name) else {
        throw EventCodingError("cannot read a stored supply: \"\(name)\" is not a prompt id")
      }
      taken.append(
        Taken(
          prompt: prompt, amount: try entryMembers.integer("amount"),
          at: Instant(milliseconds: try entryMembers.integer("at_ms"))))
    }
    self.init(
      id: id, settings: SupplySettings(json, words: json), left: try members.integer("left"),
      isLowNoted: try members.bool("low_noted"), taken: taken)
  }
}

extension SupplyUse {
  var stored: JSON {
    .object([("supply", .string(supply.text)), ("amount", .integer(amount))])
  }

  init(stored json: JSON) throws(EventCodingError) {
    let members = StoredMembers(json)
    self.init(
      supply: SupplyID(try members.string("supply")), amount: try members.integer("amount"))
  }
}
