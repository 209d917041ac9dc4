import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue

/// Writes the projections of a batch of events, for example the alarms and the prompts.
struct ProjectionWriter {
  let db: Database

  /// - Parameters:
  ///   - versions: the newest version of each alarm that the events create or edit, and the
  ///     sequence number of the row that contains this version.
  ///   - people: the pseudonym of each person, by the id of the person.
  ///   - definitions: the sequence number of the newest `person_added` or `person_changed` row of
  ///     each person whom the events add or change.
  func write(
    _ changes: StateDelta, versions: [AlarmID: (version: Int, sequence: Int64)],
    people: [PersonID: String], definitions: [PersonID: Int64]
  ) throws {
    for alarm in changes.alarms.values { try write(alarm, versions[alarm.id]) }
    for id in changes.deletedAlarms { try delete(id, versions[id]) }
    for prompt in changes.prompts.values { try write(prompt) }
    for name in changes.removedTones {
      try db.cachedStatement(sql: "DELETE FROM tones WHERE name = ?").execute(arguments: [name])
    }
    for tone in changes.tones.values {
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO tones VALUES (?, ?, ?, ?)")
        .execute(arguments: tone.cells.arguments)
    }
    for (device, percent) in changes.levels {
      guard let percent else {
        try db.cachedStatement(sql: "DELETE FROM levels WHERE device = ?")
          .execute(arguments: [device])
        continue
      }
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO levels VALUES (?, ?)")
        .execute(arguments: [device, percent])
    }
    for sha256 in changes.removedPictures {
      try db.cachedStatement(sql: "DELETE FROM images WHERE sha256 = ?")
        .execute(arguments: [sha256])
    }
    for picture in changes.pictures.values {
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO images VALUES (?, ?, ?, ?, ?, ?)")
        .execute(arguments: picture.cells.arguments)
    }
    for id in changes.removedSupplies {
      try db.cachedStatement(sql: "DELETE FROM supplies WHERE supply_id = ?")
        .execute(arguments: [id.text])
    }
    for supply in changes.supplies.values {
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO supplies VALUES (?, ?)")
        .execute(arguments: supply.cells.arguments)
    }
    for idempotencyRecord in changes.idempotencyRecords {
      try IdempotencyWriter(db: db).write(idempotencyRecord)
    }
    for state in changes.people.values {
      let name = people[state.id] ?? state.id.text
      let known = try Int64.fetchOne(
        db, sql: "SELECT seq FROM persons WHERE person = ?", arguments: [name])
      try db.cachedStatement(sql: "INSERT OR REPLACE INTO persons VALUES (?, ?, ?, ?)")
        .execute(
          arguments: state.cells(
            pseudonym: name, definition: definitions[state.id] ?? known
          ).arguments)
    }
  }

  private func write(_ alarm: Alarm, _ place: (version: Int, sequence: Int64)?) throws {
    guard let place, place.version == alarm.version else {
      let known = try Int.fetchOne(
        db, sql: "SELECT version FROM alarms WHERE alarm_id = ? AND is_deleted = 0",
        arguments: [alarm.id.text])
      guard known == alarm.version else {
        throw LogbookError.invalid(
          doing: "record alarm \"\(alarm.id)\"",
          reason: "no event contains version \(alarm.version)")
      }
      return
    }
    try putAlarm(alarm.id, place)
  }

  private func delete(_ id: AlarmID, _ place: (version: Int, sequence: Int64)?) throws {
    // The same batch of events can create or edit an alarm and then delete this alarm. In this
    // case, the table does not contain the newest version of the alarm yet, so the next line writes
    // this version.
    if let place { try putAlarm(id, place) }
    try db.cachedStatement(sql: "UPDATE alarms SET is_deleted = 1 WHERE alarm_id = ?")
      .execute(arguments: [id.text])
  }

  private func putAlarm(
    _ id: AlarmID, _ place: (version: Int, sequence: Int64)
  ) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO alarms VALUES (?, ?, ?, ?)")
      .execute(arguments: Self.cells(id, place, isDeleted: false).arguments)
  }

  private func write(_ prompt: Prompt) throws {
    try db.cachedStatement(sql: Prompt.insertion)
      .execute(arguments: prompt.cells.arguments)
  }

  /// Returns the values for the row of an alarm in the table `alarms`, in the order of the columns.
  static func cells(
    _ id: AlarmID, _ place: (version: Int, sequence: Int64), isDeleted: Bool
  ) -> [DatabaseValue] {
    [
      id.text.databaseValue, place.version.databaseValue, place.sequence.databaseValue,
      (isDeleted ? 1 : 0).databaseValue,
    ]
  }
}

extension Prompt {
  static let selection = """
    p.prompt_id, p.alarm_id, p.nominal_key, p.alarm_version, p.due_ms, p.tz_name, p.utc_offset_s,
    p.phase_detail, p.rings_intended, p.rings_sounded, p.rings_failed, p.delays, p.last_sounded_ms,
    p.also_nominal, p.course
    """
  static let selectionCount = 15
  static let insertion: String = {
    let places = Array(repeating: "?", count: 20).joined(separator: ", ")
    return "INSERT OR REPLACE INTO prompts VALUES (\(places))"
  }()

  /// The row of this prompt in the table `prompts`: the values in the order of the columns.
  var cells: [DatabaseValue] {
    var closing: (outcome: Outcome, reason: ReasonCode, at: Instant)?
    if case .closed(let outcome, let reason, let at) = state { closing = (outcome, reason, at) }
    let values: [(any DatabaseValueConvertible)?] = [
      id.description, id.alarm.text, id.nominalKey, alarmVersion, dueAt.milliseconds, zoneName,
      utcOffsetSeconds, state.name, state.json.description, nextStepAt?.milliseconds,
      closing?.outcome.rawValue, closing?.reason.rawValue, closing?.at.milliseconds,
      ringsIntended, ringsSounded, ringsFailed, delays, lastSoundedAt?.milliseconds,
      alsoNominalText, course?.description,
    ]
    return values.map { $0?.databaseValue ?? .null }
  }

  /// - Parameter row: a row that begins with the columns of `selection`, in order.
  init(_ row: Row) throws {
    let cells = RowReader(row, of: "prompts")
    let state: PromptState
    let alsoNominal: [CivilDateTime]
    do {
      state = try PromptState(json: try JSON(stored: try cells.text(7)))
      alsoNominal = try Self.nominals(try cells.text(13))
    } catch let error as EventCodingError {
      throw LogbookError.corrupt(doing: "read the prompts", reason: error.description)
    }
    self.init(
      id: PromptID(
        alarm: AlarmID(try cells.text(1)), nominalKey: try cells.integer(2)),
      alarmVersion: Int(try cells.integer(3)),
      dueAt: Instant(milliseconds: try cells.integer(4)), zoneName: try cells.text(5),
      utcOffsetSeconds: Int(try cells.integer(6)), alsoNominal: alsoNominal, state: state,
      ringsIntended: Int(try cells.integer(8)), ringsSounded: Int(try cells.integer(9)),
      ringsFailed: Int(try cells.integer(10)), delays: Int(try cells.integer(11)),
      lastSoundedAt: try cells.optionalInteger(12).map(Instant.init(milliseconds:)))
    do {
      if let course = try cells.optionalText(14) { try setCourse(try JSON(stored: course)) }
    } catch let error as EventCodingError {
      throw LogbookError.corrupt(doing: "read the prompts", reason: error.description)
    }
  }
}

extension PersonState {
  /// Returns the values for the row of a person in the table `persons`, in the order of the
  /// columns.
  func cells(pseudonym: String, definition: Int64?) -> [DatabaseValue] {
    [
      pseudonym.databaseValue, definition?.databaseValue ?? .null,
      (person == nil ? 1 : 0).databaseValue, stored.description.databaseValue,
    ]
  }
}

extension Tone {
  static let selection = "t.name, t.sha256, t.duration_ms, t.loudness_lufs"

  /// The values for the row of a tone in the table `tones`, in the order of the columns.
  var cells: [DatabaseValue] {
    [
      name.databaseValue, sha256.databaseValue, durationMilliseconds.databaseValue,
      loudnessLUFS.databaseValue,
    ]
  }

  /// - Parameter row: a row that begins with the columns of `selection`, in order.
  init(_ row: Row) throws {
    let cells = RowReader(row, of: "tones")
    self.init(
      name: try cells.text(0), sha256: try cells.text(1),
      durationMilliseconds: Int(try cells.integer(2)), loudnessLUFS: try cells.double(3))
  }
}

extension Picture {
  static let selection = "i.sha256, i.media_type, i.width, i.height, i.bytes, i.prompt_id"

  /// The values for the row of a picture in the table `images`, in the order of the columns.
  var cells: [DatabaseValue] {
    [
      sha256.databaseValue, mediaType.databaseValue, width.databaseValue, height.databaseValue,
      bytes.databaseValue, prompt?.description.databaseValue ?? .null,
    ]
  }

  /// - Parameter row: a row that begins with the columns of `selection`, in order.
  init(_ row: Row) throws {
    let cells = RowReader(row, of: "images")
    self.init(
      sha256: try cells.text(0), mediaType: try cells.text(1), width: Int(try cells.integer(2)),
      height: Int(try cells.integer(3)), bytes: Int(try cells.integer(4)),
      prompt: try cells.optionalText(5).flatMap { PromptID($0) })
  }
}

extension Supply {
  /// The values for the row of a supply in the table `supplies`, in the order of the columns.
  var cells: [DatabaseValue] { [id.text.databaseValue, stored.description.databaseValue] }
}

extension [DatabaseValue] {
  /// The values as arguments for a statement. A comment in `EventWriter.arguments` explains why the
  /// type is `any DatabaseValueConvertible`.
  fileprivate var arguments: StatementArguments {
    StatementArguments(map { $0 as (any DatabaseValueConvertible)? })
  }
}
