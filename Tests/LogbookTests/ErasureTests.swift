import Alarms
import CivilTime
import GRDB
import Glibc
import Testing

@testable import Logbook

@Suite struct `Erasing` {
  private let directory = TemporaryDirectory()

  /// Returns the files of the record that contain the word.
  private func traces(of word: String) -> [String] {
    TemporaryDirectory.list(directory.path).filter {
      run("grep -c -a -F '\(word)' '\(directory.path)/\($0)'").status == 0
    }
  }

  /// Makes a home in which every text contains the word. One person has moved out of this home.
  private func lived(_ history: inout History, _ logbook: Logbook) throws -> AlarmID {
    let anna = PersonID("CANARY anna")
    history.word = "CANARY"
    var alarm = try history.alarm()
    alarm.person = anna
    let prompt = history.prompt(alarm)
    let tone = history.tone()
    let events: [Event] = [
      .personAdded(Person(id: anna, version: 1, name: "CANARY")),
      .enrolled(anna, Enrolment(study: "trial", pseudonym: "CANARY", from: prompt.dueAt)),
      .alarmCreated(alarm), .planned(prompt), .due(prompt.id, lateMilliseconds: 0),
      .response(prompt.id, Response(question: "note", number: 1, value: .text("CANARY"))),
      .closed(prompt.id, .completed, reason: .none, .nothing),
      .toneAdded(tone), .toneRemoved(tone),
      .alarmDeleted(alarm.id, version: 1), .withdrawn(anna, Withdrawal(reason: "CANARY")),
      .personRemoved(anna, version: 1),
    ]
    // The test writes each event in its own transaction, so that the write-ahead log contains rows.
    for event in events { try history.write(event, into: logbook) }
    try logbook.keep(
      IdempotencyRecord(
        actor: "uid:1", key: "k", requestDigest: "d", status: 200, contentType: "text/plain",
        headers: [:], body: Array("CANARY".utf8), at: prompt.dueAt))
    return alarm.id
  }

  @Test func `erased words are in no byte of any file, and the record is intact`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 4)
    let alarm = try lived(&history, logbook)
    let anna = PersonID("CANARY anna")
    let before = logbook.head
    #expect(!traces(of: "CANARY").isEmpty)

    try history.write(.erased(.alarm(alarm)), into: logbook)
    #expect(try logbook.responses(ResponseQuery(person: anna)).map(\.response.value) == [.text("")])
    #expect(!traces(of: "CANARY").isEmpty)
    try history.write(.erased(.words(anna)), into: logbook)
    try history.write(.erased(.identity(anna)), into: logbook)
    #expect(traces(of: "CANARY") == [])
    #expect(try logbook.idempotencyRecord(actor: "uid:1", key: "k") == nil)
    #expect(try logbook.verify(anchor: before).isOK)
    try logbook.rebuild()
    #expect(try logbook.verify(anchor: before).isOK)

    // Every new home contains the person `patient`. After the erasure of this person, the daemon
    // does not add the person again.
    let patient = PersonState(id: .patient, person: nil)
    var gone = StateDelta()
    gone.people[.patient] = patient
    try logbook.record([history.record(.personRemoved(.patient, version: 0))], gone)
    #expect(try !logbook.restore().isPatientForgotten)
    try history.write(.erased(.identity(.patient)), into: logbook)
    let restored = try logbook.restore()
    #expect(restored.isPatientForgotten)
    let home = HomeState(
      snapshot: restored, limits: .standard,
      environment: Environment(homeZone: .utc, tzdataVersion: "") { _ in nil })
    #expect(home.people[.patient] == nil)

    // If a caretaker adds a person with the name of an erased person, the new person gets a new
    // pseudonym.
    let namesake = Person(id: anna, version: 1, name: "new")
    var changes = StateDelta()
    changes.people[anna] = PersonState(id: anna, person: namesake)
    try logbook.record([history.record(.personAdded(namesake))], changes)
    try logbook.close()
    let again = try Logbook.open(directory, seed: 9)
    #expect(try again.verify().isOK)
    let names = Set(try again.events(after: 0, limit: .max).compactMap(\.person))
    #expect(names.count == 3)
    #expect(try again.restore().people.first { $0.id == anna }?.enrolments == [])
  }

  @Test func `words that care needs are kept`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 6)
    history.word = "Anna"
    try history.play(200, into: logbook)
    let before = try logbook.restore()
    for person in [PersonID.patient, PersonID("Anna person")] {
      try history.write(.erased(.words(person)), into: logbook)
    }
    let after = try logbook.restore()
    #expect(after.alarms == before.alarms && !after.alarms.isEmpty)
    #expect(after.people == before.people && after.tones == before.tones)
    #expect(try logbook.verify().isOK)
    let older = try logbook.pool.read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM events e JOIN contents c USING (seq)
          WHERE e.person IS NOT NULL AND e.type <> 'enrolled'
          AND seq NOT IN (SELECT seq FROM alarms WHERE is_deleted = 0)
          AND seq NOT IN (SELECT seq FROM persons WHERE seq IS NOT NULL)
          """)
    }
    #expect(older == 0)
  }
}

extension History {
  /// Records one event in its own transaction.
  mutating func write(_ event: Event, into logbook: Logbook) throws {
    let record = record(event)
    try logbook.record([record], changes(by: [record]))
  }
}
