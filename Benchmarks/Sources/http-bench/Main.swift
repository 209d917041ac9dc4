import Glibc

/// A minimal server with the daemon's HTTP library, and clients for this server and for the daemon.
///
///     http-bench hello SOCKET                                   runs a server that replies "hello"
///     http-bench load SOCKET METHOD PATH COUNT CLIENTS [BODY]   measures the time of replies
///     http-bench flood SOCKET CLIENTS                           connects again and again until it is killed
@main
enum Main {
  static func main() {
    // If a server closes the connection, the client must not end.
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
  // Ignore an error of this call, because the program has no other place to report a failure.
  _ = write(2, bytes, bytes.count)
}
