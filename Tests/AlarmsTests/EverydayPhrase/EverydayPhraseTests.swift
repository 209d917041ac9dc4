import CivilTime
import Foundation
import Testing

@testable import Alarms

/// Saturday 21 November 2026, 09:00 in Berlin.
private let now = Instant(seconds: 1_795_248_000)

private func parsed(_ text: String) throws(Refusal) -> SchedulePhrase.Parsed {
  try SchedulePhrase(
    text, now: now, zone: CoreFixture.berlin,
    findAlarm: { (name) throws(Refusal) in
      if name == "Half past eight pills" { return AlarmID("a1") }
      throw Refusal(.invalidField, field: "schedule", "there is no alarm \"\(name)\"")
    },
    findHolidays: { (name) throws(Refusal) in
      if name == nil || name == "DE-BE" { return HolidayExclusion(list: "DE-BE", days: []) }
      throw Refusal(.invalidField, field: "schedule", "there is no list \"\(name ?? "")\"")
    }
  ).parsed()
}

/// Returns the words of the schedule and of the early reminders.
private func words(_ parsed: SchedulePhrase.Parsed) -> String {
  parsed.earlyReminders.reduce(parsed.schedule.words(in: CoreFixture.berlin, typedAt: now)) {
    "\($0), and \($1.words)"
  }
}

/// Returns the phrases in quotation marks that follow the word "type" in a refusal.
private func proposals(_ refusal: Refusal) -> [String] {
  guard refusal.detail.hasPrefix("cannot use"),
    let place = refusal.detail.range(of: "; type ", options: .backwards)
  else { return [] }
  let parts = refusal.detail[place.upperBound...].split(
    separator: "\"", omittingEmptySubsequences: false)
  return parts.enumerated().compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
}

private struct Row {
  enum Result {
    case schedule(String)
    case proposals([String])
    case refused
  }

  var phrase: String
  var result: Result
}

private let rows: [Row] = {
  let file = GoldenFile.tests.appending(path: "Fixtures/everyday-phrases.txt")
  let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
  return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
    if let mark = line.range(of: " = ") {
      let wanted = String(line[mark.upperBound...])
      return Row(phrase: String(line[..<mark.lowerBound]), result: .schedule(wanted))
    }
    if let mark = line.range(of: " ? ") {
      let wanted = line[mark.upperBound...].components(separatedBy: " | ")
      return Row(phrase: String(line[..<mark.lowerBound]), result: .proposals(wanted))
    }
    return Row(phrase: String(line.dropLast(2)), result: .refused)
  }
}()

@Suite struct `Schedules in everyday words` {
  @Test func `each phrase gives its schedule, or a refusal with the phrases to type`() {
    #expect(rows.count > 300)
    for row in rows {
      do throws(Refusal) {
        let found = words(try parsed(row.phrase))
        guard case .schedule(let wanted) = row.result else {
          Issue.record("\(row.phrase) was understood as \(found)")
          continue
        }
        #expect(found == wanted, "\(row.phrase)")
      } catch {
        #expect(error.field == "schedule", "\(row.phrase)")
        switch row.result {
        case .schedule: Issue.record("\(row.phrase) was refused: \(error.detail)")
        case .proposals(let wanted): #expect(proposals(error) == wanted, "\(row.phrase)")
        case .refused: #expect(proposals(error).isEmpty, "\(row.phrase): \(error.detail)")
        }
      }
    }
  }

  @Test func `each proposed phrase is understood without another question`() {
    for row in rows {
      guard case .proposals(let phrases) = row.result else { continue }
      var schedules: [Schedule] = []
      for phrase in phrases {
        do throws(Refusal) {
          schedules.append(try parsed(phrase).schedule)
        } catch {
          Issue.record("\(row.phrase): the proposal \"\(phrase)\" is refused: \(error.detail)")
        }
      }
      #expect(Set(schedules).count == schedules.count, "\(row.phrase)")
    }
  }

  @Test func `upper case, extra spaces and extra words change nothing`() throws {
    for row in rows {
      guard case .schedule(let wanted) = row.result, !row.phrase.contains("DE-BE") else { continue }
      let spaced = row.phrase.replacing(" ", with: "  ")
      for phrase in [row.phrase.uppercased(), "  \(spaced) ", "please \(row.phrase)"] {
        #expect(try words(parsed(phrase)) == wanted, "\(phrase)")
      }
    }
  }

  @Test func `the stored phrase gives the same times as the typed phrase`() throws {
    for row in rows {
      guard case .schedule = row.result else { continue }
      let first = try parsed(row.phrase)
      let again = try parsed(first.phrase)
      let zone = CoreFixture.berlin
      let plans = try [first, again].map { try SchedulePlan($0.schedule, zone: zone, seed: 7) }
      #expect(
        plans[0].next(after: now)?.instant == plans[1].next(after: now)?.instant,
        "\(row.phrase) → \(first.phrase)")
    }
  }

  @Test(arguments: [
    ("every day at 8", "\"8\" can mean 08:00 or 20:00"),
    ("every morning", "it names no time of day"),
    ("monday 10:00", "it can mean once or every week"),
    ("24 december 18:00", "it can mean once or every year"),
    ("tomorrow at midnight", "midnight can be the beginning or the end of a day"),
    ("every monday at 24:00", "24:00 is 00:00 of the next day"),
    ("3/4/2027 18:00", "the order of day and month is not clear"),
    ("täglich 8:30", "Prompter reads only English schedules"),
  ])
  func `a question says why the person must choose`(phrase: String, reason: String) {
    do throws(Refusal) {
      let found = try parsed(phrase)
      Issue.record("read \"\(phrase)\" as \(found.words)")
    } catch {
      #expect(error.detail.hasPrefix("cannot use \"\(phrase)\": "), "\(error.detail)")
      #expect(error.detail.contains(reason), "\(error.detail)")
    }
  }

  @Test func `the label of another alarm is not read as a time`() throws {
    let found = try parsed("half an hour after Half past eight pills is completed")
    #expect(
      found.schedule
        == .after(
          AfterAnswer(anchor: .alarm(AlarmID("a1")), seconds: 1_800, latest: nil, first: nil)))
  }

  @Test func `a random text of everyday words is read or refused, and proposals are read`() throws {
    let vocabulary = [
      "every", "morning", "evening", "at", "8", "half", "past", "eight", "quarter", "to", "nine",
      "o'clock", "noon", "midnight", "24:00", "8.30", "08h30", "am", "pm", "tomorrow", "tonight",
      "monday", "mondays", "and", "except", "sunday", "weekends", "day", "daily", "20", "in", "the",
      "20 minutes", "hours", "from", "until", "friday", "1st", "of", "month", "24 december", "2026",
      "24/12/2026", "twice a day", "please", "every day", "08:00", "next", "this", "once", "week",
      "between", "mon-fri", "jeden", "Tag", "um", "Uhr", "à", "lunchtime", "before",
      "1 hour before",
    ]
    var random = SplitMix64(seed: 20_261_126)
    var (read, asked) = (0, 0)
    for _ in 0..<4_000 {
      let count = Int(random.next(below: 7)) + 1
      let text = (0..<count).map { _ in
        vocabulary[Int(random.next(below: UInt64(vocabulary.count)))]
      }
      .joined(separator: " ")
      do throws(Refusal) {
        let first = try parsed(text)
        read += 1
        let words = first.schedule.words(in: CoreFixture.berlin, typedAt: now)
        #expect((try? parsed(words))?.schedule == first.schedule, "\(text) → \(words)")
        #expect((try? parsed(first.phrase)) != nil, "\(text) → \(first.phrase)")
      } catch {
        for proposal in proposals(error) {
          asked += 1
          #expect((try? parsed(proposal)) != nil, "\(text) → \(proposal)")
        }
      }
    }
    #expect(read > 50 && asked > 50, "\(read) \(asked)")
  }

  @Test func `a very long phrase is refused quickly`() {
    let long = Array(repeating: "every morning at 8 and", count: 700).joined(separator: " ")
    #expect(throws: Refusal.self) { try parsed(long) }
  }
}

@Test func `each word for an hour and for minutes is understood`() throws {
  func options(_ words: String...) throws -> Set<Int> {
    let found = try #require(
      EverydayTime.read(words[...], hasContext: false, isRange: false), "\(words)")
    #expect(found.1 == words.count, "\(words)")
    return Set(found.0.options)
  }
  let hours = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
  ]
  for (index, word) in hours.enumerated() {
    let early = (index + 1) % 12 * 60
    #expect(try options(word, "o'clock") == [early, early + 720])
  }
  let minutes = [("five", 5), ("ten", 10), ("twenty", 20), ("twenty-five", 25)]
  for (word, count) in minutes + minutes.map({ ("\($0.1)", $0.1) }) {
    for after in ["past", "after"] {
      #expect(try options(word, after, "eight") == [480 + count, 1_200 + count])
    }
    for before in ["to", "before", "til", "till"] {
      #expect(try options(word, before, "eight") == [480 - count, 1_200 - count])
    }
  }
  for (word, count) in [("fifteen", 15), ("thirty", 30), ("forty-five", 45), ("fortyfive", 45)] {
    #expect(try options("eight", word) == [480 + count, 1_200 + count])
  }
}

/// The table has an entry for each hour from 0 to 23. An entry contains the possible meanings of
/// this hour: `s` is the typed time, `e` is the time before noon, and `l` is the time after noon.
/// If an entry has two letters, the person must choose a meaning.
@Test(
  arguments: [
    (
      [EverydayPart.morning, .breakfast],
      "s s s s s s s s s s s s le es es es es es es es es es es es"
    ),
    ([.lunchtime], "l l l sl sl sl sl sl sl sl sl s s s s sl sl sl sl sl sl sl sl sl"),
    ([.afternoon], "sl l l l l l l sl sl sl sl sl s s s s s s s sl sl sl sl sl"),
    (
      [.evening, .dinner],
      "sl sl sl sl l l l l l l l l le sl sl sl s s s s s s s s"
    ),
    ([.night, .bedtime], "s s s s s sl sl sl l l l l e sl sl sl sl sl s s s s s s"),
  ] as [([EverydayPart], String)])
func `each hour has its times in each part of the day`(parts: [EverydayPart], hours: String) {
  let expected = hours.split(separator: " ").enumerated().map { hour, letters in
    let minutes = hour * 60 + 30
    return letters.map { letter in
      letter == "s" ? minutes : minutes % 720 + (letter == "l" ? 720 : 0)
    }
  }
  #expect(expected.count == 24)
  for part in parts {
    let found = (0..<24).map { part.times($0 * 60 + 30) }
    #expect(found == expected, "\(part)")
  }
}
