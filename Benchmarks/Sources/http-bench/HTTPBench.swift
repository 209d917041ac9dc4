import Glibc

/// The least that the HTTP library of the daemon can do, and clients who ask it and the daemon alike.
///
///     http-bench hello SOCKET                                a server that says hello
///     http-bench load SOCKET METHOD PATH COUNT CLIENTS [BODY]   how fast requests are answered
///     http-bench flood SOCKET CLIENTS                        connections without end, until it is ended
@main
enum HTTPBench {
  static func main() {
    // A server that hangs up must not end its clients.
    signal(SIGPIPE, SIG_IGN)
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch (words.first, words.count) {
      case ("hello", 2): try Hello.serve(words[1])
      case ("load", 6...7):
        let request = HTTPRequest(
          method: words[2], path: words[3], body: words.count > 6 ? words[6] : "")
        try Load(
          socket: words[1], request: request, count: Int(words[4]) ?? 1,
          clients: Int(words[5]) ?? 1
        ).run()
      case ("flood", 3): Flood(socket: words[1]).run(clients: Int(words[2]) ?? 1)
      default:
        printError("usage: http-bench hello|load|flood SOCKET …")
        exit(2)
      }
    } catch {
      printError("http-bench: \(error)")
      exit(1)
    }
  }
}

func printError(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  // Nobody is left to be told if this fails.
  _ = write(2, bytes, bytes.count)
}
