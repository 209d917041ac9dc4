import CivilTime
import JSONValue
import Pages
import Testing

@testable import ScreenServer

/// Tests the stage while the screen shows questions.
@Suite(.timeLimit(.minutes(1))) struct QuestionStageTests {
  /// Returns a reading with a prompt and its two questions. The prompt was completed at 08:00:50.
  private func reading(at time: String, withQuestions: Bool = true) throws -> HomeReading {
    let prompt = JSON.object([
      ("id", .string("a")), ("label", .string("Task a")), ("instructions", .string("")),
      ("state", .string("closed")), ("outcome", .string("completed")),
      ("shown_as_due", .bool(false)), ("scheduled_utc", .string("2026-11-26T08:00:00.000Z")),
      ("closed_utc", .string("2026-11-26T08:00:50.000Z")),
    ])
    var reading = try sampleReading([prompt])
    reading.now = try Instant(parsing: "2026-11-26T\(time).000Z")
    guard withQuestions else { return reading }
    let questions = ["slept", "eaten"].map {
      JSON.object([
        ("name", .string($0)), ("text", .string("Was it good?")), ("kind", .string("yes_no")),
      ])
    }
    reading.checkIns["a"] = try CheckInReading(
      .object([
        ("questions", .array(questions)), ("answers_required", .bool(false)),
        ("responses", .array([])),
      ]))
    return reading
  }

  private func touch(_ question: String, _ input: String, key: String) throws -> QuestionTouch {
    let body =
      #"{"prompt":"a","question":"\#(question)","answer":"\#(input)","key":"\#(key)"}"#
    return try #require(QuestionTouch(body: Array(body.utf8)))
  }

  /// Returns the responses in the JSON format in which the daemon receives them.
  private func text(_ answers: QuestionAnswers) -> String {
    answers.members.first { $0.0 == "responses" }?.1?.description ?? ""
  }

  private func key(_ sample: SampleStage) async throws -> String {
    try await sample.page.nextMessage()["key"]?.string ?? "only the clock"
  }

  private func asking() async throws -> SampleStage {
    let sample = SampleStage()
    sample.home.reply(.success(try reading(at: "08:01:00")))
    _ = sample.open()
    sample.stage.connected()
    #expect(try await key(sample) == "notConnected")
    #expect(try await key(sample) == "question a slept two 0")
    return sample
  }

  @Test func `each answer shows the next question, and the last one is sent`() async throws {
    let sample = try await asking()
    let first = try touch("slept", "pick yes", key: "0123456789abcde0")
    #expect(sample.stage.take(try touch("eaten", "pick no", key: "0123456789abcde1")) == .refuse)
    #expect(sample.stage.take(first) == .show)
    #expect(try await key(sample) == "question a eaten two 0")
    guard
      case .send(let answers) = sample.stage.take(
        try touch("eaten", "pick no", key: "0123456789abcde2"))
    else {
      Issue.record("nothing is sent")
      return
    }
    #expect(
      text(answers)
        == #"[{"question":"eaten","value":false},{"question":"slept","value":true}]"#)
    sample.stage.finish(answers)
    sample.stage.readAgain()
    #expect(try await key(sample) == "answered a")
  }

  @Test func `an outage of the daemon keeps the answers`() async throws {
    let sample = try await asking()
    #expect(
      sample.stage.take(try touch("slept", "pick yes", key: "0123456789abcde0")) == .show)
    #expect(try await key(sample) == "question a eaten two 0")
    sample.stage.lost("the daemon is gone")
    #expect(try await key(sample) == "notConnected")
    #expect(
      sample.stage.take(try touch("eaten", "pick no", key: "0123456789abcde1")) == .refuse)
    sample.stage.connected()
    #expect(try await key(sample) == "question a eaten two 0")
  }

  @Test(arguments: [(200, 1, 0), (503, 2, 0), (409, 1, 1)])
  func `after 30 minutes the given answers are sent`(
    status: Int, requests: Int, reports: Int
  ) async throws {
    let sample = try await asking()
    #expect(
      sample.stage.take(try touch("slept", "pick yes", key: "0123456789abcde0")) == .show)
    #expect(try await key(sample) == "question a eaten two 0")
    sample.home.answer(with: status)
    sample.home.reply(.success(try reading(at: "08:30:50", withQuestions: false)))
    sample.stage.readAgain()
    #expect(try await key(sample) == "idle")
    while sample.home.sent.isEmpty { await Task.yield() }
    let readings = sample.home.readings
    sample.stage.readAgain()
    while sample.home.readings == readings || sample.home.sent.count < requests {
      await Task.yield()
    }
    #expect(
      sample.home.sent.allSatisfy { text($0) == #"[{"question":"slept","value":true}]"# })
    #expect(sample.home.sent.count == requests)
    #expect(sample.reports.total >= reports)
  }
}
