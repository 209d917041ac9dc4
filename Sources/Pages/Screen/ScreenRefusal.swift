import Sentences

extension HomeReading {
  /// The sentence for an answer that the screen no longer offers.
  ///
  /// This happens if the state changes between the touch and its arrival, for example because
  /// another person presses the button at the same moment. The daemon then gets no request.
  public func refusal(of answer: ScreenAnswer, to promptID: String) -> Sentence {
    guard let prompt = prompts.first(where: { $0.id == promptID }) else { return .refusedAnswer }
    let isOpen = prompt.closedAt == nil
    switch answer {
    case .undo:
      // After an undo, the prompt is open again and nothing is put off.
      return isOpen && prompt.state != .delayed && prompt.state != .acknowledged
        ? .refusedUndone : .refusedTooLate
    case .complete, .acknowledge, .delay, .again:
      if !isOpen { return .refusedOver }
      if answer == .delay, !prompt.mayDelay { return .refusedLater }
      return prompt.isShownAsDue ? .refusedAnswer : .refusedNotDue
    }
  }
}
