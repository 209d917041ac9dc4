import Glibc

/// Returns the CPU time of this thread in nanoseconds.
func cpuNanoseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

/// Returns the median time of one of the `count` operations in a call of `body`, in nanoseconds.
/// A run repeats `body` so that it takes at least a tenth of a millisecond.
func median(count: Int, runs: Int = 21, _ body: () -> Void) -> Double {
  if count == 0 { return 0 }
  body()
  let begin = cpuNanoseconds()
  body()
  let once = max(1, cpuNanoseconds() - begin)
  let repeats = max(1, Int(200_000 / once))
  let times = (0..<(once > 50_000_000 ? 1 : runs)).map { _ in
    let begin = cpuNanoseconds()
    for _ in 0..<repeats { body() }
    return Double(cpuNanoseconds() - begin) / Double(repeats * count)
  }
  return times.sorted()[times.count / 2]
}

/// A random generator (SplitMix64) that returns the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Prevents the compiler from removing the computation of a value.
@inline(never)
func use(_ value: Int64) { sink &+= value }
nonisolated(unsafe) var sink: Int64 = 0
