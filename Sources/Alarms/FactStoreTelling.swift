import CivilTime

// What the facts about telling people make of a prompt.
extension FactStore {
  /// Whoever is told last has this long to bring about an answer before the prompt is missed: a
  /// message to which nothing can be done any more is none. 5 minutes.
  private static var answerSeconds: Int64 { 300 }

  /// The next person of the chain is told so long after a burst begins. In a control phase none does,
  /// and nobody is said not to have answered it.
  mutating func awaitTelling(_ id: PromptID, from base: Instant) {
    var tells = alarm(id.alarm)?.escalation.tells ?? []
    if let prompt = prompt(id), let person = alarm(id.alarm)?.person,
      personState(person)?.phase(at: prompt.dueAt)?.kind == .control
    {
      tells = []
    }
    change(id) {
      $0.telling.pending = []
      $0.telling.nextAt =
        $0.telling.begun < tells.count
        ? base.adding(seconds: tells[$0.telling.begun].afterSeconds) : nil
    }
  }

  mutating func applyTelling(_ fact: Fact, at wall: Instant) {
    switch fact {
    case .escalated(let id, let grade, _, _): begin(id, grade, wall)
    case .told(let id, let grade, _, _):
      change(id) { $0.noteTold(grade) }
    case .tellingFailed(let id, let grade, _, _, let isLast, _):
      if isLast { giveUp(id, grade, wall) }
    default: break
    }
  }

  private mutating func begin(_ id: PromptID, _ grade: Int, _ wall: Instant) {
    let tells = alarm(id.alarm)?.escalation.tells ?? []
    change(id) {
      if !$0.telling.pending.contains(grade) {
        $0.telling.pending = ($0.telling.pending + [grade]).sorted()
      }
      // Told again after a restart, it does not put off the next one.
      guard grade >= $0.telling.begun else { return }
      $0.telling.begun = grade + 1
      $0.telling.lastAt = wall
      $0.telling.nextAt =
        grade + 1 < tells.count ? wall.adding(seconds: tells[grade + 1].afterSeconds) : nil
    }
  }

  /// Who cannot be told need not be waited for: it is the next one's turn.
  private mutating func giveUp(_ id: PromptID, _ grade: Int, _ wall: Instant) {
    change(id) {
      guard $0.telling.pending.contains(grade) else { return }
      $0.telling.pending.removeAll { $0 == grade }
      guard grade + 1 == $0.telling.begun, let next = $0.telling.nextAt else { return }
      $0.telling.nextAt = min(next, wall)
    }
  }

  /// Until when a prompt is kept open for the sake of the people who are told; nil where none are.
  func answerableUntil(_ prompt: Prompt, of alarm: Alarm) -> Instant? {
    let telling = prompt.telling
    guard let next = telling.nextAt else {
      return telling.lastAt?.adding(seconds: Self.answerSeconds)
    }
    let others = alarm.escalation.tells.dropFirst(telling.begun + 1)
    return next.adding(seconds: others.reduce(Self.answerSeconds) { $0 + $1.afterSeconds })
  }
}

extension Prompt {
  /// Whoever was told knows of it, whether or not the answer meanwhile is taken back. Whoever was not,
  /// because of the answer, is told then.
  fileprivate mutating func noteTold(_ grade: Int) {
    telling.pending.removeAll { $0 == grade }
    guard var before = lastAnswer?.before else { return }
    before.telling.pending.removeAll { $0 == grade }
    lastAnswer?.before = before
  }

  /// Elapsed time moves with the clock.
  mutating func shiftTelling(by milliseconds: Int64) {
    acknowledgedAt = acknowledgedAt?.adding(milliseconds: milliseconds)
    telling.nextAt = telling.nextAt?.adding(milliseconds: milliseconds)
    telling.lastAt = telling.lastAt?.adding(milliseconds: milliseconds)
    guard let answer = lastAnswer else { return }
    lastAnswer?.at = answer.at.adding(milliseconds: milliseconds)
    guard var before = answer.before else { return }
    before.phase = before.phase.shifted(by: milliseconds)
    before.acknowledgedAt = before.acknowledgedAt?.adding(milliseconds: milliseconds)
    before.telling.nextAt = before.telling.nextAt?.adding(milliseconds: milliseconds)
    before.telling.lastAt = before.telling.lastAt?.adding(milliseconds: milliseconds)
    lastAnswer?.before = before
  }
}
