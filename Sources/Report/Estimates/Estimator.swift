import Glibc

/// An estimate with its standard error and degrees of freedom.
struct Estimate: Hashable {
  var value: Double
  /// The standard error; nil if the number of people is too small.
  var error: Double?
  var degrees: Double?

  /// The 95 % interval, from Student's t distribution: the estimate ± quantile × standard error.
  var interval: (low: Double, high: Double)? {
    guard let error, let degrees, degrees >= 1 else { return nil }
    let half = TDistribution.factor95(degrees: degrees) * error
    return (value - half, value + half)
  }
}

/// The number of counted prompts and the number of completed prompts of one person in one phase or
/// arm.
struct PromptCount: Hashable {
  var counted: Int
  var completed: Int

  /// The completed share in percent. `counted` must be greater than 0.
  var percent: Double { 100 * Double(completed) / Double(counted) }
}

/// The estimators for estimates.csv. Each sum adds the values in the order of the parameter.
enum Estimator {
  /// The mean. Its interval comes from Student's t for one sample.
  static func mean(_ values: [Double]) -> Estimate {
    let n = Double(values.count)
    guard values.count > 1 else { return Estimate(value: average(values)) }
    return Estimate(
      value: average(values), error: (squares(values) / (n - 1) / n).squareRoot(), degrees: n - 1)
  }

  /// The median, without an interval.
  static func median(_ values: [Double]) -> Estimate {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return Estimate(
      value: sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2)
  }

  /// The completed share of all prompts together, in percent. Each person is one cluster.
  ///
  /// The variance is the cluster-robust estimator CR1 (Liang and Zeger, Biometrika 1986;73:13–22)
  /// with the factor G/(G − 1), for G people. The degrees of freedom are G − 1.
  static func pooled(_ people: [PromptCount]) -> Estimate {
    let (share, spread) = cluster(people)
    let count = Double(people.count)
    guard people.count > 1 else { return Estimate(value: 100 * share) }
    return Estimate(
      value: 100 * share, error: 100 * (count / (count - 1) * spread).squareRoot(),
      degrees: count - 1)
  }

  /// The difference of two pooled shares, in percent points. Each person is one cluster.
  ///
  /// The variance is the estimator CR1 for a linear model with the arm as its only term. The factor
  /// is G/(G − 1) · (N − 1)/(N − 2), for G people and N prompts. The degrees of freedom are G − 2.
  static func pooledDifference(_ people: [PromptCount], _ others: [PromptCount]) -> Estimate {
    let ((share, spread), (otherShare, otherSpread)) = (cluster(people), cluster(others))
    let count = Double(people.count + others.count)
    let prompts = Double((people + others).reduce(0) { $0 + $1.counted })
    guard count > 2, prompts > 2 else { return Estimate(value: 100 * (share - otherShare)) }
    let factor = count / (count - 1) * (prompts - 1) / (prompts - 2)
    return Estimate(
      value: 100 * (share - otherShare),
      error: 100 * (factor * (spread + otherSpread)).squareRoot(), degrees: count - 2)
  }

  /// The pooled share, and the spread. The spread is the sum of the squared residuals of the
  /// people, divided by the square of the number of prompts.
  private static func cluster(_ people: [PromptCount]) -> (share: Double, spread: Double) {
    let counted = Double(people.reduce(0) { $0 + $1.counted })
    let share = Double(people.reduce(0) { $0 + $1.completed }) / counted
    let squares = people.reduce(0.0) { sum, person in
      let residual = Double(person.completed) - share * Double(person.counted)
      return sum + residual * residual
    }
    return (share, squares / (counted * counted))
  }

  /// The difference of two means. Its interval comes from the method of Welch (Biometrika
  /// 1947;34:28–35).
  static func welch(_ values: [Double], _ others: [Double]) -> Estimate {
    let value = average(values) - average(others)
    guard values.count > 1, others.count > 1 else { return Estimate(value: value) }
    let (n, m) = (Double(values.count), Double(others.count))
    let (first, second) = (squares(values) / (n - 1) / n, squares(others) / (m - 1) / m)
    let sum = first + second
    let degrees = sum * sum / (first * first / (n - 1) + second * second / (m - 1))
    return Estimate(
      value: value, error: sum.squareRoot(), degrees: sum > 0 ? degrees : n + m - 2)
  }

  /// The difference of two means, multiplied by `factor`. Its interval uses the common variance of
  /// both groups.
  ///
  /// This is the t test for two samples that Hills and Armitage use for crossover trials (Br J Clin
  /// Pharmacol 1979;8:7–20).
  static func twoSamples(_ values: [Double], _ others: [Double], factor: Double) -> Estimate {
    let value = factor * (average(values) - average(others))
    let (n, m) = (Double(values.count), Double(others.count))
    guard n + m > 2 else { return Estimate(value: value) }
    let variance = (squares(values) + squares(others)) / (n + m - 2)
    return Estimate(
      value: value, error: factor * (variance * (1 / n + 1 / m)).squareRoot(), degrees: n + m - 2)
  }

  private static func average(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
  }

  /// The sum of the squared differences from the mean.
  private static func squares(_ values: [Double]) -> Double {
    let mean = average(values)
    return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  }
}
