/// A divisor with a precomputed factor. The factor replaces a slow division by a multiplication.
///
/// The compiler cannot replace this division by a multiplication, because the divisor is known only
/// at run time. A 64-bit division takes up to 40 processor cycles on the small computers for which
/// the daemon is made.
struct Reciprocal: Sendable {
  let divisor: UInt64
  private let factor: UInt64

  /// Computes the factor for a divisor. The divisor must be 1 or more.
  init(_ divisor: Int) {
    precondition(divisor > 0)
    self.divisor = UInt64(divisor)
    factor = .max / UInt64(divisor)
  }

  /// Divides `value` by `divisor`, and returns the quotient and the remainder. `value` must be less
  /// than 2^63.
  ///
  /// The difference between 2^64/divisor and `factor` is less than 2. Therefore, the upper 64 bits
  /// of `value` × `factor` are the quotient, or the quotient minus 1. A comparison of the remainder
  /// with the divisor shows whether the code must add 1.
  @inline(__always)
  func divide(_ value: UInt64) -> (quotient: UInt64, remainder: UInt64) {
    let quotient = value.multipliedFullWidth(by: factor).high
    let remainder = value &- quotient &* divisor
    if remainder >= divisor { return (quotient &+ 1, remainder &- divisor) }
    return (quotient, remainder)
  }
}
