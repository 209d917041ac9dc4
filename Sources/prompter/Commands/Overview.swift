import ArgumentParser

/// The first screen of the command line: the most common commands, and the names of all commands.
///
/// The first screen has at most 24 lines of at most 80 columns, so that it fits into every
/// terminal. `prompter help` explains each command in one sentence, and lists all options.
enum Overview {
  /// Returns true if the command line must print the first screen for these arguments.
  static func isAsked(by arguments: [String]) -> Bool {
    [[], ["--help"], ["-h"]].contains(arguments)
  }

  static var text: String {
    let groups = PrompterCommand.configuration.groupedSubcommands.map { group in
      let names = group.subcommands.map { $0.configuration.commandName ?? $0._commandName }
      return "  \(group.name.padded(to: 17))\(names.joined(separator: " "))"
    }
    return """
      Reminders that ring until they are answered.

      Usage: prompter [--host ssh://USER@HOME] COMMAND [OPTIONS]

        prompter add Pills --schedule "every day 08:00"   Set an alarm.
        prompter list                     List the alarms.
        prompter done                     Answer the prompt that rings.
        prompter prompts --missed         List the prompts that nobody answered.
        prompter why Pills                Explain why it rang, or did not.
        prompter status                   Show whether alarms ring.

      Commands:
      \(groups.joined(separator: "\n"))

      prompter help           Describe all commands and options.
      prompter help COMMAND   Describe one command.
      """
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
