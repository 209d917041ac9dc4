import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter study erase`: words, or who somebody was, for good.
struct StudyErase: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase what was typed, said or answered in words, for good. The record stays whole.",
    discussion: """
      Of a person everything in words goes but what their care needs: alarms that are set, their name and
      their code in a study. --identity erases who somebody was who was removed: name, code, and which
      pseudonym was theirs. Recordings that no tone is named after go as well. Backups and exports made
      before still hold all of it.

      Examples:
        prompter study erase --person anna --yes
        prompter study erase --alarm 9pttkm9b1zcn --yes
      """)

  @Option(help: ArgumentHelp("Whose words.", valueName: "person"))
  var person: String?

  @Flag(help: "Who they were, instead of their words.")
  var identity = false

  @Option(help: ArgumentHelp("The words of this removed alarm.", valueName: "alarm"))
  var alarm: String?

  @Flag(help: "Yes, for good: this cannot be undone.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if (person == nil) == (alarm == nil) {
      throw ValidationError("Name a person or an alarm, one of them.")
    }
    if identity, person == nil { throw ValidationError("--identity needs a person.") }
    if !yes { throw ValidationError("What is erased is gone for good; say --yes.") }
  }

  func run() throws {
    let request = Request(.erase).with([
      ("alarm", alarm.map { .string($0) }), ("person", person.map { .string($0) }),
      ("scope", person == nil ? nil : .string(identity ? "identity" : "words")),
    ])
    try connection.carryOut(request) { reply in
      let kept = try reply.document().count("alarms_kept")
      return "Erased. Backups and exports made before still hold it."
        + (kept == 0
          ? ""
          : " \(TextFormat.counted(kept, "alarm")) still set kept their words: remove and erase again.")
    }
  }
}
