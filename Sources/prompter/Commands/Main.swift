import ArgumentParser
import ClientKit
import Glibc

/// A command whose arguments must fit together.
///
/// The parser's own `validate()` runs before the parser reports unknown options, and would hide a
/// misspelled option behind another error. `check()` runs after all arguments were read.
protocol CheckedCommand: ParsableCommand {
  /// - Throws: `ValidationError`.
  func check() throws
}

/// Prints the answer to one request and ends with a code that scripts can rely on.
@main struct Main {
  static func main() {
    // If the reader ends first, such as `head`, the write fails instead of killing this program.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// - Returns: 0 done, 1 refused by the daemon, 2 bad usage, 3 cannot reach the daemon.
  static func run(_ arguments: [String]) -> Int32 {
    if Overview.isAsked(by: arguments) {
      Terminal.print(Overview.text)
      return 0
    }
    do {
      var command = try PrompterCommand.parseAsRoot(arguments)
      try check(command)
      try command.run()
      return 0
    } catch let failure as Failure {
      Terminal.printError("prompter: \(failure.sentence)")
      return failure.exitCode
    } catch let silenced as QuietExit {
      return silenced.exitCode
    } catch {
      // Help and completion scripts arrive as errors, too. They are not failures.
      let isAnswer = PrompterCommand.exitCode(for: error).isSuccess
      let message = PrompterCommand.fullMessage(for: error)
      if isAnswer { Terminal.print(message) } else { Terminal.printError(message) }
      return isAnswer ? 0 : Failure.badUsage("").exitCode
    }
  }

  private static func check(_ command: any ParsableCommand) throws {
    guard let checked = command as? any CheckedCommand else { return }
    do {
      try checked.check()
    } catch let error as ValidationError {
      let path = path(to: type(of: command), below: PrompterCommand.self) ?? []
      throw Failure.badUsage(
        "\(error.message)\n  See \"prompter help \(path.joined(separator: " "))\".")
    }
  }

  /// The words that call a command; nil if it is not below `root`.
  private static func path(
    to command: any ParsableCommand.Type, below root: any ParsableCommand.Type
  ) -> [String]? {
    let configuration = root.configuration
    let children =
      configuration.subcommands + configuration.groupedSubcommands.flatMap(\.subcommands)
    for child in children {
      let name = child.configuration.commandName ?? child._commandName
      if child == command { return [name] }
      if let rest = path(to: command, below: child) { return [name] + rest }
    }
    return nil
  }
}
