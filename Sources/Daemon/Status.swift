import Alarms
import CivilTime
import Wire

extension JSON {
  /// How the daemon is, and what would keep the next alarm from ringing.
  static func status(
    _ home: Home, isRecordWritable: Bool, moment: Moment, surroundings: Surroundings,
    head: (sequence: Int64, hash: String), version: String, machine: MachineReport, asker: Actor,
    presence: Presence?
  ) -> JSON {
    var problems: [String] = []
    if !isRecordWritable { problems.append("the record cannot be written") }
    problems += home.speakerProblems
    if moment.clockState != .synced {
      problems.append("the clock is not synchronised with a time source")
    }
    problems += machine.problems
    var document = JSON.object([
      ("version", .string(version)), ("state", .string(problems.isEmpty ? "ok" : "degraded")),
      ("problems", .array(problems.map(JSON.string))),
      ("alarms", .integer(Int64(home.alarms.count))),
      ("open_prompts", .integer(Int64(home.openPromptCount))),
      ("waiting", .integer(Int64(home.waitingPromptCount))),
      ("sounding", .optional(home.sounding?.description)),
      ("next_utc", .optional(home.nextStep?.description)),
      (
        "clock",
        .object([
          ("utc", .string(moment.wall.description)),
          ("state", .string(moment.clockState.rawValue)),
          ("error_ms", .optional(moment.clockErrorMilliseconds)),
        ])
      ),
      ("zone", .string(surroundings.homeZone.name)),
      ("tzdata", .string(surroundings.tzdataVersion)),
      ("speaker", .speaker(home)),
      (
        "record",
        .object([
          ("events", .integer(head.sequence)), ("head", .string(head.hash)),
          ("writable", .bool(isRecordWritable)),
        ])
      ),
      (
        "machine",
        .object([
          ("state_directory", .string(machine.stateDirectory)),
          ("free_bytes", machine.freeBytes.map { .integer($0) } ?? .null),
          ("total_bytes", machine.totalBytes.map { .integer($0) } ?? .null),
          ("speech", .bool(machine.isSpeechInstalled)),
          ("missing_recordings", .array(machine.missingRecordings.map(JSON.string))),
        ])
      ),
      (
        "you",
        .object([("id", .string(asker.id)), ("role", .string(asker.role.rawValue))])
      ),
    ])
    if let presence { document.set("presence", .presence(presence, device: moment.wall)) }
    return document
  }
}
