import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter call`: asks a contact to call back.
struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Ask a contact to call back, and tell the person the result.",
    discussion: """
      Prompter notifies the contacts that have "calls = true" in the configuration, one after the other, \
      until one is told. Then the speaker tells the person who was told, or that nobody was told. This is \
      not an emergency call. A patient can also hold the button for five seconds.

      Examples:
      prompter call
      prompter call --person anna
      """)

  @Option(help: "The person who asks (needed if the home has several people).")
  var person: String?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(.call).with([("person", person.map(JSON.string))])
    try connection.carryOut(request) { try Self.words($0.document()) }
  }

  private static func words(_ call: JSON) -> String {
    switch (call.text("state"), call["repeated"]?.bool == true) {
    case ("told", _): "\(call.text("contact")) was told already."
    case ("failed", _):
      "Nobody was told: in the configuration, no contact has \"calls = true\"; ask the administrator to set it."
    case (_, true): "A contact is being told already. The speaker will say the result."
    default: "A contact is being told. The speaker will say the result."
    }
  }
}
