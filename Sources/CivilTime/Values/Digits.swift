/// The decimal digits of `value`. If there are fewer than `width` digits, leading zeros fill the
/// text up to `width` digits. A minus sign comes before the leading zeros.
func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value.magnitude)
  let zeros = String(repeating: "0", count: max(0, width - digits.count))
  return (value < 0 ? "-" : "") + zeros + digits
}

/// A division that rounds towards minus infinity. `divisor` must be positive.
@inline(__always)
func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return quotient &- (quotient &* divisor > value ? 1 : 0)
}

/// A division that rounds towards minus infinity. `divisor` must be positive.
@inline(__always)
func floorDivide(_ value: Int, _ divisor: Int) -> Int {
  Int(floorDivide(Int64(value), Int64(divisor)))
}

/// The remainder of the division `floorDivide`. The result is in the range 0 ..< divisor. `divisor`
/// must be positive.
@inline(__always)
func floorRemainder(_ value: Int, _ divisor: Int) -> Int {
  value &- floorDivide(value, divisor) &* divisor
}

/// The greatest common divisor of two numbers that are not both zero.
func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
  var (larger, smaller) = (abs(first), abs(second))
  while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
  return larger
}
