import Alarms
import CivilTime
import JSONValue
import SampleEvents
import Testing

@testable import EventCoding

@Suite struct `Stored states` {
  @Test func `the state of a person is read as it was written`() throws {
    for seed in 0..<200 as Range<UInt64> {
      var sampler = EventSampler(seed: seed)
      let state = sampler.personState()
      let text = state.stored.description
      let again = try PersonState(id: state.id, person: nil, stored: try JSON(stored: text))
      #expect(again == state, "\(text)")
    }
  }

  @Test func `the state of a person has this form`() throws {
    let id = PromptID(alarm: AlarmID("k3v9"), nominalKey: 8)
    let progress = NotifyProgress(
      begun: 2, nextAt: Instant(milliseconds: 9), lastAt: nil, pending: [0, 1])
    let inactivity = Inactivity(since: Instant(milliseconds: 3), notifyProgress: progress)
    let state = PersonState(
      id: .patient, phases: [StudyPhase(kind: .control, from: Instant(milliseconds: 1), to: nil)],
      pause: PersonPause(until: Instant(milliseconds: 2)),
      enrolments: [
        Enrolment(
          study: "trial", pseudonym: "", arm: "usual", armCode: "X", consent: "2",
          from: Instant(milliseconds: 1), isWithdrawn: true, isUnblinded: true)
      ], rewardedOn: try CivilDate(parsing: "2026-12-01"), inactivity: inactivity,
      endedInactivity: EndedInactivity(answered: id, inactivity: inactivity))
    let silence =
      #""since_ms":3,"told":2,"next_tell_ms":9,"last_told_ms":null,"telling":[0,1]"#
    #expect(
      state.stored.description
        == #"{"phases":[{"kind":"control","from_ms":1,"to_ms":null}],"pause":{"until_ms":2},"#
        + #""enrolments":[{"study":"trial","arm":"usual","from_ms":1,"to_ms":null,"#
        + #""withdrawn":true,"arm_code":"X","consent":"2","unblinded":true}],"#
        + #""rewarded_on":"2026-12-01","silence":{\#(silence)},"#
        + #""ended_silence":{"answered":"\#(id)",\#(silence)}}"#)
    #expect(
      PersonState(id: .patient).stored.description == #"{"phases":[]}"#)
    for damaged in [
      "{}", #"{"phases":[{"kind":"other","from_ms":1}]}"#, #"{"phases":[],"pause":{}}"#,
      #"{"phases":[],"enrolments":[{"study":"trial","from_ms":1}]}"#,
      #"{"phases":[],"silence":{"since_ms":3}}"#,
      #"{"phases":[],"ended_silence":{"answered":"no prompt",\#(silence)}}"#,
    ] {
      #expect(throws: EventCodingError.self, "\(damaged)") {
        try PersonState(id: .patient, person: nil, stored: try JSON(stored: damaged))
      }
    }
  }

  @Test func `the course of a prompt is stored only if it has progressed`() throws {
    func prompt(_ change: (inout Prompt) -> Void) -> Prompt {
      var prompt = Prompt(
        id: PromptID(alarm: AlarmID("k3v9"), nominalKey: 8), alarmVersion: 1,
        dueAt: Instant(milliseconds: 5), zoneName: "UTC", utcOffsetSeconds: 0)
      change(&prompt)
      return prompt
    }
    let at = Instant(milliseconds: 7)
    let idle = #""told":0,"next_tell_ms":null,"last_told_ms":null,"telling":[]"#
    let rows: [((inout Prompt) -> Void, String?)] = [
      ({ _ in }, nil),
      ({ $0.acknowledgedAt = at }, #"{"acknowledged_ms":7,\#(idle)}"#),
      ({ $0.leadsToAt = at }, #"{"acknowledged_ms":null,\#(idle),"leads_to_ms":7}"#),
      ({ $0.presentedAt = at }, #"{"acknowledged_ms":null,\#(idle),"presented_ms":7}"#),
      ({ $0.isDelivered = true }, #"{"acknowledged_ms":null,\#(idle),"delivered":true}"#),
      (
        { $0.answers = ["b": 2, "a": 1] },
        #"{"acknowledged_ms":null,\#(idle),"answers":{"a":1,"b":2}}"#
      ),
      (
        { $0.notifyProgress = NotifyProgress(begun: 1, nextAt: nil, lastAt: at, pending: [0]) },
        #"{"acknowledged_ms":null,"told":1,"next_tell_ms":null,"last_told_ms":7,"telling":[0]}"#
      ),
      (
        { $0.lastAnswer = LastAnswer(at: at, before: nil) },
        #"{"acknowledged_ms":null,\#(idle),"answer":{"at_ms":7}}"#
      ),
      (
        {
          $0.lastAnswer = LastAnswer(
            at: at,
            before: .init(
              state: .planned, delays: 2, acknowledgedAt: nil, notifyProgress: .none))
        },
        #"{"acknowledged_ms":null,\#(idle),"answer":{"at_ms":7,"phase":{"name":"planned"},"#
          + #""delays":2}}"#
      ),
      (
        {
          $0.lastAnswer = LastAnswer(
            at: at,
            before: .init(state: .planned, delays: 0, acknowledgedAt: at, notifyProgress: .none))
        },
        #"{"acknowledged_ms":null,\#(idle),"answer":{"at_ms":7,"phase":{"name":"planned"},"#
          + #""delays":0,"course":{"acknowledged_ms":7,\#(idle)}}}"#
      ),
    ]
    for (change, text) in rows {
      let prompt = prompt(change)
      #expect(prompt.course?.description == text)
      var again = self.read(prompt)
      if let text { try again.setCourse(try JSON(stored: text)) }
      #expect(again == prompt)
    }
  }

  /// Returns a new prompt without the state of `prompt`. The id and the due time are the same.
  private func read(_ prompt: Prompt) -> Prompt {
    Prompt(
      id: prompt.id, alarmVersion: prompt.alarmVersion, dueAt: prompt.dueAt,
      zoneName: prompt.zoneName, utcOffsetSeconds: prompt.utcOffsetSeconds)
  }

  @Test func `successive holidays are stored as one range`() throws {
    let days = [0, 1, 2, 4, 6, 7].map { CivilDate(dayNumber: 20_000 + $0) }
    let exclusion = HolidayExclusion(list: "home", days: days, workingDaysFrom: days[0])
    #expect(
      exclusion.json(isNamed: true).description
        == #"{"list":"home","days":["2024-10-04/2024-10-06","2024-10-08","2024-10-10/2024-10-11"],"#
        + #""working_days_from":"2024-10-04"}"#)
    #expect(exclusion.json(isNamed: false)["list"] == nil)
    #expect(try HolidayExclusion(json: exclusion.json(isNamed: true)) == exclusion)
    for damaged in [
      #"{"days":["2024-10-06/2024-10-04"]}"#, #"{"days":["today"]}"#, #"{"days":[7]}"#,
      #"{"days":[],"working_days_from":"today"}"#, #"{"days":["2024-10-04/x"]}"#, "{}",
    ] {
      #expect(throws: EventCodingError.self, "\(damaged)") {
        try HolidayExclusion(json: try JSON(stored: damaged))
      }
    }
  }
}
