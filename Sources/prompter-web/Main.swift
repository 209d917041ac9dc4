import ArgumentParser
import ClientKit
import EventCoding
import Glibc
import NIOCore
import ScreenServer
import Systemd
import WebServer

/// The program that serves the caretaker's pages to the phones in a home.
@main
struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-web",
    abstract: "Serve the caretaker's pages to phones at home.",
    discussion: """
      The program speaks HTTP without encryption, on a socket of this machine. Another program, such as stunnel, \
      accepts the connections of the phones and decrypts them. Phones get access with a code: see \
      "prompter help web".
      """,
    version: Release.version)

  @Option(help: ArgumentHelp("The socket of the daemon.", valueName: "path"))
  var socket = ConnectionOptions.defaultSocket

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"), completion: .file())
  var config = "/etc/prompter-web/config.toml"

  @Option(
    help: ArgumentHelp("The directory for the list of devices.", valueName: "directory"),
    completion: .directory)
  var state = "/var/lib/prompter-web"

  @Option(
    help: ArgumentHelp(
      "A socket or a loopback address for the pages, if systemd opens no socket.",
      valueName: "path|address:port"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "The socket for \"prompter web\", if systemd opens no socket.", valueName: "path"),
    completion: .file())
  var control: String?

  @Option(
    help: ArgumentHelp(
      "The socket with which each user manages the user's own phones, if systemd opens no socket.",
      valueName: "path"),
    completion: .file())
  var own: String?

  func validate() throws {
    if let listen, !listen.hasPrefix("/") { _ = try ScreenArguments.address(listen) }
  }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    // The program writes the list of devices to the disk before a new device gets its cookie.
    // Therefore the program can end at once without a loss.
    signal(SIGTERM) { _ in _exit(0) }
    // Only the user of this program can use the files and the sockets that the program makes.
    umask(0o077)
    do {
      try serve()
    } catch let exit as ExitCode {
      throw exit
    } catch {
      report("\(error)")
      throw ExitCode(2)
    }
  }

  private func serve() throws {
    let inherited = ServiceManager().inheritedSockets()
    let web = try place("web", inherited, listen, "--listen")
    let control = try place("control", inherited, control, "--control")
    // This socket is optional, because older systemd units do not open it.
    let own =
      own.map { PageSocket.path($0) }
      ?? inherited.first { $0.name == "own" }.map { .inherited($0.descriptor) }
    let settings = try WebSettings(text: try text(of: config), path: config)
    let registry = try PhoneRegistry(directory: state, report: report)
    let service = try WebService(
      client: Client(address: .here(socket: socket)), settings: settings, registry: registry,
      web: web, control: control, own: own, report: report)
    if service.port > 0 { Terminal.print("listening on port \(service.port)") }
    service.start()
    reportLife(on: service.loop)
    while true { pause() }
  }

  /// Returns the socket from the command line. If the command line contains no socket, returns the
  /// socket with this name that systemd opened.
  private func place(
    _ name: String, _ inherited: [(name: String, descriptor: CInt)], _ given: String?,
    _ option: String
  ) throws -> PageSocket {
    if let given {
      guard !given.hasPrefix("/") else { return .path(given) }
      return .loopback(try ScreenArguments.address(given))
    }
    guard let found = inherited.first(where: { $0.name == name }) else {
      report("systemd opened no socket with the name \"\(name)\"; use \(option)")
      throw ExitCode(2)
    }
    return .inherited(found.descriptor)
  }

  private func text(of path: String) throws -> String {
    do {
      return try String(decoding: Files.read(path, atMost: 65_536), as: UTF8.self)
    } catch let failure as Failure {
      report(failure.sentence)
      throw ExitCode(2)
    }
  }

  /// Tells systemd that the program is ready. Then tells systemd regularly that the program still
  /// works. The event loop that serves the pages sends these reports.
  private func reportLife(on loop: any EventLoop) {
    let manager = ServiceManager()
    manager.ready(status: "serving the caretaker's pages")
    guard let limit = manager.watchdogMicroseconds else { return }
    loop.scheduleRepeatedTask(
      initialDelay: .zero, delay: .microseconds(Int64(limit / 3))
    ) { _ in manager.alive() }
  }
}

/// Writes a line to standard error. systemd writes standard error to the journal.
@Sendable func report(_ line: String) {
  let bytes = Array("prompter-web: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
