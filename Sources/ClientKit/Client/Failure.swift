/// The reason why a command failed.
package enum Failure: Error, Equatable {
  /// The daemon refused the request. The text comes from the daemon.
  case refused(String)
  /// The typed command is wrong, or a problem on this machine prevents the request.
  case badUsage(String)
  /// The daemon did not reply, or its reply is incomplete.
  case unreachable(String)

  /// The exit code. The codes never change, because scripts depend on them.
  package var exitCode: Int32 {
    switch self {
    case .refused: 1
    case .badUsage: 2
    case .unreachable: 3
    }
  }

  /// True if the daemon certainly did not carry out the request.
  ///
  /// If the error is `unreachable`, it is possible that the daemon carried out the request and only
  /// the reply was lost.
  package var leavesRequestUndone: Bool {
    switch self {
    case .refused, .badUsage: true
    case .unreachable: false
    }
  }

  /// One sentence with the failed action and the reason.
  package var sentence: String {
    switch self {
    case .refused(let text), .badUsage(let text), .unreachable(let text): text
    }
  }
}
