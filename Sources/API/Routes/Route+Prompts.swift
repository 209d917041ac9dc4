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
          "Only prompts in this state. `open`: the prompt has no outcome. `current`: the prompt is "
            + "due and waits for an answer. `upcoming` or `planned`: the prompt is not due yet. "
            + "`past` or `closed`: the prompt has an outcome. `complete` or `completed`: somebody "
            + "completed the prompt. `incomplete`: the prompt was due, and is open, declined or "
            + "missed. `missed`: the prompt ended without an answer."),
        .person,
        Parameter(
          "label", .text,
          "Only prompts whose label contains this text. Upper and lower case of the letters A to Z "
            + "make no difference."),
        Parameter("alarm", .text, "Only prompts of this alarm."),
        Parameter("date", .date, "Only prompts due on this day of the home zone."),
        Parameter("from", .date, "Only prompts due on this day or later."),
        Parameter("to", .date, "Only prompts due on this day or earlier."),
        .limit(1_000),
        Parameter(
          "before", .promptID,
          "The `next_before` of the previous page. Absent: the response contains the first page."),
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
      "Answers \"on my way\": the sound stops. If nobody completes the prompt within the time "
        + "`complete_by` of the alarm, the prompt rings again."
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
      .present, .post, "/v1/prompts/{id}/presented", [.patient], takes: .json(.nothing),
      answers: .json(.prompt),
      "Reports that a screen shows the prompt to the person. The daemon records only the first "
        + "report of a prompt, and refuses a prompt that is not `shown_as_due`."),
    Route(
      .sayAgain, .post, "/v1/prompts/{id}/again", home, takes: .json(.nothing),
      answers: .json(.prompt),
      "Says the recording or the words of a prompt once more. The sound is not a ring of the prompt. "
        + "An answer stops it. The daemon refuses a prompt that is not `shown_as_due` (409), a "
        + "request while the speaker plays a sound (409, `speaker_busy`), and more than "
        + "\(Route.againPerHour) requests of a user in an hour (429, `limit`)."),
    Route(
      .undo, .post, "/v1/prompts/{id}/undo", home, takes: .json(.nothing),
      answers: .json(.answered),
      "Takes back the newest answer to a prompt. This is possible for 60 seconds after the answer. "
        + "The prompt gets the state that it had before the answer, and continues from this state."
    ),
  ]
}
