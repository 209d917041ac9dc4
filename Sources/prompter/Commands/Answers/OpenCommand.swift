import API
import ArgumentParser
import ClientKit
import Pages
import ScreenServer

/// `prompter open`: shows the caretaker's pages, or the screen of a patient, on this computer.
struct Open: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the caretaker's pages in a browser on this computer.",
    discussion: """
      The command prints an address that works once, and opens it in the browser.
      Only this browser can see the pages. They show the tasks of the day, and you
      can answer for a person. The record says that you gave the answer.

      With --as patient, the command shows the screen that prompter-screen shows at
      home, for training, with one more line: whose screen it is, and that a
      caretaker has opened it. An answer on this screen is a real answer.

      The command ends at Ctrl-C, or 60 seconds after you closed the last page.

      Examples:
        prompter open
        prompter open --as patient --person anna
      """)

  enum View: String, ExpressibleByArgument, CaseIterable {
    case caretaker = "caretaker"
    case patient = "patient"
  }

  @Option(
    name: .customLong("as"),
    help: "Show the pages of a caretaker, or the screen of a patient: caretaker or patient.")
  var view = View.caretaker

  @OptionGroup var screen: ScreenOptions

  @Flag(name: .customLong("no-browser"), help: "Print the address only.")
  var hasNoBrowser = false

  @Option(
    help: ArgumentHelp("The socket of prompter-web, for the phones.", valueName: "path"),
    completion: .file())
  var webSocket = WebSocketOptions.defaultSocket

  @OptionGroup var connection: ConnectionOptions

  /// The time without an open page after which the command ends, in seconds.
  private static let closedSeconds: Int64 = 60
  private static let (pageFile, sshSocket) = ("open.html", "ssh")

  func check() throws {
    if connection.queue || connection.json {
      throw ValidationError("--queue and --json cannot be used with open.")
    }
    if view == .caretaker, screen.person != nil {
      throw ValidationError("--person needs --as patient.")
    }
  }

  func run() throws {
    let folder = try PrivateFolder()
    defer { folder.remove(files: [Self.pageFile, Self.sshSocket]) }
    EndRequest.catchSignals()
    let client = Client(
      address: connection.address.sharing(socket: folder.path + "/" + Self.sshSocket))
    switch view {
    case .caretaker: try showPages(client, in: folder)
    case .patient: try showScreen(client, in: folder)
    }
    EndRequest.wait()
  }

  private func showPages(_ client: Client, in folder: PrivateFolder) throws {
    // If the home cannot be reached, this first request fails, and the user sees the error. If ssh
    // needs a password, ssh asks for it now. The daemon refuses this request if the user is not a
    // caretaker.
    _ = try client.send(Request(.day))
    let service = try CaretakerService(
      client: client, language: screen.language, browser: OneBrowser(), phones: phones(client).send
    ) { Terminal.printError("prompter: \($0)") }
    service.start()
    service.whenClosed(for: Self.closedSeconds) { EndRequest.send() }
    Terminal.print("The caretaker's pages. This address works once:\n\(service.address)")
    Terminal.print("Ctrl-C ends the command.")
    try openBrowser(service.address, in: folder)
  }

  private func phones(_ client: Client) -> PhoneSockets {
    switch client.address {
    case .here: PhoneSockets(control: webSocket) { .here(socket: $0) }
    case .ssh(let host, _): PhoneSockets(control: webSocket) { .ssh(host, socket: $0) }
    }
  }

  private func showScreen(_ client: Client, in folder: PrivateFolder) throws {
    _ = try client.send(Request(.status))
    let home = DaemonHome(
      client: client, person: screen.person, language: screen.language, isForCaretaker: true)
    let name = try home.reading(.all, since: nil).personName
    let service = try ScreenService(
      home: home, listen: LoopbackAddress(host: "127.0.0.1", port: 0), browser: OneBrowser()
    ) { Terminal.printError("prompter: \($0)") }
    service.start()
    service.whenClosed(for: Self.closedSeconds) { EndRequest.send() }
    Terminal.print("The screen of \(name). This address works once:\n\(service.address)")
    Terminal.print("An answer on this screen is a real answer. Ctrl-C ends the command.")
    try openBrowser(service.address, in: folder)
  }

  private func openBrowser(_ address: String, in folder: PrivateFolder) throws {
    guard !hasNoBrowser, Browser.isPossible else { return }
    // Every user of the machine can read the arguments of a program. Therefore the program writes
    // the secret address to a file that only this user can read, and the browser opens this file.
    let page = """
      <!DOCTYPE html>
      <meta charset="utf-8"><meta http-equiv="refresh" content="0; url=\(address)"><title>Prompter</title>
      <p><a href="\(address)">Open Prompter</a></p>

      """
    let file = try folder.write(page, to: Self.pageFile)
    if !Browser.open(file: file) {
      Terminal.printError("prompter: cannot run xdg-open; open the address in a browser")
    }
  }
}
