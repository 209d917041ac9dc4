import Testing

@testable import StudyExport

@Suite struct `The study day of a prompt` {
  @Test func `day 1 is the first day of the newest enrolment that began before`() {
    var days = StudyDays()
    days.add("P-1", study: "one", from: 10)
    days.add("P-1", study: "one", from: 30)
    days.add("P-1", study: "one", from: 20)
    days.add("P-1", study: "two", from: 15)
    for (due, wanted) in [(9, nil), (10, 1), (19, 10), (20, 1), (29, 10), (30, 1), (99, 70)]
      as [(Int, Int?)]
    {
      #expect(days.day(of: "P-1", study: "one", due: due) == wanted, "\(due)")
    }
    #expect(days.day(of: "P-1", study: "two", due: 16) == 2)
  }

  @Test func `a person outside of the study has no study day`() {
    var days = StudyDays()
    days.add("P-1", study: "one", from: 10)
    #expect(days.day(of: "P-1", study: "two", due: 11) == nil)
    #expect(days.day(of: "P-2", study: "one", due: 11) == nil)
  }
}
