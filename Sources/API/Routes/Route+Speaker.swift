import Alarms
import EventCoding

/// The routes for loudspeakers and announcements.
extension Route {
  static let speakerRoutes: [Route] = [
    Route(
      .showSpeaker, .get, "/v1/speaker", everyone, answers: .json(.speaker),
      "The sound devices, each with the result of its newest self-test and the time of its newest "
        + "sound."),
    Route(
      .checkSpeaker, .post, "/v1/speaker/check", [.caretaker, .monitor], takes: .json(.nothing),
      answers: .json(.speaker),
      "Opens each sound device without playing a sound, and reads the level of its sound card."),
    Route(
      .testRing, .post, "/v1/speaker/test", [.caretaker], takes: .json(.testForm),
      answers: .json(.played),
      "Plays the chime and the built-in tone once, or the first ring of an alarm. The daemon replies "
        + "after the sound has ended. The sound is a test: it is not a ring of a prompt."),
    Route(
      .setLevel, .put, "/v1/speaker/level", [.caretaker], takes: .json(.levelForm),
      answers: .json(.speaker),
      "Sets the level of a sound device for all rings from now on."),
    Route(
      .say, .post, "/v1/say", [.caretaker], takes: .json(.sayForm), status: 201,
      answers: .json(.said),
      "Speaks an announcement: now, or at the end of the quiet hours of the person. If the request "
        + "contains the field `answer`, the announcement can sound several times. The response "
        + "contains the prompt of the announcement. Later, this prompt has an outcome."
    ),
  ]
}

/// The schemas of the requests and responses for loudspeakers and announcements.
extension JSONSchema {
  static let sayForm = JSONSchema.named(
    "SayForm",
    .object([
      .always("text", .text, "One line, 1 to 200 characters, at most 1,024 bytes."),
      .maybe("person", .text),
      .maybe("tone", .text, "A recording to play instead of spoken words."),
      .maybe(
        "in_quiet_hours", .word(["hold", "ring"]),
        "`hold` (default): if it is now in the quiet hours of the person, Prompter speaks the "
          + "announcement at the end of the quiet hours. `ring`: Prompter speaks now."
      ),
      .maybe(
        "answer", .word(["heard", "yes_no"]),
        "The answer for which the announcement waits. `heard`: the person says that they heard the "
          + "announcement. `yes_no`: the person answers yes or no. Absent: the announcement waits "
          + "for no answer."
      ),
      .maybe(
        "expires", .text,
        "Only with `answer`: the time in which the person can answer, `1m` to `24h`. The time "
          + "starts with the first sound (default: `30m`)."
      ),
      .maybe(
        "repeat", .integer(1...10),
        "Only with `answer`: how many times the announcement sounds if nobody answers (default: "
          + "3)."),
    ]))

  static let testForm = JSONSchema.named(
    "TestForm",
    .object([
      .maybe(
        "device", .text, "A sound device of this home (default: the first sound device that works)."
      ),
      .maybe(
        "percent", .integer(1...100),
        "Level of the sound card, only for this test (default: the level of a ring)."),
      .maybe(
        "alarm", .text,
        "The id of an alarm. The test then sounds like the first ring of this alarm: the recording "
          + "or the words, as loud as the first ring of the first burst."),
    ]))

  static let levelForm = JSONSchema.named(
    "LevelForm",
    .object([
      .always("device", .text, "A sound device of this home."),
      .always(
        "percent", .optional(.integer(1...100)),
        "The level, in percent of the range of the sound card. Null: the level of the "
          + "configuration applies."),
    ]))

  static let said = JSONSchema.named(
    "Said",
    .object([
      .always("prompt", .prompt),
      .always(
        "voice", .optional(.text),
        "The reason why only a chime is played; null if spoken words or a recording are played."),
      .always(
        "next", .expectedRing,
        "The time of the announcement, or the reason why the announcement waits or stays silent."),
    ]))

  static let played = JSONSchema.named(
    "Played",
    .object([
      .always("device", .text),
      .always("duration_ms", .count, "Time for which the sound device played."),
      .always("stopped", .flag, "True if an alarm interrupted the sound."),
      .always(
        "level_percent", .optional(.integer(0...100)),
        "Level of the sound card before the sound."),
      .always("muted", .optional(.flag)),
      .always(
        "ring_level_percent", .optional(.integer(0...100)),
        "Level to which Prompter set the sound card for the sound."),
      .maybe(
        "voice", .text,
        "For the first ring of an alarm: the reason why its words could not be spoken."),
    ]))
}

extension Say {
  /// Reads the body of an announcement.
  public init(body: [UInt8]) throws(Refusal) {
    var fields = try FieldReader(body: body)
    text = try fields.string("text")
    person = try fields.string("person")
    tone = try fields.string("tone")
    inQuietHours = try fields.choice("in_quiet_hours", of: QuietChoice.self) ?? .hold
    answer = try fields.choice("answer", of: AnswerChoice.self)
    expiresSeconds = try fields.seconds("expires")
    repetitions = try fields.integer("repeat")
    try fields.finish()
    try check()
  }
}

/// The device and the level of a speaker test.
public struct SpeakerTrial: Sendable, Hashable {
  /// The ALSA name of the device; nil for the first device that works.
  public var device: String?
  /// The level in percent of the range of the sound card. If the value is nil, a speaker test uses
  /// the level of the rings on this device. If the value is nil in a level change, the daemon
  /// deletes the separate level of this device.
  public var percent: Int?
  /// The alarm whose first ring the test plays; nil if the test plays the chime and the built-in
  /// tone.
  public var alarm: AlarmID?

  public init(device: String? = nil, percent: Int? = nil) {
    self.device = device
    self.percent = percent
  }

  /// Reads the body of a speaker test.
  public init(testBody body: [UInt8]) throws(Refusal) {
    var fields = try FieldReader(body: body)
    try self.init(&fields)
    alarm = try fields.string("alarm").map(AlarmID.init)
    try fields.finish()
  }

  /// Reads the body of a level change.
  public init(levelBody body: [UInt8]) throws(Refusal) {
    var fields = try FieldReader(body: body)
    try self.init(&fields)
    try fields.finish()
  }

  private init(_ fields: inout FieldReader) throws(Refusal) {
    device = try fields.string("device")
    percent = try fields.integer("percent")
  }
}

/// An announcement that a caretaker sends to a person.
public struct Say: Sendable, Hashable {
  public var text: String?
  public var person: String?
  public var tone: String?
  /// The behaviour of the announcement in the quiet hours of its person.
  public var inQuietHours: QuietChoice

  /// The kind of answer for which the announcement waits; nil if the announcement waits for no
  /// answer.
  public var answer: AnswerChoice?
  /// The time in which the person can answer the announcement, in seconds; nil for the default
  /// time.
  public var expiresSeconds: Int64?
  /// The number of times that the announcement sounds if nobody answers; nil for the default
  /// number.
  public var repetitions: Int?

  /// The answers for which an announcement can wait.
  public enum AnswerChoice: String, Sendable, CaseIterable {
    case heard = "heard"
    case yesNo = "yes_no"
  }

  private static let expiry: ClosedRange<Int64> = 60...86_400
  private static let standardExpirySeconds: Int64 = 1_800
  private static let standardRepetitions = 3
  /// The maximum time from the start of one ring of an announcement to the start of the next ring,
  /// in seconds.
  private static let longestSpacingSeconds: Int64 = 600

  private func check() throws(Refusal) {
    if answer == nil, expiresSeconds != nil || repetitions != nil {
      throw Refusal(
        .invalidField, field: expiresSeconds == nil ? "repeat" : "expires",
        "only a message that waits for an answer has this value; give answer, too")
    }
    if let seconds = expiresSeconds, !Self.expiry.contains(seconds) {
      throw Refusal(
        .invalidField, field: "expires", "\(seconds) s is out of range; use 1m to 24h")
    }
    if let count = repetitions, !(1...10).contains(count) {
      throw Refusal(.invalidField, field: "repeat", "\(count) is out of range; use 1 to 10")
    }
  }

  /// The choices for an announcement in quiet hours.
  public enum QuietChoice: String, Sendable, CaseIterable {
    /// The announcement sounds when the quiet hours end.
    case hold = "hold"
    /// The announcement sounds at once.
    case ring = "ring"
  }

  /// The alarm that speaks the announcement.
  ///
  /// The first ring is one second after the request. If the announcement waits for no answer, the
  /// alarm rings once, and its late window is two minutes. If the announcement waits for an answer,
  /// the alarm rings until somebody answers, but at most `repetitions` times. Its late window is
  /// the time for an answer.
  public var form: AlarmForm {
    var form = AlarmForm()
    form.label = text
    form.person = person
    form.tone = tone
    form.schedule = "in 1 seconds"
    form.rings = 1
    form.gainsDecibels = [0]
    form.lateWindowSeconds = 120
    form.quietHours = inQuietHours.rawValue
    guard let answer else { return form }
    let expires = expiresSeconds ?? Self.standardExpirySeconds
    let rings = repetitions ?? Self.standardRepetitions
    form.rings = rings
    form.spacingSeconds = min(Self.longestSpacingSeconds, expires / Int64(rings))
    form.lateWindowSeconds = expires
    switch answer {
    case .heard: form.message = .heard
    case .yesNo:
      form.message = .yesNo
      var question = QuestionForm()
      (question.name, question.text, question.kind) = ("answer", text, "yes_no")
      form.questions = [question]
    }
    return form
  }
}
