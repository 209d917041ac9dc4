import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter supply`: manages supplies, for example pills. A completed prompt reduces a supply.
struct SupplyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "supply",
    abstract: "List, add, fill, count and remove supplies, for example boxes of tablets.",
    discussion: """
      An alarm can use a supply (prompter add --uses). Each completed prompt of the alarm then takes \
      an amount from the supply. When the supply becomes low, contacts are notified once.

      Examples:
        prompter supply
        prompter supply add Donepezil 28 --unit tablets --low-at 7 --tell anna
        prompter edit "Morning pills" --uses Donepezil=2
        prompter supply refill Donepezil +28
        prompter supply set Donepezil 12
      """,
    subcommands: [
      SupplyList.self, SupplyAdd.self, SupplyChange.self, SupplyRefill.self, SupplySet.self,
      SupplyRemove.self,
    ], defaultSubcommand: SupplyList.self)
}

/// `prompter supply list`: lists all supplies.
struct SupplyList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the supplies of this home.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listSupplies)) { try SupplyText.list($0.document()) }
  }
}

/// The options that set the fields of a supply.
struct SupplyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Set the unit in the plural, for example tablets.", valueName: "unit"))
  var unit: String?

  @Option(
    help: ArgumentHelp(
      "Notify contacts when at most this amount is left; none notifies nobody.",
      valueName: "amount"))
  var lowAt: String?

  @Option(
    help: ArgumentHelp(
      "Notify these contacts, separated by commas; all notifies all contacts of the "
        + "configuration (default: all).", valueName: "contacts"))
  var tell: String?

  /// The members of the request body that these options set.
  var members: [(String, JSON?)] {
    [
      ("unit", unit.map { .string($0) }),
      ("low_at", lowAt.map { text in Int64(text).map { .integer($0) } ?? .string(text) }),
      (
        "tell",
        tell.map { text in
          .array(
            text == "all"
              ? []
              : text.split(separator: ",").map { .string(String($0.drop { $0 == " " })) })
        }
      ),
    ]
  }
}

/// `prompter supply add`: adds a supply.
struct SupplyAdd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a supply.",
    discussion: "Example: prompter supply add Donepezil 28 --unit tablets --low-at 7 --tell anna")

  @Argument(help: "The name of the supply, for example Donepezil.")
  var name: String

  @Argument(help: "The amount that the home has, in whole units.")
  var amount: Int

  @OptionGroup var options: SupplyOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.addSupply).with(
      [("name", .string(name)), ("left", .integer(Int64(amount)))] + options.members)
    try connection.carryOut(request) { try SupplyText.saved($0.document(), verb: "Added") }
  }
}

/// `prompter supply change`: changes a supply. Only the settings that the user gave as options
/// change.
struct SupplyChange: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Change a supply. Fields that you do not name stay as they are.",
    aliases: ["edit"])

  @Argument(help: "The supply, as \"prompter supply\" lists it.")
  var supply: String

  @Option(help: ArgumentHelp("Set the name.", valueName: "name"))
  var name: String?

  @OptionGroup var options: SupplyOptions
  @OptionGroup var connection: ConnectionOptions

  private var members: [(String, JSON?)] {
    [("name", name.map { .string($0) })] + options.members
  }

  func check() throws {
    if members.allSatisfy({ $0.1 == nil }) {
      throw ValidationError("Name a field to change, for example --low-at 7.")
    }
  }

  func run() throws {
    let request = Request(.changeSupply, ["name": supply]).with(members)
    try connection.carryOut(request) { try SupplyText.saved($0.document(), verb: "Changed") }
  }
}

/// `prompter supply refill`: adds an amount to a supply.
struct SupplyRefill: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refill", abstract: "Add an amount to a supply.",
    discussion: "Example: prompter supply refill Donepezil +28")

  @Argument(help: "The supply, as \"prompter supply\" lists it.")
  var supply: String

  @Argument(help: "The amount to add, for example +28.")
  var amount: Int

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.refillSupply, ["name": supply]).with([
      ("amount", .integer(Int64(amount)))
    ])
    try connection.carryOut(request) { try SupplyText.saved($0.document(), verb: "Filled") }
  }
}

/// `prompter supply set`: sets the amount of a supply after a person has counted it.
struct SupplySet: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the amount of a supply that you counted.",
    discussion: "Example: prompter supply set Donepezil 12", aliases: ["count"])

  @Argument(help: "The supply, as \"prompter supply\" lists it.")
  var supply: String

  @Argument(help: "The amount that you counted, in whole units.")
  var amount: Int

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.countSupply, ["name": supply]).with([("left", .integer(Int64(amount)))])
    try connection.carryOut(request) { try SupplyText.saved($0.document(), verb: "Set") }
  }
}

/// `prompter supply remove`: removes a supply that no alarm uses.
struct SupplyRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a supply that no alarm uses.")

  @Argument(help: "The supply, as \"prompter supply\" lists it.")
  var supply: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.removeSupply, ["name": supply])) { reply in
      let name = try reply.document()["supply"]?.text("name") ?? ""
      return "Removed \"\(TextFormat.oneLine(name))\"."
    }
  }
}
