import Testing

@testable import Alarms

/// Reads the time at the beginning of the words. The result has the possible times and the number
/// of words. It can also have these marks:
///
/// - "12" for an hour that can be before or after noon,
/// - "24" for a time of the 24-hour clock,
/// - "midnight" for the word "midnight",
/// - "end" for the time 24:00.
private func read(_ words: String, hasContext: Bool = false, isRange: Bool = false) -> String {
  let list = words.split(separator: " ").map(String.init)
  guard
    let (time, count) = EverydayTime.read(list[...], hasContext: hasContext, isRange: isRange)
  else { return "none" }
  var parts = [time.options.map(EverydayTime.text).joined(separator: " "), "\(count)"]
  if time.isTwelveHour { parts.append("12") }
  if time.isOnlyTwentyFourHour { parts.append("24") }
  switch time.midnight {
  case .word: parts.append("midnight")
  case .endOfDay: parts.append("end")
  case nil: break
  }
  return parts.joined(separator: ", ")
}

@Suite struct `A time of day in everyday words` {
  @Test(
    arguments: [
      ("noon", "12:00, 1"), ("midday 8:00", "12:00, 1"), ("midnight", "00:00, 1, midnight"),
      ("24:00", "00:00, 1, end"), ("8:30", "08:30, 1, 12"), ("08:30", "08:30, 1, 24"),
      ("20:30", "20:30, 1, 24"), ("0:30", "00:30, 1, 24"), ("12:30", "12:30, 1, 12"),
      ("13.30", "13:30, 1, 24"), ("8h30", "08:30, 1, 12"), ("0830 hrs", "08:30, 2, 24"),
      ("1030 hours", "10:30, 2, 12"), ("8:30 hrs", "08:30, 2, 12"), ("8am", "08:00, 1"),
      ("8pm", "20:00, 1"), ("12am", "00:00, 1"), ("12pm", "12:00, 1"), ("1:00am", "01:00, 1"),
      ("12:00am", "00:00, 1"), ("11:59pm", "23:59, 1"), ("13am", "01:00 13:00, 1"),
      ("13pm", "13:00, 1"), ("0:30pm", "00:30 12:30, 1"), ("00:59pm", "00:59 12:59, 1"),
      ("01:00pm", "13:00, 1"), ("0:30am", "00:30, 1"), ("12:00 am", "00:00, 2"),
      ("8 am", "08:00, 2"), ("8 pm 9", "20:00, 2"), ("20 pm", "20:00, 2, 24"),
      ("8 o'clock", "08:00 20:00, 2, 12"), ("8 oclock pm", "20:00, 3"),
      ("12 o'clock", "12:00 00:00, 2, 12"), ("20 uhr", "20:00, 2, 24"),
      ("8 uhr", "08:00 20:00, 2, 12"), ("8 uhr 30", "08:30, 3, 12"), ("20 uhr 15", "20:15, 3, 24"),
      ("8 uhr 59", "08:59, 3, 12"), ("8 uhr 60", "08:00 20:00, 2, 12"),
      ("8 uhr 5", "08:00 20:00, 2, 12"), ("8:30 uhr 15", "08:30, 2, 12"),
      ("eight o'clock", "08:00 20:00, 2, 12"), ("eight thirty", "08:30 20:30, 2, 12"),
      ("twelve fifteen", "12:15 00:15, 2, 12"), ("eight thirty pm", "20:30, 3"),
      ("eight am", "08:00, 2"),
    ] as [(String, String)])
  func `is a number or a word`(words: String, wanted: String) {
    #expect(read(words) == wanted)
    #expect(read(words, hasContext: true) == wanted)
    #expect(read(words, isRange: true) == wanted)
  }

  @Test(
    arguments: [
      ("half past eight", "08:30 20:30, 3, 12"), ("half after 12", "12:30 00:30, 3, 12"),
      ("half eight", "08:30 07:30, 2, 12"), ("half one", "01:30 00:30, 2, 12"),
      ("half twelve", "12:30 11:30, 2, 12"), ("half eight pm", "20:30 19:30, 3"),
      ("half 8 o'clock am", "08:30 07:30, 4"), ("half to nine", "none"),
      ("quarter to one", "12:45 00:45, 3, 12"), ("a quarter to one", "12:45 00:45, 4, 12"),
      ("quarter to two", "01:45 13:45, 3, 12"), ("quarter past 8", "08:15 20:15, 3, 12"),
      ("quarter past 12 pm", "12:15, 4"), ("ten to 8", "07:50 19:50, 3, 12"),
      ("5 to 8", "07:55 19:55, 3, 12"), ("twenty-five past eight am", "08:25, 4"),
      ("twenty minutes to nine", "08:40 20:40, 4, 12"), ("5 minutes past 8", "08:05 20:05, 4, 12"),
      ("quarter past", "none"), ("quarter past 13", "none"), ("quarter past 0", "none"),
      ("quarter", "none"), ("a quarter", "none"), ("a half", "none"), ("half", "none"),
      ("half 13", "none"), ("quarter of nine", "none"), ("seven past eight", "none"),
    ] as [(String, String)])
  func `is before or after an hour`(words: String, wanted: String) {
    #expect(read(words) == wanted)
    // After "from" and "between", "5 to 8" is the beginning and the end of a window.
    #expect(read(words, isRange: true) == "none")
  }

  @Test(
    arguments: [
      ("8", "08:00 20:00, 1, 12"), ("12", "12:00 00:00, 1, 12"), ("1", "01:00 13:00, 1, 12"),
      ("13", "13:00, 1, 24"), ("0", "00:00, 1, 24"), ("08", "08:00, 1, 24"), ("20", "20:00, 1, 24"),
      ("24", "00:00, 1, end"), ("0830", "08:30, 1, 24"), ("1030", "10:30, 1, 12"),
      ("2030", "20:30, 1, 24"), ("20h", "20:00, 1, 24"), ("8h", "08:00 20:00, 1, 12"),
      ("eight", "08:00 20:00, 1, 12"), ("eight nine", "08:00 20:00, 1, 12"),
      ("5 to 8", "05:00 17:00, 1, 12"),
    ] as [(String, String)])
  func `can need other words that show that it is a time`(words: String, wanted: String) {
    #expect(read(words, hasContext: true, isRange: true) == wanted)
    #expect(read(words, isRange: true) == "none")
  }

  @Test(arguments: ["25", "24:01", "8:60", "100", "thirteen", "monday", "o'clock", ""])
  func `is never read from other words`(word: String) {
    #expect(read(word, hasContext: true) == "none")
  }
}
