import API
import CivilTime
import JSONValue

/// The page "Today" with the tasks of a day, their states, and the notified contacts. The caretaker
/// can answer for the person.
struct TodayPage: CaretakerPage {
  let name = ""
  let link: CaretakerSentence? = .today

  func show(_ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard context.visit.path.isEmpty else { return .missing }
    return .content(try day(context).content)
  }

  func take(_ form: FormFields, _ context: PageContext) throws(HomeTrouble) -> PageReply {
    guard let prompt = form["prompt"],
      let answer = DayAnswer(rawValue: form.text(PageContext.buttonField))
    else { return .missing }
    switch try context.change(answer.operation, ["id": prompt], form: form) {
    case .success:
      return .redirect(
        to: Link.to(
          query: [
            ("date", context.visit.query["date"]), ("person", context.visit.query["person"]),
            ("saved", answer.rawValue), ("prompt", prompt),
          ]))
    case .failure(let refusal):
      var view = try day(context)
      view.refusal = refusal
      return .content(view.content)
    }
  }

  private func day(_ context: PageContext) throws(HomeTrouble) -> DayHTML {
    let query = context.visit.query
    let date =
      query["date"].flatMap { try? CivilDate(parsing: $0) } ?? context.household.today
    let person = query["person"].flatMap { id in
      context.household.people.contains { $0.id == id } ? id : nil
    }
    var asked = ["date": date.description]
    if let person { asked["person"] = person }
    let tasks = try context.read(.day, query: asked)["tasks"]?.array ?? []
    let prompts =
      try context.read(.listPrompts, query: asked.merging(["limit": "1000"]) { $1 })["prompts"]?
      .array ?? []
    let known = Dictionary(prompts.map { ($0["id"]?.string ?? "", $0) }) { first, _ in first }
    var rows: [DayRow] = []
    for task in tasks {
      let prompt = task["prompt_id"]?.string.flatMap { known[$0] }
      rows.append(try DayRow(task, prompt: prompt, context.household))
    }
    return DayHTML(context: context, date: date, person: person, rows: rows)
  }
}

/// An answer that a caretaker gives for a person.
enum DayAnswer: String, CaseIterable, Sendable {
  case done = "done"
  case later = "later"
  case callOff = "call_off"
  case undo = "undo"

  var operation: Route.Operation {
    switch self {
    case .done: .complete
    case .later: .delay
    case .callOff: .cancel
    case .undo: .undo
    }
  }

  var word: CaretakerSentence {
    switch self {
    case .done: .doneButton
    case .later: .laterButton
    case .callOff: .callOffButton
    case .undo: .undoButton
    }
  }

  /// Returns the sentence that the page shows after the answer.
  func saved(_ label: String) -> CaretakerSentence {
    switch self {
    case .done: .answeredDone(label: label)
    case .later: .answeredLater(label: label)
    case .callOff: .answeredCallOff(label: label)
    case .undo: .answeredUndo(label: label)
    }
  }
}
