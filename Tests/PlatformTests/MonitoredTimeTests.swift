import CivilTime
import Foundation
import Platform
import Synchronization
import Testing

/// Makes a directory of time zone files. A test may change these files.
private func zoneDirectory() throws -> URL {
  let directory = FileManager.default.temporaryDirectory.appending(path: "zones-\(UUID())")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  try put("Europe/Berlin", as: "Home", in: directory)
  try Data("# version 2025a\n".utf8).write(to: directory.appending(path: "tzdata.zi"))
  return directory
}

private func put(_ zone: String, as name: String, in directory: URL) throws {
  try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(zone)"))
    .write(to: directory.appending(path: name), options: .atomic)
}

@Test
func `a zone whose file changes is read again, and a zone whose file is removed stays as it was`()
  throws
{
  let directory = try zoneDirectory()
  defer { try? FileManager.default.removeItem(at: directory) }
  let files = ZoneFiles(directory: directory.path)
  let july = Instant(seconds: 1_783_000_000)
  #expect(files.zone("Home")?.offsetSeconds(at: july) == 7_200)
  #expect(!files.reload())

  try put("America/New_York", as: "Home", in: directory)
  #expect(files.zone("Home")?.offsetSeconds(at: july) == 7_200)
  #expect(files.reload())
  #expect(files.zone("Home")?.offsetSeconds(at: july) == -14_400)

  try FileManager.default.removeItem(at: directory.appending(path: "Home"))
  #expect(!files.reload())
  #expect(files.zone("Home")?.offsetSeconds(at: july) == -14_400)

  try Data("# version 2026f\n".utf8).write(to: directory.appending(path: "tzdata.zi"))
  #expect(files.reload())
  #expect(files.tzdataVersion == "2026f")
}

@Test(.timeLimit(.minutes(1))) func `a change in a watched directory is noticed`() async throws {
  let directory = try zoneDirectory()
  defer { try? FileManager.default.removeItem(at: directory) }
  let watch = try FileWatch(.contents, of: [directory.path])
  try put("America/New_York", as: "Home", in: directory)
  var changes = watch.changes.makeAsyncIterator()
  #expect(await changes.next() != nil)
}

private final class Seen: Sendable { let count = Mutex(0) }

@Test(.timeLimit(.minutes(1)))
func `a device that appears or changes its owner is noticed, and its use is not`()
  async throws
{
  let directory = try zoneDirectory()
  defer { try? FileManager.default.removeItem(at: directory) }
  // The device has no sound card yet. Therefore, the directory for sound cards does not exist.
  let cards = directory.appending(path: "snd").path
  let watch = try FileWatch(.devices, of: [cards])
  let seen = Seen()
  let watching = Task { for await _ in watch.changes { seen.count.withLock { $0 += 1 } } }
  defer { watching.cancel() }
  let device = cards + "/pcmC0D0p"
  func changes(_ deed: () throws -> Void) async throws -> Int {
    try await Task.sleep(for: .milliseconds(200))
    let before = seen.count.withLock { $0 }
    try deed()
    try await Task.sleep(for: .milliseconds(300))
    return seen.count.withLock { $0 } - before
  }
  let files = FileManager.default
  let made = try await changes {
    try files.createDirectory(atPath: cards, withIntermediateDirectories: false)
  }
  let came = try await changes { try Data().write(to: URL(filePath: device)) }
  let given = try await changes {
    try files.setAttributes([.posixPermissions: 0o660], ofItemAtPath: device)
  }
  let played = try await changes {
    let player = try FileHandle(forWritingTo: URL(filePath: device))
    try player.write(contentsOf: Data("sound".utf8))
    try player.close()
  }
  let gone = try await changes { try files.removeItem(atPath: device) }
  #expect(made > 0 && came > 0 && given > 0 && gone > 0, "\(made) \(came) \(given) \(gone)")
  #expect(played == 0)
}

@Test func `only one daemon can use a state directory`() throws {
  let path = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID())").path
  defer { try? FileManager.default.removeItem(atPath: path) }
  let held = try StateDirectory(path: path)
  #expect(throws: HostError.self) { try StateDirectory(path: path) }
  let leftOver = held.subdirectory("exports") + "/left-over"
  try FileManager.default.createDirectory(atPath: leftOver, withIntermediateDirectories: true)
  #expect(FileManager.default.createFile(atPath: leftOver + "/file", contents: nil))
  let exports = held.emptySubdirectory("exports")
  #expect(try FileManager.default.contentsOfDirectory(atPath: exports).isEmpty)
}

@Test(.timeLimit(.minutes(1))) func `the timer fires at once for an instant in the past`()
  async throws
{
  let timer = try WallTimer()
  timer.arm(Instant(seconds: 0))
  var ticks = timer.ticks.makeAsyncIterator()
  #expect(await ticks.next() != nil)
}
