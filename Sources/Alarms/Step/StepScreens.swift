import CivilTime

// The reports of a screen.
extension Transition {
  /// Records that a screen showed a prompt to the person.
  ///
  /// Only the first report of a prompt is recorded. A further report changes nothing, so a screen
  /// can send a report again.
  mutating func present(_ id: PromptID) throws(Refusal) {
    guard let prompt = prompt(id), prompt.state.isOpen else {
      throw isClosed(id)
        ? Refusal(.conflict, "cannot record that prompt \"\(id)\" is shown: it is already over")
        : Refusal(.notFound, "there is no prompt \"\(id)\"")
    }
    if prompt.presentedAt == nil {
      guard isShownAsDue(prompt) else {
        throw Refusal(
          .conflict,
          "cannot record that prompt \"\(id)\" is shown: a screen may not show it as due now; "
            + "show only prompts with `shown_as_due`")
      }
      emit(.presented(id))
    }
    reply = .presented(self.prompt(id) ?? prompt)
  }
}
