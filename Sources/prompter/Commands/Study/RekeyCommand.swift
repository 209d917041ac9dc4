import API
import ArgumentParser
import ClientKit

/// `prompter study rekey`: new pseudonyms for everybody.
struct StudyRekey: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Give everybody new pseudonyms in all that leaves the device from now on.",
    discussion: """
      Exports and listings, also of what was recorded before, call people and the device by new names, and
      safe_harbor all else that has one. Which name became which is nowhere written down, and the old key
      is destroyed: make the exports that you still need under the old names first.

      Example: prompter study rekey --yes
      """)

  @Flag(help: "Yes, for good: this cannot be undone.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if !yes { throw ValidationError("The old names do not come back; say --yes.") }
  }

  func run() throws {
    try connection.carryOut(Request(.rekey)) { _ in
      "From now on exports call everybody by new names. Exports made before keep theirs."
    }
  }
}
