import CivilTime

// Handles the reports and the requests that a screen sends.
extension Transition {
  /// Records that a screen showed a prompt to the person.
  ///
  /// The function records only the first report about a prompt. A further report changes nothing,
  /// so a screen can send a report again.
  mutating func present(_ id: PromptID) throws(Refusal) {
    let prompt = try openPrompt(id, orRefuse: "record that prompt \"\(id)\" is shown")
    if prompt.presentedAt == nil {
      guard isShownAsDue(prompt) else {
        throw Refusal(
          .notDue,
          "cannot record that prompt \"\(id)\" is shown: a screen may not show it as due now; "
            + "show only prompts with `shown_as_due`")
      }
      emit(.presented(id))
    }
    reply = .prompt(self.prompt(id) ?? prompt)
  }

  /// Plays the recording or the words of a prompt once more, for a person who did not understand
  /// the ring.
  ///
  /// The sound is not a ring, so the sound does not count for the burst, for the hourly limit or
  /// for the delivery of the prompt. If a ring becomes due during the sound, the ring starts after
  /// the sound. The command never interrupts a sound, and never delays a prompt that is already
  /// ready to ring.
  mutating func sayAgain(_ id: PromptID) throws(Refusal) {
    let prompt = try openPrompt(id, orRefuse: "say prompt \"\(id)\" again")
    guard isShownAsDue(prompt) else {
      throw Refusal(
        .notDue,
        "cannot say prompt \"\(id)\" again: it is not due, it is put off, or it must be silent now")
    }
    guard activeRing == nil, readied.isEmpty, home.speakerQueue.isEmpty else {
      throw Refusal(
        .speakerBusy,
        "cannot say prompt \"\(id)\" again: the speaker plays a sound now; try again when it "
          + "has ended")
    }
    emit(.saidAgain(id))
    sayAgain(prompt)
    reply = .prompt(prompt)
  }

  /// Finds an open prompt.
  ///
  /// - Parameter action: the refused action, in words, for the error message.
  private func openPrompt(_ id: PromptID, orRefuse action: String) throws(Refusal) -> Prompt {
    if let prompt = prompt(id), prompt.state.isOpen { return prompt }
    throw isClosed(id)
      ? Refusal(.promptOver, "cannot \(action): it is already over")
      : Refusal(.notFound, "there is no prompt \"\(id)\"")
  }
}
