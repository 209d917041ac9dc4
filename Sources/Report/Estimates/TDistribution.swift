import Glibc

/// Student's t distribution.
enum TDistribution {
  /// The 97.5 % quantile. A 95 % interval uses this quantile as its factor.
  ///
  /// The function finds the value by bisection of the two-sided tail, with a relative error below
  /// 1e-10. The tail is the regularized incomplete beta function I(x; df/2, 1/2) with
  /// x = df / (df + t²) (Abramowitz and Stegun 1964, 26.7.1).
  ///
  /// - Parameter degrees: the degrees of freedom, at least 1; not necessarily a whole number.
  static func factor95(degrees: Double) -> Double {
    var (low, high) = (0.0, 13.0)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if tails(beyond: middle, degrees: degrees) > 0.05 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The probability of a value above `t` or below `-t`.
  static func tails(beyond t: Double, degrees: Double) -> Double {
    incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
  }

  /// The regularized incomplete beta function I(x; a, b), for x from 0 to 1.
  private static func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    // The continued fraction converges fast only if `x` is at most this limit.
    if x > (a + 1) / (a + b + 2) { return 1 - incompleteBeta(1 - x, b, a) }
    let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front * continuedFraction(x, a, b)
  }

  /// The continued fraction 26.5.8 of Abramowitz and Stegun, with the method of Lentz.
  private static func continuedFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func kept(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var (c, d) = (1.0, 1 / kept(1 - (a + b) * x / (a + 1)))
    var result = d
    for step in 1...5_000 {
      let m = Double(step)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / kept(1 + even * d)
      c = kept(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / kept(1 + odd * d)
      c = kept(1 + odd / c)
      result *= d * c
      if abs(d * c - 1) < 1e-15 { break }
    }
    return result
  }
}
