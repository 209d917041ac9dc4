import ArgumentParser
import ClientKit
import EventCoding
import Glibc
import NIOPosix
import Pages
import ScreenServer

/// The program for a display on which a patient sees and answers prompts.
@main
struct Main: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prompter-screen",
    abstract: "Serve the patient's screen to a browser on this machine.",
    discussion: """
      The program prints the address of the screen. Open this address in a browser on the same machine. The \
      screen shows the time, the task that calls, and two ends to touch: "later" and "done".
      """,
    version: Release.version)

  @Option(help: ArgumentHelp("The socket of the daemon.", valueName: "path"))
  var socket = ConnectionOptions.defaultSocket

  @Option(
    help: ArgumentHelp(
      "The address for the browser. Port 0: any free port.", valueName: "address:port"),
    transform: LoopbackAddress.init(parsing:))
  var listen = LoopbackAddress(host: "127.0.0.1", port: 8_077)

  @Option(
    help: ArgumentHelp(
      "The id of the person (needed if the home has several people).", valueName: "id"))
  var person: String?

  @Option(
    help: ArgumentHelp(
      "The language of the screen: en, de or vi (default: the language of the person).",
      valueName: "tag"),
    transform: Self.language)
  var language: Language?

  private static func language(_ tag: String) throws -> Language {
    guard let language = Language(tag: tag) else {
      let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\"\(tag)\" is not one of: \(known)")
    }
    return language
  }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    // The program stores nothing, so it can end at once.
    signal(SIGTERM) { _ in _exit(0) }
    let home = DaemonHome(
      client: Client(address: .here(socket: socket)), person: person, language: language)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let stage = Stage(
      home: home, loop: loop, milliseconds: monotonicMilliseconds, report: report)
    let server: PageServer
    do {
      server = try PageServer(at: listen, stage: stage, home: home, loop: loop)
    } catch {
      report("cannot listen on \(listen): \(error)")
      throw ExitCode(2)
    }
    Terminal.print("http://\(server.address)/")
    stage.start()
    DaemonFollower(home: home, stage: stage).follow()
  }
}

extension LoopbackAddress {
  init(parsing text: String) throws {
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    guard sides.count == 2, let port = UInt16(sides[1]) else {
      throw ValidationError("\"\(text)\" is not an address such as 127.0.0.1:8077")
    }
    guard sides[0] == "127.0.0.1" || sides[0] == "localhost" else {
      throw ValidationError(
        "the screen is only for this machine; write 127.0.0.1:\(port) instead of \"\(text)\"")
    }
    self.init(host: "127.0.0.1", port: Int(port))
  }
}

/// Writes a line to standard error, which goes to the journal.
@Sendable func report(_ line: String) {
  let bytes = Array("prompter-screen: \(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
