import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter contacts`: lists the contacts of the home.
struct ContactsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contacts",
    abstract: "List the contacts, and when each was last notified.",
    discussion: """
      An administrator sets the contacts in the configuration of the daemon. The list shows the last \
      message that was sent to each contact, and the last failure.

      Example: prompter contacts
      """)

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try connection.carryOut(Request(.listContacts)) { reply in
      let contacts = try reply.document().list("contacts")
      if contacts.isEmpty {
        return "The configuration of the daemon has no contacts."
      }
      var table = Table("CONTACT", "USED BY", "LAST NOTIFIED", "LAST FAILURE")
      for contact in contacts {
        let failure = contact.text("last_failure_utc")
        let isFailing = failure > contact.text("last_reached_utc")
        table.add(
          .init(contact.text("name")), .init(Self.uses(contact)),
          .init(Self.when(contact.text("last_reached_utc"))),
          .init(
            failure.isEmpty
              ? "-" : "\(Self.when(failure)): \(TextFormat.oneLine(contact.text("last_failure")))",
            isFailing ? .bad : nil))
      }
      return table.text
    }
  }

  private static func uses(_ contact: JSON) -> String {
    let alarms = contact.count("alarms")
    let people = contact.list("people").compactMap(\.string)
    let supplies = contact.list("supplies").compactMap(\.string)
    let parts =
      (alarms > 0 ? [TextFormat.counted(alarms, "alarm")] : [])
      + (people.isEmpty ? [] : ["inactivity of \(people.joined(separator: ", "))"])
      + (supplies.isEmpty ? [] : ["low amount of \(supplies.joined(separator: ", "))"])
      + (contact["calls"]?.bool == true ? ["calls"] : [])
    return parts.isEmpty ? "nothing" : parts.joined(separator: "; ")
  }

  private static func when(_ utc: String) -> String {
    utc.isEmpty ? "never" : TextFormat.distance(utc)
  }
}

/// `prompter contact`: tests a contact.
struct ContactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "contact", abstract: "Send a test message to a contact.",
    discussion: "Example: prompter contact test anna",
    subcommands: [ContactTest.self])
}

/// `prompter contact test`: sends a test message and reports the result.
struct ContactTest: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Send a test message to a contact, and say whether it was sent.",
    discussion: """
      The daemon runs the command of the contact once, in the same way as for a real notification. \
      The environment of the command contains PROMPTER_REASON=test. The command waits for the result, \
      at most 75 seconds. Exit codes: 0 the command of the contact succeeded, 1 it failed, or its \
      result is not known yet.

      Example: prompter contact test anna
      """)

  @Argument(help: "The name of the contact in the configuration.")
  var name: String

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    var request = Request(.testContact, ["name": name]).with([])
    // The daemon replies after at most 75 seconds, so a limit of 120 seconds is long enough.
    request.timeoutSeconds = 120
    var state = ""
    try connection.carryOut(request) { reply in
      let document = try reply.document()
      state = document.text("state")
      let contact = TextFormat.oneLine(document.text("contact"))
      return switch state {
      case "sent": "The test message for \(contact) was sent: the command of the contact succeeded."
      case "failed":
        "The test message for \(contact) was not sent: "
          + TextFormat.oneLine(document.text("reason")) + "."
      default:
        "The result of the test message for \(contact) is not known yet: its command still runs. "
          + "\"prompter contacts\" shows the result later."
      }
    }
    if state != "sent" { throw QuietExit(exitCode: 1) }
  }
}
