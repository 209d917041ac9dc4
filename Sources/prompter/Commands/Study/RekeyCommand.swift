import API
import ArgumentParser
import ClientKit

/// `prompter study rekey`: gives new pseudonyms to all people and the device.
struct StudyRekey: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "rekey",
    abstract: "Give all people and the device new pseudonyms in everything that leaves the device.",
    discussion: """
      From now on, exports and listings use the new names, also for data that was recorded earlier. In the \
      profiles limited and safe_harbor, all ids change, too. The old key is overwritten, so nobody can link \
      an old name to a new one. The times of the events stay. First make the exports that you still need \
      with the old names.

      Example: prompter study rekey --yes
      """)

  @Flag(help: "Confirm the change: it cannot be undone.")
  var yes = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws {
    if !yes {
      throw ValidationError("The old names cannot be restored; add --yes to confirm the change.")
    }
  }

  func run() throws {
    try connection.carryOut(Request(.rekey)) { _ in
      "From now on, exports use new pseudonyms. Earlier exports keep the old ones."
    }
  }
}
