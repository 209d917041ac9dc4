import Alarms
import CivilTime
import JSONValue

/// What the daemon said about one person, at one instant.
public struct HomeReading: Sendable {
  /// The prompt that calls: the prompt that an answer without an id would answer.
  public struct Calling: Sendable, Hashable {
    public var id: String
    /// True if the person must answer "on my way" before "done".
    public var acknowledgesFirst: Bool
  }

  /// The time of the daemon.
  public var now: Instant
  /// The zone of the home.
  public var zone: Zone
  /// The language of the person as a BCP 47 tag; nil if none is set.
  public var personLanguage: String?
  /// The language of the home as a BCP 47 tag; nil if the daemon does not say it.
  public var homeLanguage: String?
  /// The name of the person, or the id if the person has no name.
  public var personName: String
  public var quietHours: QuietHours?
  /// The zone of `quietHours`. It can differ from the zone of the home.
  public var personZone: Zone
  /// True if the person is paused, or if a study keeps the reminders silent. Then the screen names no next task.
  public var isSilenced: Bool
  /// True if the user of the screen has the role `patient`. Another user, for example a caretaker
  /// who learns how the screen works, must not report that the patient saw a task.
  public var isPatient: Bool
  /// The id of the picture for a day on which all tasks are done; nil if there is none.
  public var rewardImage: String?
  /// The newest prompts first.
  public var prompts: [PromptReading]
  public var calling: Calling?
  /// Number of completed tasks of today.
  public var doneToday: Int
  /// Number of all tasks of today.
  public var plannedToday: Int
  /// The questions of the prompts in `promptsWithPossibleQuestions`, if they have questions.
  public var checkIns: [String: CheckInReading] = [:]

  /// Reads the replies of the daemon.
  ///
  /// - Parameters:
  ///   - status: the reply to `GET /v1/status`.
  ///   - person: the object `person` of `GET /v1/people/{id}`.
  ///   - prompts: the reply to `GET /v1/prompts` for this person.
  ///   - progress: the reply to `GET /v1/progress` for this person.
  ///   - zone: the zone of the home.
  ///   - personZone: the zone of the person.
  public init(
    status: JSON, person: JSON, prompts: JSON, progress: JSON, zone: Zone, personZone: Zone
  ) throws(ReadingError) {
    guard let clock = status["clock"] else { throw ReadingError(field: "clock") }
    now = try clock.instant("utc")
    self.zone = zone
    self.personZone = personZone
    let (id, name) = (try person.needed("id"), try person.needed("name"))
    personName = name.isEmpty ? id : name
    personLanguage = person["language"]?.string
    homeLanguage = status["language"]?.string
    quietHours = person["quiet_hours"]?.string.flatMap(Self.quietHours)
    isSilenced = person["silenced"]?.bool ?? Self.isSilenced(earlier: person)
    rewardImage = person["reward_image"]?.string
    isPatient = status["you"]?["roles"]?.array?.contains(.string(Role.patient.rawValue)) ?? false
    guard let rows = prompts["prompts"]?.array else { throw ReadingError(field: "prompts") }
    self.prompts = []
    for row in rows { self.prompts.append(try PromptReading(row)) }
    if let document = prompts["calling"], let id = document["id"]?.string {
      calling = Calling(
        id: id, acknowledgesFirst: document["acknowledge_first"]?.bool ?? false)
    }
    let own = progress["people"]?.array?.first { $0["person"]?.string == id }
    doneToday = Int(own?["done"]?.integer ?? 0)
    plannedToday = Int(own?["planned"]?.integer ?? 0)
  }

  /// The languages of the person, the preferred language first, as BCP 47 tags. The voice of the
  /// daemon uses the same languages.
  public var languages: [String] { [personLanguage, homeLanguage].compactMap(\.self) }

  /// Takes over the newest reading of one prompt.
  ///
  /// - Parameter prompt: nil if the prompt does not exist any more.
  public mutating func replace(_ id: String, by prompt: PromptReading?) {
    let index = prompts.firstIndex { $0.id == id }
    switch (index, prompt) {
    case (let index?, let prompt?): prompts[index] = prompt
    case (let index?, nil): prompts.remove(at: index)
    case (nil, let prompt?):
      let place = prompts.firstIndex { ($0.due, $0.id) < (prompt.due, prompt.id) }
      prompts.insert(prompt, at: place ?? prompts.endIndex)
    case (nil, nil): break
    }
  }

  /// What an earlier daemon says, which does not send `silenced`.
  private static func isSilenced(earlier person: JSON) -> Bool {
    person["pause"].map { $0 != .null } ?? false
      || person["phase"]?.string == StudyPhase.Kind.control.rawValue
  }

  /// Reads quiet hours such as `22:00-07:00`; nil if the text has another form.
  static func quietHours(_ text: String) -> QuietHours? {
    let sides = text.split(separator: "-")
    guard sides.count == 2, let from = try? ClockTime(parsing: String(sides[0])),
      let to = try? ClockTime(parsing: String(sides[1]))
    else { return nil }
    return QuietHours(from: from, to: to)
  }
}
