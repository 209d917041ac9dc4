import API
import Alarms
import CivilTime
import Engine
import EventCoding
import JSONValue

/// The sound operations that the request handlers use, as closures. The daemon supplies these
/// closures when it starts.
public struct SoundActions: Sendable {
  /// Synthesises words and stores the recording. Returns the reason for a failure; nil after a
  /// success.
  public var speak: @Sendable (SpokenWords) async -> String?
  /// Plays the chime and then a recording or the built-in tone. Returns when the sound has ended.
  public var testRing: @Sendable (_ sha256: String?, SpeakerTrial) async -> TestRing
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
    check: @escaping @Sendable (_ languages: Set<String>) async -> Void,
    recording: @escaping @Sendable (_ sha256: String) -> [UInt8]?,
    isRewarding: Bool, reward: @escaping @Sendable () -> Void
  ) {
    self.speak = speak
    self.testRing = testRing
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
  /// The reason why the test ring did not sound; nil if it sounded.
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
    case .testRing:
      try await testRing(request, tone: nil, trial: try SpeakerTrial(body: request.body))
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
    let wanted = try SpeakerTrial(body: request.body)
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

  /// Plays a test ring.
  ///
  /// - Parameter tone: the name of a recording; nil for the built-in tone.
  func testRing(
    _ request: APIRequest, tone: String?, trial: SpeakerTrial
  ) async throws -> APIResponse {
    let command = Command.testRing(tone: tone, device: trial.device, percent: trial.percent)
    let reply = try await engine.execute(command, by: request.actor)
    var sha256: String?
    if case .tone(let known) = reply { sha256 = known.sha256 }
    let ring = await sound.testRing(sha256, trial)
    if let trouble = ring.trouble {
      throw Refusal(.conflict, "cannot play the sound: \(trouble)")
    }
    return .json(
      .object([
        ("device", .string(ring.device)), ("duration_ms", .integer(Int64(ring.milliseconds))),
        ("stopped", .bool(ring.isStopped)),
        ("level_percent", .optional(ring.level?.foundPercent)),
        ("muted", ring.level.map { .bool($0.wasMuted) } ?? .null),
        ("ring_level_percent", .optional(ring.level?.setPercent)),
      ]))
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
