import ArgumentParser
import ClientKit

/// `prompter bridge`: joins standard input and output to the daemon's socket.
struct Bridge: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join standard input and output to the daemon's socket; what --host runs over there.",
    discussion: """
      To let a key do this and nothing else, write before it in ~/.ssh/authorized_keys:
      restrict,command="prompter bridge"
      Example, of a home reached this way: prompter --host ssh://anna@home list

      What may be done through it is what the user over there may do.
      """)

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    guard case .here(let path) = connection.address else {
      throw ValidationError("A bridge ends on this machine; leave --host out.")
    }
    try SocketBridge.run(path)
  }
}
