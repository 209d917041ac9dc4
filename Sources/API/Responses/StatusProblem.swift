import JSONValue

/// A fault that can prevent the next ring, or a condition that a caretaker must know. The reply to
/// `/v1/status` lists these faults and conditions.
public struct StatusProblem: Hashable, Sendable {
  /// The kind of a problem. The names never change, because programs rely on them.
  public enum Kind: String, Sendable, CaseIterable {
    /// The daemon cannot write its record.
    case recordNotWritable = "record_not_writable"
    /// A check of the running daemon found damage in the record.
    case recordDamaged = "record_damaged"
    /// A notice about the record. Possible reasons: when the daemon started, it upgraded or
    /// recovered the record, or could use only a copy of the record in memory; the damaged file of
    /// an earlier recovery still exists; the record is not complete.
    case recordNotice = "record_notice"
    /// The disk is full. The daemon refuses changes, and keeps the remaining space for the record.
    case diskFull = "disk_full"
    case diskLow = "disk_low"
    case speakerUnusable = "speaker_unusable"
    /// A ring used a fallback: the player used a sound device or a sound other than the preferred
    /// one.
    case soundReplaced = "sound_replaced"
    /// The player could not set the mixer of a device to the calibrated level. The level of the
    /// mixer is more than 15 percentage points lower than the calibrated level.
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
    /// If nobody answers, the repetitions of a person's alarms exceed the hourly limit in at least
    /// one hour.
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
