import Alarms
import CivilTime

// Checks merged rings: one sound for several prompts of one person.
extension Audit {
  /// The maximum number of prompts in a merged ring.
  private static let mostPrompts = 4
  /// The maximum number of characters of all words in a merged ring. The voices of a merged ring
  /// last at most 24 s, and the daemon estimates 100 ms for each character.
  private static let mostCharacters = 240

  /// Compares the command to play a ring with the recorded ring intents. The command must contain
  /// the voice of each prompt in the merged ring. Prompts that are due at the same time must be in
  /// one merged ring.
  mutating func checkMerged(_ order: PlayOrder) {
    let ringing = open.compactMap { replay.prompts[$0] }.compactMap { prompt -> (PromptID, Ring)? in
      guard case .ringing(let ring, _) = prompt.state else { return nil }
      return (prompt.id, ring)
    }
    let merged = ringing.filter { $0.1.leadingPrompt == order.prompt }
    let sounding = [order.prompt] + order.others.map(\.prompt)
    if let other = ringing.first(where: { !sounding.contains($0.0) }) {
      fail("I21", "\(other.0) has a ring intent, but is not in the sound of \(order.prompt)")
    }
    if order.others.isEmpty {
      if !merged.isEmpty { fail("I21", "\(order.prompt) rings alone, but leads a merged ring") }
    } else {
      checkParts(order, merged)
    }
    checkNoneLeft(order)
  }

  private mutating func checkParts(_ order: PlayOrder, _ merged: [(id: PromptID, ring: Ring)]) {
    let numbers = Dictionary(uniqueKeysWithValues: merged.map { ($0.id, $0.ring.number) })
    let person = replay.alarms[order.prompt.alarm]?.person
    if merged.count != order.others.count + 1 || merged.count > Self.mostPrompts {
      fail("I21", "\(merged.count) prompts are recorded for the merged ring of \(order.prompt)")
    }
    for other in order.others {
      guard let alarm = replay.alarms[other.prompt.alarm], numbers[other.prompt] == other.ring
      else {
        fail("I21", "\(other.prompt) is in the sound of \(order.prompt), but has no ring intent")
        continue
      }
      if alarm.person != person { fail("I21", "a merged ring has prompts of two people") }
      if other.tones.isEmpty, !other.words.text.hasPrefix(alarm.label) {
        fail("I21", "the words of \(other.prompt) are not in the merged ring")
      }
    }
    for (id, ring) in merged {
      if !mayMerge(id) { fail("I21", "\(id) is in a merged ring, but must ring alone") }
      if ring.gainDecibels != order.gainDecibels {
        fail("I21", "\(id) has another gain than its merged ring")
      }
    }
    if Set(merged.map(\.ring.isRepetition)).count > 1 {
      fail("I21", "the merged ring of \(order.prompt) has a first ring and a repetition")
    }
    if order.lead == nil {
      fail("I21", "the merged ring of \(order.prompt) does not say its number")
    }
    if characters(order) > Self.mostCharacters {
      fail("I21", "the merged ring of \(order.prompt) has too many words")
    }
  }

  /// Checks that the ring contains all prompts that it can contain.
  ///
  /// The check fails if two conditions are met. First, the merged ring has room for another prompt.
  /// Second, a different prompt of the person is due at the same time and waits for its first ring.
  private mutating func checkNoneLeft(_ order: PlayOrder) {
    guard graceMilliseconds == 0, let prompt = replay.prompts[order.prompt],
      case .ringing(let ring, _) = prompt.state, ring.index == 0, mayMerge(prompt.id),
      order.others.count + 1 < Self.mostPrompts,
      let person = replay.alarms[prompt.id.alarm]?.person
    else { return }
    let left = open.compactMap { replay.prompts[$0] }.filter { other in
      guard other.dueAt == prompt.dueAt, case .waiting(0, let at) = other.state,
        at <= ring.intendedAt, let alarm = replay.alarms[other.id.alarm], alarm.person == person
      else { return false }
      // Each pause between two voices takes as long as 7 spoken characters.
      let length =
        characters(order) + 7 * (order.others.count + 2) + alarm.label.count
        + alarm.instructions.count + 2
      return mayMerge(other.id) && length <= Self.mostCharacters
    }
    if let other = left.map(\.id).min() {
      fail("I21", "\(other) is due together with \(prompt.id), but is not in its ring")
    }
  }

  private func characters(_ order: PlayOrder) -> Int {
    ([order.words].compactMap { $0 } + order.others.map(\.words)).reduce(0) { $0 + $1.text.count }
  }

  /// Returns true if a prompt may be in a merged ring.
  private func mayMerge(_ id: PromptID) -> Bool {
    guard let alarm = replay.alarms[id.alarm], let prompt = replay.prompts[id] else { return false }
    let steps = alarm.chainSteps(isOnTheWay: expectedPrompts[id]?.isOnTheWay == true)
    let step = if case .ringing(let ring, _) = prompt.state { ring.step } else { 0 }
    return !alarm.isAnnouncement && alarm.checkIn == nil && prompt.leadsToAt == nil
      && !steps[step].isUrgent
  }

  /// Expects a stopped ring again after 60 s. The function does this only for a merged ring that an
  /// answer to a different prompt stopped.
  mutating func expectAgain(_ id: PromptID, _ number: Int, at wall: Instant) {
    guard case .ringing(let ring, let deadline)? = replay.prompts[id]?.state,
      ring.number == number, ring.leadingPrompt != nil
    else { return }
    expectedPrompts[id]?.repeatRing(at: min(wall, deadline).adding(seconds: 60))
  }
}
