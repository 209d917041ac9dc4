import ArgumentParser
import ClientKit

/// `prompter bridge`: connects standard input and output to the socket of the daemon.
struct Bridge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join standard input and output to the daemon's socket; --host runs this there.",
    discussion: """
      To allow an SSH key to do only this, write before it in ~/.ssh/authorized_keys:
      restrict,command="prompter bridge"

      Example of a home that is reached this way: prompter --host ssh://anna@home list

      The caller has the rights of the user on the other machine.
      """)

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard case .here(let path) = connection.address else {
      throw ValidationError("A bridge connects to a daemon on this machine; leave out --host.")
    }
    try SocketBridge.run(path)
  }
}
