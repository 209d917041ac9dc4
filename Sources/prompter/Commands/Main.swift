import ArgumentParser
import ClientKit
import Glibc

/// A command that checks whether the user can combine the given arguments.
///
/// The function `validate()` of the parser runs before the parser reports unknown options. If
/// `validate()` failed, the user would not see the error message about a misspelled option.
/// Therefore the checks are in `check()`, which runs after the parser has read all arguments.
protocol CheckedCommand: ParsableCommand {
  /// - Throws: `ValidationError` if the arguments cannot be used together.
  func check() throws
}

/// Runs one command, prints the result, and ends with an exit code. The meaning of each exit code
/// never changes, so scripts can rely on it.
@main struct Main {
  static func main() {
    // If another program, such as `head`, reads the output and ends early, the next write of this
    // program fails. The signal SIGPIPE would then end this program. Therefore ignore SIGPIPE.
    signal(SIGPIPE, SIG_IGN)
    if let refusal = refusalOfBytes() {
      Terminal.printError("prompter: \(refusal)")
      exit(Failure.badUsage("").exitCode)
    }
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Returns the text that refuses an argument that is not UTF-8.
  ///
  /// Swift replaces each wrong byte in `CommandLine.arguments` with U+FFFD. Without the refusal,
  /// the daemon would save and speak a different text from the text that the person typed.
  ///
  /// - Returns: nil if all arguments are UTF-8.
  private static func refusalOfBytes() -> String? {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      guard String(validating: bytes, as: UTF8.self) == nil else { continue }
      return
        "cannot read argument \(index), \"\(String(decoding: bytes, as: UTF8.self))\": it is not "
        + "UTF-8; set the terminal to UTF-8, or rename the file"
    }
    return nil
  }

  /// - Returns: the exit code: 0 for success, 1 if the daemon refused the request, 2 for a wrong
  ///   command, and 3 if this program cannot reach the daemon.
  static func run(_ given: [String]) -> Int32 {
    let arguments = TextArguments.readable(given)
    if Overview.isAsked(by: arguments) {
      Terminal.print(Overview.text)
      return 0
    }
    do {
      var command = try PrompterCommand.parseAsRoot(arguments)
      try check(command)
      try checkExpires(command, arguments)
      try command.run()
      return 0
    } catch let failure as Failure {
      Terminal.printError("prompter: \(failure.sentence)")
      return failure.exitCode
    } catch let silenced as QuietExit {
      return silenced.exitCode
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      // The parser also throws if the user asks for help or for a completion script. In these two
      // cases, the command succeeds.
      let isAnswer = PrompterCommand.exitCode(for: error).isSuccess
      if !isAnswer, let refusal = CommandNames.refusal(of: arguments) {
        Terminal.printError(refusal)
        return Failure.badUsage("").exitCode
      }
      let message = PrompterCommand.fullMessage(for: error)
      if isAnswer { Terminal.print(message) } else { Terminal.printError(message) }
      if !isAnswer, let advice = TextArguments.advice(for: given) { Terminal.printError(advice) }
      return isAnswer ? 0 : Failure.badUsage("").exitCode
    }
  }

  /// Refuses `--expires` without `--queue`. Exception: for the command `say`, `--expires` has
  /// another meaning and does not need `--queue`.
  private static func checkExpires(
    _ command: any ParsableCommand, _ arguments: [String]
  ) throws {
    let options = arguments.prefix { $0 != "--" }
    guard !(command is SayCommand), !options.contains("--queue"),
      options.contains(where: { $0 == "--expires" || $0.hasPrefix("--expires=") })
    else { return }
    throw Failure.badUsage("--expires needs --queue.")
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

  /// Returns the names of the commands from `root` to `command`; nil if `command` is not a
  /// subcommand of `root`.
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
