import ArgumentParser
import ClientKit
import Glibc

/// Prints the answer to one request and ends with a code that scripts can rely on.
@main struct Door {
  static func main() {
    // A reader that leaves, be it `head` or tar, is met as a failed write and not as a sudden end.
    signal(SIGPIPE, SIG_IGN)
    exit(run(Array(CommandLine.arguments.dropFirst())))
  }

  /// - Returns: 0 done, 1 refused by the daemon, 2 bad usage, 3 cannot reach the daemon.
  static func run(_ arguments: [String]) -> Int32 {
    do {
      var command = try PrompterCommand.parseAsRoot(arguments)
      try command.run()
      return 0
    } catch let failure as Failure {
      Terminal.printError("prompter: \(failure.sentence)")
      return failure.exitCode
    } catch let silenced as QuietExit {
      return silenced.exitCode
    } catch {
      // Help and completion scripts travel as errors too: those are what was asked for.
      let isAnswer = PrompterCommand.exitCode(for: error).isSuccess
      let message = PrompterCommand.fullMessage(for: error)
      if isAnswer { Terminal.print(message) } else { Terminal.printError(message) }
      return isAnswer ? 0 : Failure.badUsage("").exitCode
    }
  }
}
