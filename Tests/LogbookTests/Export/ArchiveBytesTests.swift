import Alarms
import Glibc
import JSONValue
import MessageDigest
import StudyExport
import Testing

@testable import Logbook

/// Tests the exact bytes of a tar archive. A client gets the archive in several parts.
@Suite struct `An archive for a client` {
  private let directory = TemporaryDirectory()
  private var out: String { "\(directory.path)/out" }

  private typealias Member = (name: String, bytes: [UInt8])

  /// Reads the members of a tar archive. The archive must contain the correct size of each member.
  private func members(_ archive: [UInt8]) throws -> [Member] {
    var (found, place): ([Member], Int) = ([], 0)
    while place < archive.count, archive[place] != 0 {
      let name = String(decoding: archive[place...].prefix { $0 != 0 }, as: UTF8.self)
      let size = try #require(
        Int(String(decoding: archive[place + 124..<place + 135], as: UTF8.self), radix: 8))
      found.append((name, Array(archive[place + 512..<place + 512 + size])))
      place += 512 + (size + 511) / 512 * 512
    }
    #expect(Array(archive[place...]) == TarHeader.end)
    return found
  }

  @Test func `has the files in order, in pieces of at most 128 KiB, and removes them`() throws {
    mkdir(out, 0o700)
    let long = (0...131_072).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let files: [Member] = [
      ("a", []), ("b", [1]), ("c", [UInt8](repeating: 2, count: 512)), ("d", long),
    ]
    for file in files { writeFile(file.bytes, to: "\(out)/\(file.name)") }
    #expect(try fileNames(in: out) == ["a", "b", "c", "d"])
    var reader: ArchiveReader? = ArchiveReader(directory: out, names: files.map(\.name))
    var pieces: [[UInt8]] = []
    while let piece = try reader?.next() { pieces.append(piece) }
    #expect(try reader?.next() == nil)
    #expect(
      pieces.map(\.count)
        == [512, 0, 512, 1, 511, 512, 512, 0, 512, 131_072, 1, 511, 1_024])
    let found = try members(Array(pieces.joined()))
    #expect(found.map(\.name) == files.map(\.name) && found.map(\.bytes) == files.map(\.bytes))
    reader = nil
    #expect(access(out, F_OK) != 0)
  }

  @Test func `reports a file that is missing or too short, and a directory that is missing`() throws
  {
    #expect(
      throws: LogbookError.unwritable(
        doing: "open \"\(out)\"", reason: "No such file or directory")
    ) { try fileNames(in: out) }
    mkdir(out, 0o700)
    let reader = ArchiveReader(directory: out, names: ["gone"])
    #expect(
      throws: LogbookError.unwritable(
        doing: "read \"\(out)/gone\"", reason: "No such file or directory")
    ) { try reader.next() }
    writeFile([1, 2, 3], to: "\(out)/short")
    var short: ArchiveReader? = ArchiveReader(directory: out, names: ["short"])
    _ = try short?.next()
    truncate("\(out)/short", 0)
    #expect(
      throws: LogbookError.unwritable(doing: "read the export", reason: "Input/output error")
    ) { try short?.next() }
    // If a client stops before the end of the archive, the files of the archive are removed, too.
    // No other file is removed.
    writeFile([], to: "\(out)/other")
    short = nil
    #expect(TemporaryDirectory.list(out) == ["other"])
  }

  @Test func `of an export has exactly the files of the summary, and leaves no file`() async throws
  {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .personAdded(Person(id: PersonID("anna"), version: 1, name: "Anna")))
    let logbook = timeline.logbook
    let before = TemporaryDirectory.list(directory.path)
    func read(_ archive: ExportArchive) async throws {
      var bytes: [UInt8] = []
      for try await chunk in archive.chunks { bytes += chunk }
      #expect(bytes.count == archive.bytes)
      let members = try members(bytes)
      #expect(members.map(\.name) == archive.summary.files.map(\.name).sorted())
      for file in archive.summary.files {
        let bytes = members.first { $0.name == file.name }?.bytes ?? []
        #expect(file.bytes == bytes.count && file.sha256 == SHA256Digest.hex(bytes))
      }
    }
    try await read(
      logbook.exportArchive(
        profile: .limited, layout: .mpath, workDirectory: directory.path, zone: { _ in nil }))
    #expect(logbook.progress.underWay == [])
    try await read(
      logbook.ownArchive(
        of: PersonID("anna"), pictures: [OwnPicture(name: "p.png", bytes: [1])],
        workDirectory: directory.path, zone: { _ in nil }))
    await #expect(throws: LogbookError.notFound("data about \"bob\"")) {
      try await logbook.ownArchive(
        of: PersonID("bob"), pictures: [], workDirectory: directory.path, zone: { _ in nil })
    }
    #expect(TemporaryDirectory.list(directory.path) == before)
  }

  @Test func `of a backup begins with the list of its files`() async throws {
    var timeline = try Timeline(in: directory)
    try timeline.add(0, .heartbeat)
    let logbook = timeline.logbook
    let (tone, picture) = (
      String(repeating: "a", count: 64) + ".wav", String(repeating: "b", count: 64) + ".picture"
    )
    for folder in ["tones", "images", "work"] { mkdir("\(directory.path)/\(folder)", 0o700) }
    writeFile([4, 5], to: "\(directory.path)/tones/\(tone)")
    writeFile([], to: "\(directory.path)/images/\(picture)")
    let backup = try await logbook.backup(
      state: directory.path, workDirectory: "\(directory.path)/work", version: "1.2")
    var bytes: [UInt8] = []
    for try await chunk in backup.chunks { bytes += chunk }
    #expect(bytes.count == backup.bytes && backup.head == logbook.head)
    let members = try members(bytes)
    let others = ["images--\(picture)", "record.sqlite", "tones--\(tone)"]
    #expect(members.map(\.name) == ["backup.json"] + others)
    let files = members.dropFirst().map { member in
      #"{"name":"\#(member.name)","sha256":"\#(SHA256Digest.hex(member.bytes))","#
        + #""bytes":\#(member.bytes.count)}"#
    }
    #expect(
      String(decoding: members[0].bytes, as: UTF8.self)
        == #"{"format":1,"version":"1.2","device":"\#(logbook.device)","events":1,"#
        + #""head":"\#(logbook.head.hash)","files":[\#(files.joined(separator: ","))]}"# + "\n")
    #expect(logbook.progress.underWay == [])
  }
}
