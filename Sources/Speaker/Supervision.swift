import SoundProtocol

/// The state machine of the supervisor, which reacts to requests, player messages and deadlines.
///
/// The state machine uses no process, file or clock. Times are milliseconds of any monotonic clock.
/// The state machine has one job at a time: a ring or a self-test. Each message that the player
/// must send has a deadline:
///
///     play ──accepted──▶ opening(device) ──started──▶ progress … progress ──ended──▶
///         1 s (3 s new)               2 s           1.5 s each, frames must grow
///     stop ──ended──▶  250 ms; then SIGKILL, which closes the device and so ends the sound
///     ended ──ready──▶  2 s to close the device and restore the mixer
///
/// A new player has 3 s instead of 1 s for its first message after `play`. A progress message moves
/// the deadline only if it reports more played frames than the previous progress message.
///
/// If the player misses a deadline, ends, or sends an impossible message, the supervisor kills this
/// player and starts a new player. The new player plays the ring once more, and the sound device of
/// the failed attempt moves to the end of the list.
struct Supervision {
  enum Input {
    case start
    case play(RingSound, SpeakerTrialRun? = nil)
    case stop(id: String)
    case selfTest
    /// Sets the list of sound devices for the next ring and all later rings. The preferred sound
    /// device is the first in the list.
    case devices([String])
    /// Sets the level of the sound card of a sound device for the next ring and all later rings. If
    /// `percent` is nil, the level of `usualLevel` applies.
    case level(percent: Int?, device: String)
    /// Sets the level of the sound card for all sound devices without a separate level. The new
    /// level applies to the next ring.
    case usualLevel(percent: Int)
    case shutdown
    case said(PlayerMessage)
    case malformed(line: String)
    /// The player has ended, or the supervisor could not start the player.
    case gone(reason: String)
    case tick
  }

  enum Action: Hashable {
    case spawn
    case send(PlayerCommand)
    /// Sends SIGKILL to the player, and ignores all further messages of this player.
    case kill
    case emit(SpeakerEvent)
    case log(String)
  }

  /// Time limits for the player, in milliseconds.
  enum Bound {
    static let startUp: Int64 = 3_000
    static let accept: Int64 = 1_000
    static let open: Int64 = 2_000
    static let progress: Int64 = 1_500
    static let stop: Int64 = 250
    /// The time limit for the player to close the sound device after a ring. With this limit, the
    /// supervisor detects a hang before the next ring.
    static let tidy: Int64 = 2_000
    static let overrun: Int64 = 3_000
    /// The maximum time, in milliseconds, by which the length of the played sound in a report may
    /// exceed the time since the start of the ring. The reported length can be greater than this
    /// time for two reasons: the report includes the frames in the buffer of the sound device, and
    /// the supervisor sometimes reads the start message late.
    static let early: Int64 = 600
    /// The minimum run time of a player. A shorter run counts as a quick crash.
    ///
    /// After several consecutive quick crashes, the supervisor waits before it restarts the player.
    /// If a ring or a test is requested, the supervisor starts the player at once.
    static let steady: Int64 = 5_000
    static let longestPause: Int64 = 30_000
    /// The number of consecutive quick crashes (see `steady`) after which the supervisor reports
    /// that the speaker is unusable.
    static let hopelessDeaths = 3
  }

  struct Ring {
    var sound: RingSound
    var trial: SpeakerTrialRun?
    var attempt = 0
    var hasReportedStart = false
    var isStopping = false
    var startedAt: Int64?
    var device = ""
    var totalFrames: Int?
    var framesPlayed = 0
    var giveUpAt: Int64?
  }

  enum Job {
    case ring(Ring)
    case selfTest(SelfTest)
  }

  /// The last report about the sound devices: `usable` or `unusable`. The supervisor sends a new
  /// report only if the new report differs from the last report.
  enum Verdict: Hashable {
    case unknown
    case usable(String)
    case unusable
  }

  private(set) var configuredDevices: [String]
  /// The sound devices in the order in which the player tries them. If the player hung while it
  /// used a sound device, this device is at the end of the list.
  var devices: [OutputDevice]
  /// The level for sound devices without a separate level. If the value is nil, the player does not
  /// change the levels of the sound cards.
  private var usualLevel: Int?
  /// The level of each sound device with a separate level. The dictionary also contains sound
  /// devices that are not in use.
  private var ownLevels: [String: Int] = [:]
  var waiting: [Job] = []
  var current: Job?
  var overdueAt: Int64?
  var overdueMeaning = ""
  /// The ids of rings for which the command `stop` arrived before the command `play`. If the list
  /// is too long, the supervisor removes the oldest id.
  var prevented: [String] = []
  var verdict = Verdict.unknown
  var isPlayerUp = false
  var spawnedAt: Int64 = 0
  var quickDeaths = 0
  var respawnAt: Int64?
  var isShuttingDown = false
  var actions: [Action] = []

  init(devices: [OutputDevice]) {
    configuredDevices = devices.map(\.name)
    self.devices = devices
    usualLevel = devices.first?.levelPercent
  }

  /// The time of the next `tick`; nil if the supervision waits for no deadline.
  var deadline: Int64? {
    var times = [overdueAt, respawnAt].compactMap { $0 }
    if case .ring(let ring) = current, let giveUpAt = ring.giveUpAt { times.append(giveUpAt) }
    return times.min()
  }

  /// True if there is no job. A shutdown waits until this value is true.
  var isIdle: Bool { current == nil && waiting.isEmpty }

  /// Processes one input, and returns the actions in order.
  mutating func take(_ input: Input, now: Int64) -> [Action] {
    actions = []
    switch input {
    case .start: spawn(now: now)
    case .play(let sound, let trial): play(sound, trial, now: now)
    case .stop(let id): stop(id, now: now)
    case .selfTest:
      if !waiting.contains(where: \.isSelfTest) {
        waiting.append(.selfTest(SelfTest(remaining: configuredDevices)))
      }
    case .level(let percent, let device):
      ownLevels[device] = percent
      useLevels()
    case .usualLevel(let percent):
      if usualLevel != nil { usualLevel = percent }
      useLevels()
    case .devices(let names):
      configuredDevices = names
      devices = names.map { OutputDevice($0) }
      useLevels()
    case .shutdown: shutdown(now: now)
    case .said(let message): handle(message, now: now)
    case .malformed(let line):
      replacePlayer(reason: "the player sent an unknown message: \(line.prefix(80))", now: now)
    case .gone(let reason): lose(reason: reason, now: now)
    case .tick: tick(now: now)
    }
    beginNext(now: now)
    return actions
  }

  // MARK: Requests

  private mutating func useLevels() {
    for index in devices.indices {
      devices[index].levelPercent = usualLevel.map { ownLevels[devices[index].name] ?? $0 }
    }
  }

  private mutating func play(_ sound: RingSound, _ trial: SpeakerTrialRun?, now: Int64) {
    if let index = prevented.firstIndex(of: sound.id) {
      prevented.remove(at: index)
      return endUnheard(sound.id)
    }
    guard !isShuttingDown else { return endUnheard(sound.id) }
    waiting.append(.ring(Ring(sound: sound, trial: trial)))
  }

  private mutating func stop(_ id: String, now: Int64) {
    if case .ring(var ring) = current, ring.sound.id == id {
      guard !ring.isStopping else { return }
      ring.isStopping = true
      current = .ring(ring)
      actions.append(.send(.stop(id: id)))
      // While a player starts, the player is silent. After its start, the player reads the play
      // command and immediately afterwards the stop command. Therefore, the time limit for the stop
      // command includes the rest of the start-up time.
      let isStarting = ring.totalFrames == nil && now - spawnedAt < Bound.startUp
      let bound = isStarting ? spawnedAt + Bound.startUp - now : Bound.stop
      expect("answer to stop", within: bound, now: now)
    } else if let index = waiting.firstIndex(where: { $0.ringID == id }) {
      waiting.remove(at: index)
      endUnheard(id)
    } else {
      prevented.append(id)
      if prevented.count > 64 { prevented.removeFirst() }
    }
  }

  private mutating func shutdown(now: Int64) {
    isShuttingDown = true
    for job in waiting { if let id = job.ringID { endUnheard(id) } }
    waiting = []
    switch current {
    case .ring(let ring): stop(ring.sound.id, now: now)
    case .selfTest, nil: finishJob()
    }
  }

  private mutating func endUnheard(_ id: String) {
    emit(.ended(id: id, device: "", framesPlayed: 0, xruns: 0, stopped: true))
  }

  // MARK: Deadlines

  private mutating func tick(now: Int64) {
    if let overdueAt, now >= overdueAt {
      replacePlayer(reason: "no \(overdueMeaning) in time", now: now)
    } else if case .ring(let ring) = current, let giveUpAt = ring.giveUpAt, now >= giveUpAt {
      replacePlayer(reason: "the ring did not end in time", now: now)
    } else if let respawnAt, now >= respawnAt {
      spawn(now: now)
    }
  }

  private mutating func beginNext(now: Int64) {
    guard current == nil, !waiting.isEmpty else { return }
    // A ring has priority over a self-test.
    current = waiting.remove(at: waiting.firstIndex { !$0.isSelfTest } ?? 0)
    sendCurrent(now: now)
  }

  // MARK: Shared with the other extensions

  mutating func emit(_ event: SpeakerEvent) { actions.append(.emit(event)) }

  mutating func expect(_ what: String, within milliseconds: Int64, now: Int64) {
    overdueAt = now + milliseconds
    overdueMeaning = what
  }

  mutating func finishJob() {
    current = nil
    overdueAt = nil
  }

  /// Sends the current job (a ring or a self-test) to the player. If no player runs, the function
  /// first starts a player.
  mutating func sendCurrent(now: Int64) {
    let isNew = !isPlayerUp
    if isNew { spawn(now: now) }
    let bound = isNew ? Bound.startUp : Bound.accept
    switch current {
    case .ring(var ring):
      ring.giveUpAt = now + Int64(ring.sound.maxMilliseconds) + Bound.overrun + bound
      current = .ring(ring)
      actions.append(.send(.play(ring.sound, on: ring.trial?.choose(devices) ?? devices)))
      expect("answer to play", within: bound, now: now)
    case .selfTest(let test):
      guard let device = test.remaining.first else { return conclude(test) }
      actions.append(.send(.test(device: device)))
      expect("answer to the test of \(device)", within: bound + Bound.open, now: now)
    case nil: break
    }
  }

  mutating func judge(_ new: Verdict, because reason: String) {
    guard new != verdict else { return }
    verdict = new
    switch new {
    case .usable(let device): emit(.usable(device: device))
    case .unusable: emit(.unusable(reason: reason.isEmpty ? "no device is configured" : reason))
    case .unknown: break
    }
  }

  mutating func spawn(now: Int64) {
    isPlayerUp = true
    spawnedAt = now
    respawnAt = nil
    actions.append(.spawn)
    expect("start message", within: Bound.startUp, now: now)
  }
}

/// The sound device and the level for a test sound. A test sound is not a ring of a prompt.
struct SpeakerTrialRun {
  /// The sound device for the test sound. If this device fails, no other device plays the sound. If
  /// the value is nil, the test sound comes from the first device that works.
  var device: String?
  var levelPercent: Int?

  func choose(_ devices: [OutputDevice]) -> [OutputDevice] {
    devices.filter { device == nil || $0.name == device }.map {
      OutputDevice($0.name, levelPercent: $0.levelPercent.map { levelPercent ?? $0 })
    }
  }
}

extension Supervision.Job {
  var ringID: String? {
    if case .ring(let ring) = self { ring.sound.id } else { nil }
  }

  var isSelfTest: Bool {
    if case .selfTest = self { true } else { false }
  }
}
