import CivilTime
import EventCoding
import JSONValue

/// An alarm as the daemon describes it, with the fields that the pages show.
struct AlarmReading: Sendable, Hashable {
  /// A contact that the daemon notifies if nobody answers.
  struct Told: Sendable, Hashable {
    var contact: String
    /// The time after which the daemon notifies the contact, in seconds. The time counts from the
    /// first ring, or from the notification of the previous contact.
    var afterSeconds: Int64
  }

  /// A burst of rings.
  struct Burst: Sendable, Hashable {
    var rings: Int
    var spacingSeconds: Int64
    /// The time from the last ring of the previous burst to the first ring of this burst, in
    /// seconds; 0 for the first burst.
    var afterSeconds: Int64
    var tone: String?
    /// The gains of the rings in decibels.
    var gains: [Double] = []
    var isUrgent = false
  }

  /// A supply that each completed task uses.
  struct Use: Sendable, Hashable {
    /// The id of the supply.
    var supply: String
    var name: String
    var amount: Int64
  }

  var id: String
  var version: Int
  var label: String
  var instructions: String
  var person: String
  /// The schedule as a person typed it.
  var phrase: String
  var schedule: JSON
  var tone: String?
  var bursts: [Burst]
  /// The early reminders in the words of the daemon, for example `1 day before at 19:00`.
  var earlyReminders: [String]
  var tell: [Told]
  var image: String?
  /// The questions as the daemon describes them.
  var questions: [JSON]
  /// True if "done" waits for the answers to all required questions.
  var answersRequired: Bool
  /// The supplies that each completed task uses.
  var uses: [Use]
  /// The first local time after the pause of the alarm; nil if the alarm is not paused.
  var pausedUntil: CivilDateTime?
  /// True if the person of the alarm is paused.
  var isPersonPaused: Bool
  /// The days on which the alarm does not sound, as dates or ranges.
  var exclude: [String]
  /// The local times of the next rings, in the zone of the alarm.
  var next: [CivilDateTime]
  /// The voice of the first ring: its kind, for example `spoken`, and the name of the recording if
  /// the ring plays a recording.
  var voice: (kind: String, tone: String?) { (voiceKind, voiceTone) }
  private var voiceKind: String
  private var voiceTone: String?

  /// - Parameters:
  ///   - alarm: the members of an alarm.
  ///   - more: the members `next`, `voice` and `person_pause`.
  init(_ alarm: JSON, more: JSON) throws(HomeTrouble) {
    guard let id = alarm["id"]?.string, let version = alarm["version"]?.integer,
      let label = alarm["label"]?.string, let person = alarm["person"]?.string,
      let phrase = alarm["schedule"]?.string
    else { throw .unreadable(field: "alarm") }
    (self.id, self.version, self.label) = (id, Int(version), label)
    (self.person, self.phrase) = (person, phrase)
    instructions = alarm["instructions"]?.string ?? ""
    schedule = alarm["schedule_detail"] ?? .null
    (tone, image) = (alarm["tone"]?.string, alarm["image"]?.string)
    bursts = (alarm["steps"]?.array ?? []).map { step in
      Burst(
        rings: Int(step["rings"]?.integer ?? 1), spacingSeconds: Self.seconds(step["spacing"]),
        afterSeconds: Self.seconds(step["after"]), tone: step["tone"]?.string,
        gains: (step["gains"]?.array ?? []).compactMap(\.double),
        isUrgent: step["urgent"]?.bool ?? false)
    }
    earlyReminders = (alarm["leads"]?.array ?? []).compactMap(\.string)
    tell = (alarm["tell"]?.array ?? []).compactMap { one in
      one["contact"]?.string.map { Told(contact: $0, afterSeconds: Self.seconds(one["after"])) }
    }
    questions = alarm["questions"]?.array ?? []
    answersRequired = alarm["answers_required"]?.bool ?? false
    uses = (alarm["uses"]?.array ?? []).compactMap { use in
      guard let supply = use["supply_id"]?.string else { return nil }
      return Use(
        supply: supply, name: use["supply"]?.string ?? supply,
        amount: use["amount"]?.integer ?? 1)
    }
    pausedUntil = Self.local(alarm["paused_until"])
    isPersonPaused = more["person_pause"].map { $0 != .null } ?? false
    exclude = (alarm["exclude"]?.array ?? []).compactMap(\.string)
    next = (more["next"]?.array ?? []).compactMap { Self.local($0["local"]) }
    (voiceKind, voiceTone) = (
      more["voice"]?["kind"]?.string ?? "", more["voice"]?["tone"]?.string
    )
  }

  private static func seconds(_ value: JSON?) -> Int64 {
    value?.string.flatMap(DurationText.seconds) ?? 0
  }

  private static func local(_ value: JSON?) -> CivilDateTime? {
    value?.string.flatMap { try? CivilDateTime(parsing: $0) }
  }
}
