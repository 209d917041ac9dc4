import ArgumentParser
import Glibc

/// The command line of a home: set alarms, answer prompts, read the record.
struct PrompterCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter",
    abstract: "Reminders that ring until they are answered.",
    discussion: """
      Exit codes: 0 done, 1 refused by the daemon, 2 bad usage, 3 cannot reach the daemon.
      Lengths of time are written 90s, 10m or 1h30m.
      """,
    subcommands: [
      Add.self, List.self, Show.self, Edit.self, Remove.self, Preview.self,
      Next.self, Prompts.self, Acknowledge.self, Done.self, Delay.self, Decline.self, Cancel.self,
      ToneCommand.self, Log.self, Export.self, Verify.self, Status.self,
    ])

  @OptionGroup var connection: Connection
}

/// Where the daemon is, and how its answer is printed.
struct Connection: ParsableArguments {
  /// Where the packaged daemon listens.
  static let defaultSocket = "/run/prompter/control.sock"

  @Option(
    help: ArgumentHelp(
      "The daemon's socket (default: $PROMPTER_SOCKET, else \(Self.defaultSocket)).",
      valueName: "path"))
  var socket: String?

  @Flag(help: "Print the daemon's answer as JSON, unchanged.")
  var json = false

  /// The socket to use: named on the command line, else by the environment, else the default.
  var path: String {
    if let socket { return socket }
    if let value = getenv("PROMPTER_SOCKET"), value.pointee != 0 { return String(cString: value) }
    return Self.defaultSocket
  }

  /// Sends a request and prints the answer: as it came, or in the words of `describe`.
  func carryOut(_ request: Request, describe: (Reply) throws -> String) throws {
    let reply = try Client(socket: path).send(request)
    if json {
      Terminal.write(reply.body)
    } else {
      Terminal.print(try describe(reply))
    }
  }
}
