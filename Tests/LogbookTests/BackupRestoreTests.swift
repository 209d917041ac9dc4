import Alarms
import GRDB
import Glibc
import JSONValue
import MessageDigest
import StudyExport
import TestRandom
import Testing

@testable import Logbook

/// Tests the restore of archives that an attacker may have made.
@Suite struct `Restoring` {
  private let old = TemporaryDirectory()
  private let home = TemporaryDirectory()
  private static let tone = "tones--" + String(repeating: "a", count: 64) + ".wav"
  private static let picture = "images--" + String(repeating: "b", count: 64) + ".picture"

  private typealias Member = (name: String, bytes: [UInt8])

  /// Makes a record. Returns the bytes of the record, and the head for the list of files
  /// (`backup.json`). If the caller passes an SQL statement, this statement changes the record, but
  /// not the returned head.
  private func backup(_ alter: String? = nil) throws -> (record: [UInt8], head: Logbook.Head) {
    let logbook = try Logbook.open(old)
    var history = History(seed: 31)
    try history.playAtOnce(30, into: logbook)
    let head = logbook.head
    try logbook.close()
    if let alter {
      let queue = try DatabaseQueue(path: old.record)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: alter)
        _ = try db.checkpoint(.truncate)
      }
      try queue.close()
    }
    return (readFile(old.record), head)
  }

  private func list(_ members: [Member], _ head: Logbook.Head) -> Member {
    let files = members.map { member in
      JSON.object([
        ("name", .string(member.name)), ("sha256", .string(SHA256Digest.hex(member.bytes))),
        ("bytes", .integer(Int64(member.bytes.count))),
      ])
    }
    let list = JSON.object([
      ("format", .integer(1)), ("version", .string("1")), ("device", .string("D")),
      ("events", .integer(head.sequence)), ("head", .string(head.hash)), ("files", .array(files)),
    ])
    return ("backup.json", Array("\(list)\n".utf8))
  }

  private func archive(_ members: [Member]) -> [UInt8] {
    members.reduce(into: []) { bytes, member in
      bytes += TarHeader.bytes(name: member.name, size: member.bytes.count) + member.bytes
      bytes += TarHeader.padding(size: member.bytes.count)
    } + TarHeader.end
  }

  private func adopt(
    _ bytes: [UInt8], progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws -> BackupRestore {
    let path = "\(old.path)/archive"
    writeFile(bytes, to: path)
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    return try BackupRestore(
      unpacking: descriptor, size: Int64(bytes.count), state: home.path, progress: progress)
  }

  private func refuses(_ bytes: [UInt8], _ word: String, _ what: String = "") {
    let error = #expect(throws: LogbookError.self, "\(what)") { try adopt(bytes) }
    #expect(error?.description.contains(word) == true, "\(what): \(error as Any)")
    #expect(TemporaryDirectory.list(home.path) == [], "\(what)")
  }

  @Test func `accepts the contents of a backup, under a new name for the device`() throws {
    let (record, head) = try backup()
    let members: [Member] = [
      (Self.picture, [1, 2, 3]), ("record.sqlite", record), (Self.tone, [4, 5]),
    ]
    let note: Member = ("retired.json", Array("{\"head\":\"\(head.hash)\"}\n".utf8))
    // An interrupted restore leaves these directories and files.
    mkdir("\(home.path)/restoring", 0o700)
    writeFile([0], to: "\(home.path)/restoring/record.sqlite")
    mkdir("\(home.path)/replacing", 0o700)
    writeFile([0], to: "\(home.path)/replacing/promise")
    let bytes = archive([list(members, head)] + members)
    var progress: [[Int64]] = []
    #expect(try !adopt(bytes) { progress.append([$0, $1]) }.isRetired)
    #expect(progress.last == [Int64(bytes.count), Int64(bytes.count)])
    let adoption = try adopt(archive([list(members, head)] + members + [note]))
    #expect(adoption.isRetired)
    #expect(try adoption.prepare() == head.sequence)
    mkdir("\(home.path)/before", 0o700)
    #expect(try adoption.replace(aside: "before") == "before-2")
    adoption.discard()
    #expect(
      TemporaryDirectory.list(home.path)
        == ["before", "before-2", "images", "record.sqlite", "tones"])
    #expect(TemporaryDirectory.list("\(home.path)/before-2") == ["replacing"])
    #expect(readFile("\(home.path)/tones/\(Self.tone.dropFirst(7))") == [4, 5])
    #expect(readFile("\(home.path)/images/\(Self.picture.dropFirst(8))") == [1, 2, 3])
    let before = try Logbook.open(old)
    let after = try Logbook.open(home)
    #expect(after.head == head && after.device != before.device)
  }

  @Test(arguments: [
    "../evil", "tones--../../evil", "..--evil", "etc--passwd", "record.sqlite-wal", "lock",
    "config.last.toml", "tones--a.wav", "tones--" + String(repeating: "A", count: 64) + ".wav",
    "tones--" + String(repeating: "a", count: 64), "moved.json", "images--/etc/passwd",
    "backup.json",
    "tones--" + String(repeating: "a", count: 64) + ".wav/../../x", "tones/x", "/etc/passwd", "",
    "snapshot--" + String(repeating: "a", count: 64) + ".wav", "retired.json",
  ])
  func `refuses a list with a name that no backup has`(name: String) throws {
    let (record, head) = try backup()
    let members: [Member] = [("record.sqlite", record), (name, [1])]
    let list = list(members, head)
    refuses(
      archive([list, ("record.sqlite", record)]), "names a file that is not part of a backup", name)
  }

  @Test func `refuses a file that is not in the list, comes twice, is missing or has another size`()
    throws
  {
    let (record, head) = try backup()
    let whole: Member = ("record.sqlite", record)
    let tone: Member = (Self.tone, [4, 5])
    let honest = list([whole, tone], head)
    let short: Member = (Self.tone, [4])
    let other: Member = (Self.tone, [4, 6])
    let note: Member = ("retired.json", Array("{\"head\":\"\(head.hash)\"}\n".utf8))
    let foreign: Member = ("retired.json", Array("{\"head\":\"0\"}\n".utf8))
    let long: Member = ("retired.json", [UInt8](repeating: 0x20, count: 5_000))
    refuses(archive([whole, tone]), "does not begin with its list")
    refuses(archive([whole, honest, tone]), "does not begin with its list")
    refuses(archive([list([tone], head), tone]), "does not name the record")
    refuses(archive([list([whole, tone, tone], head), whole, tone]), "twice")
    refuses(archive([honest, whole, tone, tone]), "contains \"\(Self.tone)\" twice")
    refuses(archive([honest, honest, whole, tone]), "contains \"backup.json\" twice")
    refuses(archive([honest, whole, tone, (Self.picture, [1])]), "is not in its list of files")
    refuses(archive([honest, whole, tone, ("lock", [1])]), "is not in its list of files")
    refuses(archive([honest, whole]), "\"\(Self.tone)\" is missing")
    let longer = list([whole, tone, (Self.picture, [1])], head)
    refuses(archive([longer, whole]), "\"\(Self.picture)\" is missing")
    refuses(archive([honest, whole, short]), "does not have the listed size")
    refuses(archive([honest, whole, other]), "was changed after the backup")
    refuses(archive([honest, note, whole, tone]), "is not in its list of files")
    refuses(archive([honest, whole, tone, foreign]), "belongs to another backup")
    refuses(archive([honest, whole, tone, long]), "is too long")
    refuses(archive([honest, whole, tone, note, (Self.picture, [1])]), "not in its list of files")
    refuses(TarHeader.end, "it is empty")
    refuses([], "incomplete")
    let bytes = archive([honest, whole, tone])
    for end in [1, 511, 512, 700, bytes.count - 513, bytes.count - 1] {
      refuses(Array(bytes[..<end]), "incomplete", "\(end) bytes")
    }
    refuses(bytes + [0], "bytes after its end")
    refuses(archive([("backup.json", Array("{\"format\":2}".utf8))]), "newer version")
    refuses(archive([("backup.json", Array("[".utf8))]), "cannot be read")
  }

  /// Each case contains a list of files (`backup.json`) with one fault, and words that the error
  /// message must contain.
  @Test(arguments: [
    ("[]", "cannot be read"), (#"{"format":"1"}"#, "cannot be read"),
    (#"{"format":0,"head":"h","events":1,"files":[]}"#, "cannot be read"),
    (#"{"format":1,"events":1,"files":[]}"#, "cannot be read"),
    (#"{"format":1,"head":"h","files":[]}"#, "cannot be read"),
    (#"{"format":1,"head":"h","events":1}"#, "cannot be read"),
    (#"{"format":1,"head":"h","events":1,"files":[]}"#, "does not name the record"),
  ])
  func `refuses a list without one of its parts`(text: String, words: String) {
    refuses(archive([("backup.json", Array(text.utf8))]), "its list of files \(words)", text)
  }

  @Test(arguments: [
    #"{"sha256":"a","bytes":1}"#, #"{"name":"record.sqlite","bytes":1}"#,
    #"{"name":"record.sqlite","sha256":"a"}"#,
    #"{"name":"record.sqlite","sha256":"a","bytes":-1}"#,
  ])
  func `refuses an entry without one of its parts`(entry: String) {
    let list = #"{"format":1,"head":"h","events":1,"files":[\#(entry)]}"#
    refuses(
      archive([("backup.json", Array(list.utf8))]), "has an entry without name, sha256 or bytes",
      entry)
  }

  @Test func `reads the list, whose smallest file is empty`() throws {
    let text = #"""
      {"format":1,"head":"h","events":3,"files":[{"name":"record.sqlite","sha256":"a","bytes":0}]}
      """#
    let list = try BackupList(Array(text.utf8))
    #expect(list.head == "h" && list.events == 3)
    #expect(list.files == [.init(name: "record.sqlite", sha256: "a", bytes: 0)])
    let newer = Array(#"{"format":2}"#.utf8)
    #expect(throws: LogbookError.newer(path: "backup.json")) { try BackupList(newer) }
  }

  @Test(arguments: [
    ("a.wav", true), ("a.w", true), ("a.0123456789", true), ("a.az09.b.c", true),
    ("a.01234567890", false), ("a.", false), ("a", false), ("a.b.c.d.e", false), ("a.b..c", false),
    ("a.W", false), ("a.b-c", false), ("a.{", false), ("a.`", false), ("a./", false),
    ("a.:", false),
  ])
  func `stores files whose names are digests with one to three endings`(
    ending: String, isStored: Bool
  ) {
    let digest = "0123456789abcdef" + String(repeating: "9", count: 47)
    #expect(BackupName.isStored(digest + ending) == isStored)
    // The first letter of `ending` is the last digit of the digest.
    for wrong in ["g", "A", "/", ":", "`"] {
      #expect(!BackupName.isStored(digest + wrong + ending.dropFirst()), "\(wrong)")
    }
    #expect(!BackupName.isStored(digest + "a" + ending))
    #expect(!BackupName.isStored(String(digest.dropFirst()) + ending))
  }

  @Test func `refuses a list that is longer than a list of files can be`() {
    func header(_ size: Int) -> [UInt8] { TarHeader.bytes(name: "backup.json", size: size) }
    refuses(header(64 << 20), "incomplete")
    refuses(header((64 << 20) + 1), "does not begin with its list")
  }

  @Test func `accepts a note about the old device of at most 4 KiB`() throws {
    let (record, head) = try backup()
    let whole: Member = ("record.sqlite", record)
    let note = Array("{\"head\":\"\(head.hash)\"}".utf8)
    for (size, isAccepted) in [(4_096, true), (4_097, false)] {
      let long = note + [UInt8](repeating: UInt8(ascii: " "), count: size - note.count)
      let bytes = archive([list([whole], head), whole, ("retired.json", long)])
      if isAccepted {
        let adoption = try adopt(bytes)
        #expect(adoption.isRetired)
        adoption.discard()
      } else {
        refuses(bytes, "is too long")
      }
    }
  }

  @Test func `moves the mark of a retired home aside, and a home is only retired with its mark`()
    throws
  {
    #expect(!RetiredMarker.isMarked(state: home.path))
    try RetiredMarker.mark(state: home.path, head: "abc")
    try #require(RetiredMarker.isMarked(state: home.path))
    #expect(
      String(decoding: readFile("\(home.path)/moved.json"), as: UTF8.self)
        == "{\"head\":\"abc\"}\n")
    #expect(TemporaryDirectory.list(home.path) == ["moved.json"])
    for name in ["record.sqlite", "record.sqlite-wal", "damaged", "lock", "prompter.toml"] {
      writeFile([1], to: "\(home.path)/\(name)")
    }
    for name in ["images", "snapshot", "replacing", "other"] {
      mkdir("\(home.path)/\(name)", 0o700)
    }
    let (record, head) = try backup()
    let whole: Member = ("record.sqlite", record)
    let adoption = try adopt(archive([list([whole], head), whole]))
    #expect(try adoption.prepare() == head.sequence)
    #expect(try adoption.replace(aside: "before") == "before")
    adoption.discard()
    #expect(
      TemporaryDirectory.list("\(home.path)/before") == [
        "damaged", "images", "moved.json", "record.sqlite", "record.sqlite-wal", "replacing",
        "snapshot",
      ])
    #expect(
      TemporaryDirectory.list(home.path) == [
        "before", "images", "lock", "other", "prompter.toml", "record.sqlite", "tones",
      ])
    #expect(!RetiredMarker.isMarked(state: home.path))
  }

  @Test func `refuses a record whose head is not the head of the list`() throws {
    let (record, head) = try backup()
    let whole: Member = ("record.sqlite", record)
    let other = String(repeating: "0", count: 64)
    for wrong: Logbook.Head in [(head.sequence, other), (head.sequence - 1, head.hash)] {
      let adoption = try adopt(archive([list([whole], wrong), whole]))
      let error = #expect(throws: LogbookError.self) { try adoption.prepare() }
      #expect(error?.description.contains("its last event differs") == true, "\(error as Any)")
      adoption.discard()
    }
  }

  @Test func `refuses a backup that is too large for the disk before it writes a byte`() throws {
    let path = "\(old.path)/archive"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let size: Int64 = 1 << 50
    _ = ftruncate(descriptor, off_t(1 << 30))
    let error = #expect(throws: LogbookError.self) {
      try BackupRestore(unpacking: descriptor, size: size, state: home.path)
    }
    #expect(error?.description.contains("MiB left") == true, "\(error as Any)")
    #expect(TemporaryDirectory.list(home.path) == [])
  }

  @Test(arguments: [
    "CREATE TRIGGER late AFTER UPDATE ON settings BEGIN DELETE FROM alarms; END",
    "CREATE TRIGGER late AFTER UPDATE ON settings BEGIN UPDATE prompts SET delays = 9; END",
    "CREATE VIEW peek AS SELECT 1", "ALTER TABLE settings ADD COLUMN more TEXT AS (upper(name))",
  ])
  func `refuses a record that contains something that runs`(sql: String) throws {
    let (record, head) = try backup(sql)
    let whole: Member = ("record.sqlite", record)
    let adoption = try adopt(archive([list([whole], head), whole]))
    let error = #expect(throws: LogbookError.self) { try adoption.prepare() }
    #expect(error?.kind == "corrupt", "\(error as Any)")
    adoption.discard()
    #expect(TemporaryDirectory.list(home.path) == [])
  }

  @Test func `refuses a record whose rows or projections were changed`() throws {
    for sql in [
      "UPDATE " + "prompts SET delays = delays + 1",
      "DELETE " + "FROM alarms",
      "INSERT INTO settings VALUES ('x', 'y'); UPDATE " + "persons SET state = '{}'",
    ] {
      let place = TemporaryDirectory()
      let (record, head) = try backup(sql)
      defer { for name in TemporaryDirectory.list(old.path) { unlink("\(old.path)/\(name)") } }
      let whole: Member = ("record.sqlite", record)
      let adoption = try adopt(archive([list([whole], head), whole]))
      #expect(throws: LogbookError.self, "\(sql)") { try adoption.prepare() }
      adoption.discard()
      withExtendedLifetime(place) {}
    }
  }

  @Test func `makes a backup that it would restore, and refuses to back up anything else`()
    async throws
  {
    let logbook = try Logbook.open(old)
    var history = History(seed: 32)
    try history.playAtOnce(10, into: logbook)
    mkdir("\(old.path)/tones", 0o700)
    mkdir("\(old.path)/work", 0o700)
    writeFile([1], to: "\(old.path)/tones/\(Self.tone.dropFirst(7))")
    writeFile([2], to: "\(old.path)/tones/notes of somebody.txt")
    let backup = try await logbook.backup(
      state: old.path, workDirectory: "\(old.path)/work", version: "1")
    var bytes: [UInt8] = []
    for try await chunk in backup.chunks { bytes += chunk }
    #expect(bytes.count == backup.bytes)
    let adoption = try adopt(bytes)
    #expect(try adoption.prepare() == logbook.head.sequence)
    _ = try adoption.replace(aside: "before")
    #expect(TemporaryDirectory.list("\(home.path)/tones") == [String(Self.tone.dropFirst(7))])
  }

  @Test func `a recording that cannot be copied refuses the backup, and no files remain`()
    async throws
  {
    // A backup hard-links each recording. A hard link cannot lead to another file system, for
    // example from the directory of the home to `/dev/shm`.
    var template = Array("/dev/shm/logbook-test-XXXXXX".utf8CString)
    let work = String(cString: mkdtemp(&template)!)
    defer { TemporaryDirectory.remove(work) }
    let logbook = try Logbook.open(old)
    mkdir("\(old.path)/tones", 0o700)
    writeFile([1], to: "\(old.path)/tones/\(Self.tone.dropFirst(7))")
    let error = await #expect(throws: LogbookError.self) {
      try await logbook.backup(state: old.path, workDirectory: work, version: "1")
    }
    #expect(error?.description.contains(Self.tone.dropFirst(7)) == true, "\(error as Any)")
    #expect(TemporaryDirectory.list(work) == [])
  }
}
