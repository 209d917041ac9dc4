import API
import Alarms
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter people`: manages the people for whom alarms are set.
struct PeopleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "people",
    abstract: "List, add, change and remove the people that alarms are for.",
    discussion: """
      Examples:
        prompter people
        prompter people add anna --name "Anna" --quiet-hours 22:00-07:00
        prompter people change anna --quiet-policy suppress --rings-per-hour 12
        prompter people change anna --inactivity-hours 24 --inactivity-tell "bob after 0s, then eve after 1h"
      """,
    subcommands: [
      PeopleList.self, PeopleShow.self, PeopleAdd.self, PeopleChange.self, PeopleRemove.self,
    ], defaultSubcommand: PeopleList.self)
}

/// `prompter people list`: lists all people.
struct PeopleList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the people of this home.")

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listPeople)) { reply in
      var table = Table(
        "PERSON", "NAME", "ALARMS", "PAUSED", "QUIET HOURS", "RINGS PER HOUR", "INACTIVE SINCE",
        "PHASE",
        "LANGUAGE", "ZONE")
      for person in try reply.document().list("people") {
        table.add(
          .init(person.text("id")), .init(person.text("name")), .init(person.text("alarms")),
          .init(PersonText.paused(person), .attention), .init(PersonText.quiet(person)),
          .init(person.text("rings_per_hour")),
          .init(
            TextFormat.distance(person.text("inactive_since_utc")),
            person.count("inactivity_notified") > 0 ? .bad : nil),
          .init(person.text("phase")), .init(person.text("language")),
          .init(person.text("zone"), .faint))
      }
      return table.text
    }
  }
}

/// `prompter people show`: shows one person.
struct PeopleShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show one person.")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.showPerson, ["id": person])) {
      PersonText.whole(try $0.document()["person"] ?? .null)
    }
  }
}

/// The command line options that set the fields of a person.
struct PersonOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Set the name.", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("Set the language, such as de or en-GB.", valueName: "tag"))
  var language: String?

  @Option(help: ArgumentHelp("Use this time zone (default: the home's).", valueName: "zone"))
  var zone: String?

  @Option(help: ArgumentHelp("Play this recording for alarms without one.", valueName: "name"))
  var tone: String?

  @Option(
    help: ArgumentHelp(
      "Set the quiet hours, such as 22:00-07:00; none removes them.", valueName: "from-to"))
  var quietHours: String?

  @Option(
    help: ArgumentHelp(
      "Set the policy for quiet hours: refuse to save the alarm, hold until they end, or suppress "
        + "(\(QuietPolicy.allCases.map(\.rawValue).joined(separator: ", ")); default: hold).",
      valueName: "policy"))
  var quietPolicy: String?

  @Option(
    help: ArgumentHelp(
      "Set the maximum number of rings per hour (0: the home's limit).", valueName: "n"))
  var ringsPerHour: Int?

  @Option(
    help: ArgumentHelp(
      "Notify contacts after this many hours without an answer, 1 to 168; quiet hours do not "
        + "count (0: notify nobody).", valueName: "n"))
  var inactivityHours: Int?

  @Option(
    help: ArgumentHelp(
      "Set the contacts to notify then, such as \"anna after 0s, then bob after 30m\".",
      valueName: "people"))
  var inactivityTell: String?

  @Option(
    help: ArgumentHelp(
      "Show this picture on the screen when all tasks of the day are done: a file, or a stored "
        + "picture's id (none: no picture).", valueName: "picture"),
    completion: .file())
  var rewardImage: String?

  /// Returns the members of the request body. If the picture is a file, the function first stores
  /// this file in the home.
  func members(_ connection: ConnectionOptions) throws -> [(String, JSON?)] {
    guard let rewardImage else { return members }
    let id = rewardImage == "none" ? "" : try Images.stored(rewardImage, connection)
    return members + [("reward_image", .string(id))]
  }

  /// True if the user gave no option for a field.
  var isEmpty: Bool { rewardImage == nil && members.allSatisfy { $0.1 == nil } }

  /// The members of the request body, without the picture.
  private var members: [(String, JSON?)] {
    [
      ("name", name.map { .string($0) }), ("language", language.map { .string($0) }),
      ("zone", zone.map { .string($0) }), ("tone", tone.map { .string($0) }),
      ("quiet_hours", quietHours.map { .string($0) }),
      ("quiet_policy", quietPolicy.map { .string($0) }),
      ("rings_per_hour", ringsPerHour.map { .integer(Int64($0)) }),
      ("inactivity_hours", inactivityHours.map { .integer(Int64($0)) }),
      ("inactivity_tell", inactivityTell.map { .string($0) }),
    ]
  }
}

/// `prompter people add`: adds a person.
struct PeopleAdd: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a person.")

  @Argument(help: "The id of the person in alarms, for example anna.")
  var person: String

  @OptionGroup var options: PersonOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = try Request(.addPerson).with(
      [("id", .string(person))] + options.members(connection))
    try connection.carryOut(request) {
      try PersonText.saved($0.document(), verb: "Added")
    }
  }
}

/// `prompter people change`: changes one or more fields of a person.
struct PeopleChange: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "change",
    abstract: "Change a person. Fields that you do not name stay as they are.",
    aliases: ["edit", "set"])

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @OptionGroup var options: PersonOptions
  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if options.isEmpty {
      throw ValidationError("Name a field to change, for example --quiet-hours 22:00-07:00.")
    }
  }

  func run() throws {
    let request = try Request(.changePerson, ["id": person]).with(options.members(connection))
    try connection.carryOut(request) {
      try PersonText.saved($0.document(), verb: "Changed")
    }
  }
}

/// `prompter people remove`: removes a person who has no alarms.
struct PeopleRemove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a person who has no alarms. The record of the person stays.")

  @Argument(help: "The person, as \"prompter people\" lists them.")
  var person: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.removePerson, ["id": person])) { _ in
      "Removed \"\(TextFormat.oneLine(person))\"."
    }
  }
}

/// Texts about people for a caretaker.
enum PersonText {
  static func quiet(_ person: JSON) -> String {
    guard let hours = person["quiet_hours"]?.string else { return "" }
    return "\(hours), \(person.text("quiet_policy"))"
  }

  /// Returns the inactivity rule of a person as a text. Example: `after 24 hours without an answer:
  /// notify anna after 0s, then bob after 30m`.
  private static func inactivity(_ person: JSON) -> String {
    guard let hours = person["inactivity_hours"]?.integer else { return "" }
    let tells = person.list("inactivity_tell").map {
      "\($0.text("contact")) after \($0.text("after"))"
    }
    return "after \(TextFormat.counted(Int(hours), "hour")) without an answer: notify "
      + tells.joined(separator: ", then ")
  }

  /// Returns a text about the present inactivity of a person. Example: `no answer since a ring 3
  /// hours ago; 1 contact notified`.
  static func inactiveSince(_ person: JSON) -> String {
    guard let since = person["inactive_since_utc"]?.string else { return "" }
    let notified = person.count("inactivity_notified")
    return "no answer since a ring \(TextFormat.distance(since))"
      + (notified > 0 ? "; \(TextFormat.counted(notified, "contact")) notified" : "")
  }

  /// Returns the text that a command prints after it has added or changed a person.
  static func saved(_ document: JSON, verb: String) -> String {
    (["\(verb).", whole(document["person"] ?? .null)] + TextFormat.warnings(document))
      .joined(separator: "\n")
  }

  /// Returns a text about the present pause of a person. The text is empty if the person is not
  /// paused.
  static func paused(_ person: JSON) -> String {
    guard let pause = person["pause"], pause != .null else { return "" }
    return PauseText.words(pause)
  }

  static func whole(_ person: JSON) -> String {
    var table = Table()
    func line(_ name: String, _ value: String) {
      if !value.isEmpty { table.add(.init(name, .faint), .init(value)) }
    }
    line("person", person.text("id"))
    line("name", person.text("name"))
    line("language", person.text("language"))
    line("zone", person.text("zone"))
    line("tone", person.text("tone"))
    line("paused", paused(person))
    line("quiet hours", quiet(person))
    line("rings", "at most \(person.text("rings_per_hour")) in any hour")
    line("inactivity", inactivity(person))
    line("inactive", inactiveSince(person))
    line("phase", person.text("phase"))
    line("reward picture", String(person.text("reward_image").prefix(12)))
    line("alarms", person.text("alarms"))
    return table.text
  }
}
