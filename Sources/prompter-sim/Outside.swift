import FileSystem
import Glibc
import Simulation
import Synchronization

/// True after the process received a signal that ends a long run of simulations.
private let stop = Atomic(false)

/// True if a signal asked the program to stop.
var isToldToStop: Bool { stop.load(ordering: .relaxed) }

/// Installs handlers for SIGINT and SIGTERM. After such a signal, the program completes the
/// simulations in progress, and prints the total of all results.
func stopOnSignal() {
  for number in [SIGINT, SIGTERM] {
    signal(number) { _ in stop.store(true, ordering: .relaxed) }
  }
}

/// Prints a line without a delay, even if the output is a file or a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// Returns the present commit of the Git repository in the working directory; nil if the function
/// finds no commit.
func checkedOutCommit() -> String? {
  func text(_ path: String) -> String? {
    (try? readFile(atPath: path, limit: 1 << 16))
      .map { String(decoding: $0.filter { $0 != 10 }, as: UTF8.self) }
  }
  guard let head = text(".git/HEAD") else { return nil }
  guard head.hasPrefix("ref: ") else { return head }
  return text(".git/\(head.dropFirst(5))")
}
