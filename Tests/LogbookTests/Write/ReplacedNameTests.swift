import Alarms
import CivilTime
import Glibc
import Synchronization
import Testing

@testable import Logbook

/// Tests the pseudonyms, and what the logbook keeps in memory.
@Suite struct `A name in the record` {
  private let directory = TemporaryDirectory()

  /// A generator that returns 0 several times, and then different numbers.
  private struct Repeating: RandomNumberGenerator, Sendable {
    var zeros: Int
    var number: UInt64 = 0
    mutating func next() -> UInt64 {
      if zeros > 0 {
        zeros -= 1
        return 0
      }
      number += 1
      return number &* 0x9E37_79B9_7F4A_7C15
    }
  }

  @Test func `is not the name of a second person, even if the random numbers are equal`() throws {
    let logbook = try Logbook(directory: directory.path, study: "", random: Repeating(zeros: 60))
    #expect(logbook.device == "D-00000000")
    var history = History(seed: 1)
    for name in ["anna", "bob"] {
      let person = Person(id: PersonID(name), version: 1)
      try logbook.record([history.record(.personAdded(person))], .init())
    }
    let names = try logbook.events(after: 0, limit: 9).map(\.person)
    #expect(names[0] == "P-00000000" && names[1] != names[0] && names[1]?.count == 10)
  }

  @Test func `is replaced for data that leave the device only if it is a pseudonym`() throws {
    let logbook = try Logbook.open(directory)
    let (stored, replaced) = try logbook.reading("read the names") { db in
      (try Pseudonyms(db), try Pseudonyms(db, secret: [1, 2, 3]))
    }
    let names = ["P-12345678", "D-12345678"]
    for name in names {
      #expect(stored.name(name) == name)
      let new = replaced.name(name)
      #expect(new != name && new.count == 10 && new.prefix(2) == name.prefix(2))
      #expect(replaced.name(name) == new)
    }
    #expect(Set((names + ["P-12345679"]).map(replaced.name)).count == 3)
    for text in ["unknown", "P-1234567", "P-123456789", "PX12345678", "abcdefghij", "", "P-"] {
      #expect(replaced.name(text) == text)
    }
    #expect(replaced.isSet && !stored.isSet && !replaced.hidesChain && !stored.hidesChain)
  }

  @Test func `is replaced at any depth of a payload, and its digest is removed`() throws {
    let logbook = try Logbook.open(directory)
    let (stored, replaced) = try logbook.reading("read the names") { db in
      (try Pseudonyms(db), try Pseudonyms(db, secret: [1, 2, 3]))
    }
    let old = "P-12345678"
    let new = replaced.name(old)
    func payload(_ name: String) -> String {
      #"{"person":"\#(name)","note":"\#(old)","all":[{"person":"\#(name)"},{"person":null}]"#
    }
    #expect(
      replaced.document(payload(old) + #","identity":"ab"}"#) == payload(new) + "}")
    for text in [
      #"{"identity":"ab"}"#, #"{"person":"#, #"[{"person":"\#(old)"}]"#, "",
    ] {
      #expect(replaced.document(text) == text)
    }
    let whole = payload(old) + #","identity":"ab"}"#
    #expect(stored.document(whole) == whole)
  }

  @Test func `is read again after a failed write, and an erased name is in no file`() throws {
    let logbook = try Logbook.open(directory)
    func flags() -> [Bool] { logbook.memory.withLock { [$0.isHeadKnown, $0.needsScrub] } }
    func log() -> Int {
      var status = stat()
      return stat("\(directory.record)-wal", &status) == 0 ? Int(status.st_size) : -1
    }
    #expect(flags() == [true, false])
    var history = History(seed: 1)
    var changes = StateDelta()
    let alarm = try history.alarm()
    changes.alarms[alarm.id] = alarm
    #expect(
      throws: LogbookError.invalid(
        doing: "record alarm \"\(alarm.id)\"", reason: "no event contains version 1")
    ) { try logbook.record([history.record(.heartbeat)], changes) }
    #expect(flags() == [false, false] && logbook.head.sequence == 0)
    try logbook.record([history.record(.heartbeat)], .init())
    #expect(flags() == [true, false] && log() > 0)
    try logbook.record([history.record(.rekeyed)], .init())
    #expect(flags() == [true, false] && log() == 0 && logbook.head.sequence == 2)
  }

  /// An error at the commit can leave the memory behind the file.
  @Test func `is read again from the file if the memory can be outdated`() throws {
    var timeline = try Timeline(in: directory)
    let anna = PersonID("anna")
    try timeline.add(0, .personAdded(Person(id: anna, version: 1)))
    let row = try #require(try timeline.logbook.events(after: 0, limit: 1).first)
    timeline.logbook.memory.withLock { memory in
      (memory.isHeadKnown, memory.sequence, memory.hash) = (false, 9, "x")
      (memory.pseudonyms, memory.boundPeople) = ([:], [])
    }
    try timeline.add(1, .personChanged(Person(id: anna, version: 2)))
    let next = try #require(try timeline.logbook.events(after: 1, limit: 9).first)
    #expect(next.sequence == 2 && next.previousHash == row.hash && next.person == row.person)
    #expect(row.payload.contains("identity") && !next.payload.contains("identity"))
    #expect(timeline.logbook.memory.withLock { $0.isHeadKnown })
    #expect(try timeline.logbook.verify().isOK)
  }
}
