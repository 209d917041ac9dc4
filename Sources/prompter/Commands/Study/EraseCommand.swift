import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter study erase`: erases texts or an identity permanently.
struct StudyErase: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase typed, spoken and answered texts permanently. The hash chain stays valid.",
    discussion: """
      --person erases all texts about a person, except those that their care needs: the alarms that are \
      set, the name, and the code in a study. With --identity it erases the identity of a person who was \
      removed: the name, the code, and the link to the pseudonym. Recordings of removed tones are erased, \
      too. Backups and exports that were made earlier still contain everything.

      Examples:
        prompter study erase --person anna --yes
        prompter study erase --alarm 9pttkm9b1zcn --yes
      """)

  @Option(help: ArgumentHelp("Erase the texts about this person.", valueName: "person"))
  var person: String?

  @Flag(help: "With --person: erase the identity of a removed person instead of the texts.")
  var identity = false

  @Option(help: ArgumentHelp("Erase the texts of this removed alarm.", valueName: "alarm"))
  var alarm: String?

  @Flag(help: "Confirm the erasure: it cannot be undone.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if (person == nil) == (alarm == nil) {
      throw ValidationError("Give either --person or --alarm.")
    }
    if identity, person == nil { throw ValidationError("--identity needs a person.") }
    if !yes { throw ValidationError("An erasure cannot be undone; add --yes to confirm it.") }
  }

  func run() throws {
    let request = Request(.erase).with([
      ("alarm", alarm.map { .string($0) }), ("person", person.map { .string($0) }),
      ("scope", person == nil ? nil : .string(identity ? "identity" : "words")),
    ])
    try connection.carryOut(request) { reply in
      let kept = try reply.document().count("alarms_kept")
      return "Erased. Earlier backups and exports still contain the erased data."
        + (kept == 0
          ? ""
          : " The texts of \(TextFormat.counted(kept, "alarm")) were kept, because the person "
            + "still needs them. To erase them, remove the alarms and erase again.")
    }
  }
}
