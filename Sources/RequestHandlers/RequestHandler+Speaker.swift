import API
import Alarms
import CivilTime
import Engine
import EventCoding
import JSONValue

/// The sound operations that the request handlers use, as closures. The daemon supplies these
/// closures when it starts.
public struct SoundActions: Sendable {
  /// Synthesises words and stores the recording. Returns nil after a success, or else the reason
  /// for the failure.
  public var speak: @Sendable (SpokenWords) async -> String?
  /// Plays the chime and then a recording or the built-in tone. Returns when the sound has ended.
  public var testRing: @Sendable (_ sha256: String?, SpeakerTrial) async -> TestRing
  /// Plays the first ring of an alarm as a test. Returns when the sound has ended.
  public var rehearse: @Sendable (PlayOrder, SpeakerTrial) async -> TestRing
  /// Opens each sound device without playing a sound, and tries a voice of each language. Returns
  /// after the engine has received the result.
  public var check: @Sendable (_ languages: Set<String>) async -> Void
  /// The bytes of a recording; nil if its file is missing.
  public var recording: @Sendable (_ sha256: String) -> [UInt8]?
  /// Plays the reward tone for a completed day. The call returns at once. A ring takes precedence
  /// over the reward tone.
  public var reward: @Sendable () -> Void
  /// True if the configuration of this home enables the reward tone.
  public var isRewarding: Bool

  public init(
    speak: @escaping @Sendable (SpokenWords) async -> String?,
    testRing: @escaping @Sendable (_ sha256: String?, SpeakerTrial) async -> TestRing,
    rehearse: @escaping @Sendable (PlayOrder, SpeakerTrial) async -> TestRing,
    check: @escaping @Sendable (_ languages: Set<String>) async -> Void,
    recording: @escaping @Sendable (_ sha256: String) -> [UInt8]?,
    isRewarding: Bool, reward: @escaping @Sendable () -> Void
  ) {
    self.speak = speak
    self.testRing = testRing
    self.rehearse = rehearse
    self.check = check
    self.recording = recording
    self.isRewarding = isRewarding
    self.reward = reward
  }
}

/// The result of a speaker test.
public struct TestRing: Sendable, Hashable {
  /// The device that played the test ring; empty if an alarm interrupted the test before a device
  /// played the test ring.
  public var device: String
  public var milliseconds: Int
  public var isStopped: Bool
  public var level: SoundLevel?
  /// The reason why the test ring did not sound; nil if the test ring sounded.
  public var trouble: String?

  public init(
    device: String, milliseconds: Int, isStopped: Bool, level: SoundLevel?, trouble: String?
  ) {
    self.device = device
    self.milliseconds = milliseconds
    self.isStopped = isStopped
    self.level = level
    self.trouble = trouble
  }
}

/// The handlers of `/v1/speaker` and `/v1/say`.
extension RequestHandler {
  func speaker(_ request: APIRequest) async throws -> APIResponse {
    switch request.operation {
    case .checkSpeaker: .json(await checkSpeaker(request))
    case .testRing: try await testRing(request)
    case .setLevel: try await setLevel(request)
    case .say: try await say(request)
    default: .json(await speaker(of: request.only))
    }
  }

  func speaker(of only: PersonID?) async -> JSON {
    await engine.read { home, _ in .speaker(home, levels: home.levels, only: only) }
  }

  func checkSpeaker(_ request: APIRequest) async -> JSON {
    let language = ports.environment().language
    let languages = await engine.read { home, _ in
      Set(home.people.values.compactMap(\.person?.language) + [language])
    }
    await sound.check(languages)
    return await speaker(of: request.only)
  }

  func setLevel(_ request: APIRequest) async throws -> APIResponse {
    let wanted = try SpeakerTrial(levelBody: request.body)
    guard let device = wanted.device else {
      throw Refusal(.invalidField, field: "device", "it is missing; name a device")
    }
    let command = Command.setLevel(device: device, percent: wanted.percent)
    return try await carryOut(command, by: request.actor) { _, home in
      var levels = home.levels
      levels[device] = wanted.percent
      return .json(.speaker(home, levels: levels, only: nil))
    }
  }

  func playTone(_ request: APIRequest) async throws -> APIResponse {
    try FieldReader(body: request.body).finish()
    return try await testRing(
      request, tone: request.parameters["name"] ?? "", trial: SpeakerTrial())
  }

  private func testRing(_ request: APIRequest) async throws -> APIResponse {
    let trial = try SpeakerTrial(testBody: request.body)
    guard let id = trial.alarm else { return try await testRing(request, tone: nil, trial: trial) }
    return try await rehearse(request, id, trial)
  }

  /// Plays the first ring of an alarm as a test. The daemon records the test, but records no ring.
  private func rehearse(
    _ request: APIRequest, _ id: AlarmID, _ trial: SpeakerTrial
  ) async throws -> APIResponse {
    let (now, environment) = (ports.now(), ports.environment())
    let nominal = environment.homeZone.civil(at: now.wall).dateTime
    let found = await engine.read { home, _ in
      home.alarm(id).map {
        (
          order: home.firstRing(of: $0, at: nominal),
          tone: home.voice(of: $0, isSpeaking: false).tone
        )
      }
    }
    guard let (order, tone) = found else {
      throw Refusal(.invalidField, field: "alarm", "there is no alarm \"\(id)\"")
    }
    // If the alarm has a recording, the ring plays the recording. The words are needed only if the
    // alarm has no recording.
    let isSpoken = order.tones.isEmpty
    let trouble: String? =
      if isSpoken, let words = order.words { await sound.speak(words) } else { nil }
    return try await test(request, tone: tone, trial: trial, voice: trouble) { _ in
      await sound.rehearse(order, trial)
    }
  }

  /// Plays a test ring.
  ///
  /// - Parameter tone: the name of a recording; nil for the built-in tone.
  func testRing(
    _ request: APIRequest, tone: String?, trial: SpeakerTrial
  ) async throws -> APIResponse {
    try await test(request, tone: tone, trial: trial, voice: nil) { sha256 in
      await sound.testRing(sha256, trial)
    }
  }

  /// Records a test of the speaker, and plays the sound of the test.
  ///
  /// - Parameters:
  ///   - voice: the reason why the speech of an alarm could not be synthesised; nil if there was no
  ///     failure.
  ///   - play: a function that plays the sound. The argument of the function is the digest of the
  ///     recording `tone`.
  private func test(
    _ request: APIRequest, tone: String?, trial: SpeakerTrial, voice: String?,
    play: (_ sha256: String?) async -> TestRing
  ) async throws -> APIResponse {
    let command = Command.testRing(tone: tone, device: trial.device, percent: trial.percent)
    let reply = try await engine.execute(command, by: request.actor)
    var sha256: String?
    if case .tone(let known) = reply { sha256 = known.sha256 }
    let ring = await play(sha256)
    if let trouble = ring.trouble {
      throw Refusal(.conflict, "cannot play the sound: \(trouble)")
    }
    return .json(
      .object(
        [
          ("device", .string(ring.device)), ("duration_ms", .integer(Int64(ring.milliseconds))),
          ("stopped", .bool(ring.isStopped)),
          ("level_percent", .optional(ring.level?.foundPercent)),
          ("muted", ring.level.map { .bool($0.wasMuted) } ?? .null),
          ("ring_level_percent", .optional(ring.level?.setPercent)),
        ] + (voice.map { [("voice", .string($0))] } ?? [])))
  }

  func say(_ request: APIRequest) async throws -> APIResponse {
    let wanted = try Say(body: request.body)
    guard let typed = wanted.text else {
      throw Refusal(.invalidField, field: "text", "it is missing; give the words to speak")
    }
    let text = try AlarmRules.label.check(typed, field: "text")
    // The handler synthesises the words before it accepts the announcement, because a ring does not
    // wait for the synthesis.
    let isSpoken = wanted.tone == nil
    let person = await known(wanted.person)
    let words = await engine.read { home, _ in home.words(text, for: person) }
    let voice = isSpoken ? await sound.speak(words) : nil
    let command = Command.announce(newAlarmID(), wanted.form)
    return try await carryOut(command, by: request.actor) { reply, home in
      guard case .alarm(let alarm, let next, _) = reply, let ring = next.first else {
        preconditionFailure("the engine returned no due time of the announcement")
      }
      let due = ring.occurrence
      let environment = ports.environment()
      let zone = environment.zone(alarm.zoneName) ?? environment.homeZone
      let prompt = Prompt(
        id: PromptID(alarm: alarm.id, nominal: due.nominal, fold: due.fold),
        alarmVersion: alarm.version, dueAt: due.instant, zoneName: alarm.zoneName,
        utcOffsetSeconds: 0)
      let guide = home.guide(to: prompt, at: ports.now(), environment)
      return .json(
        .object([
          ("prompt", .prompt(prompt, PromptTexts(alarm, photos: []), guide)),
          ("voice", .optional(voice)), ("next", .ring(ring, zone: zone)),
        ]), status: 201)
    }
  }
}
