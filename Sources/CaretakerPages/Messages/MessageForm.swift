import EventCoding
import JSONValue

/// The values of the form of a message, as a person typed them.
struct MessageForm: Sendable, Hashable {
  var text = ""
  var person = ""
  /// The name of a recording; empty if Prompter speaks the words.
  var tone = ""
  /// The kind of the answer: `heard`, `yes_no`, or empty if the message needs no answer.
  var answer = "heard"
  /// The time in which an answer is possible, in minutes.
  var expires = "30"
  var repetitions = "3"
  var isForQuietHours = false

  /// Creates the form of a new message. The message is for the person in the query, or for the only
  /// person of the home.
  init(_ context: PageContext) {
    let people = context.household.people
    person = context.visit.query["person"] ?? (people.count == 1 ? people[0].id : "")
  }

  init(_ fields: FormFields) {
    (text, person, tone) = (fields.text("text"), fields.text("person"), fields.text("tone"))
    (answer, expires) = (fields.text("answer"), fields.text("expires"))
    (repetitions, isForQuietHours) = (fields.text("repeat"), fields["in_quiet_hours"] != nil)
  }

  /// The members of the request `POST /v1/say`. If a value has a wrong form, the refusal of the
  /// daemon explains the error.
  var members: [(String, JSON?)] {
    var members: [(String, JSON?)] = [
      ("text", .string(text)), ("person", person.isEmpty ? nil : .string(person)),
      ("tone", tone.isEmpty ? nil : .string(tone)),
      ("in_quiet_hours", isForQuietHours ? .string("ring") : nil),
    ]
    guard !answer.isEmpty else { return members }
    members.append(("answer", .string(answer)))
    let minutes = Int64(expires).flatMap { (0...100_000).contains($0) ? $0 : nil }
    let length = minutes.map { DurationText.text($0 * 60) } ?? expires
    members.append(("expires", length.isEmpty ? nil : .string(length)))
    if !repetitions.isEmpty {
      members.append(("repeat", .number(typed: repetitions)))
    }
    return members
  }
}
