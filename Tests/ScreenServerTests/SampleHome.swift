import CivilTime
import ClientKit
import Glibc
import JSONValue
import NIOCore
import NIOEmbedded
import Pages
import Sentences
import Synchronization

@testable import ScreenServer

/// A sample home without a daemon. The test sets the replies of the home.
final class SampleHome: ScreenHome {
  private struct State {
    var replies: [Result<HomeReading, Failure>] = []
    var readings = 0
    var changes: [HomeChange] = []
    var isPaused = false
    var events: [String] = []
    var hasBegun = true
    var sent: [QuestionAnswers] = []
    var status = 200
  }

  private let state = Mutex(State())

  /// The number of readings that the stage requested.
  var readings: Int { state.withLock { $0.readings } }

  /// Sets the next replies. If all replies were used, the home repeats the last reply.
  func reply(_ replies: Result<HomeReading, Failure>...) {
    state.withLock { $0.replies = replies }
  }

  /// Sets the pieces of the next stream of events.
  ///
  /// - Parameter hasBegun: false if the daemon refuses the request.
  func stream(_ pieces: [String], hasBegun: Bool = true) {
    state.withLock { ($0.events, $0.hasBegun) = (pieces, hasBegun) }
  }

  /// Lets each further reading wait until the test calls `goOn`.
  func pause() { state.withLock { $0.isPaused = true } }
  func goOn() { state.withLock { $0.isPaused = false } }

  /// For each reading of the home, the change that the stage passed with this reading.
  var changes: [HomeChange] { state.withLock { $0.changes } }

  func reading(_ change: HomeChange, since last: HomeReading?) throws -> HomeReading {
    state.withLock { state in
      state.readings += 1
      state.changes.append(change)
    }
    while state.withLock({ $0.isPaused }) { sched_yield() }
    let reply = state.withLock { state -> Result<HomeReading, Failure>? in
      return state.replies.count > 1 ? state.replies.removeFirst() : state.replies.first
    }
    guard let reply else { throw Failure.badUsage("the test has no reply") }
    return try reply.get()
  }

  /// The answers that the stage sent.
  var sent: [QuestionAnswers] { state.withLock { $0.sent } }

  /// Sets the status with which the home replies to answers.
  func answer(with status: Int) { state.withLock { $0.status = status } }

  func send(_ answers: QuestionAnswers) throws -> AnswerReply {
    state.withLock { state in
      state.sent.append(answers)
      return AnswerReply(status: state.status)
    }
  }

  func html(for reading: HomeReading?) -> ScreenHTML {
    ScreenHTML(language: .english, labelLanguage: nil)
  }

  func followEvents(
    begin: @escaping @Sendable () -> Void, take: @escaping @Sendable ([UInt8]) throws -> Void
  ) throws {
    let (pieces, hasBegun) = state.withLock { ($0.events, $0.hasBegun) }
    guard hasBegun else { throw Failure.badUsage("the daemon is full") }
    begin()
    // The test waits until the stage made the reading for the beginning of the stream.
    while readings < 1 { sched_yield() }
    for piece in pieces { try take(Array(piece.utf8)) }
  }
}

/// Returns a reading with the given prompts. The time is 08:01 UTC on 26 November 2026.
func sampleReading(_ prompts: [JSON] = [], quietHours: String? = nil) throws -> HomeReading {
  try HomeReading(
    status: .object([
      ("clock", .object([("utc", .string("2026-11-26T08:01:00.000Z"))])),
      ("you", .object([("roles", .array([.string("patient")]))])),
    ]),
    person: .object([
      ("id", .string("hilde")), ("name", .string("Hilde")),
      ("quiet_hours", quietHours.map(JSON.string) ?? .null),
    ]),
    prompts: .object([("prompts", .array(prompts)), ("calling", .null)]),
    progress: .object([("people", .array([]))]), zone: .utc, personZone: .utc)
}

/// Returns a prompt that is due now.
func due(_ id: String) -> JSON {
  .object([
    ("id", .string(id)), ("label", .string("Task \(id)")), ("instructions", .string("")),
    ("state", .string("ringing")), ("outcome", .null), ("shown_as_due", .bool(true)),
    ("scheduled_utc", .string("2026-11-26T08:00:00.000Z")), ("delays_left", .integer(3)),
  ])
}

/// A stage with one page. The test sets the time of the stage and runs its event loop.
final class SampleStage: Sendable {
  let home = SampleHome()
  let loop = NIOAsyncTestingEventLoop()
  let stage: Stage
  /// The lines that the stage wrote for the user who started the program.
  let reports: Lines
  /// The lines that the stage sent to the page.
  let page = Lines()
  /// The changes of the display light that the stage requested: "bright" or "dim".
  let lights: Lines
  fileprivate let time: Time

  fileprivate final class Time: Sendable {
    let milliseconds = Mutex<Int64>(1_000)
    let wall = Mutex<Int64>(1_795_680_000_000)
  }

  init() {
    let (reports, lights, time) = (Lines(), Lines(), Time())
    (self.reports, self.lights, self.time) = (reports, lights, time)
    stage = Stage(
      home: home, loop: loop, milliseconds: { time.milliseconds.withLock { $0 } },
      wallMilliseconds: { time.wall.withLock { $0 } },
      light: { lights.add($0 ? "dim" : "bright") }, report: { reports.add($0) })
    stage.start()
  }

  /// Opens the page. The first line that the page gets is the present screen.
  func open() -> Int { stage.add { self.page.add($0) } }

  /// Lets the given time pass.
  func pass(seconds: Int64) async {
    time.milliseconds.withLock { $0 += seconds * 1_000 }
    time.wall.withLock { $0 += seconds * 1_000 }
    await loop.advanceTime(by: .seconds(seconds))
  }
}

extension SampleStage {
  /// Sets the wall clock of the machine forward by this number of seconds. A negative number sets
  /// the clock back.
  func setClock(by seconds: Int64) { time.wall.withLock { $0 += seconds * 1_000 } }
}

/// The received lines, in their order. A test can wait for the next line.
final class Lines: Sendable {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation
  private let count = Mutex(0)

  init() { (stream, continuation) = AsyncStream.makeStream() }

  /// The number of received lines.
  var total: Int { count.withLock { $0 } }

  func add(_ line: String) {
    count.withLock { $0 += 1 }
    continuation.yield(line)
  }

  /// Waits for the next line.
  func next() async -> String {
    for await line in stream { return line }
    return ""
  }

  /// Waits for the next line to the page, and returns the message in it.
  func nextMessage() async throws -> JSON { try JSON(parsing: Array(await next().utf8)) }
}
