import API
import ArgumentParser
import ClientKit
import JSONValue

/// `prompter answer`: answers the questions of a prompt.
struct AnswerCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "answer",
    abstract: "Answer the questions of a prompt, or correct an answer.",
    usage: "prompter answer [<prompt>] [<question>=<value> ...] [--done]",
    discussion: """
      Without an answer the command shows the questions of the prompt and the answers so far. A \
      second answer to a question is a correction: both stay in the record, and the newer counts.

      Examples:
        prompter answer pain=7 mood=good feels=headache,nausea --done
        prompter answer 9pttkm9b1zcn@2026-12-01T08:00:00 pain=6
      """)

  @Argument(
    help: """
      The prompt: its id, its first 4 or more characters, or the label of its alarm (default: the \
      prompt that rings or rang last), and question=value.
      """)
  var promptAndAnswers: [String] = []

  @Flag(help: "Complete the prompt as well.")
  var done = false

  @OptionGroup var connection: ConnectionOptions

  func check() throws { _ = try parts() }

  func run() throws {
    let (prompt, answers) = try parts()
    let target = ["id": try PromptNames(range: .waiting, connection: connection).id(prompt)]
    if answers.isEmpty {
      let request = Request(.listResponses, target)
      return try connection.carryOut(request) { try ResponseText.list($0.document()) }
    }
    let responses = answers.map { question, value in
      JSON.object([("question", .string(question)), ("value", .string(value))])
    }
    let request = Request(.respond, target).with([
      ("responses", .array(responses)), ("complete", done ? .bool(true) : nil),
    ])
    try connection.carryOut(request) { reply in
      try "\(TextFormat.counted(answers.count, "answer")) recorded. "
        + PromptText.answered(reply.document())
    }
  }

  /// Returns two parts of the typed words: the name of the prompt, and the responses.
  ///
  /// A word that contains `=` is a response. All other words are the name of the prompt.
  func parts() throws -> (prompt: String?, answers: [(String, String)]) {
    var prompt: String?
    var answers: [(String, String)] = []
    for word in promptAndAnswers {
      if let equals = word.firstIndex(of: "=") {
        answers.append((String(word[..<equals]), String(word[word.index(after: equals)...])))
      } else {
        guard prompt == nil else { throw ValidationError("Give only one prompt.") }
        prompt = word
      }
    }
    return (prompt, answers)
  }
}

/// `prompter series`: shows the responses to a question over time.
struct SeriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series", abstract: "Show the answers to one question over time.",
    discussion: "Example: prompter series pain --person anna --from 2026-12-01 --points 30")

  @Argument(help: "The question's name.")
  var question: String

  @Option(
    help: ArgumentHelp(
      "Show the answers of this person (needed if the home has several people).",
      valueName: "person"))
  var person: String?

  @Option(help: ArgumentHelp("Show answers from this day on.", valueName: "date"))
  var from: String?

  @Option(help: ArgumentHelp("Show answers until this day, included.", valueName: "date"))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "Combine the answers into at most this many points (default: 200).", valueName: "n"))
  var points: Int?

  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let request = Request(
      .series,
      query: [
        ("question", question), ("person", person), ("from", from), ("to", to),
        ("points", points.map(String.init)),
      ])
    try connection.carryOut(request) { try ResponseText.series($0.document()) }
  }
}

/// The texts that show questions and responses to a caretaker.
enum ResponseText {
  static func list(_ document: JSON) throws -> String {
    let questions = document.list("questions")
    if questions.isEmpty { return "This prompt has no questions." }
    let responses = document.list("responses")
    var table = Table("QUESTION", "ASKED", "ANSWER", "TIME (UTC)", "BY")
    for question in questions {
      let name = question.text("name")
      let given = responses.filter { $0.text("question") == name }
      if given.isEmpty { table.add(.init(name), .init(question.text("text")), .init("")) }
      for one in given {
        let isCurrent = one["current"]?.bool == true
        let unit = one["unit"]?.string.map { " \($0)" } ?? ""
        table.add(
          .init(name), .init(question.text("text")),
          .init(value(one["value"] ?? .null) + unit, isCurrent ? nil : .faint),
          .init(one.text("utc")), .init(isCurrent ? one.text("by") : "corrected", .faint))
      }
    }
    return table.text
  }

  static func series(_ document: JSON) throws -> String {
    let points = document.list("points")
    if points.isEmpty { return "There are no answers." }
    let unit = document["unit"]?.string.map { " (\($0))" } ?? ""
    var table = Table("TIME (UTC)", "MEAN" + unit, "LOWEST", "HIGHEST", "ANSWERS")
    for point in points {
      table.add(
        .init(point.text("utc")), .init(rounded(point["value"])), .init(rounded(point["min"])),
        .init(rounded(point["max"])), .init(point.text("count")))
    }
    return table.text
  }

  private static func rounded(_ json: JSON?) -> String {
    guard let value = json?.double else { return "" }
    let text = "\((value * 100).rounded() / 100)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func value(_ json: JSON) -> String {
    switch json {
    case .bool(let flag): flag ? "yes" : "no"
    case .string(let text): text
    case .array(let names):
      names.isEmpty ? "none" : names.compactMap(\.string).joined(separator: ", ")
    default: json.description
    }
  }
}
