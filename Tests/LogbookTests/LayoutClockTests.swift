import Alarms
import CivilTime
import StudyExport
import Testing

@testable import Logbook

@Suite struct `One clock in each row` {
  private let directory = TemporaryDirectory()

  /// The home zone changes after each event. Each event therefore has a different UTC offset than
  /// the event before it.
  @Test func `a change of the home zone moves no time of a row against the others`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 11)
    var count = 0
    for _ in 0..<120 {
      var (records, changes) = try history.batch()
      for index in records.indices {
        count += 1
        records[index].utcOffsetSeconds = [-18_000, 3_600, 7_200, 20_700][count % 4]
      }
      try logbook.record(records, changes)
    }
    let path = directory.path
    _ = try logbook.writeExport(to: "\(path)/mpath", profile: .limited, layout: .mpath)
    _ = try logbook.writeExport(to: "\(path)/whole", profile: .limited, layout: .frictionless)
    let prompts = Table("\(path)/whole/prompts.csv").rows.filter {
      $0["is_announcement"] == "false"
    }
    let lines = String(decoding: readFile("\(path)/mpath/mpath_basic.csv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: ";", omittingEmptySubsequences: false) }
    let names = try #require(lines.first)
    let beeps = lines.dropFirst().map { cells in
      Dictionary(
        uniqueKeysWithValues: zip(names.map { String($0) }, cells.map { String($0) }))
    }
    #expect(beeps.count == prompts.count)
    var compared = 0
    for (beep, prompt) in zip(beeps, prompts) {
      let offset = Int64(beep["timeZoneOffset"] ?? "")
      for (column, instant) in [
        ("timeStampScheduled", "due_utc"), ("timeStampSent", "first_ring_utc"),
        ("timeStampStart", "answered_utc"),
      ] {
        guard let text = prompt[instant], !text.isEmpty else { continue }
        let utc = try Instant(parsing: text).seconds
        #expect(Int64(beep[column] ?? "").flatMap { time in offset.map { time - $0 } } == utc)
        compared += 1
      }
    }
    #expect(compared > 60, "only \(compared) times")
  }
}
