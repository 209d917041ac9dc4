import CivilTime
import ClientKit
import NIOCore
import NIOPosix
import Pages
import Sentences
import Synchronization

/// The present screen, and the connected pages that show it.
///
/// One thread reads from the daemon. If several events arrive during a reading, the thread reads
/// once more after this reading.
package final class Stage: EventListener {
  /// A function that sends a line to a page. The function must not block.
  typealias Viewer = @Sendable (_ line: String) -> Void

  private struct State {
    var isConnected = false
    var isReadingQueued = false
    /// The prompts that changed since the last reading. The value nil means that the next reading
    /// must read everything.
    var changed: Set<String>?
    /// A timer for the next instant at which the screen changes without new data from the daemon.
    var nextDecision: Scheduled<Void>?
    var reading: HomeReading?
    /// The time at which `reading` was made, in milliseconds of this machine's monotonic clock.
    var readAt: Int64 = 0
    var answering = Answering()
    var shown = ScreenState.notConnected
    var isNight = false
    /// The content of the last message, without the clock. If a new screen has the same content,
    /// the stage does not send it again.
    var sent = ""
    var trouble: String?
    var viewers: [Int: Viewer] = [:]
    var nextViewer = 0
    /// The number of painted frames that pages have reported.
    var frames = 0
    var clockWatch = ClockWatch()
    /// The time at which the last open page was closed. The value is nil before the first page and
    /// while a page is open.
    var closedAt: Int64?
  }

  /// Writes a line for the person who runs the program.
  let report: @Sendable (_ line: String) -> Void

  private let home: any ScreenHome
  private let loop: any EventLoop
  /// Reads a clock that nobody can set, in milliseconds.
  private let milliseconds: @Sendable () -> Int64
  /// Reads the wall clock of this machine, in milliseconds.
  private let wallMilliseconds: @Sendable () -> Int64
  /// Makes the display bright or dim. This function can block for some time.
  private let light: @Sendable (_ isNight: Bool) -> Void
  /// The thread that reads from the daemon. The same thread also reads pictures and sends reports.
  /// Therefore a screen needs only one connection to the daemon for all these requests.
  let reader = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  /// The interval between two messages that show a page that the connection works, in seconds. If a
  /// page receives no message for 20 s, it shows "not connected".
  private static let tickSeconds: Int64 = 5
  /// The interval between two checks of this machine's clock, in seconds.
  private static let clockSeconds: Int64 = 1
  /// The maximum time between two readings, in milliseconds. Some changes cause no event, for
  /// example the end of quiet hours. The stage detects these changes after at most this time.
  private static let oldestReading: Int64 = 60_000

  package init(
    home: any ScreenHome, loop: any EventLoop,
    milliseconds: @escaping @Sendable () -> Int64,
    wallMilliseconds: @escaping @Sendable () -> Int64,
    light: @escaping @Sendable (_ isNight: Bool) -> Void,
    report: @escaping @Sendable (_ line: String) -> Void
  ) {
    (self.home, self.loop, self.milliseconds, self.report) = (home, loop, milliseconds, report)
    (self.wallMilliseconds, self.light) = (wallMilliseconds, light)
  }

  package func start() {
    reader.start()
    loop.scheduleRepeatedTask(
      initialDelay: .seconds(Self.tickSeconds), delay: .seconds(Self.tickSeconds)
    ) { _ in self.tick() }
    loop.scheduleRepeatedTask(initialDelay: .zero, delay: .seconds(Self.clockSeconds)) { _ in
      self.lookAtClock()
    }
  }

  // MARK: Pages

  /// Returns the whole page with the present screen.
  func page() -> String {
    state.withLock { home.html(for: $0.reading).page(first: $0.shown) }
  }

  /// Adds a page, and sends the present screen to this page at once.
  ///
  /// - Returns: the number of the page, which `remove` needs.
  func add(_ viewer: @escaping Viewer) -> Int {
    state.withLock { state in
      state.nextViewer += 1
      state.viewers[state.nextViewer] = viewer
      state.closedAt = nil
      viewer(line(state))
      return state.nextViewer
    }
  }

  func remove(viewer: Int) {
    state.withLock { state in
      state.viewers[viewer] = nil
      if state.viewers.isEmpty { state.closedAt = milliseconds() }
    }
  }

  /// Returns true if all pages have been closed for at least `seconds` seconds. Before the first
  /// page was open, the result is false.
  func hasBeenClosed(for seconds: Int64) -> Bool {
    state.withLock { state in
      state.closedAt.map { milliseconds() - $0 >= seconds * 1_000 } ?? false
    }
  }

  /// Counts a report of a page that it has painted a frame.
  func painted() { state.withLock { $0.frames += 1 } }

  /// The number of connected pages, and the number of painted frames that pages have reported.
  package var signs: (pages: Int, frames: Int) {
    state.withLock { ($0.viewers.count, $0.frames) }
  }

  func reports(_ promptID: String) -> Bool { state.withLock { $0.shown.reports(promptID) } }

  func takesPhoto(of promptID: String) -> Bool {
    state.withLock { $0.shown.takesPhoto(of: promptID) }
  }

  func offers(_ form: AnswerForm) -> Bool {
    state.withLock { $0.shown.offers(form.answer, to: form.promptID) }
  }

  /// True if the page server receives the events of the daemon.
  var isConnected: Bool { state.withLock { $0.isConnected } }

  /// Returns the sentence that refuses an answer that the screen no longer offers, in the language
  /// of the screen.
  func refusal(of form: AnswerForm) -> String {
    state.withLock { state in
      let sentence =
        state.isConnected ? state.reading?.refusal(of: form.answer, to: form.promptID) : nil
      return text(sentence ?? .answerFailed, state)
    }
  }

  /// Returns a sentence in the language of the screen.
  func text(_ sentence: Sentence) -> String { state.withLock { text(sentence, $0) } }

  private func text(_ sentence: Sentence, _ state: State) -> String {
    sentence.text(in: home.html(for: state.reading).language)
  }

  // MARK: Questions

  /// Returns true if the person must answer questions of the prompt before the page server sends
  /// the answer.
  func asksFirst(_ form: AnswerForm) -> Bool {
    form.answer == .complete
      && state.withLock { $0.answering.asksFirst(form.promptID, $0.reading) }
  }

  /// Returns true if the screen shows this prompt as due.
  func isCalling(_ promptID: String) -> Bool {
    state.withLock { state in
      if case .calling(let task) = state.shown { task.promptID == promptID } else { false }
    }
  }

  /// Shows the questions of an open prompt.
  func startQuestions(_ promptID: String) {
    state.withLock { $0.answering.start(promptID) }
  }

  /// Processes a touch on a question screen, and shows the next screen.
  func take(_ touch: QuestionTouch) -> Answering.Step {
    state.withLock { state in
      guard state.isConnected, var reading = state.reading else { return .refuse }
      let language = home.html(for: reading).language
      let step = state.answering.take(touch, on: state.shown, language)
      if step == .show, let now = now(state) {
        reading.now = now
        _ = decide(reading, &state)
      }
      return step
    }
  }

  /// Ends the questions after the daemon has recorded the answers.
  func finish(_ answers: QuestionAnswers) {
    state.withLock { state in
      if let now = now(state) { state.answering.finish(answers.promptID, at: now) }
    }
  }

  private func tick() {
    let isOld = state.withLock { state in
      let line = ScreenUpdate.clock(clock(state))
      for viewer in state.viewers.values { viewer(line) }
      return state.isConnected && milliseconds() - state.readAt > Self.oldestReading
    }
    if isOld { readAgain() }
    // Set the brightness again, because another program may have changed it.
    set(isNight: state.withLock { $0.isNight })
  }

  /// If somebody set the clock of this machine, reads the time of the daemon again.
  private func lookAtClock() {
    let wasSet = state.withLock {
      $0.clockWatch.wasSet(wall: wallMilliseconds(), elapsed: milliseconds())
    }
    if wasSet { readAgain() }
  }

  /// Makes the display bright or dim, on the thread `reader`, because this thread may block.
  private func set(isNight: Bool) {
    let light = light
    reader.submit { _ in light(isNight) }
  }

  // MARK: The daemon

  package func connected() {
    state.withLock { state in
      state.isConnected = true
      state.trouble = nil
    }
    readAgain()
  }

  package func lost(_ why: String) {
    state.withLock { state in
      if state.trouble != why { report(why) }
      state.trouble = why
      state.isConnected = false
      show(.notConnected, isNight: state.isNight, &state)
    }
  }

  /// Requests a new reading of everything from the daemon.
  package func readAgain() { queueReading { $0.changed = nil } }

  /// Requests a new reading of one prompt from the daemon.
  package func changed(promptID: String) { queueReading { $0.changed?.insert(promptID) } }

  private func queueReading(_ note: (inout State) -> Void) {
    let isNew = state.withLock { state in
      note(&state)
      defer { state.isReadingQueued = true }
      return !state.isReadingQueued
    }
    if isNew { reader.submit { _ in self.read() } }
  }

  /// The maximum number of prompts that the stage reads one by one. If more prompts have changed,
  /// one request for a list is cheaper.
  private static let mostChanged = 10

  private func read() {
    let (change, last) = state.withLock { state -> (HomeChange, HomeReading?) in
      state.isReadingQueued = false
      let changed = state.changed
      state.changed = []
      guard let changed, changed.count <= Self.mostChanged else { return (.all, state.reading) }
      return (.prompts(changed), state.reading)
    }
    do {
      let reading = try home.reading(change, since: last)
      show(reading)
      try sendOverdueAnswers(reading)
    } catch let failure as Failure {
      fail(failure.sentence)
    } catch let error as ReadingError {
      fail("cannot read a reply of the daemon: the field \"\(error.field)\" is wrong or missing")
    } catch {
      fail("cannot read from the daemon: \(error)")
    }
  }

  /// Sends the given answers of each prompt whose time for the questions is over.
  private func sendOverdueAnswers(_ reading: HomeReading) throws {
    for answers in state.withLock({ $0.answering.overdue(reading) }) {
      let reply = try home.send(answers)
      // The daemon cannot record the answers now. The stage sends them again after the next
      // reading.
      if reply.status == 503 { continue }
      if !reply.isAccepted {
        report(
          "the daemon refused the answers to \(answers.promptID) with the status \(reply.status)")
      }
      finish(answers)
    }
  }

  private func fail(_ why: String) {
    // This reading failed, and the list of its changed prompts is lost. Therefore the next reading
    // must read everything.
    state.withLock { $0.changed = nil }
    lost(why)
    loop.scheduleTask(in: .seconds(1)) { self.connected(after: why) }
  }

  /// Reads from the daemon again, if `why` is still the newest fault that the stage knows.
  private func connected(after why: String) {
    let isStill = state.withLock { state in
      guard state.trouble == why else { return false }
      state.isConnected = true
      return true
    }
    if isStill { readAgain() }
  }

  private func show(_ reading: HomeReading) {
    let validUntil: Instant? = state.withLock { state in
      guard state.isConnected else { return nil }
      state.trouble = nil
      state.reading = reading
      state.readAt = milliseconds()
      state.answering.follow(reading)
      return decide(reading, &state)
    }
    let wait = validUntil.map { max(0, $0.milliseconds(since: reading.now)) + 20 }
    let next = wait.map { wait in
      // Only the time has changed, so this reading reads no prompts.
      loop.scheduleTask(in: .milliseconds(wait)) { self.queueReading { _ in } }
    }
    state.withLock { state in
      state.nextDecision?.cancel()
      state.nextDecision = next
    }
  }

  /// Decides which screen follows from the reading, and shows this screen.
  ///
  /// - Returns: the next instant at which the screen changes without new data from the daemon.
  private func decide(_ reading: HomeReading, _ state: inout State) -> Instant? {
    let language = home.html(for: reading).language
    let decision = ScreenDecision(reading, state.answering, language: language)
    show(decision.state, isNight: decision.isNight, &state)
    return decision.validUntil
  }

  private func show(_ screen: ScreenState, isNight: Bool, _ state: inout State) {
    state.shown = screen
    if state.isNight != isNight { set(isNight: isNight) }
    state.isNight = isNight
    let content = "\(screen.key) \(isNight) \(home.html(for: state.reading).fragment(screen))"
    guard content != state.sent else { return }
    state.sent = content
    let line = line(state)
    for viewer in state.viewers.values { viewer(line) }
  }

  private func line(_ state: State) -> String {
    ScreenUpdate.screen(
      state.shown, isNight: state.isNight, home.html(for: state.reading), clock: clock(state))
  }

  // MARK: The time

  /// Returns the present time of the daemon; nil before the first reading.
  private func now(_ state: State) -> Instant? {
    state.reading.map { $0.now.adding(milliseconds: milliseconds() - state.readAt) }
  }

  private func clock(_ state: State) -> ClockFace? {
    guard let reading = state.reading, let now = now(state) else { return nil }
    return ClockFace(now: now, zone: reading.zone, language: home.html(for: reading).language)
  }
}
