import Alarms
import CivilTime
import Testing

@testable import Logbook

/// Tests that a restart keeps the user who added each tone, picture and alarm.
@Suite struct HoldersTests {
  private let directory = TemporaryDirectory()

  private func write(
    _ event: Event, by user: String, _ history: inout History, into logbook: Logbook
  ) throws {
    var record = history.record(event)
    record.actor = Actor(role: .patient, id: user, source: "socket")
    var changes = StateDelta()
    switch event {
    case .toneAdded(let tone): changes.tones[tone.name] = tone
    case .toneRemoved(let tone): changes.removedTones = [tone.name]
    case .imageAdded(let picture), .imageRemoved(let picture):
      changes.pictures[picture.sha256] = history.replay.pictures[picture.sha256]
      if changes.pictures.isEmpty { changes.removedPictures = [picture.sha256] }
    default: break
    }
    try logbook.record([record], changes)
  }

  @Test func `tones, pictures and alarms have the users who added them`() throws {
    let logbook = try Logbook.open(directory)
    var history = History(seed: 6)
    func tone(_ name: String, _ digit: String) -> Tone {
      Tone(
        name: name, sha256: String(repeating: digit, count: 64), durationMilliseconds: 1_000,
        loudnessLUFS: -16)
    }
    func picture(_ digit: String) -> Picture {
      Picture(
        sha256: String(repeating: digit, count: 64), mediaType: "image/png", width: 1, height: 1,
        bytes: 10)
    }
    let events: [(Event, String)] = [
      (.toneAdded(tone("dad", "a")), "uid:1"), (.toneAdded(tone("mum", "a")), "uid:2"),
      (.toneAdded(tone("sis", "c")), "uid:1"), (.toneAdded(tone("sis", "d")), "uid:3"),
      (.toneAdded(tone("gone", "e")), "uid:1"), (.toneRemoved(tone("gone", "e")), "uid:1"),
      (.imageAdded(picture("1")), "uid:1"), (.imageAdded(picture("1")), "uid:2"),
      (.imageAdded(picture("2")), "uid:3"), (.imageAdded(picture("4")), "uid:1"),
      (.imageRemoved(picture("4")), "uid:2"),
    ]
    try history.play(150, into: logbook)
    for (event, user) in events { try write(event, by: user, &history, into: logbook) }
    let restored = try logbook.restore()
    for (name, user) in ["dad": "uid:1", "mum": "uid:2", "sis": "uid:3"] {
      #expect(restored.toneAdders[name] == user)
    }
    #expect(restored.toneAdders["gone"] == nil)
    #expect(restored.uploaders[picture("1").sha256] == ["uid:1", "uid:2"])
    #expect(restored.uploaders[picture("2").sha256] == ["uid:3"])
    #expect(restored.uploaders[picture("4").sha256] == nil)
    #expect(!restored.alarms.isEmpty)
    #expect(Set(restored.alarmCreators.keys) == Set(restored.alarms.map(\.id)))
    #expect(Set(restored.alarmCreators.values) == ["uid:1000"])
    #expect(restored.alarms.contains { $0.version > 1 })
    #expect(try logbook.verify().isOK)
  }

  @Test func `many stored replies of one user do not remove a stored reply of another`() throws {
    let logbook = try Logbook.open(directory)
    func keep(_ user: String, _ keys: Range<Int>) throws {
      var changes = StateDelta()
      changes.idempotencyRecords = keys.map {
        IdempotencyRecord(
          actor: user, key: "k\($0)", requestDigest: "d", status: 200, contentType: "text/plain",
          headers: [:], body: [], at: Instant(milliseconds: 1_796_000_000_000))
      }
      try logbook.record([], changes)
    }
    try keep("uid:1", 0..<3)
    for start in stride(from: 0, to: 12_000, by: 3_000) { try keep("uid:2", start..<start + 3_000) }
    for key in 0..<3 {
      #expect(try logbook.idempotencyRecord(actor: "uid:1", key: "k\(key)") != nil)
    }
    #expect(try logbook.idempotencyRecord(actor: "uid:2", key: "k11999") != nil)
    #expect(try logbook.idempotencyRecord(actor: "uid:2", key: "k9000") == nil)
  }
}
