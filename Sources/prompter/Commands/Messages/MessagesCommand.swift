import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter messages`: lists the messages to people and the calls of people.
struct MessagesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "messages",
    abstract: "List the messages to people and the calls of people, with their states.",
    discussion: """
      A message (prompter say) is accepted, sounded, heard, answered or expired. A call (prompter call) is \
      waiting, told or failed. A message that waits until its home can be reached is in the outbox: \
      prompter outbox

      Example: prompter messages --person anna
      """)

  @Option(help: "Show only the messages of this person.")
  var person: String?

  @Option(help: ArgumentHelp("Show at most this many (default: 50).", valueName: "n"))
  var limit: Int?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(
      .listMessages, query: [("person", person), ("limit", limit.map(String.init))])
    try connection.carryOut(request) { try Self.text($0.document()) }
  }

  private static func text(_ document: JSON) -> String {
    let messages = document.list("messages")
    if messages.isEmpty { return "There are no messages." }
    var table = Table("SENT", "FROM", "TO", "STATE", "MESSAGE")
    for message in messages {
      let isCall = message.text("kind") == "call"
      let person = message.text("person")
      let contact = message["contact"]?.string ?? "a contact"
      table.add(
        .init(TextFormat.distance(message.text("sent_utc"))),
        .init(isCall ? person : TextFormat.oneLine(message.text("from"))),
        .init(isCall ? TextFormat.oneLine(contact) : person), state(message),
        .init(isCall ? "Please call back" : TextFormat.oneLine(message.text("text"))))
    }
    return table.text
  }

  private static func state(_ message: JSON) -> Table.Cell {
    let state = message.text("state")
    switch state {
    case "answered": return .init("answered: \(message.text("answer"))", .good)
    case "heard", "told": return .init(state, .good)
    case "expired", "failed": return .init(state, .bad)
    default: return .init(state)
    }
  }
}
