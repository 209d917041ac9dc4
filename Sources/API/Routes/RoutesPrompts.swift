import Alarms

/// Due times and the answers to them.
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
          "Only prompts in this state: `current` waits for an answer, `upcoming` is not due yet, "
            + "`incomplete` was due and is not completed."),
        .person,
        Parameter("label", .text, "Only prompts whose label holds this, in any case."),
        Parameter("alarm", .text, "Only prompts of this alarm."),
        Parameter("date", .date, "Only prompts due on this day of the home's zone."),
        Parameter("from", .date, "Only prompts due on this day or later."),
        Parameter("to", .date, "Only prompts due on this day or earlier."),
        .limit(1_000),
        Parameter("before", .promptID, "Only prompts after this one in that order."),
      ],
      answers: .json(.promptList), "Prompts, newest first, with their outcomes."),
    Route(
      .showPrompt, .get, "/v1/prompts/{id}", readers, answers: .json(.prompt), "One prompt."),
    Route(
      .whyPrompt, .get, "/v1/prompts/{id}/why", readers, answers: .json(.why),
      "Why a prompt rang, will ring, or did not."),
    Route(
      .acknowledge, .post, "/v1/prompts/{id}/acknowledge", home, takes: .json(.nothing),
      answers: .json(.answered),
      "On my way: the sound stops, and comes back unless the task is completed."),
    Route(
      .complete, .post, "/v1/prompts/{id}/complete", home, takes: .json(.completeForm),
      answers: .json(.answered), "Done: everything pending is cancelled."),
    Route(
      .delay, .post, "/v1/prompts/{id}/delay", home, takes: .json(.delayForm),
      answers: .json(.answered), "Later: a new burst after the delay."),
    Route(
      .decline, .post, "/v1/prompts/{id}/decline", home, takes: .json(.reasonForm),
      answers: .json(.answered), "Not now and not later, with a reason."),
    Route(
      .cancel, .post, "/v1/prompts/{id}/cancel", [.caretaker], takes: .json(.reasonForm),
      answers: .json(.answered), "The caretaker calls it off."),
    Route(
      .undo, .post, "/v1/prompts/{id}/undo", home, takes: .json(.nothing),
      answers: .json(.answered),
      "Takes the newest answer back, within 60 seconds of it: the prompt goes on where it was."),
  ]
}
