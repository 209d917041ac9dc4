import API
import CivilTime
import JSONValue

/// The page "History": the outcomes of a month, one day with the reasons, and the answers to a
/// question over time.
struct HistoryPage: CaretakerPage {
  let name = "history"
  let link: CaretakerSentence? = .history

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    let path = Array(context.visit.path.dropFirst())
    switch (path.count, path.first) {
    case (0, _): return .content(try month(context))
    case (1, "answers"?): return try answers(context)
    case (2, let alarm?):
      guard let day = try? CivilDate(parsing: path[1]) else { return .missing }
      return .content(try self.day(alarm, day, context))
    default: return .missing
    }
  }

  private func month(_ context: PageContext) throws(HomeTrouble) -> PageContent {
    let query = context.visit.query
    let month =
      query["month"].flatMap(HistoryMonth.init(parsing:))
      ?? HistoryMonth(of: context.household.today)
    let person = context.selectedPerson
    var asked = ["from": month.first.description, "to": month.last.description]
    if let person { asked["person"] = person }
    let rows = HistoryRow.rows(try context.prompts(asked))
    let questions = try AskedQuestion.all(context).filter { person == nil || $0.person == person }
    return HistoryHTML(
      context: context, month: month, person: person, rows: rows, questions: questions
    ).content
  }

  // MARK: A day

  /// The maximum number of prompts of a day for which the page shows the reasons. The page sends a
  /// request for each of these prompts.
  private static let explained = 48

  private func day(
    _ alarm: String, _ day: CivilDate, _ context: PageContext
  ) throws(HomeTrouble) -> PageContent {
    let prompts = try context.prompts(["alarm": alarm, "date": day.description])
    var entries: [HistoryDayHTML.Entry] = []
    for prompt in prompts.reversed().prefix(Self.explained) {
      let why = try context.read(.whyPrompt, ["id": prompt.id])
      entries.append(HistoryDayHTML.Entry(prompt: prompt, why: try Explanation(why)))
    }
    if entries.isEmpty {
      // If there was no prompt, ask the daemon to explain the middle of the day.
      let why = try context.read(
        .whyAlarm, ["id": alarm], query: ["at": "\(day) 12:00"])
      entries.append(HistoryDayHTML.Entry(prompt: nil, why: try Explanation(why)))
    }
    return HistoryDayHTML(context: context, alarm: alarm, day: day, entries: entries).content
  }

  // MARK: Answers

  /// The periods that the chart can show, in days. A person chooses one of them.
  static let spans = [30, 90, 365]

  private func answers(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    let query = context.visit.query
    guard
      let question = try AskedQuestion.all(context).first(where: {
        $0.person == query["person"] && $0.name == query["question"]
      })
    else { return .missing }
    let days = Self.spans.first { String($0) == query["days"] } ?? Self.spans[0]
    let from = context.household.today.adding(days: 1 - days)
    let series = try context.read(
      .series,
      query: [
        "person": question.person, "question": question.name, "from": from.description,
        "to": context.household.today.description,
      ])
    let points = (series["points"]?.array ?? []).compactMap {
      AnswerPoint($0, context.household)
    }
    return .content(
      AnswersHTML(
        context: context, question: question, days: days, from: from, points: points,
        count: Int(series["answers"]?.integer ?? 0)
      ).content)
  }
}

extension PageContext {
  /// The person in the query; nil if the home does not know the person.
  var selectedPerson: String? {
    visit.query["person"].flatMap { id in household.people.contains { $0.id == id } ? id : nil }
  }
}

/// The reason why an alarm rang or was silent, as the daemon reports it.
struct Explanation: Sendable, Hashable {
  /// An event that is a part of the explanation.
  struct Reason: Sendable, Hashable {
    var at: CivilDateTime
    var text: String
    /// The name or the id of the user who caused the event; nil if the device caused the event.
    var by: String?
  }

  var label: String
  var summary: String
  var rule: String?
  var reasons: [Reason]

  init(_ why: JSON) throws(HomeTrouble) {
    guard let label = why["label"]?.string, let summary = why["summary"]?.string else {
      throw .unreadable(field: "summary")
    }
    (self.label, self.summary, rule) = (label, summary, why["rule"]?.string)
    reasons = (why["reasons"]?.array ?? []).compactMap { reason in
      guard let at = reason["local"]?.string.flatMap({ try? CivilDateTime(parsing: $0) }),
        let text = reason["text"]?.string
      else { return nil }
      let role = reason["role"]?.string ?? ""
      let name = reason["by_name"]?.string ?? reason["by"]?.string
      return Reason(at: at, text: text, by: role == "device" || role == "system" ? nil : name)
    }
  }
}
