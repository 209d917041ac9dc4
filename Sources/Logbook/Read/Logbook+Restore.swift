import Alarms
import CivilTime
import EventCoding
import GRDB
import JSONValue

extension Logbook {
  /// Reads the state of the home from the record, so that the daemon can continue. All values come
  /// from one snapshot of the database.
  public func restore() throws(LogbookError) -> HomeSnapshot {
    try reading("restore the state") { db in
      let people = try People(db)
      let open = try openPrompts(in: db)
      let alarms = try alarms(in: db, people)
      var snapshot = HomeSnapshot(
        alarms: alarms, openPrompts: open.map(\.prompt),
        answeredPrompts: try answeredPrompts(in: db),
        closedNominals: try closedNominals(in: db, canBePlannedAgain: false),
        closedInstants: try closedInstants(in: db, of: alarms, canBePlannedAgain: false),
        unheardNominals: try closedNominals(in: db, canBePlannedAgain: true),
        unheardInstants: try closedInstants(in: db, of: alarms, canBePlannedAgain: true),
        mismatches: open.filter { !$0.hasStep }.map {
          ProjectionMismatch(prompt: $0.prompt, defect: .stepNotStored)
        }
          + (try missingPrompts(in: db)),
        tones: try tones(in: db), people: try personStates(in: db, people),
        recentRings: try recentRings(
          in: db, people, tasks: Set(alarms.filter { !$0.isAnnouncement }.map(\.id.text))),
        levels: try levels(in: db), pictures: try pictures(in: db),
        lastRecord: try lastRecord(in: db))
      snapshot.holidays = try holidays(in: db)
      snapshot.purged = try purgedTimes(in: db)
      snapshot.alarmCreators = try alarmCreators(in: db)
      snapshot.uploaders = try uploaders(in: db)
      snapshot.toneAdders = try toneAdders(in: db)
      snapshot.unconfirmed = try unconfirmed(in: db, people)
      snapshot.notices = try notices(in: db, people)
      snapshot.supplies = try supplies(in: db)
      snapshot.isPatientForgotten = try Self.setting(Self.patientSetting, in: db) != nil
      return snapshot
    }
  }

  /// An alarm version, with the actor and the time of the change.
  public struct AlarmVersion: Sendable, Hashable {
    public var alarm: Alarm
    public var actor: Alarms.Actor
    public var at: Instant
  }

  /// Reads all versions of an alarm, oldest first. Each version has the actor and the time of the
  /// change.
  ///
  /// - Returns: the versions. The list is empty if no alarm ever had this id.
  public func alarmHistory(_ id: AlarmID) throws(LogbookError) -> [AlarmVersion] {
    try reading("read the versions of alarm \"\(id)\"") { db in
      let people = try People(db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT e.actor_role, e.actor_id, e.source, e.wall_utc_ms, \(Alarm.selection)
          FROM events e LEFT JOIN contents c USING (seq)
          WHERE e.alarm_id = ? AND e.type IN ('alarm_created', 'alarm_edited')
          ORDER BY e.alarm_version
          """, arguments: [id.text])
      var found: [AlarmVersion] = []
      while let row = try rows.next() {
        let cells = RowReader(row, of: "events")
        let role = Role(rawValue: try cells.text(0)) ?? .system
        found.append(
          AlarmVersion(
            alarm: try Alarm(row, first: 4, people),
            actor: Actor(role: role, id: try cells.text(1), source: try cells.text(2)),
            at: Instant(milliseconds: try cells.integer(3))))
      }
      return found
    }
  }

  /// Reads all versions of an alarm, oldest first. The list is empty if no alarm ever had this id.
  public func alarmVersions(_ id: AlarmID) throws(LogbookError) -> [Alarm] {
    try reading("read the versions of alarm \"\(id)\"") { db in
      let people = try People(db)
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(Alarm.selection) FROM events e LEFT JOIN contents c USING (seq)
          WHERE e.alarm_id = ? AND e.type IN ('alarm_created', 'alarm_edited')
          ORDER BY e.alarm_version
          """, arguments: [id.text])
      var found: [Alarm] = []
      while let row = try rows.next() { found.append(try Alarm(row, people)) }
      return found
    }
  }

  /// Reads the open prompts. `hasStep` is true if the column `next_step_ms` of the stored row
  /// equals `nextStepAt` of the prompt.
  private func openPrompts(in db: Database) throws -> [(prompt: Prompt, hasStep: Bool)] {
    var found: [(prompt: Prompt, hasStep: Bool)] = []
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT \(Prompt.selection), p.next_step_ms FROM prompts p WHERE phase <> 'closed'")
    while let row = try rows.next() {
      let prompt = try Prompt(row)
      let step = try RowReader(row, of: "prompts").optionalInteger(Prompt.selectionCount)
      found.append((prompt, prompt.nextStepAt?.milliseconds == step))
    }
    return found.sorted { ($0.prompt.dueAt, $0.prompt.id) < ($1.prompt.dueAt, $1.prompt.id) }
  }

  /// Reads the closed prompts whose answer can still be undone.
  private func answeredPrompts(in db: Database) throws -> [Prompt] {
    var found: [Prompt] = []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT \(Prompt.selection) FROM prompts p
        WHERE phase = 'closed' AND course IS NOT NULL AND closed_ms >=
          (SELECT wall_utc_ms FROM events ORDER BY seq DESC LIMIT 1) - ?
        """, arguments: [LastAnswer.undoMilliseconds])
    while let row = try rows.next() { found.append(try Prompt(row)) }
    return found.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }
  }

  private func closedNominals(
    in db: Database, canBePlannedAgain: Bool
  ) throws -> [AlarmID: Set<Int64>] {
    var found: [AlarmID: Set<Int64>] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT p.alarm_id, p.nominal_key FROM prompts p JOIN alarms a USING (alarm_id)
        WHERE p.phase = 'closed' AND a.is_deleted = 0 AND \(Self.canBePlannedAgain) = ?
        """, arguments: [canBePlannedAgain ? 1 : 0])
    while let row = try rows.next() {
      let cells = RowReader(row, of: "prompts")
      found[AlarmID(try cells.text(0)), default: []].insert(try cells.integer(1))
    }
    return found
  }

  /// Reads the due times of closed prompts. The function reads only the prompts of alarms whose
  /// `keepsInstants` is true.
  ///
  /// - Parameter canBePlannedAgain: true for the closed prompts that the daemon can plan again;
  ///   false for the closed prompts that it cannot plan again.
  private func closedInstants(
    in db: Database, of alarms: [Alarm], canBePlannedAgain: Bool
  ) throws -> [AlarmID: Set<Instant>] {
    let wanted = Set(alarms.lazy.filter(\.keepsInstants).map(\.id.text))
    if wanted.isEmpty { return [:] }
    var found: [AlarmID: Set<Instant>] = [:]
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT p.alarm_id, p.due_ms FROM prompts p
        WHERE p.phase = 'closed' AND \(Self.canBePlannedAgain) = ?
        """, arguments: [canBePlannedAgain ? 1 : 0])
    while let row = try rows.next() {
      let cells = RowReader(row, of: "prompts")
      let id = try cells.text(0)
      guard wanted.contains(id) else { continue }
      found[AlarmID(id), default: []].insert(Instant(milliseconds: try cells.integer(1)))
    }
    return found
  }

  /// The condition of `Prompt.canBePlannedAgain` as SQL.
  private static var canBePlannedAgain: String {
    let outcomes = Prompt.outcomesOfNobody.map { "'\($0.rawValue)'" }.sorted()
    return "(p.rings_intended = 0 AND p.outcome IN (\(outcomes.joined(separator: ", "))))"
  }

  private func personStates(in db: Database, _ people: People) throws -> [PersonState] {
    var found: [PersonState] = []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT p.person, p.state, p.is_removed, e.payload, c.body FROM persons p
        LEFT JOIN events e ON e.seq = p.seq LEFT JOIN contents c ON c.seq = p.seq
        ORDER BY p.person
        """)
    while let row = try rows.next() {
      let cells = RowReader(row, of: "persons")
      let id = people.person(try cells.text(0))
      do {
        var person: Person? = id == .patient ? PersonState.ofNewHome.person : nil
        if let payload = try cells.optionalText(3) {
          person = try Person(
            payload: try JSON(stored: payload),
            content: try cells.optionalText(4).map { try JSON(stored: $0) }, person: people.person)
        }
        if try cells.integer(2) == 1 { person = nil }
        var state = try PersonState(
          id: id, person: person, stored: try JSON(stored: try cells.text(1)))
        if !state.enrolments.isEmpty { try name(&state, try cells.text(0), in: db) }
        found.append(state)
      } catch let error as EventCodingError {
        throw LogbookError.corrupt(doing: "read the people", reason: error.description)
      }
    }
    return found
  }

  /// Adds the participant code to each enrolment. If the participant code was erased, the
  /// participant code of the enrolment stays empty.
  private func name(_ state: inout PersonState, _ pseudonym: String, in db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT c.body FROM events e LEFT JOIN contents c USING (seq)
        WHERE e.person = ? AND e.type = 'enrolled' ORDER BY e.seq
        """, arguments: [pseudonym])
    for (index, row) in rows.enumerated() where index < state.enrolments.count {
      guard let body = try RowReader(row, of: "contents").optionalText(0) else { continue }
      state.enrolments[index].pseudonym = try JSON(stored: body)["pseudonym"]?.string ?? ""
    }
  }

  /// Reads the rings of the last hour. Also finds, for each person, the newest ring for a task.
  ///
  /// The hour ends at the wall-clock time of the newest row in the record. If a clock step occurred
  /// after a ring, the function adds the size of the clock step to the time of the ring. Therefore,
  /// the real time between the ring and the newest row is the difference of their times.
  ///
  /// - Parameter tasks: the ids of the alarms that are not announcements.
  private func recentRings(
    in db: Database, _ people: People, tasks: Set<String>
  ) throws -> RecentRings {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT e.type, e.prompt_id, e.ring_no, e.wall_utc_ms, e.person, e.alarm_id,
          json_extract(e.payload, '$.step_ms'),
          coalesce(json_extract(e.payload, '$.repetition'), json_extract(e.payload, '$.index') > 0)
        FROM events e
        WHERE e.type IN ('ring_intent', 'ring_started', 'clock_step')
          AND e.seq > (SELECT max(seq) FROM events) - 10000
        ORDER BY e.seq DESC
        """)
    var shift: Int64 = 0
    var started: [String: Int64] = [:]
    var found: [(person: PersonID, ring: RecentRing)] = []
    // The database query returns the newest row first. Therefore, the loop reads the `ring_started`
    // event of a ring before the `ring_intent` event of the same ring. The `ring_intent` event
    // records whether the ring is a repetition.
    while let row = try rows.next() {
      let cells = RowReader(row, of: "events")
      let type = try cells.text(0)
      if type == "clock_step" {
        shift += try cells.optionalInteger(6) ?? 0
        continue
      }
      let name = "\(try cells.text(1))#\(try cells.integer(2))"
      if type == "ring_started" {
        started[name] = try cells.integer(3) + shift
      } else if let wall = started.removeValue(forKey: name), let person = try cells.optionalText(4)
      {
        let ring = RecentRing(
          at: Instant(milliseconds: wall), isRepetition: try cells.integer(7) != 0,
          isTask: tasks.contains(try cells.text(5)))
        found.append((people.person(person), ring))
      }
    }
    var rings = RecentRings()
    for (person, ring) in found.reversed() { rings.add(ring, of: person) }
    return rings
  }

  func tones(in db: Database) throws -> [Tone] {
    var found: [Tone] = []
    let rows = try Row.fetchCursor(
      db, sql: "SELECT \(Tone.selection) FROM tones t ORDER BY t.name")
    while let row = try rows.next() { found.append(try Tone(row)) }
    return found
  }

  private func levels(in db: Database) throws -> [String: Int] {
    var found: [String: Int] = [:]
    let rows = try Row.fetchCursor(db, sql: "SELECT device, percent FROM levels")
    while let row = try rows.next() {
      let cells = RowReader(row, of: "levels")
      found[try cells.text(0)] = Int(try cells.integer(1))
    }
    return found
  }

  private func supplies(in db: Database) throws -> [Supply] {
    try Row.fetchAll(db, sql: "SELECT supply_id, state FROM supplies ORDER BY supply_id").map {
      let cells = RowReader($0, of: "supplies")
      do {
        return try Supply(
          id: SupplyID(try cells.text(0)), stored: try JSON(stored: try cells.text(1)))
      } catch let error as EventCodingError {
        throw LogbookError.corrupt(doing: "read the supplies", reason: error.description)
      }
    }
  }

  private func pictures(in db: Database) throws -> [Picture] {
    try Row.fetchAll(db, sql: "SELECT \(Picture.selection) FROM images i ORDER BY i.sha256")
      .map { try Picture($0) }
  }

  private func lastRecord(in db: Database) throws -> HomeSnapshot.LastRecord? {
    let row = try Row.fetchOne(
      db,
      sql: "SELECT \(EventRow.selection) FROM events e ORDER BY e.seq DESC LIMIT 1")
    guard let row = try row.map({ try EventRow($0) }) else { return nil }
    return HomeSnapshot.LastRecord(reading: row.reading, isServiceStop: row.type == "service_stop")
  }
}

/// The id of the person for each pseudonym. If the identity of a person was erased, the id is the
/// pseudonym.
struct People {
  private var names: [String: PersonID] = [:]

  init(_ db: Database) throws {
    for (person, pseudonym) in try Logbook.readPseudonyms(in: db) { names[pseudonym] = person }
  }

  /// Returns the pseudonym that the record uses for a person.
  func pseudonym(_ person: PersonID) -> String {
    names.first { $0.value == person }?.key ?? person.text
  }

  /// Returns the id of the person with this pseudonym; nil if the identity of the person was
  /// erased.
  func name(_ pseudonym: String) -> String? { names[pseudonym]?.text }

  func person(_ pseudonym: String) -> PersonID { names[pseudonym] ?? PersonID(pseudonym) }

  /// Decodes the event of a row for an export.
  ///
  /// - Throws: `.corrupt` if the event in the row cannot be decoded. `verify` reports the same row
  ///   as a fault.
  func exportedEvent(_ stored: EventRow, content: String?) throws -> Event {
    do {
      return try stored.storedEvent(content: content).event(person: person)
    } catch let error as EventCodingError {
      throw LogbookError.corrupt(
        doing: "export row \(stored.sequence)", reason: error.description)
    }
  }
}
