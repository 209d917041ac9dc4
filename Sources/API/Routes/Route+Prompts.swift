import Alarms

/// The routes for prompts and for the answers to prompts.
extension Route {
  static let promptRoutes: [Route] = [
    Route(
      .listPrompts, .get, "/v1/prompts", readers,
      query: [
        Parameter(
          "state",
          .word([
            "open", "current", "upcoming", "planned", "past", "closed", "complete", "completed",
            "incomplete", "missed",
          ]),
          "Only prompts in this state. `current`: waits for an answer. `upcoming`: not due yet. "
            + "`incomplete`: was due and is not completed."),
        .person,
        Parameter(
          "label", .text, "Only prompts with this text in the label, in upper or lower case."),
        Parameter("alarm", .text, "Only prompts of this alarm."),
        Parameter("date", .date, "Only prompts due on this day of the home zone."),
        Parameter("from", .date, "Only prompts due on this day or later."),
        Parameter("to", .date, "Only prompts due on this day or earlier."),
        .limit(1_000),
        Parameter(
          "before", .promptID,
          "Start of the page: the `next_before` of the previous page. Absent: the first page."),
      ],
      answers: .json(.promptList), "Prompts, newest first, with their outcomes."),
    Route(
      .showPrompt, .get, "/v1/prompts/{id}", readers, answers: .json(.prompt), "One prompt."),
    Route(
      .whyPrompt, .get, "/v1/prompts/{id}/why", readers, answers: .json(.why),
      "Explains why a prompt rang, will ring, or did not ring."),
    Route(
      .acknowledge, .post, "/v1/prompts/{id}/acknowledge", home, takes: .json(.nothing),
      answers: .json(.answered),
      "Answers \"on my way\": the sound stops. If nobody completes the prompt in time, the prompt "
        + "rings again."
    ),
    Route(
      .complete, .post, "/v1/prompts/{id}/complete", home, takes: .json(.completeForm),
      answers: .json(.answered),
      "Answers \"done\": the prompt ends. The daemon cancels all further rings and notifications "
        + "of the prompt."),
    Route(
      .delay, .post, "/v1/prompts/{id}/delay", home, takes: .json(.delayForm),
      answers: .json(.answered), "Answers \"later\": the prompt rings again after the delay."),
    Route(
      .decline, .post, "/v1/prompts/{id}/decline", home, takes: .json(.reasonForm),
      answers: .json(.answered), "Answers \"no\", with a reason: the prompt ends."),
    Route(
      .cancel, .post, "/v1/prompts/{id}/cancel", [.caretaker], takes: .json(.reasonForm),
      answers: .json(.answered), "Cancels a prompt."),
    Route(
      .undo, .post, "/v1/prompts/{id}/undo", home, takes: .json(.nothing),
      answers: .json(.answered),
      "Undoes the newest answer, within 60 seconds: the prompt returns to its state before the "
        + "answer, and continues."
    ),
  ]
}
