import Testing

@testable import StudyArchive

struct FleetReportTests {
  private func home(
    _ name: String, state: String = "enrolled", contact: Int64?, received: Int64? = nil,
    added: Int64 = 1_700_000_000
  ) -> FleetState {
    FleetState(
      study: "S-1", site: "A", home: name, state: state, contact: contact, received: received,
      added: added, now: 1_800_000_000, rows: 12, backlog: 3, findings: ["fork": 2, "gap": 1])
  }

  @Test func `a home is silent two hours after its newest contact`() {
    #expect(!home("a", contact: 1_799_992_800).isSilent)
    #expect(home("a", contact: 1_799_992_799).isSilent)
    #expect(home("a", state: "expected", contact: nil).isSilent)
    #expect(home("a", state: "expected", contact: nil, added: 1_799_992_799).isSilent)
    #expect(!home("a", state: "expected", contact: nil, added: 1_799_992_800).isSilent)
    #expect(!home("a", state: "revoked", contact: nil).isSilent)
    #expect(!home("a", state: "withdrawn", contact: 0).isSilent)
  }

  @Test func `a text of a home cannot control a terminal`() {
    #expect(Finding.printable("frobbed 1~\u{1b}[2J\tä\n") == "frobbed 1~?[2J???")
  }

  @Test func `the table counts prompts by their outcome`() {
    var prompts = FleetReport.Prompts()
    prompts.add(outcome: nil, 1)
    prompts.add(outcome: "completed", 2)
    prompts.add(outcome: "completed_out_of_window", 3)
    prompts.add(outcome: "declined", 4)
    prompts.add(outcome: "missed_device_off", 5)
    prompts.add(outcome: "suppressed_paused", 6)
    let report = FleetReport(
      homes: [
        home("h1", contact: 1_799_999_000, received: 1_799_999_000),
        home("h2", state: "expected", contact: nil),
      ], prompts: ["h1": prompts])
    #expect(
      report.summary == """
        study,site,home,state,expected,heard_from,silent,rows,newest_contact_utc,newest_row_utc,\
        backlog,open_findings,due,done,declined,missed_no_response,missed_audio_failed,\
        missed_device_off,missed_suspended,missed_clock_invalid
        S-1,A,h1,enrolled,true,true,false,12,2027-01-15T07:43:20.000Z,2027-01-15T07:43:20.000Z,\
        3,3,21,5,4,0,0,5,0,0
        S-1,A,h2,expected,true,false,true,12,,,3,3,0,0,0,0,0,0,0,0

        """)
    #expect(report.page.contains("<li>S-1 A: 2 expected, 1 heard from, 1 silent</li>"))
    #expect(report.page.contains("<tr class=\"silent\"><td>S-1</td><td>A</td><td>h2</td>"))
  }
}
