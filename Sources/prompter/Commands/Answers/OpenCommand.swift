import API
import ArgumentParser
import ClientKit
import Pages
import ScreenServer

/// `prompter open`: shows the screen of a patient on this computer.
struct Open: CheckedCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the screen of a patient in a browser on this computer, for training.",
    discussion: """
      The command prints an address that works once, and opens it in the browser.
      Only this browser can see the screen. It is the screen that prompter-screen
      shows at home, with one more line: whose screen it is, and that a caretaker
      has opened it.

      An answer on this screen is a real answer. The record says that you gave it.
      The command ends at Ctrl-C, or 60 seconds after you closed the last page.

      Example: prompter open --as patient --person anna
      """)

  enum View: String, ExpressibleByArgument, CaseIterable {
    case patient = "patient"
  }

  @Option(name: .customLong("as"), help: "Whose screen to show. Only the patient has a screen.")
  var view = View.patient

  @OptionGroup var screen: ScreenOptions

  @Flag(name: .customLong("no-browser"), help: "Print the address only.")
  var hasNoBrowser = false

  @OptionGroup var connection: ConnectionOptions

  /// The time without a page after which the command ends, in seconds.
  private static let closedSeconds: Int64 = 60
  private static let (pageFile, sshSocket) = ("open.html", "ssh")

  func check() throws {
    if connection.queue || connection.json {
      throw ValidationError("--queue and --json cannot be used with open.")
    }
  }

  func run() throws {
    let folder = try PrivateFolder()
    defer { folder.remove(files: [Self.pageFile, Self.sshSocket]) }
    EndRequest.catchSignals()
    let client = Client(
      address: connection.address.sharing(socket: folder.path + "/" + Self.sshSocket))
    // The first request reports a home that cannot be reached, and asks for a password if ssh needs
    // one.
    _ = try client.send(Request(.status))
    let home = DaemonHome(
      client: client, person: screen.person, language: screen.language, isForCaretaker: true)
    let name = try home.reading().personName
    let service = try ScreenService(
      home: home, listen: LoopbackAddress(host: "127.0.0.1", port: 0), browser: OneBrowser()
    ) { Terminal.printError("prompter: \($0)") }
    service.start()
    service.whenClosed(for: Self.closedSeconds) { EndRequest.send() }
    try show(service.address, of: name, in: folder)
    EndRequest.wait()
  }

  /// Prints the address, and opens it in the browser.
  private func show(_ address: String, of name: String, in folder: PrivateFolder) throws {
    Terminal.print("The screen of \(name). This address works once:\n\(address)")
    Terminal.print("An answer on this screen is a real answer. Ctrl-C ends the command.")
    guard !hasNoBrowser, Browser.isPossible else { return }
    // Every user of the machine can read the arguments of a program, so the browser gets the address
    // in a file that only this user can read.
    let page = """
      <!DOCTYPE html>
      <meta charset="utf-8"><meta http-equiv="refresh" content="0; url=\(address)"><title>Prompter</title>
      <p><a href="\(address)">Open the screen</a></p>

      """
    let file = try folder.write(page, to: Self.pageFile)
    if !Browser.open(file: file) {
      Terminal.printError("prompter: cannot run xdg-open; open the address in a browser")
    }
  }
}
