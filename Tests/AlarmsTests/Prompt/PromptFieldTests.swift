import CivilTime
import Testing

@testable import Alarms

/// Checks that each copy of a prompt has the correct values in all fields.
@Suite struct `A prompt` {
  private static let at = Instant(seconds: 1_800_000_000)

  private static func after(_ seconds: Int64) -> Instant { at.adding(seconds: seconds) }

  private static let progress = NotifyProgress(
    begun: 2, nextAt: after(7), lastAt: after(6), pending: [1])

  private static let full = Prompt(
    id: PromptID(alarm: AlarmID("a"), nominalKey: 8), alarmVersion: 3, dueAt: at,
    zoneName: "UTC", utcOffsetSeconds: 0, state: .delayed(until: after(9)), ringsIntended: 4,
    ringsSounded: 3, ringsFailed: 1, delays: 2, lastSoundedAt: after(1),
    acknowledgedAt: after(2), notifyProgress: progress, leadsToAt: after(60))

  @Test func `has each value of its initializer`() {
    let prompt = Self.full
    #expect(prompt.ringsIntended == 4 && prompt.ringsSounded == 3 && prompt.ringsFailed == 1)
    #expect(prompt.delays == 2 && prompt.lastSoundedAt == Self.after(1))
    #expect(prompt.acknowledgedAt == Self.after(2) && prompt.leadsToAt == Self.after(60))
    #expect(prompt.notifyProgress == Self.progress && prompt.nextStepAt == Self.after(7))
    #expect(prompt.lastAnswer == nil && prompt.presentedAt == nil && !prompt.isDelivered)
  }

  @Test func `before an answer has the delays and the notifications of that time`() {
    let earlier = NotifyProgress(begun: 1, nextAt: Self.after(3), lastAt: nil, pending: [])
    let answer = LastAnswer.Before(
      state: .waiting(ring: 1, at: Self.at), delays: 1, acknowledgedAt: nil,
      notifyProgress: earlier)
    var expected = Self.full
    (expected.delays, expected.acknowledgedAt, expected.notifyProgress) = (1, nil, earlier)
    #expect(Self.full.before(answer) == expected)
    var answered = Self.full
    answered.lastAnswer = LastAnswer(at: Self.after(2), before: answer)
    answered.undoAnswer(at: Self.after(5))
    expected.lastAnswer = LastAnswer(at: Self.after(5), before: nil)
    #expect(answered == expected)
  }

  @Test func `keeps the data of an answer until the answer cannot be undone`() {
    var prompt = Self.full
    prompt.noteAnswer(at: Self.after(5))
    let before = LastAnswer.Before(
      state: .delayed(until: Self.after(9)), delays: 2, acknowledgedAt: Self.after(2),
      notifyProgress: Self.progress)
    #expect(prompt.lastAnswer == LastAnswer(at: Self.after(5), before: before))
    prompt.dropUndo()
    #expect(prompt == Self.full)
    prompt.undoAnswer(at: Self.after(5))
    let undone = prompt
    prompt.dropUndo()
    #expect(prompt == undone && prompt.lastAnswer == LastAnswer(at: Self.after(5), before: nil))
  }

  @Test func `has its next step at the earlier time of its state and its notification`() {
    var prompt = Self.full
    for (step, notify, next) in [(9, 7, 7), (7, 9, 7), (7, 7, 7), (9, nil, 9)]
      as [(Int64, Int64?, Int64)]
    {
      prompt.state = .delayed(until: Self.after(step))
      prompt.notifyProgress.nextAt = notify.map(Self.after)
      #expect(prompt.nextStepAt == Self.after(next))
    }
    prompt.state = .closed(.completed, reason: .none, at: Self.at)
    prompt.notifyProgress.nextAt = Self.after(1)
    #expect(prompt.nextStepAt == nil)
  }

  @Test func `with a diary entry is stored only if the home does not know the prompt`() throws {
    var fixture = try pills()
    fixture.pass(seconds: 20)
    let open = try #require(fixture.home.openPrompts.first)
    var (closed, outdated) = (Self.full, open)
    closed.state = .closed(.missedNoResponse, reason: .none, at: Self.at)
    outdated.delays += 1
    let entry = DiaryEntry(
      person: .patient, subject: .prompt(closed.id), completion: 3, burden: nil, note: "",
      number: 1)
    let decision = try step(
      fixture.home,
      .command(
        .importDiary([entry], about: [closed, outdated], unchanged: 0, older: 0),
        CoreFixture.anna), at: fixture.now, in: fixture.environment)
    #expect(decision.changes.prompts[closed.id] == closed)
    #expect(decision.changes.prompts[open.id] == nil)
    #expect(decision.reply == .imported(new: 1, corrected: 0, unchanged: 0, older: 0))
  }
}
