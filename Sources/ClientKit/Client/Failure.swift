/// Why a command did not do what it was asked for.
package enum Failure: Error, Equatable {
  /// The daemon heard the request and refused it; in the daemon's own words.
  case refused(String)
  /// The request cannot be made from what was typed.
  case badUsage(String)
  /// Nobody answered, or the answer broke off.
  case unreachable(String)

  /// Fixed, because scripts depend on it.
  package var exitCode: Int32 {
    switch self {
    case .refused: 1
    case .badUsage: 2
    case .unreachable: 3
    }
  }

  /// One sentence that names the thing and the reason.
  package var sentence: String {
    switch self {
    case .refused(let text), .badUsage(let text), .unreachable(let text): text
    }
  }
}
