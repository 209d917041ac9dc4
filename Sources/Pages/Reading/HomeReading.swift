import Alarms
import CivilTime
import JSONValue

/// The data that the daemon returned about one person at one instant.
public struct HomeReading: Sendable {
  /// The prompt that calls now. If an answer contains no prompt id, the answer applies to this
  /// prompt.
  public struct Calling: Sendable, Hashable {
    public var id: String
    /// True if the person must answer "on my way" before "done".
    public var acknowledgesFirst: Bool
  }

  /// The time of the daemon when it returned the data.
  public var now: Instant
  /// The zone of the home.
  public var zone: Zone
  /// The language of the person as a BCP 47 tag; nil if nobody has set a language.
  public var personLanguage: String?
  /// The language of the home as a BCP 47 tag; nil if the daemon did not return a language.
  public var homeLanguage: String?
  /// The name of the person, or the id if the person has no name.
  public var personName: String
  public var quietHours: QuietHours?
  /// The time zone of `quietHours`. This zone can differ from the zone of the home.
  public var personZone: Zone
  /// True if the person is paused, or if a study keeps the reminders silent. In these cases, the
  /// screen does not show a next task.
  public var isSilenced: Bool
  /// True if the user of the screen has the role `patient`. A user with another role, for example a
  /// caretaker who learns how the screen works, must not report that the patient saw a task.
  public var isPatient: Bool
  /// The id of the picture that the screen shows on a day on which all tasks are done; nil if there
  /// is no such picture.
  public var rewardImage: String?
  /// The prompts, with the newest prompt first.
  public var prompts: [PromptReading]
  public var calling: Calling?
  /// The number of completed tasks of today.
  public var doneToday: Int
  /// The number of all tasks of today.
  public var plannedToday: Int
  /// The questions of the prompts in `promptsWithPossibleQuestions`. A prompt without questions is
  /// not in this dictionary.
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

  /// The languages of the person as BCP 47 tags, the most preferred language first. The voice of
  /// the daemon uses the same languages.
  public var languages: [String] { [personLanguage, homeLanguage].compactMap(\.self) }

  /// Replaces one prompt by its newest reading.
  ///
  /// - Parameter prompt: the newest reading; nil if the prompt no longer exists.
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

  /// Computes the value of `silenced` for an earlier version of the daemon, which does not return
  /// this value.
  private static func isSilenced(earlier person: JSON) -> Bool {
    person["pause"].map { $0 != .null } ?? false
      || person["phase"]?.string == StudyPhase.Kind.control.rawValue
  }

  /// Reads quiet hours such as `22:00-07:00`; nil if the text has a wrong format.
  static func quietHours(_ text: String) -> QuietHours? {
    let sides = text.split(separator: "-")
    guard sides.count == 2, let from = try? ClockTime(parsing: String(sides[0])),
      let to = try? ClockTime(parsing: String(sides[1]))
    else { return nil }
    return QuietHours(from: from, to: to)
  }
}
