import CivilTime
import ClientKit
import JSONValue
import Pages
import Testing

@testable import ScreenServer

@Suite(.timeLimit(.minutes(1))) struct StageTests {
  private func answer(_ answer: String, _ prompt: String) throws -> AnswerForm {
    let body = #"{"prompt":"\#(prompt)","answer":"\#(answer)","key":"0123456789abcdef"}"#
    return try #require(AnswerForm(body: Array(body.utf8)))
  }

  private func key(_ sample: SampleStage) async throws -> String {
    try await sample.page.nextMessage()["key"]?.string ?? "only the clock"
  }

  private func wait(for screen: String, _ sample: SampleStage) async throws {
    while try await key(sample) != screen {}
  }

  @Test func `before the first reading the screen says that it is not connected`() async throws {
    let sample = SampleStage()
    _ = sample.open()
    #expect(try await key(sample) == "notConnected")
    #expect(try !sample.stage.offers(answer("complete", "a")))
    #expect(sample.home.readings == 0)
  }

  @Test func `a task that is due appears, and only its answers are accepted`() async throws {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading([due("a")])))
    _ = sample.open()
    sample.stage.connected()
    #expect(try await key(sample) == "notConnected")
    #expect(try await key(sample) == "calling a done")
    #expect(try sample.stage.offers(answer("complete", "a")))
    #expect(try sample.stage.offers(answer("delay", "a")))
    #expect(try !sample.stage.offers(answer("undo", "a")))
    #expect(try !sample.stage.offers(answer("complete", "b")))
    #expect(sample.stage.reports("a"))
    #expect(!sample.stage.reports("b"))
    #expect(sample.stage.page().contains("Task a"))
  }

  @Test func `an equal screen is not sent again`() async throws {
    let sample = SampleStage()
    sample.home.reply(
      .success(try sampleReading([due("a")])), .success(try sampleReading([due("a")])),
      .success(try sampleReading()))
    _ = sample.open()
    sample.stage.connected()
    #expect(try await key(sample) == "notConnected")
    #expect(try await key(sample) == "calling a done")
    sample.stage.readAgain()
    while sample.home.readings < 2 { await Task.yield() }
    sample.stage.readAgain()
    // The second reading gives an equal screen, so the stage sends nothing. The next line to the
    // page comes from the third reading.
    #expect(try await key(sample) == "idle")
  }

  @Test func `many changed prompts, and a reading that failed, lead to a reading of everything`()
    async throws
  {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading()))
    sample.stage.connected()
    while sample.home.readings < 1 { await Task.yield() }
    sample.home.pause()
    sample.stage.changed(promptID: "first")
    while sample.home.readings < 2 { await Task.yield() }
    // At this point, the stage reads the prompt "first".
    for number in 0..<30 { sample.stage.changed(promptID: "\(number)") }
    sample.home.reply(.failure(.badUsage("the daemon is full")))
    sample.home.goOn()
    while sample.home.readings < 3 { await Task.yield() }
    #expect(sample.home.changes == [.all, .prompts(["first"]), .all])
    #expect(await sample.reports.next() == "the daemon is full")
    sample.home.reply(.success(try sampleReading()))
    while sample.home.readings < 4 { await sample.pass(seconds: 1) }
    #expect(sample.home.changes.last == .all)
  }

  @Test func `a lost connection takes the task off the screen`() async throws {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading([due("a")])))
    _ = sample.open()
    sample.stage.connected()
    #expect(try await key(sample) == "notConnected")
    #expect(try await key(sample) == "calling a done")
    sample.stage.lost("the daemon has ended")
    sample.stage.lost("the daemon has ended")
    #expect(try await key(sample) == "notConnected")
    #expect(try !sample.stage.offers(answer("complete", "a")))
    #expect(await sample.reports.next() == "the daemon has ended")
    // The reason did not change. The stage reports a reason only once.
    #expect(sample.reports.total == 1)
  }

  @Test func `a reading that fails is tried again`() async throws {
    let sample = SampleStage()
    sample.home.reply(
      .failure(.badUsage("the daemon is full")), .success(try sampleReading([due("a")])))
    _ = sample.open()
    sample.stage.connected()
    #expect(try await key(sample) == "notConnected")
    #expect(await sample.reports.next() == "the daemon is full")
    #expect(sample.home.readings == 1)
    // The stage writes the report before it sets the timer for the next reading. Therefore, the
    // test lets the time pass until the next reading.
    while sample.home.readings < 2 { await sample.pass(seconds: 1) }
    try await wait(for: "calling a done", sample)
  }

  @Test func `a reading that ends after the connection was lost is not shown`() async throws {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading([due("a")])))
    _ = sample.open()
    sample.stage.readAgain()
    while sample.home.readings < 1 { await Task.yield() }
    await sample.pass(seconds: 5)
    #expect(try await key(sample) == "notConnected")
    #expect(try await key(sample) == "only the clock")
    #expect(!sample.stage.reports("a"))
  }

  @Test func `the page gets the time of the daemon every five seconds`() async throws {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading()))
    let viewer = sample.open()
    sample.stage.connected()
    #expect(try await key(sample) == "notConnected")
    #expect(try await key(sample) == "idle")
    await sample.pass(seconds: 5)
    let message = try await sample.page.nextMessage()
    #expect(message["html"] == nil)
    let now = try Instant(parsing: "2026-11-26T08:01:05.000Z")
    #expect(message["clock"]?["now_ms"]?.integer == now.milliseconds)
    sample.stage.remove(viewer: viewer)
    await sample.pass(seconds: 5)
    // The stage sends no line to a page that is closed.
    #expect(sample.page.total == 3)
  }

  @Test func `the stage knows for how long no page has been open`() async throws {
    let sample = SampleStage()
    await sample.pass(seconds: 100)
    // No page has been opened yet.
    #expect(!sample.stage.hasBeenClosed(for: 60))
    let (first, second) = (sample.open(), sample.open())
    await sample.pass(seconds: 100)
    sample.stage.remove(viewer: first)
    await sample.pass(seconds: 100)
    #expect(!sample.stage.hasBeenClosed(for: 60))
    sample.stage.remove(viewer: second)
    await sample.pass(seconds: 59)
    #expect(!sample.stage.hasBeenClosed(for: 60))
    await sample.pass(seconds: 1)
    #expect(sample.stage.hasBeenClosed(for: 60))
    _ = sample.open()
    #expect(!sample.stage.hasBeenClosed(for: 60))
  }

  @Test func `a reading is repeated after a minute without events`() async throws {
    let sample = SampleStage()
    sample.home.reply(.success(try sampleReading()), .success(try sampleReading([due("a")])))
    _ = sample.open()
    sample.stage.connected()
    while sample.home.readings < 1 || sample.page.total < 2 { await Task.yield() }
    for _ in 0..<12 { await sample.pass(seconds: 5) }
    #expect(sample.home.readings == 1)
    await sample.pass(seconds: 5)
    try await wait(for: "calling a done", sample)
    #expect(sample.home.readings == 2)
  }
}

@Suite(.timeLimit(.minutes(1))) struct DaemonFollowerTests {
  private static let ring = #"data: {"type":"ring_started"}"# + "\n\n"
  private static let heartbeat = #"data: {"type":"heartbeat"}"# + "\n\n"

  /// Follows one stream of events, and returns the reason for which the stream ended.
  private func follow(
    _ sample: SampleStage, _ pieces: [String], hasBegun: Bool = true
  ) async throws -> String {
    sample.home.reply(.success(try sampleReading()))
    sample.home.stream(pieces, hasBegun: hasBegun)
    DaemonFollower(source: sample.home, listener: sample.stage).followOnce()
    return await sample.reports.next()
  }

  @Test func `a stream that begins leads to a reading`() async throws {
    let sample = SampleStage()
    #expect(try await follow(sample, []) == "the daemon ended the stream of events")
    while sample.home.readings < 1 { await Task.yield() }
  }

  @Test func `a stream that the daemon refuses leads to no reading`() async throws {
    let sample = SampleStage()
    #expect(try await follow(sample, [], hasBegun: false) == "the daemon is full")
    #expect(sample.home.readings == 0)
  }

  @Test func `an event of a prompt leads to a reading of this prompt only`() async throws {
    let sample = SampleStage()
    let event = #"data: {"type":"ring_started","prompt_id":"a"}"# + "\n\n"
    let created = #"data: {"type":"alarm_created"}"# + "\n\n"
    _ = try await follow(sample, [created, event])
    while sample.home.readings < 2 { await Task.yield() }
    #expect(sample.home.changes == [.all, .prompts(["a"])])
  }

  @Test func `an event leads to another reading`() async throws {
    let sample = SampleStage()
    let (start, end) = (String(Self.ring.prefix(9)), String(Self.ring.dropFirst(9)))
    _ = try await follow(sample, [start, end])
    while sample.home.readings < 2 { await Task.yield() }
  }

  @Test func `a heartbeat leads to no other reading`() async throws {
    let sample = SampleStage()
    _ = try await follow(sample, [Self.heartbeat, Self.heartbeat])
    #expect(sample.home.readings == 1)
  }
}
