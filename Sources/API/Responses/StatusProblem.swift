import JSONValue

/// A fault that may prevent the next ring, or a condition that a caretaker must know. `/v1/status`
/// lists these problems.
public struct StatusProblem: Hashable, Sendable {
  /// The kind of a fault. Programs rely on the names, so a name never changes.
  public enum Kind: String, Sendable, CaseIterable {
    /// The daemon cannot write its record.
    case recordNotWritable = "record_not_writable"
    /// A check of the running daemon found damage in the record.
    case recordDamaged = "record_damaged"
    /// When the daemon started, it upgraded or recovered the record, or it could only use a copy of
    /// the record in memory. Or the damaged file of an earlier recovery still exists.
    case recordNotice = "record_notice"
    /// The disk is full, so the daemon refuses changes. The daemon keeps the remaining space for
    /// the record.
    case diskFull = "disk_full"
    case diskLow = "disk_low"
    case speakerUnusable = "speaker_unusable"
    /// The player did not use the configured sound.
    case soundReplaced = "sound_replaced"
    /// The player could not set the mixer of a device to the calibrated level: the reached level is
    /// more than 15 percentage points lower.
    case levelNotReached = "level_not_reached"
    case clockUnsynced = "clock_unsynced"
    case recordingsMissing = "recordings_missing"
    /// The daemon cannot use the configuration, or other users can change the configuration.
    case configuration = "configuration"
    /// The configuration restricts a user to the data of a person who does not exist.
    case personUnknown = "person_unknown"
    /// A contact of an alarm or person is missing in the configuration.
    case contactUnknown = "contact_unknown"
    /// The daemon cannot run the command of a contact.
    case contactUnusable = "contact_unusable"
    /// In one hour, the alarms of a person would repeat their rings more often than the hourly
    /// limit allows.
    case hourFull = "hour_full"
    /// A supply is low: the amount that is left is not more than the threshold of the supply.
    case supplyLow = "supply_low"
    /// A list of holidays that an alarm uses ends soon or has ended.
    case holidaysEnd = "holidays_end"
  }

  public var kind: Kind
  /// The description of the fault for a caretaker, in one sentence.
  public var detail: String

  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  public var json: JSON {
    .object([("kind", .string(kind.rawValue)), ("detail", .string(detail))])
  }
}
