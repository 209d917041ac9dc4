import ArgumentParser
import JSONValue

/// The options for the address of the daemon and for the format of the printed reply.
package struct ConnectionOptions: ParsableArguments {
  /// The path of the daemon's socket if Prompter was installed from a package.
  package static let defaultSocket = "/run/prompter/control.sock"

  @Option(
    help: ArgumentHelp(
      "Connect to a home by ssh, such as ssh://anna@home or ssh://home:2222 (default: "
        + "$PROMPTER_HOST, else this machine).", valueName: "url"),
    transform: SSHHost.init(parsing:))
  package var host: SSHHost?

  @Option(
    help: ArgumentHelp(
      "Use this socket of the daemon (default: $PROMPTER_SOCKET, else \(Self.defaultSocket)).",
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
    help: ArgumentHelp(
      "With --queue: discard the change after this time. With say --answer: the time for an answer.",
      valueName: "duration"),
    transform: DurationArgument.init)
  package var expires: DurationArgument?

  package init() {}

  package func validate() throws {
    guard host == nil, socket == nil, let text = ProcessEnvironment.value("PROMPTER_HOST") else {
      return
    }
    do {
      _ = try SSHHost(parsing: text)
    } catch {
      throw ValidationError("$PROMPTER_HOST: \"\(text)\": \(error.message).")
    }
  }

  /// The address of the home. An option of the command line overrides an environment variable. If
  /// no option and no variable contains the address of a home, the home is on this machine.
  ///
  /// If the address contains a socket but no host, the socket is on this machine.
  package var address: HomeAddress {
    if let host { return .ssh(host, socket: socket) }
    if let socket { return .here(socket: socket) }
    if let host = ProcessEnvironment.value("PROMPTER_HOST").flatMap({ SSHHost(argument: $0) }) {
      return .ssh(host, socket: nil)
    }
    return .here(socket: ProcessEnvironment.value("PROMPTER_SOCKET") ?? Self.defaultSocket)
  }

  package var client: Client { Client(address: address) }

  /// Sends a request and prints the reply: the JSON document if the option `--json` is set,
  /// otherwise the text from `describe`. If the option `--queue` is set, the command first writes
  /// the request to the outbox.
  package func carryOut(_ request: Request, describe: (HTTPReply) throws -> String) throws {
    if queue { return try queue(request, describe: describe) }
    guard json else { return Terminal.print(try describe(client.send(request))) }
    // Print the JSON body even if the daemon refuses the request, because programs read the kind of
    // the refusal from this body.
    let reply = try client.exchange(request)
    Terminal.write(json: reply.body)
    _ = try reply.accepted()
  }
}
