import ArgumentParser
import JSONValue

/// Where the daemon is, and how its answer is printed.
package struct ConnectionOptions: ParsableArguments {
  /// Where the packaged daemon listens.
  package static let defaultSocket = "/run/prompter/control.sock"

  @Option(
    help: ArgumentHelp(
      "The home, reached by ssh, as ssh://anna@home or ssh://home:2222 (default: $PROMPTER_HOST, "
        + "else this machine).", valueName: "url"))
  package var host: SSHHost?

  @Option(
    help: ArgumentHelp(
      "The daemon's socket (default: $PROMPTER_SOCKET, else \(Self.defaultSocket)).",
      valueName: "path"))
  package var socket: String?

  @Flag(help: "Print the daemon's answer as JSON, unchanged.")
  package var json = false

  @Flag(
    help: ArgumentHelp(
      "Keep the change in the outbox and deliver it when the home can be reached.",
      discussion: "See \"prompter help outbox\"."))
  package var queue = false

  @Option(
    help: ArgumentHelp("With --queue: never apply it after so long.", valueName: "duration"),
    transform: DurationArgument.init)
  package var expires: DurationArgument?

  package init() {}

  package func validate() throws {
    if expires != nil, !queue { throw ValidationError("--expires goes with --queue.") }
    guard host == nil, socket == nil, let text = ProcessEnvironment.value("PROMPTER_HOST") else {
      return
    }
    guard SSHHost(argument: text) != nil else {
      throw ValidationError("$PROMPTER_HOST: \"\(text)\" is no ssh://user@home.")
    }
  }

  /// The home to speak to: named on the command line, else by the environment, else this machine's.
  /// A socket named without a host is one of this machine.
  package var address: HomeAddress {
    if let host { return .ssh(host, socket: socket) }
    if let socket { return .here(socket: socket) }
    if let host = ProcessEnvironment.value("PROMPTER_HOST").flatMap({ SSHHost(argument: $0) }) {
      return .ssh(host, socket: nil)
    }
    return .here(socket: ProcessEnvironment.value("PROMPTER_SOCKET") ?? Self.defaultSocket)
  }

  package var client: Client { Client(address: address) }

  /// Sends a request and prints the answer: as it came, or in the words of `describe`.
  package func carryOut(_ request: Request, describe: (HTTPReply) throws -> String) throws {
    if queue { return try queue(request, describe: describe) }
    guard json else { return Terminal.print(try describe(client.send(request))) }
    // A refusal is an answer too: a program reads its kind where a person reads the sentence.
    let reply = try client.exchange(request)
    Terminal.write(json: reply.body)
    _ = try reply.accepted()
  }
}
