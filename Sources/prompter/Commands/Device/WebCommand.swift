import ArgumentParser
import ClientKit
import JSONValue

/// `prompter web`: adds and removes phones that show the caretaker's pages.
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "web", abstract: "Add and remove phones that show the caretaker's pages.",
    discussion: """
      These commands are for an administrator. They talk to prompter-web, which serves the pages to phones.

      Examples:
        sudo prompter web pair sofia
        sudo prompter web devices
        sudo prompter web revoke 3
      """,
    subcommands: [Pair.self, Devices.self, Revoke.self])

  struct Pair: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show a code with which a user adds a phone.",
      discussion: """
        The code works once, for 10 minutes. After 5 wrong codes, it is no longer valid. \
        The configuration of the daemon must permit prompter-web to act for the user.
        """)

    @Argument(help: "The name of the user.")
    var user: String

    @OptionGroup var place: WebSocketOptions

    func run() throws {
      let body = JSON.object([("user", .string(user))])
      try place.carryOut("POST", "/invitations", body) { reply in
        let code = reply.text("code")
        return """
          \(reply.text("qr"))

          On the phone of \(reply.text("user")), scan the code above. Or open \(reply.text("address"))
          and type: \(code.prefix(4)) \(code.suffix(4))
          The code works once, in the next \(reply.count("expires_seconds") / 60) minutes.
          """
      }
    }
  }

  struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the phones that have access.")

    @OptionGroup var place: WebSocketOptions

    func run() throws {
      try place.carryOut("GET", "/devices") { reply in
        let devices = reply.list("devices")
        if devices.isEmpty { return "No phone has access." }
        var table = Table(["Device", "User", "Kind", "Added", "Last used"])
        for device in devices {
          table.add(["device", "user", "kind", "added", "used"].map { .init(device.text($0)) })
        }
        return table.text
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a phone. It has no access from now on.")

    @Argument(help: "The number of the device, as \"prompter web devices\" shows it.")
    var device: Int

    @OptionGroup var place: WebSocketOptions

    func run() throws {
      try place.carryOut("DELETE", "/devices/\(device)") { reply in
        "Device \(reply.text("device")) (\(reply.text("kind"))) of \(reply.text("user")) has no access now."
      }
    }
  }
}

/// The options of `prompter web`, and the functions that send its requests.
struct WebSocketOptions: ParsableArguments {
  /// The path of the control socket of prompter-web, if a package installed prompter-web.
  static let defaultSocket = "/run/prompter-web/control.sock"

  @Option(help: ArgumentHelp("The socket of prompter-web.", valueName: "path"), completion: .file())
  var webSocket = WebSocketOptions.defaultSocket

  @OptionGroup var connection: ConnectionOptions

  func carryOut(
    _ method: String, _ target: String, _ body: JSON? = nil, describe: (JSON) throws -> String
  ) throws {
    if connection.queue || connection.socket != nil {
      throw Failure.badUsage("--queue and --socket cannot be used with web; use --web-socket")
    }
    let address =
      connection.host.map { HomeAddress.ssh($0, socket: webSocket) } ?? .here(socket: webSocket)
    let bytes = body.map { Array($0.description.utf8) } ?? []
    let request = Request(
      method: method, target: target, headers: [("Content-Type", "application/json")], body: bytes)
    let reply: HTTPReply
    do {
      reply = try Client(address: address).exchange(request)
    } catch Failure.unreachable where connection.host == nil {
      throw Failure.unreachable(
        "cannot reach prompter-web at \(webSocket): it does not run, or this user may not use it; "
          + "only root and the group prompter-admin may (see PHONES.md)")
    }
    if connection.json { Terminal.write(json: reply.body) }
    let accepted = try reply.accepted()
    if !connection.json { Terminal.print(try describe(accepted.document())) }
  }
}
