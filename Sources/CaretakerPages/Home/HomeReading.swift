import CivilTime
import JSONValue

/// A result of `prompter doctor`.
public struct HomeFinding: Sendable, Hashable {
  /// The severity of the result. `well` is not a problem, and `note` needs no action.
  public enum Grade: String, Sendable, CaseIterable {
    case well = "well"
    case note = "note"
    case warning = "warning"
    case problem = "problem"
    case silent = "silent"
  }

  /// The name of the check, for example `speaker`.
  public var check: String
  public var grade: Grade
  /// The problem, in English.
  public var text: String
  /// The action that solves the problem, in English, often as a command. The value is nil if no
  /// action is necessary.
  public var fix: String?

  public init(check: String, grade: Grade, text: String, fix: String?) {
    (self.check, self.grade, self.text, self.fix) = (check, grade, text, fix)
  }
}

/// The device as `GET /v1/status` describes it.
struct DeviceReading: Sendable, Hashable {
  /// A sound device.
  struct Speaker: Sendable, Hashable {
    var name: String
    var isUsable: Bool
    /// The level of the sound card during a ring, in percent; nil if the card has no volume
    /// control.
    var percent: Int?
  }

  /// True if a sound device works; nil if no sound device was tested yet.
  var isSpeakerUsable: Bool?
  var speakers: [Speaker]
  var lastHeard: CivilDateTime?
  var isClockSynchronised: Bool
  var freeMegabytes: Int64?
  var events: Int64?
  var isRecordWritable: Bool
  var version: String

  init(_ status: JSON, _ household: Household) {
    let speaker = status["speaker"] ?? .null
    isSpeakerUsable = speaker["usable"]?.bool
    lastHeard = household.local(speaker["last_heard_utc"]?.string)
    speakers = (speaker["devices"]?.array ?? []).compactMap { device in
      guard let name = device["name"]?.string else { return nil }
      let percent = device["calibrated_percent"]?.integer ?? device["ring_level_percent"]?.integer
      return Speaker(
        name: name, isUsable: device["usable"]?.bool ?? false,
        percent: device["level_percent"]?.integer == nil ? nil : Int(percent ?? 100))
    }
    isClockSynchronised = status["clock"]?["state"]?.string == "synced"
    freeMegabytes = status["machine"]?["free_bytes"]?.integer.map { $0 >> 20 }
    events = status["record"]?["events"]?.integer
    isRecordWritable = status["record"]?["writable"]?.bool ?? true
    version = status["version"]?.string ?? ""
  }
}

/// A contact of the configuration.
struct ContactReading: Sendable, Hashable {
  var name: String
  var alarms: Int
  var isForCalls: Bool
  var reached: CivilDateTime?
  var failed: CivilDateTime?
  /// The reason for the newest failure to notify the contact; nil if the daemon reports no reason.
  var failure: String?

  init?(_ contact: JSON, _ household: Household) {
    guard let name = contact["name"]?.string else { return nil }
    self.name = name
    alarms = Int(contact["alarms"]?.integer ?? 0)
    isForCalls = contact["calls"]?.bool ?? false
    reached = household.local(contact["last_reached_utc"]?.string)
    failed = household.local(contact["last_failure_utc"]?.string)
    failure = contact["last_failure"]?.string
  }

  /// True if the newest attempt to notify the contact failed.
  var isFailing: Bool {
    guard let failed else { return false }
    return reached.map { $0 < failed } ?? true
  }
}

/// A person whose alarms are all paused, with the end of this pause.
struct PauseReading: Sendable, Hashable {
  var id: String
  var name: String
  var isPaused: Bool
  /// The first local time after the pause; nil if the pause has no end.
  var until: CivilDateTime?

  init?(_ person: JSON, _ household: Household) {
    guard let id = person["id"]?.string else { return nil }
    self.id = id
    name = household.name(of: id)
    let pause = person["pause"] ?? .null
    isPaused = pause != .null
    until = pause["until_local"]?.string.flatMap { try? CivilDateTime(parsing: $0) }
  }
}

/// A list of holidays.
struct HolidayReading: Sendable, Hashable {
  var name: String
  var count: Int
  var last: CivilDate?
  var next: CivilDate?
  var nextLabel: String
  /// The labels of the alarms that use the list.
  var alarms: [String]

  init?(_ list: JSON) {
    guard let name = list["name"]?.string else { return nil }
    self.name = name
    count = Int(list["count"]?.integer ?? 0)
    func date(_ value: JSON?) -> CivilDate? {
      value?.string.flatMap { try? CivilDate(parsing: $0) }
    }
    (last, next) = (date(list["last"]), date(list["next"]?["date"]))
    nextLabel = list["next"]?["label"]?.string ?? ""
    alarms = (list["alarms"]?.array ?? []).compactMap { $0["label"]?.string }
  }
}
