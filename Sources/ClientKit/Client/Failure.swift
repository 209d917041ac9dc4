/// Why a command failed.
package enum Failure: Error, Equatable {
  /// The daemon refused the request; the text is the daemon's.
  case refused(String)
  /// The typed command is wrong, or something on this machine prevents the request.
  case badUsage(String)
  /// The daemon did not answer, or its answer is incomplete.
  case unreachable(String)

  /// The exit code. The codes never change, because scripts depend on them.
  package var exitCode: Int32 {
    switch self {
    case .refused: 1
    case .badUsage: 2
    case .unreachable: 3
    }
  }

  /// One sentence: what failed, and why.
  package var sentence: String {
    switch self {
    case .refused(let text), .badUsage(let text), .unreachable(let text): text
    }
  }
}
