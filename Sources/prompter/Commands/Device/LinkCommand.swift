import ArgumentParser
import ClientKit

/// `prompter link`: runs the program prompter-link, which is in a separate package.
struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Send the record of this home to the archive of a study.",
    discussion: """
      The command runs the program prompter-link of the package prompter-link, with the same arguments.

      Examples:
        sudo prompter link enrol https://archive.study.example --code CODE --pin PIN
        prompter link status
        sudo prompter link pause
      """)

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The arguments of prompter-link.", valueName: "arguments"))
  var arguments: [String] = []

  @ParentCommand var prompter: PrompterCommand

  func run() throws {
    if prompter.connection.host != nil {
      throw Failure.badUsage(
        "\"prompter link\" works only in the home itself: without --host and without $PROMPTER_HOST"
      )
    }
    guard let program = Program.installed("prompter-link") else {
      throw Failure.badUsage(
        "cannot find the program prompter-link; install the package prompter-link")
    }
    throw ExitCode(Program.wait(try Program.start([program] + arguments)))
  }
}
