import CivilTime
import Testing

@testable import Alarms

/// Makes a home that sends a summary to anna at 20:00 each day. The clock shows 09:00 in Berlin.
private func summarised() throws -> CoreFixture {
  var fixture = CoreFixture()
  fixture.environment.summaries = ["anna": try ClockTime(hour: 20, minute: 0)]
  try fixture.handle(.woke)
  return fixture
}

extension CoreFixture {
  /// The local time and the contact of each summary that was sent.
  fileprivate var summaries: [String] {
    records.compactMap { record in
      guard case .notice(let notice, .due) = record.event, notice.kind == .summary else {
        return nil
      }
      let local = Self.berlin.civil(at: record.reading.wall).dateTime
      return "\(notice.contact) \(notice.day?.description ?? "-") at \(local)"
    }
  }
}

@Test func `a contact gets one summary of each day at its time`() throws {
  var fixture = try summarised()
  #expect(fixture.writtenSummaries == [])
  fixture.pass(seconds: 2 * 86_400)
  #expect(
    fixture.summaries == [
      "anna 2027-01-15 at 2027-01-15T20:00:00", "anna 2027-01-16 at 2027-01-16T20:00:00",
    ])
  #expect(fixture.sentNotices.map(\.reason) == [.summary, .summary])
  #expect(fixture.sentNotices.first?.text == "Summary")
  #expect(fixture.sentNotices.first?.label == "Summary of Friday 15 January 2027")
}

@Test func `a restart and a clock step neither repeat nor lose a summary`() throws {
  var fixture = try summarised()
  fixture.pass(seconds: 11 * 3_600)
  #expect(fixture.summaries.count == 1)
  fixture.crash()
  fixture.stepClock(seconds: -3_600)
  fixture.pass(seconds: 7_200)
  #expect(fixture.summaries.count == 1)

  // The daemon is killed before it writes the text of the summary.
  var lost = try summarised()
  lost.isSummaryLost = true
  lost.pass(seconds: 11 * 3_600)
  #expect(lost.writtenSummaries.count == 1 && lost.summaries.isEmpty)
  lost.isSummaryLost = false
  lost.crash(offForSeconds: 3_600)
  #expect(lost.summaries == ["anna 2027-01-15 at 2027-01-15T21:00:00"])
}

@Test func `the summary of a day is not sent on another day`() throws {
  var fixture = try summarised()
  fixture.crash(offForSeconds: 16 * 3_600, newBoot: true)
  #expect(fixture.summaries == [])
  fixture.pass(seconds: 19 * 3_600)
  #expect(fixture.summaries == ["anna 2027-01-16 at 2027-01-16T20:00:00"])
}

@Test func `a contact without a time, or that is not configured, gets no summary`() throws {
  var fixture = CoreFixture()
  fixture.pass(seconds: 2 * 86_400)
  #expect(fixture.summaries == [] && fixture.home.nextWake == nil)
  try fixture.handle(
    .command(
      .sendSummary(
        contact: "carl", try CivilDate(parsing: "2027-01-15"), text: "Summary"),
      .daemon("summary")))
  #expect(fixture.summaries == [] && fixture.sentNotices.isEmpty)
}
