import CivilTime
import Testing

@testable import Alarms

/// Checks each limit of a response, and the whole text of each refusal.
@Suite struct `A response to a question` {
  /// A home with a check-in that is due.
  private func due() throws -> CoreFixture {
    var fixture = CoreFixture()
    _ = try fixture.asking()
    fixture.pass(seconds: 4 * 3_600 + 1)
    return fixture
  }

  @Test func `is refused with the reason if its value does not fit the question`() throws {
    let cases: [(String, ResponseForm.Value, String)] = [
      ("pain", .number(-1), "-1.0 is out of range; it must be from 0.0 to 10.0"),
      ("pain", .number(11), "11.0 is out of range; it must be from 0.0 to 10.0"),
      ("pain", .number(2.5), "2.5 must be a whole number"),
      ("pain", .text("bad"), "it must be a number"), ("pain", .flag(true), "it must be a number"),
      ("weight", .number(29.9), "29.9 is out of range; it must be from 30.0 to 200.0 kg"),
      ("weight", .text("200.1"), "200.1 is out of range; it must be from 30.0 to 200.0 kg"),
      ("weight", .text("nan"), "it must be a number"),
      ("weight", .list(["60"]), "it must be a number"),
      ("temperature", .number(29.9), "29.9 is out of range; it must be from 30.0 to 45.0 Cel"),
      ("temperature", .number(45.1), "45.1 is out of range; it must be from 30.0 to 45.0 Cel"),
      ("mood", .text("great"), "it must be one of: bad, fair, good"),
      ("mood", .number(1), "it must be one of: bad, fair, good"),
      ("yes_no", .text("maybe"), "it must be true or false"),
      ("yes_no", .number(1), "it must be true or false"),
      ("text", .flag(true), "it must be a text"),
      ("feels", .number(1), "it must be a list of names"),
      ("feels", .text("nausea, toothache"), "\"toothache\" is not one of: headache, nausea"),
      ("feels", .list([" nausea"]), "\" nausea\" is not one of: headache, nausea"),
      ("feels", .text("nausea,nausea"), "a name appears twice"),
    ]
    var fixture = try due()
    for (question, value, detail) in cases {
      let refused = refusal { try fixture.respond(nil, [(question, value)]) }
      #expect(
        refused == Refusal(.invalidField, field: "responses[0].value", detail),
        "\(question) \(value)")
    }
    #expect(fixture.responses.isEmpty)
  }

  @Test func `is accepted up to each limit`() throws {
    let cases: [(String, ResponseForm.Value, Response.Value)] = [
      ("pain", .number(0), .number(0)), ("pain", .text("10"), .number(10)),
      ("weight", .number(30), .number(30)), ("weight", .number(200), .number(200)),
      ("temperature", .number(30), .number(30)), ("temperature", .number(45), .number(45)),
      ("feels", .text("none"), .choices([])), ("feels", .text(""), .choices([])),
      ("feels", .list([]), .choices([])),
      ("feels", .text("  nausea  ,headache "), .choices(["headache", "nausea"])),
      ("mood", .text("fair"), .mood(.fair)), ("yes_no", .flag(true), .flag(true)),
      ("yes_no", .flag(false), .flag(false)),
    ]
    var fixture = try due()
    for (question, value, _) in cases { try fixture.respond(nil, [(question, value)]) }
    #expect(fixture.responses.map(\.value) == cases.map { $0.2 })
    #expect(fixture.responses.map(\.number) == [1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 1, 1, 2])
  }

  @Test func `is refused if the request does not fit the prompt`() throws {
    var fixture = try due()
    #expect(
      refusal { try fixture.respond(nil, []) }
        == Refusal(.invalidField, field: "responses", "the list of responses is empty"))
    #expect(
      refusal { try fixture.respond(nil, [("pain", .number(1)), ("pain", .number(2))]) }
        == Refusal(
          .invalidField, field: "responses[1].question", "this request answers \"pain\" twice"))
    #expect(
      refusal { try fixture.respond(nil, [("shoe", .number(43))]) }
        == Refusal(
          .invalidField, field: "responses[0].question",
          "there is no question \"shoe\"; the questions are: pain, feels, weight, temperature, "
            + "mood, yes_no, text"))
    for number in 1...20 { try fixture.respond(nil, [("pain", .number(Double(number % 10)))]) }
    #expect(
      refusal { try fixture.respond(nil, [("mood", .text("bad")), ("pain", .number(1))]) }
        == Refusal(
          .limit, field: "responses[1].question",
          "cannot answer \"pain\" again: it was answered 20 times for this prompt, which is the "
            + "limit; the newest answer counts"))
    #expect(fixture.responses.map(\.number) == Array(1...20))
    var other = CoreFixture()
    try other.add { $0.schedule = "in 1 minute" }
    other.pass(seconds: 61)
    #expect(
      refusal { try other.respond(nil, [("pain", .number(1))]) }
        == Refusal(.conflict, "\"Pills\" does not ask questions"))
  }
}
