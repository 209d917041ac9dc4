import Sentences

extension HomeReading {
  /// Returns the sentence that refuses an answer that the screen no longer offers.
  ///
  /// The state can change between the touch and its arrival at the page server, for example because
  /// another person presses the button at the same moment. In this case, the page server sends no
  /// request to the daemon.
  public func refusal(of answer: ScreenAnswer, to promptID: String) -> Sentence {
    guard let prompt = prompts.first(where: { $0.id == promptID }) else { return .refusedAnswer }
    let isOpen = prompt.closedAt == nil
    switch answer {
    case .undo:
      // After an undo, the prompt is open again, and it is neither delayed nor acknowledged.
      return isOpen && prompt.state != .delayed && prompt.state != .acknowledged
        ? .refusedUndone : .refusedTooLate
    case .complete, .acknowledge, .delay, .again:
      if !isOpen { return .refusedOver }
      if answer == .delay, !prompt.mayDelay { return .refusedLater }
      return prompt.isShownAsDue ? .refusedAnswer : .refusedNotDue
    }
  }
}
