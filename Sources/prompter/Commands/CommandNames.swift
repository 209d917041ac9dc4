import Alarms
import ArgumentParser

/// The names of the commands. If a user types an unknown name, the refusal suggests one of these
/// names.
enum CommandNames {
  /// Names of commands that people know from other programs. The value of each name is the Prompter
  /// command with the same effect.
  private static let others = [
    "acknowledge": "ack", "complete": "done", "create": "add", "del": "remove",
    "delete": "remove", "later": "delay", "ls": "list", "modify": "edit", "mute": "pause",
    "new": "add", "person": "people", "rename": "edit", "rm": "remove", "set": "add",
    "skip": "pause", "snooze": "delay", "speak": "say", "stop": "done", "take": "done",
    "tones": "tone", "unmute": "resume", "unpause": "resume", "update": "edit", "voice": "tone",
    "who": "whoami", "agenda": "next", "history": "prompts", "missed": "prompts --missed",
  ]

  /// The options that every command accepts and that need a value.
  private static let optionsWithValue: Set<String> = ["--host", "--socket", "--expires"]

  /// Returns the text that refuses an unknown command. If the typed name is similar to a known
  /// command, the text suggests this command.
  ///
  /// - Returns: nil if the arguments name a known command.
  static func refusal(of arguments: [String]) -> String? {
    var words = self.words(arguments)[...]
    var command: any ParsableCommand.Type = PrompterCommand.self
    var path: [String] = []
    while let word = words.popFirst() {
      let known = children(of: command)
      if known.isEmpty || word == "help" { return nil }
      if let next = known.first(where: { names(of: $0).contains(word) }) {
        command = next
        path.append(word)
        continue
      }
      let shown = known.filter { $0.configuration.shouldDisplay }
      let own = shown.flatMap { names(of: $0) }
      let meant =
        others[word].flatMap { other in own.contains { other.hasPrefix($0) } ? other : nil }
        ?? NameMatch.nearest(word, among: own)
      let prefix = (["prompter"] + path).joined(separator: " ")
      return "\(prefix): there is no command \"\(word)\"; "
        + (meant.map { "did you mean \"\(prefix) \($0)\"?" }
          ?? "see \"prompter help\(path.isEmpty ? "" : " " + path.joined(separator: " "))\"")
    }
    return nil
  }

  /// Returns the words of the command line, without the options and without the values of the
  /// options in `optionsWithValue`.
  private static func words(_ arguments: [String]) -> [String] {
    var words: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if optionsWithValue.contains(word) {
        _ = rest.popFirst()
      } else if !word.hasPrefix("-") {
        words.append(word)
      }
    }
    return words
  }

  private static func children(
    of command: any ParsableCommand.Type
  ) -> [any ParsableCommand.Type] {
    let configuration = command.configuration
    return configuration.subcommands + configuration.groupedSubcommands.flatMap { $0.subcommands }
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command.configuration.commandName ?? command._commandName] + command.configuration.aliases
  }
}
