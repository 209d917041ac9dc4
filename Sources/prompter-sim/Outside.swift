import FileSystem
import Glibc
import Simulation
import Synchronization

/// Set by the signals that end a soak.
private let stop = Atomic(false)

/// Whether a signal asked the program to stop.
var isToldToStop: Bool { stop.load(ordering: .relaxed) }

/// Handles SIGINT and SIGTERM: the homes that run now are finished, and the sum is printed.
func stopOnSignal() {
  for number in [SIGINT, SIGTERM] {
    signal(number) { _ in stop.store(true, ordering: .relaxed) }
  }
}

/// Prints a line at once, also into a file or a pipe.
func say(_ line: String) {
  print(line)
  fflush(nil)
}

/// The commit of the checkout in the working directory; nil if there is none.
func checkedOutCommit() -> String? {
  func text(_ path: String) -> String? {
    (try? readFile(atPath: path, limit: 1 << 16))
      .map { String(decoding: $0.filter { $0 != 10 }, as: UTF8.self) }
  }
  guard let head = text(".git/HEAD") else { return nil }
  guard head.hasPrefix("ref: ") else { return head }
  return text(".git/\(head.dropFirst(5))")
}
