/// The times of day of a rule, as seconds after midnight.
///
/// If a rule has 2 to 16 times of day, the class stores a list of the times. If a rule has one time
/// of day or more than 16 times of day, the class stores a set of hours, a set of minutes and a set
/// of seconds. In this case, each combination of an hour, a minute and a second of these sets is a
/// time of the rule. Exception: `init(list:)` always stores a list.
final class TimesOfDay: Sendable {
  /// The times in ascending order. If the class uses the three sets below instead, this list is
  /// empty.
  private let list: [Int32]
  private let hours: UInt64
  private let minutes: UInt64
  private let seconds: UInt64
  /// The number of times of day of the rule. If the value is 0, the rule has no occurrence.
  let count: Int
  let first: Int
  private let last: Int

  /// If the number of times of day of a rule is in this range, the class stores a list. Otherwise
  /// the class stores a set of hours, a set of minutes and a set of seconds.
  private static let listSizes = 2...16
  static let everyHour: UInt64 = 1 << 24 - 1
  static let everyMinute: UInt64 = 1 << 60 - 1

  /// Creates the times from sets of hours, minutes and seconds. The sets are bit masks. Example:
  /// bit 8 of `hours` is 8 o'clock.
  init(hours: UInt64, minutes: UInt64, seconds: UInt64) {
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    count = hours.nonzeroBitCount * minutes.nonzeroBitCount * seconds.nonzeroBitCount
    func bits(_ mask: UInt64) -> [Int] {
      (0..<mask.nonzeroBitCount).map { selectBit(mask, $0) }
    }
    var list: [Int32] = []
    if TimesOfDay.listSizes.contains(count) {
      for hour in bits(hours) {
        for minute in bits(minutes) {
          for second in bits(seconds) { list.append(Int32(hour * 3600 + minute * 60 + second)) }
        }
      }
    }
    self.list = list
    first =
      hours.trailingZeroBitCount * 3600 + minutes.trailingZeroBitCount * 60
      + seconds.trailingZeroBitCount
    last =
      (63 - hours.leadingZeroBitCount) * 3600 + (63 - minutes.leadingZeroBitCount) * 60 + 63
      - seconds.leadingZeroBitCount
  }

  /// Creates the times from a list. The list contains seconds after midnight, in ascending order.
  init(list: [Int32]) {
    self.list = list
    (hours, minutes, seconds) = (0, 0, 0)
    count = list.count
    first = Int(list.first ?? 0)
    last = Int(list.last ?? -1)
  }

  /// The first time of day of the rule at or after `second`, in seconds after midnight; -1 if the
  /// rule has no such time.
  @inline(__always)
  func first(atOrAfter second: Int) -> Int {
    if second <= first { return first }
    if second > last { return -1 }
    return search(second)
  }

  @inline(__always)
  private func search(_ second: Int) -> Int {
    if list.isEmpty { return searchProduct(second) }
    if list.count <= 8 {
      for time in list where Int(time) >= second { return Int(time) }
    }
    return Int(list[searchList(second)])
  }

  /// The index of the first list entry that is at or after `second`; the length of the list if all
  /// entries are before `second`.
  private func searchList(_ second: Int) -> Int {
    var (low, high) = (0, list.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(list[middle]) < second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func searchProduct(_ time: Int) -> Int {
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    if hours >> UInt64(hour) & 1 == 1 {
      let laterSeconds = seconds >> UInt64(second)
      if minutes >> UInt64(minute) & 1 == 1, laterSeconds != 0 {
        return time + laterSeconds.trailingZeroBitCount
      }
      let laterMinutes = minutes >> UInt64(minute + 1)
      if laterMinutes != 0 {
        let minute = minute + 1 + laterMinutes.trailingZeroBitCount
        return hour * 3600 + minute * 60 + seconds.trailingZeroBitCount
      }
    }
    let laterHours = hours >> UInt64(hour + 1)
    if laterHours == 0 { return -1 }
    return (1 + laterHours.trailingZeroBitCount) * 3600 + hour * 3600 + first % 3600
  }

  /// Counts the times of day in the set that are before `time`. `time` is in seconds after
  /// midnight.
  func rank(before time: Int) -> Int {
    if !list.isEmpty { return searchList(time) }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    func below(_ mask: UInt64, _ bit: Int) -> Int {
      (mask & (1 << UInt64(bit) - 1)).nonzeroBitCount
    }
    let perMinute = seconds.nonzeroBitCount
    let perHour = perMinute * minutes.nonzeroBitCount
    var rank = below(hours, hour) * perHour
    guard hours >> UInt64(hour) & 1 == 1 else { return rank }
    rank += below(minutes, minute) * perMinute
    guard minutes >> UInt64(minute) & 1 == 1 else { return rank }
    return rank + below(seconds, second)
  }

  /// The time of day with the index `rank`, from 0 to `count` − 1. The earliest time has the index
  /// 0.
  func time(rank: Int) -> Int {
    if !list.isEmpty { return Int(list[rank]) }
    let perMinute = seconds.nonzeroBitCount
    let perHour = perMinute * minutes.nonzeroBitCount
    let hour = selectBit(hours, rank / perHour)
    let minute = selectBit(minutes, rank % perHour / perMinute)
    return hour * 3600 + minute * 60 + selectBit(seconds, rank % perMinute)
  }
}

/// The index of a bit that is 1 in `mask`. `rank` selects the bit: rank 0 is the lowest bit that is
/// 1, rank 1 is the next bit that is 1, and so on. The mask must contain more than `rank` bits that
/// are 1.
func selectBit(_ mask: UInt64, _ rank: Int) -> Int {
  var (rest, rank, base) = (mask, rank, 0)
  var width: UInt64 = 32
  while width >= 8 {
    let count = (rest & (1 << width - 1)).nonzeroBitCount
    if rank >= count {
      rank -= count
      rest >>= width
      base += Int(width)
    }
    width /= 2
  }
  while rank > 0 {
    rest &= rest &- 1
    rank -= 1
  }
  return base + rest.trailingZeroBitCount
}
